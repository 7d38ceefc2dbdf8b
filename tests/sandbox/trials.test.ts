import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { createPayer, createTiers, type Harness, startHarness } from '../support/sandbox/harness.ts';
import { DAY, failCard, iso, member, seconds } from '../support/sandbox/test-clock-member.ts';

const START = seconds('2027-01-01T10:00:00Z');

/** A trial of ten days from January 1 at $60 a month; without a card, a customer who has none. */
async function trialing(
  harness: Harness,
  params: Partial<Stripe.SubscriptionCreateParams> = {},
  hasCard = true,
) {
  const { stripe } = harness;
  const { premier } = await createTiers(stripe);
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: START });
  const customer = hasCard
    ? await createPayer(stripe, 'pm_card_visa', clock.id)
    : await stripe.customers.create({ test_clock: clock.id });
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: premier.id }],
    trial_end: START + 10 * DAY,
    expand: ['latest_invoice'],
    ...params,
  });
  const to = async (day: string) => {
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: seconds(`${day}T12:00:00Z`) });
    return stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
  };
  return { subscription, customer, to };
}

describe('a trial', () => {
  test('is free until its end, which is the anchor, and then a month is charged', async () => {
    const harness = await startHarness();
    const { subscription, to } = await trialing(harness);
    expect(subscription).toMatchObject({
      status: 'trialing',
      trial_start: START,
      trial_end: START + 10 * DAY,
      billing_cycle_anchor: START + 10 * DAY,
      latest_invoice: { total: 0, status: 'paid' },
    });
    const after = await to('2027-01-11');
    expect(after).toMatchObject({ status: 'active', latest_invoice: { total: 6000, status: 'paid' } });
    expect(iso(after.items.data[0]?.current_period_end)).toBe('2027-02-11');
  });

  test('is announced three days before its end, once', async () => {
    const harness = await startHarness();
    const { to } = await trialing(harness);
    const count = async () =>
      (await harness.stripe.events.list({ type: 'customer.subscription.trial_will_end' })).data.length;
    await to('2027-01-07');
    expect(await count()).toBe(0);
    await to('2027-01-08');
    await to('2027-01-09');
    expect(await count()).toBe(1);
  });

  test('that ends now is charged now, and starts a month', async () => {
    const harness = await startHarness();
    const { subscription, to } = await trialing(harness);
    const { test_clock } = await to('2027-01-05');
    expect(test_clock).toBe(subscription.test_clock);
    const now = seconds('2027-01-05T12:00:00Z');
    const ended = await harness.stripe.subscriptions.update(subscription.id, {
      trial_end: 'now',
      expand: ['latest_invoice'],
    });
    expect(ended).toMatchObject({
      status: 'active',
      trial_end: now,
      billing_cycle_anchor: now,
      latest_invoice: { total: 6000, status: 'paid' },
    });
  });

  test('can be extended without an invoice', async () => {
    const harness = await startHarness();
    const { subscription } = await trialing(harness);
    const longer = await harness.stripe.subscriptions.update(subscription.id, {
      trial_end: START + 20 * DAY,
      expand: ['latest_invoice'],
    });
    const { id } = subscription.latest_invoice as Stripe.Invoice;
    expect(longer).toMatchObject({
      trial_start: START,
      trial_end: START + 20 * DAY,
      billing_cycle_anchor: START + 20 * DAY,
      latest_invoice: { id },
      items: { data: [{ current_period_start: START, current_period_end: START + 20 * DAY }] },
    });
  });

  test('of an active subscription credits the unused time, and moves the anchor to its end', async () => {
    const harness = await startHarness();
    const { stripe } = harness;
    const { subscription, to } = await member(harness, '2027-01-01T10:00:00Z');
    await to('2027-01-11T10:00:00Z');
    const free = await stripe.subscriptions.update(subscription.id, {
      trial_end: START + 20 * DAY,
      expand: ['latest_invoice'],
    });
    expect(free).toMatchObject({
      status: 'trialing',
      trial_start: START + 10 * DAY,
      billing_cycle_anchor: START + 20 * DAY,
    });
    const { lines } = free.latest_invoice as Stripe.Invoice;
    expect(lines.data.map(({ amount }) => amount)).toEqual([-Math.round((6000 * 21) / 31), 0]);
    expect((await to('2027-01-22T10:00:00Z')).status).toBe('active');
  });

  test('in the past is refused, and an end of now without a trial changes nothing', async () => {
    const harness = await startHarness();
    const { stripe } = harness;
    const { subscription } = await member(harness, '2027-01-01T10:00:00Z');
    await expect(
      stripe.subscriptions.update(subscription.id, { trial_end: START - DAY }),
    ).rejects.toMatchObject({ statusCode: 400, param: 'trial_end' });
    const same = await stripe.subscriptions.update(subscription.id, { trial_end: 'now' });
    expect(same).toMatchObject({ trial_end: null, billing_cycle_anchor: START });
  });

  test.each([
    ['create_invoice', 'past_due'],
    ['pause', 'paused'],
    ['cancel', 'canceled'],
  ] as const)('without a card ends by %s as %s', async (missing_payment_method, status) => {
    const harness = await startHarness();
    const trial_settings = { end_behavior: { missing_payment_method } };
    const { subscription, to } = await trialing(harness, { trial_settings }, false);
    expect(subscription.trial_settings).toMatchObject(trial_settings);
    const after = await to('2027-01-12');
    expect(after.status).toBe(status);
    expect((after.latest_invoice as Stripe.Invoice).total).toBe(status === 'past_due' ? 6000 : 0);
  });

  test('that ends on a card which declines is past due', async () => {
    const harness = await startHarness();
    const { customer, to } = await trialing(harness);
    await failCard(harness.stripe, customer.id);
    expect((await to('2027-01-12')).status).toBe('past_due');
  });
});

describe('a subscription whose invoices are sent', () => {
  const SENT = { collection_method: 'send_invoice', days_until_due: 14, trial_end: 'now' } as const;

  test('is active at once, and charges no card', async () => {
    const harness = await startHarness();
    const { subscription, to } = await trialing(harness, SENT);
    expect(subscription).toMatchObject({
      status: 'active',
      days_until_due: 14,
      latest_invoice: { status: 'open', collection_method: 'send_invoice', due_date: START + 14 * DAY },
    });
    expect((await harness.stripe.events.list({ type: 'invoice.sent' })).data).toHaveLength(1);
    expect((await to('2027-01-10')).latest_invoice).toMatchObject({ status: 'open', attempt_count: 0 });
    expect((await harness.stripe.charges.list()).data).toEqual([]);
  });

  test('is past due after the due date, and active when it is paid', async () => {
    const harness = await startHarness();
    const { subscription, to } = await trialing(harness, SENT);
    expect((await to('2027-01-16')).status).toBe('past_due');
    await harness.stripe.invoices.pay((subscription.latest_invoice as Stripe.Invoice).id);
    expect((await to('2027-01-17')).status).toBe('active');
  });

  test('needs days until due, which a charged one refuses', async () => {
    const harness = await startHarness();
    const { collection_method, days_until_due, trial_end } = SENT;
    await expect(trialing(harness, { collection_method, trial_end })).rejects.toMatchObject({
      param: 'days_until_due',
    });
    await expect(trialing(await startHarness(), { days_until_due, trial_end })).rejects.toMatchObject({
      param: 'days_until_due',
    });
  });

  test('can be charged from then on', async () => {
    const harness = await startHarness();
    const { subscription } = await trialing(harness, SENT);
    const charged = await harness.stripe.subscriptions.update(subscription.id, {
      collection_method: 'charge_automatically',
    });
    expect(charged).toMatchObject({ collection_method: 'charge_automatically', days_until_due: null });
  });
});
