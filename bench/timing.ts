/** The median, which a moment of load does not move. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** How long the work took, in milliseconds. */
export async function took(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Two significant digits: 0.42, 7.3, 180. */
export function short(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(2);
}
