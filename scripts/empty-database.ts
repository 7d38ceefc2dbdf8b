import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { ensurePrivateDir } from '../src/server/config/data-dir.ts';
import { openEmbedded } from '../src/server/db/client.ts';
import { checksumOf } from '../src/server/db/embedded/empty-database.ts';
import { unpackEngineFiles } from './engine-files.ts';

/** Makes an empty database with all tables in the given folder, with its checksum beside it. */
const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Usage: node scripts/empty-database.ts FOLDER');
ensurePrivateDir(folder);

// Postgres would copy these two template databases for a new database, which the product never creates, and they are a
// third of the files. They are dropped before the migrations: dropping them later would leave a second log file of 16
// MB.
await unpackEngineFiles(join(folder, 'db'));
const engine = await PGlite.create({ dataDir: join(folder, 'db') });
await engine.exec("update pg_database set datistemplate = false where datname in ('template0', 'template1')");
for (const template of ['template0', 'template1']) await engine.exec(`drop database ${template}`);
await engine.close();

await (await openEmbedded(folder)).close();
writeFileSync(join(folder, 'sum'), checksumOf(join(folder, 'db')));
