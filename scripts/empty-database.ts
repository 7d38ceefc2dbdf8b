import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { ensurePrivateDir } from '../src/server/config/data-dir.ts';
import { openEmbedded } from '../src/server/db/client.ts';

/** Makes an empty database with all tables in the folder given, as ServerOptions.emptyDatabase wants it. */
const [folder] = process.argv.slice(2);
if (!folder) throw new Error('Usage: node scripts/empty-database.ts FOLDER');
ensurePrivateDir(folder);

// Nobody creates further databases in it, and without the two that Postgres would copy for that, a third of the files
// is gone. First, because the log of changes outgrows its first file if they go last.
const engine = await PGlite.create({ dataDir: join(folder, 'db') });
await engine.exec("update pg_database set datistemplate = false where datname in ('template0', 'template1')");
for (const template of ['template0', 'template1']) await engine.exec(`drop database ${template}`);
await engine.close();

await (await openEmbedded(folder)).close();
