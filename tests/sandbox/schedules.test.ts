import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { createPayer, createTiers, type Harness, startHarness } from '../support/sandbox/harness.ts';

const DAY = 86_400;

type Phase = Stripe.SubscriptionScheduleUpdateParams.Phase;

/** A subscription to Premier ($60) with a schedule that changes it to Select ($30) after 15 days. */
async function scheduled(
  harness: Harness,
  phase: Partial<Phase>,
  input: Partial<Stripe.SubscriptionCreateParams> = {},
) {
  const { stripe } = harness;
  const { select, premier } = await createTiers(stripe);
  const payer = await createPayer(stripe);
  const subscription = await stripe.subscriptions.create({
    customer: payer.id,
    items: [{ price: premier.id }],
    ...input,
  });
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
  const start = schedule.phases[0]?.start_date ?? 0;
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [
      { items: [{ price: premier.id }], start_date: start, end_date: start + 15 * DAY, ...phase },
      { items: [{ price: select.id }], duration: { interval: 'month', interval_count: 1 }, ...phase },
    ],
  });
  const end = subscription.items.data[0]?.current_period_end ?? 0;
  const unused = (end - start - 15 * DAY) / (end - start);
  return { subscription, select, premier, schedule, unused };
}

async function invoiced({ stripe }: Harness, { id }: Stripe.Subscription): Promise<number[]> {
  const { data } = await stripe.invoices.list({ subscription: id });
  return data.map(({ total }) => total).reverse();
}

describe('a phase that begins within a period', () => {
  test('prorates with the next invoice, unless the phase says otherwise', async () => {
    const harness = await startHarness();
    const { subscription, unused } = await scheduled(harness, {});
    await harness.advance('1 month');
    const prorated = -Math.round(6000 * unused) + Math.round(3000 * unused);
    expect(await invoiced(harness, subscription)).toEqual([6000, 3000 + prorated]);
  });

  test.each<[NonNullable<Phase['proration_behavior']>, (unused: number) => number[]]>([
    ['none', () => [6000, 3000]],
    ['always_invoice', (unused) => [6000, -Math.round(6000 * unused) + Math.round(3000 * unused), 3000]],
  ])('with %s leaves no proration to the next invoice', async (proration_behavior, totals) => {
    const harness = await startHarness();
    const { subscription, unused } = await scheduled(harness, { proration_behavior });
    await harness.advance('1 month');
    expect(await invoiced(harness, subscription)).toEqual(totals(unused));
  });
});

test.each<[string, Partial<Stripe.SubscriptionScheduleUpdateParams>, number]>([
  ['prorates', {}, 1],
  ['does not prorate if the request says so', { proration_behavior: 'none' }, 0],
])('other prices in the current phase are an update that %s', async (_, request, lines) => {
  const harness = await startHarness();
  const { stripe } = harness;
  const { subscription, schedule, select } = await scheduled(harness, { proration_behavior: 'none' });
  await harness.advance(DAY);
  const [current] = schedule.phases;
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [{ items: [{ price: select.id }], start_date: current?.start_date, end_date: current?.end_date }],
    ...request,
  });
  const preview = await stripe.invoices.createPreview({ subscription: subscription.id });
  expect(preview.lines.data.filter(({ amount }) => amount < 0)).toHaveLength(lines);
});

test.each([
  [{}, false],
  [{ automatic_tax: { enabled: true } }, true],
])('phases with %j leave automatic tax %s', async (phase, enabled) => {
  const harness = await startHarness();
  const { subscription, schedule } = await scheduled(harness, phase, { automatic_tax: { enabled: true } });
  expect(schedule.phases[0]?.automatic_tax).toMatchObject({ enabled: true });
  const after = await harness.stripe.subscriptions.retrieve(subscription.id);
  expect(after.automatic_tax.enabled).toBe(enabled);
});

test('a phase that names a discount which ended in an earlier one begins without it', async () => {
  const harness = await startHarness();
  const { stripe } = harness;
  const { id: coupon } = await stripe.coupons.create({ percent_off: 50, duration: 'once' });
  const { select, premier } = await createTiers(stripe);
  const payer = await createPayer(stripe);
  const { id } = await stripe.subscriptions.create({ customer: payer.id, items: [{ price: premier.id }] });
  const subscription = await stripe.subscriptions.update(id, { discounts: [{ coupon }] });
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
  const discounts = subscription.discounts.map((discount) => ({ discount: String(discount) }));
  const [first] = schedule.phases;
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [
      {
        items: [{ price: premier.id }],
        start_date: first?.start_date,
        duration: { interval: 'month', interval_count: 2 },
        discounts,
      },
      { items: [{ price: select.id }], duration: { interval: 'month', interval_count: 1 }, discounts },
    ],
  });
  await harness.advance('2 months');
  expect(await invoiced(harness, subscription)).toEqual([6000, 3000, 3000]);
});
