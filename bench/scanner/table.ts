export function row(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`;
}

export function percent(results: readonly { read: boolean }[], decimals = 0): string {
  return `${((100 * results.filter(({ read }) => read).length) / results.length).toFixed(decimals)} %`;
}
