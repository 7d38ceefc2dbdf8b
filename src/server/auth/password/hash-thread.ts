import { Worker } from 'node:worker_threads';

/** Argon2id's parameters; memory in KiB. */
export interface PasswordHashCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

export type HashJob = { password: string } & (
  | { stored?: undefined; cost: PasswordHashCost }
  | { stored: string; cost?: undefined }
);

type Answer = { result: string | boolean } | { error: Error };

/** Threads without a job. They end with the process and never keep it alive. */
const threads: Worker[] = [];

/**
 * Does a job on a thread, of low priority on Linux, so that a flood of guesses leaves the processors to the bar. One thread
 * for each job at a time; the caller limits how many there are. Rejects with the library's error.
 */
export async function onHashThread(job: HashJob): Promise<string | boolean> {
  const worker = threads.pop() ?? startThread();
  worker.ref();
  const answer = await new Promise<Answer>((resolve) => {
    const fail = (error: Error) => resolve({ error });
    const exit = () => fail(new Error('The thread that hashes passwords ended'));
    worker.once('error', fail).once('exit', exit);
    worker.once('message', (message: Answer) => {
      worker.off('error', fail).off('exit', exit);
      worker.unref();
      threads.push(worker);
      resolve(message);
    });
    worker.postMessage(job);
  });
  if ('error' in answer) throw answer.error;
  return answer.result;
}

function startThread(): Worker {
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { execArgv: [] });
  // An idle thread may fail: the next job starts another.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    const at = threads.indexOf(worker);
    if (at >= 0) threads.splice(at, 1);
  });
  return worker;
}
