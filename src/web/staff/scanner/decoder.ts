import type { Frame, Treatment } from './frame.ts';
import type { Effort } from './read-code.ts';

export interface DecoderQuestion {
  id: number;
  picture: Frame;
  effort: Effort;
  treatment: Treatment;
}

export interface DecoderAnswer {
  id: number;
  text: string | null;
  problem?: string;
}

let worker: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, (text: string | null) => void>();

/** One for the whole visit: starting it is what takes time. */
function theWorker(): Worker {
  if (worker) return worker;
  worker = new Worker(new URL('./decoder-worker.ts', import.meta.url), { type: 'module' });
  worker.addEventListener('message', ({ data }: MessageEvent<DecoderAnswer>) => {
    if (data.problem) console.error('Decoder:', data.problem);
    waiting.get(data.id)?.(data.text);
    waiting.delete(data.id);
  });
  worker.addEventListener('error', (event) => {
    console.error('Decoder stopped:', event.message);
    worker?.terminate();
    worker = null;
    for (const give of waiting.values()) give(null);
    waiting.clear();
  });
  return worker;
}

/** The text of the code in the picture, or null. The picture is handed over: its data is gone afterwards. */
export function decode(
  picture: Frame,
  effort: Effort,
  treatment: Treatment = 'plain',
): Promise<string | null> {
  lastId += 1;
  const id = lastId;
  const { data, width, height } = picture;
  const question: DecoderQuestion = { id, picture: { data, width, height }, effort, treatment };
  return new Promise((resolve) => {
    waiting.set(id, resolve);
    theWorker().postMessage(question, [data.buffer]);
  });
}

/** Starts the worker and lets it read a blank picture, so that its program is fetched and compiled. */
export async function preloadDecoder(): Promise<void> {
  const side = 64;
  await decode({ data: new Uint8ClampedArray(side * side * 4), width: side, height: side }, 'scan');
}
