import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type EmbeddedDatabase, openEmbedded } from '../../../src/server/db/client.ts';

const root = resolve(import.meta.dirname, '../../..');
const sources = ['migrations', 'functions'].map((it) => join(root, 'src/server/db', it));
const cache = join(root, '.cache');

function templateFile(): string {
  const hash = createHash('sha256');
  for (const folder of sources) {
    for (const name of readdirSync(folder).sort()) {
      if (name.endsWith('.sql')) hash.update(name).update(readFileSync(join(folder, name)));
    }
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

/** A new embedded database in memory: a copy of a template made once for these migrations and functions. */
export async function createTestDatabase(): Promise<EmbeddedDatabase> {
  return openEmbedded('memory', await template());
}
