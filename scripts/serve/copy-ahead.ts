import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ensurePrivateDir } from '../../src/server/config/data-dir.ts';
import { copyFolder, type EmptyDatabase } from '../../src/server/db/embedded/empty-database.ts';

/**
 * Begins to copy the empty database for a new data folder, on a thread of its own: it makes 900 files, and the server is
 * loaded meanwhile. Returns what the server takes; a copy that fails is made again there.
 */
export function copyAhead(
  empty: EmptyDatabase | null,
  { DATABASE_URL, DATA_DIR }: Record<string, string | undefined>,
): EmptyDatabase | null {
  const dataDir = resolve(DATA_DIR || './data');
  if (!empty || DATABASE_URL || existsSync(join(dataDir, 'db'))) return empty;
  try {
    ensurePrivateDir(dataDir);
  } catch {
    // The server says what is wrong with it.
    return empty;
  }
  const to = copyFolder(dataDir, process.pid);
  const worker = new Worker(new URL('./copy-folder.mjs', import.meta.url), {
    workerData: { from: empty.folder, to },
    // Without those of this process, which load more than the copy needs.
    execArgv: [],
  });
  const copy = once(worker, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`The copy ended with ${code}`);
    return to;
  });
  // The server awaits it later, or ends before.
  copy.catch(() => undefined);
  return { ...empty, copy };
}
