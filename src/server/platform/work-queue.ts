/** More work is waiting than is worth waiting for. */
export class QueueFullError extends Error {}

/**
 * Runs at most `atOnce` pieces of work at the same time, the others in the order they came. Rejects with QueueFullError
 * when `maxWaiting` are waiting already.
 */
export function createWorkQueue(atOnce: number, maxWaiting: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  const depth = () => ({ running, waiting: waiting.length });
  return Object.assign(inTurn, { depth });

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < atOnce) running += 1;
    else {
      if (waiting.length >= maxWaiting) throw new QueueFullError();
      // Whoever finishes hands over its place.
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
