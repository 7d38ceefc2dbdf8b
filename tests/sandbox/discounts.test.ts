import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { createPayer, createTiers, type Harness, startHarness } from '../support/sandbox/harness.ts';

type Coupon = Stripe.CouponCreateParams;

async function subscribed(harness: Harness, coupon: Coupon, price: 'select' | 'premier' = 'select') {
  const { stripe } = harness;
  const tiers = await createTiers(stripe);
  const payer = await createPayer(stripe);
  const { id } = await stripe.coupons.create(coupon);
  const subscription = await stripe.subscriptions.create({
    customer: payer.id,
    items: [{ price: tiers[price].id }],
    discounts: [{ coupon: id }],
  });
  return { subscription, payer, tiers };
}

async function paid({ stripe }: Harness, subscription: { id: string }): Promise<number[]> {
  const { data } = await stripe.invoices.list({ subscription: subscription.id });
  return data.map(({ amount_paid }) => amount_paid).reverse();
}

const upcoming = ({ stripe }: Harness, { id }: { id: string }) =>
  stripe.invoices.createPreview({ subscription: id });

describe('a coupon', () => {
  test.each<[string, Coupon, number[]]>([
    ['a percentage forever', { percent_off: 50, duration: 'forever' }, [1500, 1500, 1500, 1500]],
    [
      'an amount forever',
      { amount_off: 500, currency: 'usd', duration: 'forever' },
      [2500, 2500, 2500, 2500],
    ],
    ['more than the price', { amount_off: 9900, currency: 'usd', duration: 'forever' }, [0, 0, 0, 0]],
    ['a percentage once', { percent_off: 12.5 }, [2625, 3000, 3000, 3000]],
    ['an amount once', { amount_off: 1000, currency: 'usd', duration: 'once' }, [2000, 3000, 3000, 3000]],
    [
      'a percentage for two months',
      { percent_off: 20, duration: 'repeating', duration_in_months: 2 },
      [2400, 2400, 3000, 3000],
    ],
    [
      'an amount for three months',
      { amount_off: 100, currency: 'usd', duration: 'repeating', duration_in_months: 3 },
      [2900, 2900, 2900, 3000],
    ],
  ])('of %s takes that off the charges, and previews say so before', async (_, coupon, charges) => {
    const harness = await startHarness();
    const { subscription } = await subscribed(harness, coupon);
    const announced: number[] = [];
    for (const _charge of charges.slice(1)) {
      announced.push((await upcoming(harness, subscription)).amount_due);
      await harness.advance('1 month');
    }
    expect(await paid(harness, subscription)).toEqual(charges);
    expect(announced).toEqual(charges.slice(1));
  });

  test('that is over leaves the subscription, with an event', async () => {
    const harness = await startHarness();
    const { subscription } = await subscribed(harness, { percent_off: 10, duration: 'once' });
    const after = await harness.stripe.subscriptions.retrieve(subscription.id);
    expect(after.discounts).toEqual([]);
    const { data } = await harness.stripe.events.list({ type: 'customer.discount.deleted' });
    expect(data).toHaveLength(1);
  });

  test('applied later counts from the next invoice on', async () => {
    const harness = await startHarness();
    const { subscription, tiers } = await subscribed(harness, { percent_off: 10, duration: 'once' });
    const { id } = await harness.stripe.coupons.create({ percent_off: 100, duration: 'once' });
    await harness.stripe.subscriptions.update(subscription.id, { discounts: [{ coupon: id }] });
    expect((await upcoming(harness, subscription)).amount_due).toBe(0);
    await harness.advance('1 month');
    expect(await paid(harness, subscription)).toEqual([2700, 0]);
    expect((await upcoming(harness, subscription)).amount_due).toBe(tiers.select.unit_amount);
  });

  test.each<[Coupon, { param: string }]>([
    [{ duration: 'once' }, { param: 'percent_off' }],
    [{ percent_off: 5, amount_off: 5, currency: 'usd' }, { param: 'percent_off' }],
    [{ percent_off: 101 }, { param: 'percent_off' }],
    [{ amount_off: 500 }, { param: 'currency' }],
    [{ percent_off: 5, duration: 'repeating' }, { param: 'duration_in_months' }],
    [{ percent_off: 5, duration: 'once', duration_in_months: 2 }, { param: 'duration_in_months' }],
  ])('made of %j is refused', async (coupon, error) => {
    const { stripe } = await startHarness();
    await expect(stripe.coupons.create(coupon)).rejects.toMatchObject({ statusCode: 400, ...error });
  });

  test('in another currency is refused', async () => {
    const harness = await startHarness();
    const { subscription } = await subscribed(harness, { percent_off: 10 });
    const { id } = await harness.stripe.coupons.create({ amount_off: 500, currency: 'eur' });
    await expect(
      harness.stripe.subscriptions.update(subscription.id, { discounts: [{ coupon: id }] }),
    ).rejects.toMatchObject({ statusCode: 400 });
  });
});

test('unused time is credited at what was charged for it, also when the discount is over', async () => {
  const harness = await startHarness();
  const { subscription, tiers } = await subscribed(harness, { percent_off: 50, duration: 'once' });
  const item = subscription.items.data[0];
  const half = ((item?.current_period_start ?? 0) + (item?.current_period_end ?? 0)) / 2;
  const preview = await harness.stripe.invoices.createPreview({
    subscription: subscription.id,
    subscription_details: {
      items: [{ id: item?.id, price: tiers.premier.id }],
      proration_behavior: 'always_invoice',
      proration_date: half,
    },
  });
  expect(preview.lines.data.map(({ amount }) => amount)).toEqual([-750, 3000]);
});

test("credit in the customer's balance is spent by the next invoices before the card is charged", async () => {
  const harness = await startHarness();
  const { stripe } = harness;
  const { subscription, payer } = await subscribed(harness, { percent_off: 1, duration: 'once' });
  await stripe.customers.update(payer.id, { balance: -4000 });
  expect(await upcoming(harness, subscription)).toMatchObject({
    total: 3000,
    amount_due: 0,
    starting_balance: -4000,
    ending_balance: -1000,
  });
  await harness.advance('1 month');
  expect(await upcoming(harness, subscription)).toMatchObject({ total: 3000, amount_due: 2000 });
  await harness.advance('1 month');
  expect(await paid(harness, subscription)).toEqual([2970, 0, 2000]);
  expect(await stripe.customers.retrieve(payer.id)).toMatchObject({ balance: 0 });
});

test('voiding an invoice gives the credit back that it had spent', async () => {
  const harness = await startHarness();
  const { stripe } = harness;
  const { subscription, payer } = await subscribed(harness, { percent_off: 1, duration: 'once' });
  const bad = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer: payer.id });
  await stripe.customers.update(payer.id, {
    balance: -1000,
    invoice_settings: { default_payment_method: bad.id },
  });
  await harness.advance('1 month');
  const { latest_invoice } = await stripe.subscriptions.retrieve(subscription.id);
  expect(await stripe.invoices.retrieve(String(latest_invoice))).toMatchObject({ amount_due: 2000 });
  expect(await stripe.customers.retrieve(payer.id)).toMatchObject({ balance: 0 });
  await stripe.invoices.voidInvoice(String(latest_invoice));
  expect(await stripe.customers.retrieve(payer.id)).toMatchObject({ balance: -1000 });
});
