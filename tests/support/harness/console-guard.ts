import { afterEach, beforeEach, expect } from 'vitest';

type Pattern = RegExp | string;

let unexpected: string[] = [];
let allowed: Pattern[] = [];
let matched = new Set<Pattern>();
let original = console.error;

/** Expects the current test to log a matching error to the console, and hides it. The test fails if there is none. */
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
  matched = new Set();
  original = console.error;
  console.error = (...values: unknown[]) => {
    const line = values.map(describeArgument).join(' ');
    const pattern = allowed.find((each) =>
      typeof each === 'string' ? line.includes(each) : each.test(line),
    );
    if (pattern) matched.add(pattern);
    else unexpected.push(line);
  };
});

afterEach(() => {
  console.error = original;
  expect(unexpected, 'unexpected console.error').toEqual([]);
  expect(
    allowed.filter((pattern) => !matched.has(pattern)).map(String),
    'expected console.error that was not logged',
  ).toEqual([]);
});
