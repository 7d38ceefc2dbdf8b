import { median } from '../bench/parts/timing.ts';

export interface Report {
  facts: string[];
  violations: string[];
}

/** The output for progress: the console, or nothing in a test. */
export type Progress = (line: string) => void;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

/** 'median 1.2 s, worst 3.4 s' of times in milliseconds. */
export const medianAndWorst = (ms: number[]) =>
  `median ${seconds(median(ms))}, worst ${seconds(Math.max(...ms))}`;
