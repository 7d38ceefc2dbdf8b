import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import {
  ITEM_FIELDS,
  nextPhase,
  PHASE_FIELDS,
  repeatPhase,
} from '../../../src/server/billing/subscription/phase-fields.ts';

interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
}

/** The objects of the API as the installed SDK declares them. */
const sdk = JSON.parse(
  gunzipSync(
    readFileSync(new URL('../../../sandbox/payments/schema/stripe.schema.json.gz', import.meta.url)),
  ).toString(),
) as { objects: Record<string, Schema>; $defs: Record<string, Schema> };

function resolved(schema: Schema | undefined): Schema {
  if (schema?.$ref) return resolved(sdk.$defs[schema.$ref.replace('#/$defs/', '')]);
  const [first] = schema?.anyOf ?? [];
  return first ? resolved(first) : (schema ?? {});
}
const fieldsOf = (list: Schema | undefined) => resolved(resolved(list).items).properties ?? {};
const phaseFields = fieldsOf(resolved(sdk.objects.subscription_schedule).properties?.phases);

const taxRate = (id: string) => ({ id, object: 'tax_rate' }) as Stripe.TaxRate;

/** A phase in which everything is set that Stripe can return. */
const FULL: Required<Stripe.SubscriptionSchedule.Phase> = {
  add_invoice_items: [],
  application_fee_percent: 5,
  automatic_tax: { disabled_reason: null, enabled: true, liability: { type: 'account', account: 'acct_1' } },
  billing_cycle_anchor: 'phase_start',
  billing_thresholds: { amount_gte: 100, reset_billing_cycle_anchor: null },
  collection_method: 'send_invoice',
  currency: 'usd',
  default_payment_method: 'pm_1',
  default_tax_rates: [taxRate('txr_1')],
  description: 'Since 1999',
  discounts: [{ coupon: null, discount: 'di_1', promotion_code: null }],
  end_date: 2_000_000_000,
  invoice_settings: {
    account_tax_ids: ['atxi_1'],
    custom_fields: [{ name: 'Table', value: '7' }],
    days_until_due: 14,
    description: 'Thank you',
    footer: null,
    issuer: { type: 'self' },
  },
  items: [
    {
      billing_thresholds: { usage_gte: 10 },
      discounts: [{ coupon: 'co_1', discount: null, promotion_code: null }],
      metadata: { table: '7' },
      plan: 'price_tier',
      price: 'price_tier',
      quantity: 2,
      tax_rates: [taxRate('txr_2')],
    },
    {
      billing_thresholds: null,
      discounts: [],
      metadata: {},
      plan: 'price_usage',
      price: 'price_usage',
      tax_rates: null,
    },
  ],
  metadata: { source: 'old shop' },
  on_behalf_of: 'acct_2',
  proration_behavior: 'create_prorations',
  start_date: 1_999_000_000,
  transfer_data: { amount_percent: 10, destination: 'acct_3' },
  trial: false,
  trial_end: 2_000_000_000,
};

describe.each([
  ['phase', PHASE_FIELDS, phaseFields],
  ['item', ITEM_FIELDS, fieldsOf(phaseFields.items)],
] as const)('each field of a %s that the SDK declares', (_, table, declared) => {
  test('is repeated, or left out with a reason', () => {
    expect(Object.keys(declared).length).toBeGreaterThan(5);
    expect(Object.keys(table).sort()).toEqual(Object.keys(declared).sort());
    for (const how of Object.values(table))
      if ('left_out' in how) expect(how.left_out.length).toBeGreaterThan(10);
  });
});

test('the running phase is passed again with everything it had', () => {
  const repeated = repeatPhase(FULL);
  const leftOut = Object.entries(PHASE_FIELDS).filter(([, how]) => 'left_out' in how);
  expect(leftOut.map(([name]) => name)).toEqual(['add_invoice_items', 'proration_behavior']);
  expect(repeated).toEqual({
    application_fee_percent: 5,
    automatic_tax: { enabled: true, liability: { type: 'account', account: 'acct_1' } },
    billing_cycle_anchor: 'phase_start',
    billing_thresholds: { amount_gte: 100 },
    collection_method: 'send_invoice',
    currency: 'usd',
    default_payment_method: 'pm_1',
    default_tax_rates: ['txr_1'],
    description: 'Since 1999',
    discounts: [{ discount: 'di_1' }],
    end_date: 2_000_000_000,
    invoice_settings: {
      account_tax_ids: ['atxi_1'],
      custom_fields: [{ name: 'Table', value: '7' }],
      days_until_due: 14,
      description: 'Thank you',
    },
    items: [
      {
        billing_thresholds: { usage_gte: 10 },
        discounts: [{ coupon: 'co_1' }],
        metadata: { table: '7' },
        price: 'price_tier',
        quantity: 2,
        tax_rates: ['txr_2'],
      },
      // A metered price has no quantity.
      { metadata: {}, price: 'price_usage' },
    ],
    metadata: { source: 'old shop' },
    on_behalf_of: 'acct_2',
    proration_behavior: 'none',
    start_date: 1_999_000_000,
    transfer_data: { amount_percent: 10, destination: 'acct_3' },
    trial: false,
    trial_end: 2_000_000_000,
  });
});

test('the next phase has all but the trial and the dates, at the new price', () => {
  const { items, duration, ...rest } = nextPhase(FULL, { from: 'price_tier', to: 'price_small' });
  expect(items.map(({ price, quantity, tax_rates }) => [price, quantity, tax_rates])).toEqual([
    ['price_small', 2, ['txr_2']],
    ['price_usage', undefined, undefined],
  ]);
  expect(duration).toEqual({ interval: 'month', interval_count: 1 });
  expect(rest).toMatchObject({ default_tax_rates: ['txr_1'], metadata: { source: 'old shop' } });
  for (const field of ['trial', 'trial_end', 'start_date', 'end_date', 'billing_cycle_anchor'])
    expect(rest).not.toHaveProperty(field);
});

test('a trial of the whole phase is not passed with the end of a trial, which Stripe refuses together', () => {
  expect(repeatPhase({ ...FULL, trial: true })).toMatchObject({ trial: true, trial_end: undefined });
});
