export const median = (values: number[]): number => quantile(values, 0.5);

export async function took(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Two significant digits, or a whole number from 100 on: 0.42, 7.3, 183. */
export function short(value: number): string {
  return value >= 99.5 ? value.toFixed(0) : value.toPrecision(2);
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
