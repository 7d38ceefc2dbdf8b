/** A row of a markdown table. */
export function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** The share of these frames that was read. */
export function percent(results: readonly { read: boolean }[]): string {
  return `${Math.round((100 * results.filter(({ read }) => read).length) / results.length)} %`;
}
