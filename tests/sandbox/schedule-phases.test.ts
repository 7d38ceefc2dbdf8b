import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { createPayer, createTiers, type Harness, startHarness } from '../support/sandbox/harness.ts';
import { DAY, iso, seconds } from '../support/sandbox/test-clock-member.ts';

type Phase = Stripe.SubscriptionScheduleUpdateParams.Phase;

const START = seconds('2027-01-01T10:00:00Z');

/** A subscription to Premier ($60) since January 1 on its own clock, put on a schedule. */
async function scheduled(
  { stripe }: Harness,
  input: (rate: string) => Partial<Stripe.SubscriptionCreateParams> = () => ({}),
) {
  const { select, premier } = await createTiers(stripe);
  const rate = await stripe.taxRates.create({ display_name: 'VAT', percentage: 10, inclusive: false });
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: START });
  const payer = await createPayer(stripe, 'pm_card_visa', clock.id);
  const { id } = await stripe.subscriptions.create({
    customer: payer.id,
    items: [{ price: premier.id }],
    ...input(rate.id),
  });
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
  const { start_date, end_date } = schedule.phases[0] ?? { start_date: 0, end_date: 0 };
  const month = { interval: 'month', interval_count: 1 } as const;
  /** Repeats the current phase, then Select for a month; both with other fields. */
  const update = (fields: Partial<Phase>, next: Partial<Phase> = fields) =>
    stripe.subscriptionSchedules.update(schedule.id, {
      proration_behavior: 'none',
      phases: [
        { items: [{ price: premier.id }], start_date, end_date, proration_behavior: 'none', ...fields },
        { items: [{ price: select.id }], duration: month, proration_behavior: 'none', ...next },
      ],
    });
  const subscription = () => stripe.subscriptions.retrieve(id, { expand: ['latest_invoice'] });
  const to = async (day: string) => {
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: seconds(`${day}T12:00:00Z`) });
    return subscription();
  };
  return { premier, select, rate: rate.id, schedule, update, subscription, to, clock, payer };
}

const TRIAL = { trial_end: START + 10 * DAY };

describe('a schedule made from a subscription', () => {
  test('has a phase with every field of a phase, as the subscription is', async () => {
    const harness = await startHarness();
    const { schedule, rate } = await scheduled(harness, (id) => ({
      ...TRIAL,
      collection_method: 'send_invoice',
      days_until_due: 7,
      default_tax_rates: [id],
    }));
    expect(schedule.default_settings).toMatchObject({
      collection_method: 'send_invoice',
      invoice_settings: { days_until_due: 7 },
    });
    expect(schedule.phases).toMatchObject([
      { ...TRIAL, default_tax_rates: [{ id: rate }], description: null },
    ]);
  });
});

describe('what a phase does not name is unset', () => {
  test('tax rates of the subscription and of its items', async () => {
    const harness = await startHarness();
    const { update, subscription, rate } = await scheduled(harness, (id) => ({
      default_tax_rates: [id],
    }));
    await update({ default_tax_rates: [rate] });
    expect((await subscription()).default_tax_rates).toMatchObject([{ id: rate }]);
    await update({});
    expect((await subscription()).default_tax_rates).toEqual([]);
  });

  test('tax rates of items', async () => {
    const harness = await startHarness();
    const { update, subscription, premier, rate } = await scheduled(harness);
    await update({ items: [{ price: premier.id, tax_rates: [rate] }] });
    expect((await subscription()).items.data[0]?.tax_rates).toMatchObject([{ id: rate }]);
    await update({});
    expect((await subscription()).items.data[0]?.tax_rates).toEqual([]);
  });

  test('a running trial, which ends and is charged', async () => {
    const harness = await startHarness();
    const { update, subscription } = await scheduled(harness, () => TRIAL);
    await update(TRIAL, {});
    expect(await subscription()).toMatchObject({ status: 'trialing', latest_invoice: { total: 0 } });
    await update({});
    expect(await subscription()).toMatchObject({
      status: 'active',
      trial_end: START,
      latest_invoice: { total: 6000 },
    });
  });

  test('a description, a payment method and a way to collect, which become those of the schedule', async () => {
    const harness = await startHarness();
    const { update, subscription, payer } = await scheduled(harness);
    const other = await harness.stripe.paymentMethods.attach('pm_card_mastercard', { customer: payer.id });
    await update({
      description: 'Founders',
      default_payment_method: other.id,
      collection_method: 'send_invoice',
      invoice_settings: { days_until_due: 5 },
    });
    expect(await subscription()).toMatchObject({
      description: 'Founders',
      default_payment_method: other.id,
      collection_method: 'send_invoice',
      days_until_due: 5,
    });
    await update({});
    expect(await subscription()).toMatchObject({
      description: null,
      default_payment_method: null,
      collection_method: 'charge_automatically',
      days_until_due: null,
    });
  });

  test('but not metadata, to which a phase adds', async () => {
    const harness = await startHarness();
    const { update, subscription } = await scheduled(harness, () => ({ metadata: { club: 'a' } }));
    await update({ metadata: { tier: 'b' } });
    await update({});
    expect((await subscription()).metadata).toEqual({ club: 'a', tier: 'b' });
  });
});

test('a trial that both phases name lasts until its end, and the next phase then costs its price', async () => {
  const harness = await startHarness();
  const { update, to } = await scheduled(harness, () => TRIAL);
  await update(TRIAL, {});
  expect((await to('2027-01-10')).status).toBe('trialing');
  const after = await to('2027-01-12');
  expect(after).toMatchObject({ status: 'active', latest_invoice: { total: 3000, status: 'paid' } });
  expect(iso(after.items.data[0]?.current_period_end)).toBe('2027-02-11');
});

test('a trial must end within its phase', async () => {
  const harness = await startHarness();
  const { update } = await scheduled(harness);
  await expect(update({ trial_end: START + 90 * DAY })).rejects.toMatchObject({
    statusCode: 400,
    param: 'phases[0][trial_end]',
  });
});

describe('a phase', () => {
  test.each([
    ['phase_start', 3000, '2027-02-16'],
    ['automatic', 6000, '2027-02-01'],
  ] as const)(
    'with the anchor %s that begins within a period is charged %i, and its period ends on %s',
    async (billing_cycle_anchor, total, end) => {
      const harness = await startHarness();
      const { schedule, premier, select, to } = await scheduled(harness);
      await harness.stripe.subscriptionSchedules.update(schedule.id, {
        phases: [
          { items: [{ price: premier.id }], start_date: START, end_date: START + 15 * DAY },
          {
            items: [{ price: select.id }],
            billing_cycle_anchor,
            proration_behavior: 'none',
            duration: { interval: 'month', interval_count: 1 },
          },
        ],
      });
      const after = await to('2027-01-17');
      expect((after.latest_invoice as Stripe.Invoice).total).toBe(total);
      expect(iso(after.items.data[0]?.current_period_end)).toBe(end);
    },
  );

  test('keeps the item of a price that it repeats, adds the others, and drops those it leaves out', async () => {
    const harness = await startHarness();
    const { update, subscription, premier, select } = await scheduled(harness);
    const [before] = (await subscription()).items.data;
    await update({ items: [{ price: select.id }, { price: premier.id }] });
    const both = (await subscription()).items.data;
    expect(both.map(({ price }) => price.id)).toEqual([select.id, premier.id]);
    expect(both[1]?.id).toBe(before?.id);
    await update({ items: [{ price: select.id }] });
    expect((await subscription()).items.data).toMatchObject([{ id: both[0]?.id }]);
  });
});
