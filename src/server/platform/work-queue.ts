import { Refusal } from '../../contract/refusals.ts';

/**
 * Runs at most `atOnce` pieces of work at a time, the others in order. Rejects with Refusal TOO_MANY_ATTEMPTS if
 * `maxWaiting` are waiting already.
 */
export function createWorkQueue(atOnce: number, maxWaiting: number, retry_after_seconds: number) {
  const queue: (() => void)[] = [];
  let count = 0;
  const depth = () => ({ running: count, waiting: queue.length });
  return Object.assign(inTurn, { depth });

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (count < atOnce) count += 1;
    else {
      if (queue.length >= maxWaiting) throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds });
      // Finished work hands its place to the next.
      await new Promise<void>((start) => queue.push(start));
    }
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else count -= 1;
    }
  }
}
