import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Contender } from './contenders.ts';
import type { Kind } from './corpus.ts';

export interface Task {
  kind: Kind;
  perKind: number;
  index: number;
  by: readonly Contender[];
}

export interface Outcome {
  contender: Contender;
  /** Milliseconds of processor time. */
  ms: number;
  read: boolean;
  /** Whether the reader returned a text that is not in the frame. */
  wrong: boolean;
}

export type Result = Task & Outcome;

export async function decodeAll(tasks: readonly Task[]): Promise<Result[]> {
  const queue = [...tasks];
  const results: Result[] = [];
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(new URL('./worker.ts', import.meta.url));
      let task = queue.shift();
      const next = () => (task ? worker.postMessage(task) : worker.terminate());
      worker.on('message', (outcomes: Outcome[]) => {
        for (const outcome of outcomes) if (task) results.push({ ...task, ...outcome });
        task = queue.shift();
        next();
      });
      worker.on('error', reject);
      worker.on('exit', () => resolve());
      next();
    });
  await Promise.all(Array.from({ length: Math.min(tasks.length, availableParallelism()) }, work));
  return results;
}
