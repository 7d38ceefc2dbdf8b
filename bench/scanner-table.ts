/** A row of a markdown table. */
export function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** The share of these that was read. */
export function percent(results: readonly { read: boolean }[]): string {
  return `${Math.round((100 * results.filter(({ read }) => read).length) / results.length)} %`;
}

/** The value below which this share of them lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}
