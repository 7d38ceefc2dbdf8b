import { afterEach, beforeEach, expect } from 'vitest';

type Pattern = RegExp | string;

let unexpected: string[] = [];
let allowed: Pattern[] = [];
let met = new Set<Pattern>();
let original = console.error;

/**
 * Says that the current test makes the code report an error to the console.
 * Matching lines are swallowed; the test fails when none comes.
 */
export function expectConsoleError(pattern: Pattern): void {
  allowed.push(pattern);
}

const describeArgument = (value: unknown): string =>
  value instanceof Error
    ? (value.stack ?? value.message)
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);

beforeEach(() => {
  unexpected = [];
  allowed = [];
  met = new Set();
  original = console.error;
  console.error = (...values: unknown[]) => {
    const line = values.map(describeArgument).join(' ');
    const pattern = allowed.find((each) =>
      typeof each === 'string' ? line.includes(each) : each.test(line),
    );
    if (pattern) met.add(pattern);
    else unexpected.push(line);
  };
});

afterEach(() => {
  console.error = original;
  expect(unexpected, 'unexpected console.error').toEqual([]);
  expect(
    allowed.filter((pattern) => !met.has(pattern)).map(String),
    'expected console.error that never came',
  ).toEqual([]);
});
