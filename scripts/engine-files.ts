import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { dataDir } from '@electric-sql/pglite-prepopulatedfs';
import { extract } from 'tar-stream';

/** Writes the files of a new database, as the engine's authors have prepared them, to a folder: initdb takes seconds. */
export async function unpackEngineFiles(folder: string): Promise<void> {
  await unpackArchive(gunzipSync(await (await dataDir()).arrayBuffer()), folder);
}

export async function unpackArchive(archive: Uint8Array, folder: string): Promise<void> {
  const entries = extract();
  entries.end(archive);
  for await (const entry of entries) {
    const path = join(folder, entry.header.name);
    const isFile = entry.header.type === 'file';
    mkdirSync(isFile ? dirname(path) : path, { recursive: true, mode: 0o700 });
    if (!isFile) {
      entry.resume();
      continue;
    }
    const file = openSync(path, 'w', 0o600);
    for await (const part of entry as AsyncIterable<Uint8Array>) writeSync(file, part);
    closeSync(file);
  }
}
