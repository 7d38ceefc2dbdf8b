import { describe, expect, it, test } from 'vitest';
import {
  type AdoptionFacts,
  type AdoptionProblem,
  type AdoptionRemark,
  type FoundSubscription,
  guessTier,
  judgeAdoption,
  type KnownAccount,
  namesOf,
} from '../../../src/domain/imports/adoption.ts';

// docs/rules/imports.md, "Taking over subscriptions from Stripe".

const NOW = new Date('2026-06-15T12:00:00Z');
const FOUND: FoundSubscription = {
  id: 'sub_1',
  customer: 'cus_1',
  email: 'ana@example.test',
  name: 'Ana Ruiz',
  user_id: null,
  status: 'active',
  price: 'price_premier',
  product: 'prod_1',
  price_tier: null,
  unit_cents: 6900,
  quantity: 1,
  currency: 'usd',
  interval: 'month',
  other_prices: [],
  invoiced: false,
  scheduled: false,
  discounted: false,
  own_card: false,
  other_program: false,
  paused: false,
  cancel_at_period_end: false,
  cancel_at: null,
  period_end: '2026-07-01T00:00:00Z',
  started_at: '2025-07-01T00:00:00Z',
};
const ACCOUNT: KnownAccount = {
  user_id: 'u1',
  is_staff: false,
  is_theirs: true,
  loses_password: false,
  billed_at_venue: false,
  is_partner: false,
  stripe_customer: null,
};
const FACTS: AdoptionFacts = {
  tierOfPrice: new Map([
    ['price_premier', { tier: 'premier', amount_cents: 6900 }],
    ['price_select', { tier: 'select', amount_cents: 3900 }],
  ]),
  currency: 'usd',
  isEmail: (text) => text.includes('@'),
  isName: (text) => text.length > 0,
  now: NOW,
  account: null,
  owner: null,
  others: [],
};
const judge = (found: Partial<FoundSubscription> = {}, facts: Partial<AdoptionFacts> = {}) =>
  judgeAdoption({ ...FOUND, ...found }, { ...FACTS, ...facts });

test('an active monthly subscription becomes a membership of its price’s tier', () => {
  expect(judge()).toEqual({ tier: 'premier', becomes: 'made', problems: [], remarks: [] });
  expect(judge({}, { account: ACCOUNT }).becomes).toBe('found');
  expect(judge({}, { account: { ...ACCOUNT, loses_password: true } }).remarks).toEqual(['new_password']);
});

describe('is left at Stripe', () => {
  const cases: [AdoptionProblem, Partial<FoundSubscription>, Partial<AdoptionFacts>?][] = [
    ['no_membership', { price: 'price_cheese' }],
    ['membership_not_first', { price: 'price_cheese', other_prices: ['price_select'] }],
    ['several_memberships', { other_prices: ['price_select'] }],
    ['several_memberships', { quantity: 2 }],
    ['two_subscriptions', {}, { others: [{ price: 'price_select', other_prices: [] }] }],
    ['two_subscriptions', {}, { others: [{ price: 'price_cheese', other_prices: ['price_select'] }] }],
    ['no_fixed_price', { unit_cents: null }],
    ['other_currency', { currency: 'eur' }],
    ['not_monthly', { interval: 'year' }],
    ['not_monthly', { interval: '3 months' }],
    ['invoiced', { invoiced: true }],
    ['on_schedule', { scheduled: true }],
    ['ended', { status: 'canceled' }],
    ['ended', { status: 'incomplete_expired' }],
    ['ended', { cancel_at: '2026-06-15T12:00:00Z' }],
    ['never_paid', { status: 'incomplete' }],
    ['overdue', { status: 'past_due' }],
    ['overdue', { status: 'unpaid' }],
    ['stopped', { status: 'paused' }],
    ['stopped', { status: 'something new' }],
    ['email_missing_at_stripe', { email: null }],
    ['email_wrong_at_stripe', { email: 'ana' }],
    ['name_missing_at_stripe', { name: 'Madonna' }],
    ['name_missing_at_stripe', { name: null }],
    ['taken_over', {}, { account: ACCOUNT, owner: 'u1' }],
    ['other_account', {}, { account: ACCOUNT, owner: 'u2' }],
    ['other_account', {}, { owner: 'u2' }],
    ['staff_account', {}, { account: { ...ACCOUNT, is_staff: true } }],
    ['account_unconfirmed', {}, { account: { ...ACCOUNT, is_theirs: false } }],
    ['billed_at_venue', {}, { account: { ...ACCOUNT, billed_at_venue: true } }],
    ['shares', {}, { account: { ...ACCOUNT, is_partner: true } }],
    ['pays_here', {}, { account: { ...ACCOUNT, stripe_customer: 'cus_2' } }],
  ];
  it.each(cases)('%s: %j %j', (problem, found, facts) => {
    expect(judge(found, facts)).toEqual({ tier: null, becomes: null, problems: [problem], remarks: [] });
  });
});

describe('is taken over, with a remark', () => {
  const cases: [AdoptionRemark, Partial<FoundSubscription>, Partial<AdoptionFacts>?][] = [
    ['trial', { status: 'trialing' }],
    ['ending', { cancel_at_period_end: true }],
    ['ending', { cancel_at: '2026-08-01T00:00:00Z' }],
    ['paused', { paused: true }],
    ['discounted', { discounted: true }],
    ['other_amount', { unit_cents: 5900 }],
    ['add_ons', { other_prices: ['price_cheese'] }],
    ['other_subscription', {}, { others: [{ price: 'price_cheese', other_prices: [] }] }],
    ['own_card', { own_card: true }],
    ['other_program', { other_program: true }],
  ];
  it.each(cases)('%s: %j %j', (remark, found, facts) => {
    expect(judge(found, facts)).toMatchObject({ tier: 'premier', problems: [], remarks: [remark] });
  });
});

test('a name at Stripe is a first name and a last', () => {
  const names = (name: string | null) => namesOf(name, FACTS);
  expect(names(' Ana  María Ruiz ')).toEqual({ first_name: 'Ana María', last_name: 'Ruiz' });
  expect(names('Walter Miller, Jr.')).toEqual({ first_name: 'Walter', last_name: 'Miller, Jr.' });
  expect(names('Bob & Carol Hart')).toEqual({ first_name: 'Bob & Carol', last_name: 'Hart' });
  expect(names('Ana de la Cruz')).toEqual({ first_name: 'Ana', last_name: 'de la Cruz' });
  expect(names('Mr. & Mrs. Hart')).toBeNull();
  expect(names('Ana')).toBeNull();
  expect(names('')).toBeNull();
});

test('a price’s tier is guessed by metadata, then name, then amount, and only if exactly one fits', () => {
  const tiers = [
    { tier_name: 'select', display_name: 'Select', monthly_price_cents: 3900 },
    { tier_name: 'premier', display_name: 'Premier', monthly_price_cents: 6900 },
    { tier_name: 'elite', display_name: 'Elite', monthly_price_cents: 6900 },
  ];
  const price = {
    price: 'price_1',
    product: 'prod_1',
    name: 'Club',
    price_tier: null as string | null,
    unit_cents: 1 as number | null,
    currency: 'usd',
    interval: 'month',
    subscriptions: 3,
  };
  const guess = (more: Partial<typeof price>) => guessTier({ ...price, ...more }, tiers);
  expect(guess({ price_tier: 'elite', name: 'Premier', unit_cents: 3900 })).toBe('elite');
  expect(guess({ name: 'PREMIER club', unit_cents: 3900 })).toBe('premier');
  expect(guess({ unit_cents: 3900 })).toBe('select');
  expect(guess({ unit_cents: 3900, interval: 'year' })).toBeNull();
  expect(guess({ unit_cents: 6900 })).toBeNull();
  expect(guess({ name: 'Select or Premier' })).toBeNull();
});
