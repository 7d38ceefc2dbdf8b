/** A row of a markdown table. */
export function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** The share of frames that was read, in percent with `decimals` decimals. */
export function percent(results: readonly { read: boolean }[], decimals = 0): string {
  return `${((100 * results.filter(({ read }) => read).length) / results.length).toFixed(decimals)} %`;
}
