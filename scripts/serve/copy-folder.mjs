// A worker thread of copy-ahead.ts. Plain JavaScript, which starts soonest.
import { cpSync, rmSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const { from, to } = workerData;
// That of an earlier process with the same number, broken off.
rmSync(to, { recursive: true, force: true });
cpSync(from, to, { recursive: true });
