import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { membershipPage } from '../../../src/server/billing/page-params.ts';

const SELLING = { publicUrl: 'https://club.test', taxBehavior: 'unspecified' } as const;
const ATTEMPT = {
  id: 'attempt',
  user_id: 'user',
  application_id: 'application',
  tier_name: 'select',
  by_link: false,
  first_charge_at: null,
  expires_at: new Date('2026-11-26T12:00:00Z'),
};

test('the compiler refuses a parameter that the SDK does not declare, also in what is left out at times', () => {
  const methods = (isCard: boolean): Stripe.Checkout.SessionCreateParams => ({
    mode: 'subscription',
    // @ts-expect-error Stripe's API has no such parameter any more.
    payment_method_types: isCard ? ['card'] : undefined,
  });
  const tax = (isTaxed: boolean): Stripe.Checkout.SessionCreateParams => ({
    mode: 'subscription',
    // @ts-expect-error Stripe's API has no such parameter inside another one.
    automatic_tax: isTaxed ? { enabled: true, anabled: true } : undefined,
  });
  expect([methods(true).mode, tax(true).mode]).toEqual(['subscription', 'subscription']);
});

test('a page limited to cards says so, and one that is not says nothing', () => {
  const ids = { customer: 'cus_1', price: 'price_1' };
  const page = (paymentMethods: 'card' | 'automatic') =>
    membershipPage({ ...SELLING, paymentMethods }, ATTEMPT, ids).allowed_payment_method_types;
  expect(page('card')).toEqual(['card']);
  expect(page('automatic')).toBeUndefined();
});
