import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type OpenDatabase, openEmbedded } from '../../../src/server/db/client.ts';

const root = resolve(import.meta.dirname, '../../..');
const migrations = join(root, 'src/server/db/migrations');
const cache = join(root, '.cache');

function templateFile(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(migrations)
    .filter((it) => it.endsWith('.sql'))
    .sort()) {
    hash.update(name).update(readFileSync(join(migrations, name)));
  }
  return join(cache, `test-database-${hash.digest('hex').slice(0, 16)}.tar`);
}

async function template(): Promise<Blob> {
  const file = templateFile();
  if (!existsSync(file)) {
    const fresh = await openEmbedded('memory');
    const bytes = new Uint8Array(await (await fresh.archive()).arrayBuffer());
    await fresh.close();
    mkdirSync(cache, { recursive: true });
    // Several workers may make it at once; each writes its own file and the last rename wins.
    writeFileSync(`${file}.${process.pid}`, bytes);
    renameSync(`${file}.${process.pid}`, file);
  }
  return new Blob([readFileSync(file)]);
}

/** A migrated embedded database of its own, in memory: a copy of one made once for these migrations. */
export async function createTestDatabase(): Promise<OpenDatabase> {
  return openEmbedded('memory', await template());
}
