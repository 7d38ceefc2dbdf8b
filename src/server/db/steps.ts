/** Time limit of a step: on the embedded database, where clubs are small and steps short, a pour waits for it. */
const STEP_MS = 500;

/**
 * Does long work in steps, each with as much as fits into STEP_MS by the time of the last one. The first step is one unit,
 * whatever the size of the club. `step` gets the most to do, and returns how much it did, 0 when nothing is left. Returns
 * the sum.
 */
export async function inSteps(limit: number, step: (size: number) => Promise<number>): Promise<number> {
  let size = 1;
  let sum = 0;
  for (;;) {
    const startedAt = performance.now();
    const count = await step(size);
    if (count === 0) return sum;
    sum += count;
    const duration = performance.now() - startedAt;
    if (duration < STEP_MS / 2) size = Math.min(limit, size * 2);
    else if (duration > STEP_MS) size = Math.max(1, Math.floor(size / 2));
  }
}
