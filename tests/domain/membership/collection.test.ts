import { describe, expect, test } from 'vitest';
import {
  type CollectionFacts,
  type DueInvoice,
  dueInvoice,
  isCollectable,
} from '../../../src/domain/membership/collection.ts';

// docs/rules/billing.md, "Billing: a new payment method".

const day = (nth: number) => new Date(Date.UTC(2026, 6, nth));

const invoice = (changed: Partial<DueInvoice> = {}): DueInvoice => ({
  stripe_invoice_id: 'in_1',
  stripe_subscription_id: 'sub_1',
  status: 'open',
  is_automatic: true,
  amount_cents: 3900,
  created_at: day(15),
  tried: ['pm_old'],
  is_under_way: false,
  ...changed,
});

describe('the invoice that makes a member paid up', () => {
  const due = (status: string, ...invoices: DueInvoice[]) =>
    dueInvoice(invoices, { stripe_subscription_id: 'sub_1', status })?.stripe_invoice_id ?? null;
  const newer = (changed: Partial<DueInvoice>) =>
    invoice({ stripe_invoice_id: 'in_2', created_at: day(20), ...changed });

  test('is the newest, in any order of the list', () => {
    expect(due('past_due', invoice(), newer({}))).toBe('in_2');
    expect(due('past_due', newer({}), invoice())).toBe('in_2');
  });

  test.each<[string, Partial<DueInvoice>]>([
    ['one of another subscription', { stripe_subscription_id: 'sub_2' }],
    ['one made by hand or sent by email', { is_automatic: false }],
    ['one with nothing left to pay', { amount_cents: 0 }],
    ['one that was written off', { status: 'uncollectible' }],
    ['a draft that Stripe still finalizes', { status: 'draft' }],
  ])('is never %s', (_, changed) => {
    expect(due('past_due', newer(changed), invoice())).toBe('in_1');
    expect(due('past_due', newer(changed))).toBeNull();
  });

  test('may be a draft once Stripe has given up', () => {
    expect(due('unpaid', newer({ status: 'draft' }), invoice())).toBe('in_2');
  });
});

describe('a payment method', () => {
  const facts = (changed: Partial<CollectionFacts> = {}): CollectionFacts => ({
    status: 'past_due',
    standing: 'grace',
    is_pausing: false,
    invoice: invoice(),
    method: { key: 'pm_new', created_at: day(18) },
    failed: [],
    is_first: false,
    ...changed,
  });
  const untried = invoice({ tried: [] });

  test.each<[string, boolean, Partial<CollectionFacts>]>([
    ['that was not tried pays while grace runs', true, {}],
    ['that was not tried pays after Stripe gave up', true, { status: 'unpaid', standing: 'suspended' }],
    ['pays nothing once grace is over', false, { standing: 'suspended' }],
    ['pays nothing while no payment is overdue', false, { status: 'active', standing: 'active' }],
    ['pays nothing while Stripe collects nothing', false, { is_pausing: true }],
    ['waits for a payment that is under way', false, { invoice: invoice({ is_under_way: true }) }],
    ['that was tried is not tried again', false, { method: { key: 'pm_old', created_at: day(18) } }],
    ['newer than an untried invoice pays it', true, { invoice: untried }],
    [
      'as old as an untried invoice is left to Stripe',
      false,
      { invoice: untried, method: { key: 'pm_new', created_at: day(15) } },
    ],
    [
      'saved long ago pays an untried invoice once Stripe has given up, if another one failed',
      true,
      {
        ...{ status: 'unpaid', standing: 'suspended', invoice: untried, failed: ['pm_old'] },
        method: { key: 'pm_saved', created_at: day(1) },
      },
    ],
    [
      'that failed for an older invoice does not pay the next one on hold',
      false,
      {
        ...{ status: 'unpaid', standing: 'suspended', invoice: untried, failed: ['pm_old'] },
        method: { key: 'pm_old', created_at: day(1) },
      },
    ],
    [
      'saved long ago pays an untried invoice if it is the first',
      true,
      { invoice: untried, is_first: true, method: { key: 'pm_new', created_at: day(1) } },
    ],
  ])('%s', (_, isPaying, changed) => {
    expect(isCollectable(facts(changed))).toBe(isPaying);
  });
});
