export interface Report {
  /** Lines of the summary. */
  facts: string[];
  /** Violations; empty if everything held. */
  violations: string[];
}

/** The output for progress: the console, or nothing in a test. */
export type Progress = (line: string) => void;

/** The value below which that share of the values lies; NaN without values. */
function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Seconds with one digit. */
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** 'median 1.2 s, worst 3.4 s' of times in milliseconds. */
export const medianAndWorst = (ms: number[]) =>
  `median ${seconds(percentile(ms, 0.5))}, worst ${seconds(Math.max(...ms))}`;

/** The first few of many, so that a summary stays readable. */
export function shortList(lines: string[], most = 20): string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most), `and ${lines.length - most} more`];
}
