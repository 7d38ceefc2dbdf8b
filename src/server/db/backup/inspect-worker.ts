import { parentPort, workerData } from 'node:worker_threads';
import { inspectDatabase } from './inspect.ts';

parentPort?.postMessage(await inspectDatabase(String(workerData)));
