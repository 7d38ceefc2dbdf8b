import { randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

const POOL_BYTES = 4_096;

/** The next random bytes, as many as asked for (at most 4,096). They are overwritten later: use them at once. */
export type TakeRandom = (count: number) => Buffer;

/**
 * Random bytes, of which the system is asked for many at a time: asking for 16 takes as long as for 4,096, and each request
 * needs them twice.
 */
export function createRandomPool(fill: (bytes: Buffer) => unknown = randomFillSync): TakeRandom {
  const pool = Buffer.alloc(POOL_BYTES);
  let used = POOL_BYTES;
  return (count) => {
    if (used + count > POOL_BYTES) {
      fill(pool);
      used = 0;
    }
    used += count;
    return pool.subarray(used - count, used);
  };
}

/** UUIDs of version 7. Those of one process ascend, also within a millisecond and when the clock is set back. */
export function createNewId(random: TakeRandom, clock: () => number = Date.now): () => string {
  let msecs = 0;
  let seq = 0;
  return () => {
    const bytes = random(16);
    const now = clock();
    if (now > msecs) {
      msecs = now;
      // Room for two thousand million more in this millisecond.
      seq = bytes.readUInt32BE(0) >>> 1;
    } else seq += 1;
    return v7({ random: bytes, msecs, seq });
  };
}
