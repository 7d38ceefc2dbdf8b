import { once } from 'node:events';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ensurePrivateDir } from '../../src/server/config/data-dir.ts';
import type { Prepared } from '../../src/server/db/client.ts';
import { copyFolder, type EmptyDatabase } from '../../src/server/db/embedded/empty-database.ts';
import type { Builds } from '../builds.ts';
import type { AheadWork } from './ahead-thread.ts';

/**
 * Prepares the embedded database: its engine, on a thread of its own while the server is loaded; for a new data folder also an
 * empty database, the spare one or a copy made on that thread, which is 900 files. `thread` is ahead-thread.ts, built.
 * The server does itself what fails here.
 */
export function prepareAhead(
  thread: string,
  { emptyDatabase, engineCode }: Pick<Builds, 'emptyDatabase' | 'engineCode'>,
  { DATABASE_URL, DATA_DIR }: Record<string, string | undefined>,
): Prepared {
  if (DATABASE_URL) return {};
  const to = emptyDatabase && newDatabase(resolve(DATA_DIR || './data'));
  if (!to) return { engine: run(thread, { engineCode, copy: null }).engine, empty: emptyDatabase };
  const moved = moveSpare(emptyDatabase, to);
  const { engine, ended } = run(thread, {
    engineCode,
    copy: moved ? null : { from: emptyDatabase.folder, to },
  });
  const copy = moved ? Promise.resolve(to) : ended.then(() => to);
  copy.catch(() => undefined);
  // Where another start has the folder, nothing is made of it.
  process.once('exit', () => removeCopy(to));
  return { engine, empty: { ...emptyDatabase, copy } };
}

function removeCopy(copy: string): void {
  try {
    rmSync(copy, { recursive: true, force: true });
  } catch {
    // The thread still writes; the next start removes it.
  }
}

function run(thread: string, workerData: AheadWork) {
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
  return { engine, ended };
}

/** Where a data folder that has no database gets one; null where it has, or cannot. */
function newDatabase(dataDir: string): string | null {
  if (existsSync(join(dataDir, 'db'))) return null;
  try {
    ensurePrivateDir(dataDir);
  } catch {
    // The server says what is wrong with it.
    return null;
  }
  return copyFolder(dataDir, process.pid);
}

/** False where there is none, it is on another disk, or this account may not move it. */
function moveSpare({ spare }: EmptyDatabase, to: string): boolean {
  if (!spare) return false;
  try {
    renameSync(spare, to);
    return true;
  } catch {
    return false;
  }
}
