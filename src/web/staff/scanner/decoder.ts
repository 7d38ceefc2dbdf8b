import type { Frame, Treatment } from './frame.ts';
import { NO_CODE, type Reading } from './nearest-code.ts';
import type { Effort } from './read-code.ts';

export interface DecoderRequest {
  id: number;
  frame: Frame;
  effort: Effort;
  treatment: Treatment;
}

export interface DecoderResponse {
  id: number;
  reading: Reading;
  error?: string;
}

let worker: Worker | null = null;
let lastId = 0;
const pending = new Map<number, (reading: Reading) => void>();

/** One worker for the whole visit, because starting one takes time. */
function getWorker(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL('./decoder-worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<DecoderResponse>) => {
    if (data.error) console.error('Decoder:', data.error);
    pending.get(data.id)?.(data.reading);
    pending.delete(data.id);
  });
  worker.addEventListener('error', (event) => {
    console.error('Decoder stopped:', event.message);
    worker?.terminate();
    worker = null;
    for (const resolve of pending.values()) resolve(NO_CODE);
    pending.clear();
  });
  return worker;
}

/** The frame's data is moved to the worker and lost here. */
export function decode(frame: Frame, effort: Effort, treatment: Treatment = 'plain'): Promise<Reading> {
  lastId += 1;
  const id = lastId;
  const { data, width, height } = frame;
  const request: DecoderRequest = { id, frame: { data, width, height }, effort, treatment };
  return new Promise((resolve) => {
    pending.set(id, resolve);
    getWorker().postMessage(request, [data.buffer]);
  });
}

/** Starts the worker on a blank frame, so that its WebAssembly is fetched and compiled. */
export async function preloadDecoder(): Promise<void> {
  const side = 64;
  await decode({ data: new Uint8ClampedArray(side * side * 4), width: side, height: side }, 'scan');
}
