import { describe, expect, test } from 'vitest';
import { startHarness } from '../support/sandbox/harness.ts';
import { failCard, iso, member, seconds } from '../support/sandbox/test-clock-member.ts';

const START = '2027-04-01T00:00:00Z';

const opened = async () => {
  const harness = await startHarness();
  return { harness, ...(await member(harness, START)) };
};

describe('pausing a subscription', () => {
  test('stops invoices and periods, says why, and credits unused time', async () => {
    const { harness, subscription, to } = await opened();
    const { stripe } = harness;
    await to('2027-04-16T00:00:00Z');
    const paused = await stripe.subscriptions.pause(subscription.id);
    expect(paused).toMatchObject({
      status: 'paused',
      pause_collection: null,
      status_details: {
        paused: {
          subscription: { type: 'pause_requested' },
          transitioned_at: seconds('2027-04-16T00:00:00Z'),
          type: 'subscription',
        },
      },
    });
    const later = await to('2027-09-01T00:00:00Z');
    expect(iso(later.items.data[0]?.current_period_end)).toBe('2027-05-01');
    expect((await stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(1);
    const { data } = await stripe.events.list({ type: 'customer.subscription.paused' });
    expect(data).toHaveLength(1);
    await expect(stripe.invoices.createPreview({ subscription: subscription.id })).rejects.toMatchObject({
      code: 'invoice_upcoming_none',
    });
    const { latest_invoice } = await stripe.subscriptions.resume(subscription.id);
    expect(await stripe.invoices.retrieve(String(latest_invoice))).toMatchObject({ total: 6000 - 3000 });
  });

  test('is refused twice, on a schedule, and after its end', async () => {
    const { harness, subscription } = await opened();
    const { stripe } = harness;
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    const refused = { statusCode: 400 };
    await expect(stripe.subscriptions.pause(subscription.id)).rejects.toMatchObject(refused);
    await stripe.subscriptionSchedules.release(schedule.id);
    await expect(stripe.subscriptions.resume(subscription.id)).rejects.toMatchObject(refused);
    await stripe.subscriptions.pause(subscription.id);
    await expect(stripe.subscriptions.pause(subscription.id)).rejects.toMatchObject(refused);
    await stripe.subscriptions.cancel(subscription.id);
    await expect(stripe.subscriptions.resume(subscription.id)).rejects.toMatchObject(refused);
  });
});

describe('resuming', () => {
  const paused = async () => {
    const it = await opened();
    const none = { unused_time_from: { type: 'none' as const } };
    await it.harness.stripe.subscriptions.pause(it.subscription.id, { bill_for: none });
    await it.to('2027-06-10T00:00:00Z');
    return { ...it, stripe: it.harness.stripe, id: it.subscription.id };
  };

  test('starts a new period, whose invoice must be paid first', async () => {
    const { stripe, id, to } = await paused();
    const waiting = await stripe.subscriptions.resume(id);
    expect(waiting.status).toBe('paused');
    await stripe.invoices.pay(String(waiting.latest_invoice));
    const resumed = await to('2027-06-10T01:00:00Z');
    expect(resumed).toMatchObject({ status: 'active', latest_invoice: { amount_paid: 6000 } });
    expect(resumed.status_details).toBeUndefined();
    expect(iso(resumed.items.data[0]?.current_period_end)).toBe('2027-07-10');
    expect((await to('2027-07-11T00:00:00Z')).latest_invoice).toMatchObject({ amount_paid: 6000 });
  });

  test('without a payment within 23 hours is off: the invoice is void, and it stays paused', async () => {
    const { stripe, id, to } = await paused();
    await stripe.subscriptions.resume(id);
    expect(await to('2027-06-11T00:00:00Z')).toMatchObject({
      status: 'paused',
      latest_invoice: { status: 'void' },
    });
  });

  test.each([
    ['resume_on_payment_attempt', 'past_due'],
    ['resume_on_payment_success', 'paused'],
  ] as const)('with %s and a card that fails leaves it %s', async (payment_behavior, status) => {
    const { stripe, id, customer } = await paused();
    await failCard(stripe, customer.id);
    const { latest_invoice } = await stripe.subscriptions.resume(id, { payment_behavior });
    await stripe.invoices.pay(String(latest_invoice)).catch(() => undefined);
    expect((await stripe.subscriptions.retrieve(id)).status).toBe(status);
  });

  test('with the billing day unchanged goes on at once, and charges the rest of the period', async () => {
    const { stripe, id } = await paused();
    const resumed = await stripe.subscriptions.resume(id, {
      billing_cycle_anchor: { type: 'unchanged' },
      proration_behavior: 'always_invoice',
    });
    expect(resumed.status).toBe('active');
    expect(iso(resumed.items.data[0]?.current_period_end)).toBe('2027-07-01');
    expect(await stripe.invoices.retrieve(String(resumed.latest_invoice))).toMatchObject({
      amount_paid: 4200,
    });
  });
});

test.each([
  [[], 'first_payment_failure', '2027-05-02T00:00:00Z'],
  [[3], 'final_payment_failure', '2027-05-05T00:00:00Z'],
])('the account may pause after failed payments (retries %j): %s', async (dunning_days, type, when) => {
  const { harness, customer, to } = await opened();
  await harness.control('settings', { dunning_days, dunning_end: 'paused' });
  await failCard(harness.stripe, customer.id);
  expect(await to(when)).toMatchObject({
    status: 'paused',
    status_details: { paused: { subscription: { type } } },
    latest_invoice: { status: 'open' },
  });
});
