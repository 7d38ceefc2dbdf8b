import { v7 } from 'uuid';

const POOL_BYTES = 4_096;

/** The next random bytes, as many as asked for (at most 4,096). They are overwritten later: use them at once. */
type TakeRandom = (count: number) => Buffer;

/** Fills them all with random bytes. */
type Fill = (bytes: Buffer) => unknown;

/**
 * Random bytes, of which the system is asked for many at a time: asking for 16 takes as long as for 4,096, and each request
 * needs them twice.
 */
export function createRandomPool(fill: Fill): TakeRandom {
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

/** Ids and secrets of this process, by the system's random bytes and its clock (milliseconds). */
export function createRandom(fill: Fill, clock: () => number) {
  const random = createRandomPool(fill);
  return { newId: createNewId(random, clock), newSecret: () => random(32).toString('base64url') };
}

/** UUIDs of version 7. Those of one process ascend, also within a millisecond and when the clock is set back. */
function createNewId(random: TakeRandom, clock: () => number): () => string {
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
