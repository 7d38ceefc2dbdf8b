import { describe, expect, test } from 'vitest';
import {
  differsFromTier,
  type PeriodExtra,
  periodExtras,
  periodExtrasText,
} from '../../../src/domain/membership/period-extras.ts';

const has = { tier_max: 8, period_pours: 8, pours_when_paid: 0, rolled_pours: 0 };
const extra = (kind: PeriodExtra['kind'], glasses: number): PeriodExtra => ({ kind, glasses });

describe('what a period gives beside the tier’s own number', () => {
  test.each<[string, Partial<typeof has>, PeriodExtra[], PeriodExtra[]]>([
    ['nothing', {}, [], []],
    ['a month that is not paid yet', { period_pours: 2, pours_when_paid: 6 }, [], []],
    [
      'glasses from the month before, and for a birthday',
      { period_pours: 12, rolled_pours: 3 },
      [extra('birthday', 1)],
      [extra('rolled_over', 3), extra('birthday', 1)],
    ],
    ['a larger tier in the middle of the month', { period_pours: 6 }, [], [extra('tier_change', -2)]],
    ['given and taken back', { period_pours: 7 }, [extra('given', -1)], [extra('given', -1)]],
  ])('%s', (_, more, given, expected) => {
    const numbers = { ...has, ...more };
    expect(periodExtras(numbers, given, 'tier_change')).toEqual(expected);
    expect(differsFromTier(numbers)).toBe(expected.length > 0);
  });

  test('of a shared membership, whose ledger a partner does not see', () => {
    expect(periodExtras({ ...has, period_pours: 11, rolled_pours: 2 }, [], 'other')).toEqual([
      extra('rolled_over', 2),
      extra('other', 1),
    ]);
  });
});

test.each<[PeriodExtra[], number, string]>([
  [[], 0, ''],
  [[extra('rolled_over', 3), extra('birthday', 1)], 11, '3 rolled over from October, 1 for your birthday'],
  [[extra('rolled_over', 1)], 0, '1 rolled over from November'],
  [
    [extra('given', -2), extra('tier_change', 4)],
    5,
    '2 fewer, corrected by the club, 4 from your tier change',
  ],
  [[extra('tier_change', -2)], 5, '2 fewer after your tier change'],
])('%j, in a period that ends in month %i: %s', (extras, resets, text) => {
  expect(periodExtrasText(extras, resets)).toBe(text);
});
