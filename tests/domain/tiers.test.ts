import { expect, test } from 'vitest';
import { monthsFreeText, yearPriceObstacle } from '../../src/domain/tiers.ts';

test.each([
  [null, null],
  [undefined, null],
  [39_000, null],
  // Twelve months, and a cent more.
  [46_800, null],
  [46_801, 'year_price_not_allowed'],
  // Half a dollar, and a cent less.
  [50, null],
  [49, 'year_price_not_allowed'],
  [0, 'year_price_not_allowed'],
])('a year of months of $39 can cost %s cents: %s', (yearly_price_cents, obstacle) => {
  expect(yearPriceObstacle({ monthly_price_cents: 3900, yearly_price_cents })).toBe(obstacle);
});

test('a year costs no more than Stripe can charge at once', () => {
  const dear = { monthly_price_cents: 10_000_000 };
  expect(yearPriceObstacle({ ...dear, yearly_price_cents: 99_999_999 })).toBeNull();
  expect(yearPriceObstacle({ ...dear, yearly_price_cents: 100_000_000 })).toBe('year_price_not_allowed');
});

test.each([
  [46_800, ''],
  [42_901, ''],
  [42_900, '1 month free'],
  [39_000, '2 months free'],
])('a year of %s cents for months of $39 saves: %s', (year, text) => {
  expect(monthsFreeText(year, 3900)).toBe(text);
});
