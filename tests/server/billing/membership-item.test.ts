import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  type KnownTiers,
  membershipItem,
  soldPrice,
  tierSold,
} from '../../../src/server/billing/state/membership-item.ts';

// docs/rules/billing.md, "Billing: which tier a price buys".

const TIERS: KnownTiers = {
  monthlyPours: new Map([
    ['select', 4],
    ['premier', 8],
  ]),
  tierOfPrice: new Map([['price_taken_over', { tier_name: 'premier', amount_cents: 6900 }]]),
  tierOfProduct: new Map([['prod_select', 'select']]),
};

interface Terms {
  id?: string;
  product?: string;
  tier?: string;
  every?: [number, Stripe.Price.Recurring.Interval];
}
const price = ({ id = 'price_1', product = 'prod_other', tier, every = [1, 'month'] }: Terms) =>
  ({
    id,
    product,
    metadata: tier ? { tier } : {},
    recurring: { interval: every[1], interval_count: every[0] },
  }) as Stripe.Price;

test.each<[string, Terms, string | null]>([
  ['that was taken over', { id: 'price_taken_over' }, 'premier'],
  ['that was taken over and is for a year', { id: 'price_taken_over', every: [1, 'year'] }, 'premier'],
  ['on a tier’s product', { product: 'prod_select' }, 'select'],
  ['on a tier’s product that names another tier', { product: 'prod_select', tier: 'premier' }, 'select'],
  ['that names a tier', { tier: 'premier' }, 'premier'],
  ['that names what is no tier', { tier: 'gold' }, null],
  ['of a tier for a year', { product: 'prod_select', every: [1, 'year'] }, null],
  ['of a tier for three months', { product: 'prod_select', tier: 'select', every: [3, 'month'] }, null],
  ['of something else', {}, null],
])('a price %s sells %j', (_, terms, tier) => {
  expect(tierSold(soldPrice(price(terms)), TIERS)).toBe(tier);
});

describe('the membership among the items', () => {
  const among = (...terms: Terms[]) =>
    membershipItem(
      terms.map((it) => ({ price: price(it) })),
      TIERS,
    )?.price.id;

  test('is at a price of ours before one that only names a tier', () => {
    expect(among({ id: 'price_named', tier: 'select' }, { id: 'price_taken_over' })).toBe('price_taken_over');
  });

  test('is at a price that sells a tier before one on a tier’s product for a year', () => {
    const yearly: Terms = { id: 'price_yearly', product: 'prod_select', every: [1, 'year'] };
    expect(among(yearly, { id: 'price_named', tier: 'select' })).toBe('price_named');
    expect(among({ id: 'price_locker' }, yearly)).toBe('price_yearly');
  });

  test('is the first if none has to do with a tier', () => {
    expect(among({ id: 'price_locker' }, { id: 'price_magazine' })).toBe('price_locker');
    expect(among()).toBeUndefined();
  });
});
