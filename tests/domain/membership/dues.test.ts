import { expect, test } from 'vitest';
import { duesAmount, duesPrices, monthBoundary } from '../../../src/domain/membership/dues.ts';

test.each([
  // months, own price, the tier's price of a year, amount
  [1, 3900, 39_000, 3900],
  [6, 3900, 39_000, 23_400],
  [12, 3900, 39_000, 39_000],
  [12, 3900, null, 46_800],
  // Twelve months at an own, older price are the cheaper year.
  [12, 3000, 39_000, 36_000],
  [12, 3250, 39_000, 39_000],
])('%s months at %s cents, with a year for %s, cost %s', (months, price, year, amount) => {
  expect(duesAmount(duesPrices(price, year), months)).toBe(amount);
});

// docs/rules/dues.md: months count from the day a membership began.

test.each([
  ['2027-01-31', '2027-01-31', '2027-01-31'],
  ['2027-01-31', '2027-02-01', '2027-02-28'],
  ['2027-01-31', '2027-02-28', '2027-02-28'],
  ['2027-01-31', '2027-03-01', '2027-03-31'],
  ['2027-10-30', '2028-03-01', '2028-03-30'],
  ['2028-02-29', '2029-03-01', '2029-03-29'],
])('of months from %s, the first on or after %s begins on %s', (began, day, start) => {
  expect(monthBoundary(began, day)).toBe(start);
});
