import { expect, test } from 'vitest';
import { localDate } from '../../../src/domain/calendar.ts';
import type { GrantKind } from '../../../src/domain/glasses.ts';
import type { CelebrationKind } from '../../../src/domain/membership/celebration.ts';
import { type GrantLeft, grantsText, rolledOverUsed } from '../../../src/domain/membership/grants-text.ts';

const NEW_YORK = { dayOf: (instant: Date) => localDate(instant, 'America/New_York') };
/** The month ends as December 18 begins there. */
const UNTIL = '2026-12-18T05:00:00.000Z';

const left = (
  pours: number,
  kind: GrantKind,
  { occasion = null, until = UNTIL }: { occasion?: CelebrationKind | null; until?: string } = {},
): GrantLeft => ({ kind, occasion, pours, until });

test.each<[string, GrantLeft[]]>([
  ['', []],
  // The number above the list already says this.
  ['', [left(8, 'period')]],
  ['', [left(2, 'advance')]],
  [
    '8 this month, 3 from October until 12/17/2026, 1 for your birthday',
    [left(3, 'rollover'), left(1, 'celebration', { occasion: 'birthday' }), left(8, 'period')],
  ],
  ['3 from October until 12/17/2026', [left(3, 'rollover')]],
  ['1 for your anniversary', [left(1, 'celebration', { occasion: 'anniversary' })]],
  [
    '2 this month, 1 for your hundredth glass',
    [left(1, 'celebration', { occasion: 'hundredth' }), left(2, 'period')],
  ],
  // Glasses given on several days, for any reasons, are one item.
  [
    '8 this month, 6 from the club',
    [left(2, 'given'), left(1, 'correction'), left(3, 'given'), left(8, 'period')],
  ],
  ['1 from the club', [left(1, 'celebration')]],
  [
    '5 ahead of this month’s payment, 2 from October until 12/17/2026',
    [left(2, 'rollover'), left(5, 'advance')],
  ],
  // A card period, which begins and ends at an instant in UTC.
  ['1 from November until 1/14/2027', [left(1, 'rollover', { until: '2027-01-14T12:00:00.000Z' })]],
  ['1 from December until 2/27/2027', [left(1, 'rollover', { until: '2027-02-28T05:00:00.000Z' })]],
])('%s', (text, grants) => {
  expect(grantsText(grants, NEW_YORK)).toBe(text);
});

test('days are by the clock of the reader', () => {
  const inUtc = { dayOf: (instant: Date) => localDate(instant, 'UTC') };
  expect(grantsText([left(1, 'rollover')], inUtc)).toBe('1 from October until 12/18/2026');
});

test('staff read about another person', () => {
  const grants = [left(1, 'celebration', { occasion: 'birthday' }), left(2, 'period')];
  expect(grantsText(grants, { ...NEW_YORK, whose: 'their' })).toBe('2 this month, 1 for their birthday');
});

test('a partner does not read whether the month is paid', () => {
  expect(grantsText([left(3, 'advance'), left(1, 'given')], { ...NEW_YORK, hidesPayment: true })).toBe(
    '3 this month, 1 from the club',
  );
});

test('rolled-over pours are used first; while pours are held, their source is unknown', () => {
  expect(rolledOverUsed({ rolled_pours: 3, rolled_left: 1, held_pours: 0 })).toBe(2);
  expect(rolledOverUsed({ rolled_pours: 3, rolled_left: 1, held_pours: 1 })).toBe(0);
});
