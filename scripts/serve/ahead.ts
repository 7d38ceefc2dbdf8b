import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ensurePrivateDir } from '../../src/server/config/data-dir.ts';
import { copyFolder, type EmptyDatabase } from '../../src/server/db/embedded/empty-database.ts';
import type { Builds } from '../builds.ts';
import type { AheadWork } from './ahead-thread.ts';
import type { StartOptions } from './installation.ts';

/**
 * Prepares the embedded database on a thread of its own while the server is loaded: its engine, and for a new data folder a
 * copy of the empty database, which is 900 files. `thread` is ahead-thread.ts, built. Returns what the server takes; it
 * does itself what fails here.
 */
export function prepareAhead(
  thread: string,
  { emptyDatabase, engineCode }: Pick<Builds, 'emptyDatabase' | 'engineCode'>,
  { DATABASE_URL, DATA_DIR }: Record<string, string | undefined>,
): Pick<StartOptions, 'emptyDatabase' | 'engine'> {
  if (DATABASE_URL) return {};
  const copy = copyFor(resolve(DATA_DIR || './data'), emptyDatabase);
  const workerData: AheadWork = { engineCode, copy };
  // Without the arguments of this process, which load more than the thread needs.
  const worker = new Worker(thread, { workerData, execArgv: [] });
  const message = once(worker, 'message') as Promise<[WebAssembly.Module]>;
  const ended = once(worker, 'exit').then(([code]) => {
    if (code !== 0) throw new Error(`The thread ended with ${code}`);
  });
  const engine = Promise.race([message, ended]).then((sent) => {
    if (!sent) throw new Error('The thread ended without the engine');
    return sent[0];
  });
  // The server awaits it later, or ends before.
  engine.catch(() => undefined);
  if (!emptyDatabase || !copy) return { engine, emptyDatabase };
  const copied = ended.then(() => copy.to);
  copied.catch(() => undefined);
  return { engine, emptyDatabase: { ...emptyDatabase, copy: copied } };
}

/** The copy that a data folder needs, if any. */
function copyFor(dataDir: string, empty: EmptyDatabase | null): AheadWork['copy'] {
  if (!empty || existsSync(join(dataDir, 'db'))) return null;
  try {
    ensurePrivateDir(dataDir);
  } catch {
    // The server says what is wrong with it.
    return null;
  }
  return { from: empty.folder, to: copyFolder(dataDir, process.pid) };
}
