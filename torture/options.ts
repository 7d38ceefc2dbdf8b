import { parseArgs } from 'node:util';
import { chanceFrom } from '../scripts/demo/chance.ts';

export interface TortureOptions {
  /** The number of kills, attempts or faults; each scenario says which. */
  rounds: number;
  seconds: number;
  /** The seed of every random choice. The order of responses depends on the machine. */
  seed: number;
}

/** The command line's options over the scenario's own. Throws Error for one that is not a positive whole number. */
export function readOptions(args: string[], defaults: TortureOptions): TortureOptions {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: 'string' }, seconds: { type: 'string' }, seed: { type: 'string' } },
  });
  const entries = Object.entries(values).map(([name, text]) => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} takes a whole number of 1 or more`);
    return [name, value];
  });
  return { ...defaults, ...Object.fromEntries(entries) };
}

/** Numbers from 0 up to but not including 1; the same seed gives the same sequence. */
export const randomFrom = (seed: number): (() => number) => chanceFrom(seed).next;

export const pick = <T>(random: () => number, from: readonly T[]): T => {
  const item = from[Math.floor(random() * from.length)];
  if (item === undefined) throw new Error('Nothing to choose from');
  return item;
};
