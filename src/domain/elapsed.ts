/** How far apart the clocks of two servers may be (milliseconds). */
export const CLOCK_SKEW_MS = 60_000;

/**
 * Milliseconds since then. A time ahead of now was written by a clock that was wrong and has been set right: nobody knows
 * how long ago that was, so it counts as over, and nothing waits for years.
 */
export function elapsedMs(since: Date, now: Date): number {
  const ms = now.getTime() - since.getTime();
  return ms < -CLOCK_SKEW_MS ? Number.POSITIVE_INFINITY : Math.max(0, ms);
}
