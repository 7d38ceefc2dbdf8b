import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { type Harness, startHarness } from '../support/sandbox/harness.ts';
import { DAY, iso, member, seconds } from '../support/sandbox/test-clock-member.ts';

const START = seconds('2027-01-01T10:00:00Z');

/** A member for $60 a month since January 1, on another day, with a price of $365 a year. */
async function joined(harness: Harness, day: string) {
  const { premier, subscription, to, clock } = await member(harness, '2027-01-01T10:00:00Z');
  const yearly = await harness.stripe.prices.create({
    product: String(premier.product),
    currency: 'usd',
    unit_amount: 36_500,
    recurring: { interval: 'year' },
  });
  const later = await to(`${day}T10:00:00Z`);
  const change = (params: Stripe.SubscriptionUpdateParams) =>
    harness.stripe.subscriptions.update(subscription.id, {
      items: [{ id: later.items.data[0]?.id, price: yearly.id }],
      expand: ['latest_invoice'],
      ...params,
    });
  return { subscription: later, yearly, to, clock, change };
}

const invoicesOf = async ({ stripe }: Harness, { id }: Stripe.Subscription) =>
  (await stripe.invoices.list({ subscription: id })).data;

describe('another interval', () => {
  test('keeps the anchor and the start of the period, and is prorated to the new end', async () => {
    const harness = await startHarness();
    const { subscription, change } = await joined(harness, '2027-01-11');
    const changed = await change({ proration_behavior: 'always_invoice' });
    expect(changed).toMatchObject({
      billing_mode: { type: 'flexible' },
      billing_cycle_anchor: START,
      items: { data: [{ current_period_start: START, current_period_end: START + 365 * DAY }] },
    });
    // 21 of 31 days are unused, and 355 of 365 remain.
    const { lines, status } = changed.latest_invoice as Stripe.Invoice;
    expect(status).toBe('paid');
    expect(lines.data.map(({ amount }) => amount)).toEqual([-Math.round((6000 * 21) / 31), 35_500]);
    expect(lines.data.map(({ period }) => iso(period.end))).toEqual(['2027-02-01', '2028-01-01']);
    const detail = lines.data.map(({ parent }) => parent?.subscription_item_details?.proration);
    expect(detail).toEqual([true, true]);
    expect(await invoicesOf(harness, subscription)).toHaveLength(2);
  });

  test('in a later period ends with the year counted from the anchor', async () => {
    const harness = await startHarness();
    const { change } = await joined(harness, '2027-03-02');
    const changed = await change({ proration_behavior: 'always_invoice' });
    const [item] = changed.items.data;
    expect([item?.current_period_start, item?.current_period_end].map(iso)).toEqual([
      '2027-03-01',
      '2028-01-01',
    ]);
    const { lines } = changed.latest_invoice as Stripe.Invoice;
    expect(lines.data[1]?.amount).toBe(36_500 - 60 * 100);
  });

  test('without proration charges nothing before the new end', async () => {
    const harness = await startHarness();
    const { subscription, change, to } = await joined(harness, '2027-01-11');
    await change({ proration_behavior: 'none' });
    await to('2027-12-31T00:00:00Z');
    expect(await invoicesOf(harness, subscription)).toHaveLength(1);
    expect((await to('2028-01-02T00:00:00Z')).latest_invoice).toMatchObject({ total: 36_500 });
  });

  test('with an anchor of now begins a new period, and charges all of it', async () => {
    const harness = await startHarness();
    const { change } = await joined(harness, '2027-01-11');
    const changed = await change({ billing_cycle_anchor: { type: 'now' }, proration_behavior: 'none' });
    const now = START + 10 * DAY;
    expect(changed).toMatchObject({
      billing_cycle_anchor: now,
      latest_invoice: { total: 36_500 },
      items: { data: [{ current_period_start: now, current_period_end: now + 365 * DAY }] },
    });
  });

  test('credits what was charged if it changes back', async () => {
    const harness = await startHarness();
    const { subscription, change } = await joined(harness, '2027-01-11');
    await change({ proration_behavior: 'always_invoice' });
    const back = await change({
      items: [{ id: subscription.items.data[0]?.id, price: subscription.items.data[0]?.price.id }],
      proration_behavior: 'always_invoice',
    });
    expect((back.latest_invoice as Stripe.Invoice).lines.data[0]?.amount).toBe(-35_500);
    expect(iso(back.items.data[0]?.current_period_end)).toBe('2027-02-01');
  });
});

test('items of several intervals have their own periods, and each renews alone', async () => {
  const harness = await startHarness();
  const { subscription, yearly, to } = await joined(harness, '2027-01-11');
  const { items } = await harness.stripe.subscriptions.update(subscription.id, {
    items: [{ price: yearly.id }],
    proration_behavior: 'always_invoice',
  });
  expect(items.data.map(({ current_period_end }) => iso(current_period_end))).toEqual([
    '2027-02-01',
    '2028-01-01',
  ]);
  const february = (await to('2027-02-02T00:00:00Z')).latest_invoice as Stripe.Invoice;
  expect(february.lines.data.map(({ amount }) => amount)).toEqual([6000]);
  const january = (await to('2028-01-02T00:00:00Z')).latest_invoice as Stripe.Invoice;
  expect(january.lines.data.map(({ amount }) => amount)).toEqual([6000, 36_500]);
});
