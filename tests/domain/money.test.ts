import { expect, test } from 'vitest';
import {
  amountPerMonth,
  currencyProblem,
  formatAmount,
  formatPrice,
  parseAmount,
  pricePerGlass,
  toMajorUnits,
} from '../../src/domain/money.ts';

test.each([
  [3900, 'usd', '$39.00', '$39'],
  [3950, 'usd', '$39.50', '$39.50'],
  [5, 'usd', '$0.05', '$0.05'],
  [149_000, 'usd', '$1,490.00', '$1,490'],
  [3900, 'eur', '€39.00', '€39'],
  [3900, 'jpy', '¥3,900', '¥3,900'],
  [3900, 'krw', '₩3,900', '₩3,900'],
  // Stripe counts the ariary without decimals, unlike others.
  [39_000, 'mga', 'MGA 39,000', 'MGA 39,000'],
])('%i %s: charged %s, a price of %s', (amount, currency, charged, price) => {
  // A no-break space separates a code from its amount.
  expect(formatAmount(amount, currency).replace('\u00a0', ' ')).toBe(charged);
  expect(formatPrice(amount, currency).replace('\u00a0', ' ')).toBe(price);
});

test.each([
  [3900, 4, 975],
  [6900, 8, 863],
  [0, 4, 0],
  [3900, 0, null],
])('%i for %i glasses is %s a glass', (amount, glasses, each) => {
  expect(pricePerGlass(amount, glasses)).toBe(each);
});

test('a monthly price says whether it includes tax, and nothing if none is calculated', () => {
  expect(amountPerMonth(3900, 'usd', 'unspecified')).toBe('$39.00 per month');
  expect(amountPerMonth(3900, 'usd', 'exclusive')).toBe('$39.00 plus tax per month');
  expect(amountPerMonth(3900, 'usd', 'inclusive')).toBe('$39.00 (tax included) per month');
});

test.each([
  ['39', 'usd', 3900],
  ['39.5', 'usd', 3950],
  ['39.05', 'usd', 3905],
  ['69,50', 'usd', 6950],
  ['1,000', 'usd', null],
  ['19.99', 'eur', 1999],
  ['3900', 'jpy', 3900],
  ['39.5', 'jpy', null],
  ['39.555', 'usd', null],
  ['-1', 'usd', null],
  ['1e3', 'usd', null],
  ['$39', 'usd', null],
  ['', 'usd', null],
])('typed %j in %s is %s of its smallest unit', (text, currency, amount) => {
  expect(parseAmount(text, currency)).toBe(amount);
  if (amount !== null) expect(toMajorUnits(amount, currency)).toBe(Number(text.replace(',', '.')));
});

test('currencies that cannot be charged as written are refused with a message', () => {
  expect(currencyProblem('usd')).toBeNull();
  expect(currencyProblem('jpy')).toBeNull();
  for (const three of ['kwd', 'bhd', 'jod', 'omr', 'tnd', 'isk', 'ugx'])
    expect(currencyProblem(three)).toContain('three decimals');
  for (const none of ['', 'dollar', 'zzz', 'USD']) expect(currencyProblem(none)).toContain('not the code');
});
