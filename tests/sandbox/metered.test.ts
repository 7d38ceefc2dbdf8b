import type Stripe from 'stripe';
import { expect, test } from 'vitest';
import { type Harness, startHarness } from '../support/sandbox/harness.ts';
import { member } from '../support/sandbox/test-clock-member.ts';

async function metered(harness: Harness) {
  const joined = await member(harness, '2027-01-01T10:00:00Z');
  const price = await harness.stripe.prices.create({
    product: String(joined.premier.product),
    currency: 'usd',
    unit_amount: 250,
    recurring: { interval: 'month', usage_type: 'metered', meter: 'mtr_tastings' },
  });
  return { ...joined, price: price.id };
}

test('a metered item has no quantity, and costs nothing without usage', async () => {
  const harness = await startHarness();
  const { subscription, price, to } = await metered(harness);
  const { items } = await harness.stripe.subscriptions.update(subscription.id, {
    items: [{ price }],
    proration_behavior: 'always_invoice',
  });
  expect(items.data[1]).toMatchObject({ price: { id: price }, plan: { usage_type: 'metered' } });
  expect(items.data[1]).not.toHaveProperty('quantity');
  expect((await harness.stripe.invoices.list()).data).toHaveLength(1);
  const { lines, total } = (await to('2027-02-02T00:00:00Z')).latest_invoice as Stripe.Invoice;
  expect(lines.data.map(({ amount, quantity }) => [amount, quantity])).toEqual([
    [6000, 1],
    [0, 0],
  ]);
  expect(total).toBe(6000);
});

test('a quantity for a metered price is refused, in a subscription and in a schedule', async () => {
  const harness = await startHarness();
  const { stripe } = harness;
  const { subscription, premier, price } = await metered(harness);
  await expect(
    stripe.subscriptions.update(subscription.id, { items: [{ price, quantity: 1 }] }),
  ).rejects.toThrow('should not be specified');
  const { id, phases } = await stripe.subscriptionSchedules.create({
    from_subscription: subscription.id,
  });
  const dates = { start_date: phases[0]?.start_date, end_date: phases[0]?.end_date };
  const update = (quantity?: number) =>
    stripe.subscriptionSchedules.update(id, {
      phases: [{ items: [{ price: premier.id }, { price, quantity }], ...dates }],
    });
  await expect(update(1)).rejects.toMatchObject({ statusCode: 400 });
  const schedule = await update();
  expect(schedule.phases[0]?.items[1]).not.toHaveProperty('quantity');
});
