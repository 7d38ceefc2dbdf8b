/** How long one step may take: a pour on the embedded database waits for it, where a club is small and a step short. */
const STEP_MS = 500;

/**
 * Does long work a step at a time, each with as much as fits into STEP_MS, by how long the last one took: it begins with
 * one, whatever the size of the club. `step` is told how much to do at most, and answers how much it did, 0 when nothing is
 * left. Answers the sum.
 */
export async function inSteps(most: number, step: (size: number) => Promise<number>): Promise<number> {
  let size = 1;
  let sum = 0;
  for (;;) {
    const began = performance.now();
    const done = await step(size);
    if (done === 0) return sum;
    sum += done;
    const took = performance.now() - began;
    if (took < STEP_MS / 2) size = Math.min(most, size * 2);
    else if (took > STEP_MS) size = Math.max(1, Math.floor(size / 2));
  }
}
