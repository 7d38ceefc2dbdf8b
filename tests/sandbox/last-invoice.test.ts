import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { startHarness } from '../support/sandbox/harness.ts';
import { failCard, member, seconds } from '../support/sandbox/test-clock-member.ts';

// Stripe: "If you've set the subscription to cancel at the end of the period, any pending prorations are also left in place
// and collected at the end of the period."

const amounts = (invoice: unknown) => (invoice as Stripe.Invoice).lines.data.map(({ amount }) => amount);

/** A member at $60 whose quantity was changed in the middle of April; the prorations wait for the next invoice. */
async function raised(quantity = 2) {
  const harness = await startHarness();
  const { stripe } = harness;
  const it = await member(harness, '2027-04-01T00:00:00Z');
  await it.to('2027-04-16T00:00:00Z');
  const [item] = it.subscription.items.data;
  await stripe.subscriptions.update(it.subscription.id, {
    items: [{ id: item?.id, quantity }],
    proration_behavior: 'create_prorations',
  });
  const pending = async () =>
    (await stripe.invoiceItems.list({ customer: it.customer.id, pending: true })).data.map(
      ({ amount }) => amount,
    );
  const end = (by: Stripe.SubscriptionUpdateParams) => stripe.subscriptions.update(it.subscription.id, by);
  return { ...it, harness, stripe, end, pending };
}

describe.each<[string, Stripe.SubscriptionUpdateParams, string]>([
  ['with its period', { cancel_at_period_end: true }, '2027-05-01T00:00:00Z'],
  [
    'within its period',
    { cancel_at: seconds('2027-04-21T00:00:00Z'), proration_behavior: 'none' },
    '2027-04-21T00:00:00Z',
  ],
])('a subscription that ends %s', (_, by, day) => {
  test('collects waiting prorations with a last invoice', async () => {
    const { end, pending, to } = await raised();
    expect(await pending()).toEqual([6000, -3000]);
    await end(by);
    const { status, ended_at, latest_invoice } = await to('2027-05-02T00:00:00Z');
    expect({ status, ended_at }).toEqual({ status: 'canceled', ended_at: seconds(day) });
    expect(latest_invoice).toMatchObject({ status: 'paid', amount_paid: 3000, created: seconds(day) });
    expect(amounts(latest_invoice)).toEqual([-3000, 6000]);
    expect(await pending()).toEqual([]);
  });
});

test('a last invoice whose payment fails stays open', async () => {
  const { customer, end, stripe, to } = await raised();
  await end({ cancel_at_period_end: true });
  await failCard(stripe, customer.id);
  expect((await to('2027-05-20T00:00:00Z')).latest_invoice).toMatchObject({
    status: 'open',
    attempt_count: 1,
  });
});

test('an end at once drops waiting prorations', async () => {
  const { stripe, subscription, pending, to } = await raised();
  await stripe.subscriptions.cancel(subscription.id, { prorate: false, invoice_now: false });
  expect(await pending()).toEqual([]);
  expect((await to('2027-05-02T00:00:00Z')).latest_invoice).toMatchObject({ total: 6000 });
});

test('a credit larger than the charge goes to the balance with the last invoice', async () => {
  const { customer, end, stripe, select, subscription, to } = await raised(1);
  const [item] = subscription.items.data;
  await end({ items: [{ id: item?.id, price: select.id }], proration_behavior: 'create_prorations' });
  await end({ cancel_at_period_end: true });
  expect((await to('2027-05-02T00:00:00Z')).latest_invoice).toMatchObject({
    status: 'paid',
    total: -1500,
    amount_paid: 0,
  });
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -1500 });
});

test('an item for any invoice of the customer makes no last invoice', async () => {
  const { customer, end, stripe, pending, to } = await raised(1);
  await stripe.invoiceItems.create({ customer: customer.id, amount: 1500, currency: 'usd' });
  await end({ cancel_at_period_end: true });
  expect((await to('2027-05-02T00:00:00Z')).latest_invoice).toMatchObject({ total: 6000 });
  expect(await pending()).toEqual([1500]);
});

test('an item of the subscription is on the last invoice, with those of its customer', async () => {
  const { customer, end, stripe, subscription, to } = await raised(1);
  const item = { customer: customer.id, currency: 'usd' };
  await stripe.invoiceItems.create({ ...item, amount: 1500 });
  await stripe.invoiceItems.create({ ...item, amount: 700, subscription: subscription.id });
  await end({ cancel_at_period_end: true });
  expect(amounts((await to('2027-05-02T00:00:00Z')).latest_invoice)).toEqual([1500, 700]);
});

test('a preview names what waits at the end, and the renewal if it continued', async () => {
  const { end, stripe, subscription } = await raised();
  await end({ cancel_at_period_end: true });
  expect(amounts(await stripe.invoices.createPreview({ subscription: subscription.id }))).toEqual([
    -3000, 6000,
  ]);
  const kept = { subscription: subscription.id, subscription_details: { cancel_at_period_end: false } };
  expect(amounts(await stripe.invoices.createPreview(kept))).toEqual([-3000, 6000, 12_000]);
});
