export const median = (values: number[]): number => quantile(values, 0.5);

export async function took(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Two significant digits, or a whole number from 100 on: 0.42, 7.3, 183. */
export function short(value: number): string {
  return value >= 99.5 ? value.toFixed(0) : value.toPrecision(2);
}

/** The value below which this share of the values lies. */
export function quantile(values: readonly number[], share: number): number {
  const order = values.toSorted((a, b) => a - b);
  return order[Math.min(order.length - 1, Math.floor(share * order.length))] ?? Number.NaN;
}
