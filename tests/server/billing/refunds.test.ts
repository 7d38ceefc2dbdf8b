import { beforeAll, expect, test } from 'vitest';
import { billing_payment, billing_refund, staff_notice } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { createUnknownCheckout, stripeState } from '../../support/billing/stripe-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

/** A second subscription with a first invoice paid in cash and marked so at Stripe. Returns the invoice's id. */
async function payOutOfBand(venue: Venue, user: string): Promise<string> {
  const customer = await stripeCustomerId(venue.db, user);
  const [price] = (await venue.stripe.prices.list()).data;
  const { latest_invoice } = await venue.stripe.subscriptions.create({
    customer,
    items: [{ price: price?.id }],
    payment_behavior: 'default_incomplete',
  });
  await venue.stripe.invoices.pay(String(latest_invoice), { paid_out_of_band: true });
  return String(latest_invoice);
}

const staffNotices = ({ db }: Venue) => db.select().from(staff_notice);

const unrefundable = async ({ db }: Venue) =>
  (await db.select().from(billing_payment)).map((row) => row.unrefundable).filter((why) => why !== null);

test('a payment made outside Stripe cannot be refunded: staff are notified once, and nothing is held up', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.webhooks('hold');
  const invoice = await payOutOfBand(venue, user);
  await venue.release('customer.subscription.updated');
  expect(venue.responses).not.toContain(503);
  expect(await venue.state(user)).toMatchObject({ reversals: ['second_subscription'] });
  expect(await unrefundable(venue)).toEqual(['paid_out_of_band']);
  await venue.billing.reconcile(user);
  expect(await staffNotices(venue)).toMatchObject([
    {
      kind: 'reversal_impossible',
      user_id: user,
      facts: { amount_cents: 3900, stripe_invoice_id: invoice, why: 'It was paid outside of Stripe.' },
    },
  ]);
  // Nothing was returned, so no email says so.
  expect(venue.noticeTypes()).not.toContain('payment_returned');
  expect(await venue.billing.cancelEverything(user)).toMatchObject({
    stripe_customer_id: expect.any(String),
  });
});

test('a refund that Stripe refuses for good is given up, not retried forever', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.webhooks('hold');
  await venue.pay(await createUnknownCheckout(venue, user));
  await venue.control('fail-next', { path: '/v1/refunds', method: 'POST', status: 400 });
  await venue.release('customer.subscription.updated');
  expect(venue.responses).not.toContain(503);
  expect(await unrefundable(venue)).toEqual(['refund_refused']);
  expect(await staffNotices(venue)).toMatchObject([
    { kind: 'reversal_impossible', facts: { why: expect.stringMatching(/^Stripe won’t refund it: ./) } },
  ]);
  await venue.billing.reconcile(user);
  expect(await stripeState(venue, user), 'it is left alone').toMatchObject({ kept: 2 * 3900 });
});

test('the notice of a refund states what was refunded, not what was paid', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.webhooks('drop');
  await venue.pay(await createUnknownCheckout(venue, user));
  const customer = await stripeCustomerId(venue.db, user);
  const [latest] = (await venue.stripe.charges.list({ customer })).data;
  // Staff had already refunded 10 dollars manually.
  await venue.stripe.refunds.create({ charge: latest?.id, amount: 1000 });
  await venue.billing.reconcile(user);
  expect(await stripeState(venue, user)).toMatchObject({ kept: 3900 });
  expect(venue.notices.at(-1)).toMatchObject({ type: 'payment_returned', amount_cents: 2900 });
});

test('a refund whose response was lost is requested again under the same key', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.webhooks('drop');
  await venue.pay(await createUnknownCheckout(venue, user));
  const keys: (string | undefined)[] = [];
  venue.stripe.on(
    'request',
    ({ path, method, idempotency_key }: { path: string; method: string; idempotency_key?: string }) => {
      if (method === 'POST' && path === '/v1/refunds') keys.push(idempotency_key);
    },
  );
  await venue.control('fail-next', { path: '/v1/refunds', method: 'POST', kind: 'drop', times: 2 });
  for (let times = 0; times < 3; times++) await venue.billing.reconcile(user);
  const [refund] = await venue.db.select().from(billing_refund);
  expect(keys).toEqual(Array(3).fill(expect.stringContaining(`refund:${refund?.id}:`)));
  expect(new Set(keys).size).toBe(1);
});

test('a refund that the bank sends back is given up: staff are notified once, and nothing is refunded again', async () => {
  const venue = await openVenue();
  await venue.control('settings', { refunds: 'pending' });
  const { user } = await venue.member();
  await venue.webhooks('drop');
  await venue.pay(await createUnknownCheckout(venue, user));
  await venue.billing.reconcile(user);
  expect(await stripeState(venue, user)).toMatchObject({ kept: 3900 });
  await venue.webhooks('normal');
  await venue.control('refunds/fail', {});
  await venue.delivered();
  expect(await unrefundable(venue)).toEqual(['refund_refused']);
  expect(await staffNotices(venue)).toMatchObject([
    {
      kind: 'reversal_impossible',
      user_id: user,
      facts: { amount_cents: 3900, why: 'The bank sent the refund back.' },
    },
  ]);
  venue.clock.advance({ days: 3 });
  await venue.billing.reconcile(user);
  await venue.billing.sweep();
  expect((await venue.stripe.refunds.list()).data).toHaveLength(1);
  expect(await staffNotices(venue)).toHaveLength(1);
  expect(venue.noticeTypes().filter((type) => type === 'payment_returned')).toHaveLength(1);
});

test('two payments of a reversal are refunded with one email, also after Stripe failed at the second', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.webhooks('drop');
  await venue.pay(await createUnknownCheckout(venue, user));
  await venue.advance({ days: 31 });
  const { refunds } = venue.stripe;
  const create = refunds.create.bind(refunds);
  refunds.create = (async (...args: Parameters<typeof create>) => {
    refunds.create = create;
    const first = await create(...args);
    await venue.control('fail-next', { path: '/v1/refunds', method: 'POST', status: 500, times: 1000 });
    return first;
  }) as typeof create;
  await venue.billing.reconcile(user);
  expect((await venue.stripe.refunds.list()).data).toHaveLength(1);
  expect(venue.noticeTypes()).not.toContain('payment_returned');
  await fetch(`${venue.sandbox.url}/_sandbox/fail-next`, { method: 'DELETE' });
  await venue.billing.sweep();
  expect((await venue.stripe.refunds.list()).data).toHaveLength(2);
  expect(venue.notices.filter(({ type }) => type === 'payment_returned')).toMatchObject([
    // Leaving test mode finds the email by the invoice.
    { reason: 'second_subscription', amount_cents: 7800, cause: expect.stringMatching(/:in_/) },
  ]);
});
