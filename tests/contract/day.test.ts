import { expect, test } from 'vitest';
import { day } from '../../src/contract/base.ts';

test.each([
  ['2026-02-28', true],
  ['0001-01-01', true],
  ['0000-01-01', false],
  ['2026-02-30', false],
])('%s as a day: %s', (text, is) => {
  expect(day.safeParse(text).success).toBe(is);
});
