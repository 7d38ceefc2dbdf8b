import { Refusal } from '../../contract/refusals.ts';

/**
 * Runs at most `atOnce` pieces of work at a time, the others in order. Rejects with Refusal TOO_MANY_ATTEMPTS if
 * `maxWaiting` are waiting already.
 */
export function createWorkQueue(atOnce: number, maxWaiting: number, retry_after_seconds: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  const depth = () => ({ running, waiting: waiting.length });
  return Object.assign(inTurn, { depth });

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < atOnce) running += 1;
    else {
      if (waiting.length >= maxWaiting) throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds });
      // Finished work hands its place to the next.
      await new Promise<void>((start) => waiting.push(start));
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }
}
