import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { HashJob } from './hash-thread.ts';

// Linux can lower the priority of this thread alone; elsewhere it would be the whole server's.
if (process.platform === 'linux') {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox may forbid it. Hashes are made all the same.
  }
}

parentPort?.on('message', (job: HashJob) => {
  try {
    const result =
      job.stored === undefined ? hashSync(job.password, job.cost) : verifySync(job.stored, job.password);
    parentPort?.postMessage({ result });
  } catch (error) {
    parentPort?.postMessage({ error });
  }
});
