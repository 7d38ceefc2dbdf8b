import { parentPort, workerData } from 'node:worker_threads';
import { copyFiles } from '../../src/server/db/embedded/empty-database.ts';
import { compileEngine } from '../../src/server/db/embedded/engine-code.ts';

/** What ahead.ts has prepared on this thread. */
export interface AheadWork {
  /** See compileEngine. */
  engineCode: string;
  /** The folder to copy, and where to. */
  copy: { from: string; to: string } | null;
}

const { engineCode, copy } = workerData as AheadWork;
parentPort?.postMessage(compileEngine(engineCode));
if (copy) copyFiles(copy.from, copy.to);
