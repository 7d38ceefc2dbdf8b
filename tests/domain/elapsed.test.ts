import { expect, test } from 'vitest';
import { CLOCK_SKEW_MS, elapsedMs } from '../../src/domain/elapsed.ts';

const now = new Date('2026-06-15T12:00:00Z');
const ahead = (ms: number) => new Date(now.getTime() + ms);

test.each([
  ['a minute ago', -60_000, 60_000],
  ['now', 0, 0],
  ['ahead by no more than two servers differ', CLOCK_SKEW_MS, 0],
  ['ahead by more: written while the clock was wrong', CLOCK_SKEW_MS + 1, Number.POSITIVE_INFINITY],
  ['a year ahead', 365 * 86_400_000, Number.POSITIVE_INFINITY],
])('%s', (_, by, ms) => expect(elapsedMs(ahead(by), now)).toBe(ms));
