import { describe, expect, test } from 'vitest';
import { boundary, nextBoundary } from '../../sandbox/payments/subscriptions/periods.ts';
import { createPayer, createTiers, startHarness } from '../support/sandbox/harness.ts';
import { DAY, iso, member, seconds } from '../support/sandbox/test-clock-member.ts';

describe('periods', () => {
  test('months are counted from the anchor and clamped to the month', () => {
    const month = { interval: 'month', interval_count: 1 };
    const anchor = seconds('2028-01-31T10:00:00Z');
    const ends = [1, 2, 3, 4, 12, 13].map((step) => iso(boundary(anchor, month, step)));
    expect(ends).toEqual([
      '2028-02-29',
      '2028-03-31',
      '2028-04-30',
      '2028-05-31',
      '2029-01-31',
      '2029-02-28',
    ]);
    expect(nextBoundary(anchor, month, anchor)).toBe(seconds('2028-02-29T10:00:00Z'));
    expect(nextBoundary(anchor, month, seconds('2028-02-29T10:00:00Z'))).toBe(
      seconds('2028-03-31T10:00:00Z'),
    );
    expect(iso(nextBoundary(anchor, month, anchor - 40 * DAY))).toBe('2027-12-31');
  });

  test('renewals follow the anchor over a leap year, each with its invoice', async () => {
    const harness = await startHarness();
    const { to, subscription } = await member(harness, '2028-01-31T10:00:00Z');
    expect(iso(subscription.items.data[0]?.current_period_end)).toBe('2028-02-29');
    const ends: string[] = [];
    for (const moment of ['2028-03-01', '2028-04-01', '2028-05-01'])
      ends.push(iso((await to(`${moment}T00:00:00Z`)).items.data[0]?.current_period_end));
    expect(ends).toEqual(['2028-03-31', '2028-04-30', '2028-05-31']);
    const year = await to('2029-03-01T00:00:00Z');
    expect(iso(year.items.data[0]?.current_period_start)).toBe('2029-02-28');
    const invoices = await harness.stripe.invoices.list({ subscription: subscription.id, limit: 100 });
    expect(invoices.data).toHaveLength(14);
    expect(invoices.data.every((invoice) => invoice.status === 'paid' && invoice.amount_paid === 6000)).toBe(
      true,
    );
    expect(invoices.data.map((invoice) => iso(invoice.created)).slice(0, 3)).toEqual([
      '2029-02-28',
      '2029-01-31',
      '2028-12-31',
    ]);
    expect(invoices.data[0]).toMatchObject({
      billing_reason: 'subscription_cycle',
      parent: { subscription_details: { subscription: subscription.id } },
    });
  });

  test('a chosen anchor shortens the first period and its price, and sets all later ones', async () => {
    const harness = await startHarness();
    const { stripe } = harness;
    const { premier } = await createTiers(stripe);
    const clock = await stripe.testHelpers.testClocks.create({
      frozen_time: seconds('2027-04-16T00:00:00Z'),
    });
    const customer = await createPayer(stripe, 'pm_card_visa', clock.id);
    const start = (proration_behavior?: 'none') =>
      stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: premier.id }],
        billing_cycle_anchor: seconds('2027-05-01T00:00:00Z'),
        proration_behavior,
        expand: ['latest_invoice'],
      });
    const half = await start();
    expect(half).toMatchObject({ status: 'active', latest_invoice: { total: 3000, status: 'paid' } });
    expect(iso(half.items.data[0]?.current_period_end)).toBe('2027-05-01');
    expect(await start('none')).toMatchObject({ status: 'active', latest_invoice: { total: 0 } });
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: seconds('2027-05-02T00:00:00Z') });
    const full = await stripe.subscriptions.retrieve(half.id, { expand: ['latest_invoice'] });
    expect(iso(full.items.data[0]?.current_period_end)).toBe('2027-06-01');
    expect(full.latest_invoice).toMatchObject({ total: 6000 });
  });

  test('the sandbox clock renews too', async () => {
    const { stripe, advance } = await startHarness();
    const { premier } = await createTiers(stripe);
    const payer = await createPayer(stripe);
    const subscription = await stripe.subscriptions.create({
      customer: payer.id,
      items: [{ price: premier.id }],
    });
    await advance('3 months');
    expect((await stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(4);
    await expect(advance('yesterday')).rejects.toThrow(/advance/);
  });
});

describe('cancellation', () => {
  test('a cancellation at period end takes effect, and can be withdrawn before', async () => {
    const { stripe, ...rest } = await startHarness();
    const { subscription, to } = await member({ stripe, ...rest }, '2027-01-15T10:00:00Z');
    const set = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    expect(set).toMatchObject({
      cancel_at_period_end: true,
      status: 'active',
      cancel_at: subscription.items.data[0]?.current_period_end,
      cancellation_details: { reason: 'cancellation_requested' },
    });
    const back = await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false });
    expect(back).toMatchObject({ cancel_at_period_end: false, cancel_at: null, canceled_at: null });
    expect((await to('2027-02-20T00:00:00Z')).status).toBe('active');
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    const over = await to('2027-04-01T00:00:00Z');
    expect(over).toMatchObject({ status: 'canceled', ended_at: seconds('2027-03-15T10:00:00Z') });
    expect((await stripe.invoices.list({ subscription: subscription.id })).data).toHaveLength(2);
    expect((await stripe.events.list({ type: 'customer.subscription.deleted' })).data).toHaveLength(1);
    await expect(
      stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false }),
    ).rejects.toMatchObject({
      statusCode: 400,
    });
    expect((await stripe.subscriptions.list({ customer: String(subscription.customer) })).data).toEqual([]);
    const all = await stripe.subscriptions.list({ customer: String(subscription.customer), status: 'all' });
    expect(all.data).toHaveLength(1);
  });

  test('an unpaid first invoice leaves the subscription incomplete, and expires it after 23 hours', async () => {
    const harness = await startHarness();
    const { subscription, to } = await member(harness, '2027-01-15T10:00:00Z', 'pm_card_chargeCustomerFail');
    expect(subscription.status).toBe('incomplete');
    const over = await to('2027-01-16T10:00:00Z');
    expect(over).toMatchObject({ status: 'incomplete_expired', latest_invoice: { status: 'void' } });
  });

  test('an immediate cancellation ends at once', async () => {
    const harness = await startHarness();
    const { subscription } = await member(harness, '2027-01-15T10:00:00Z');
    expect(await harness.stripe.subscriptions.cancel(subscription.id)).toMatchObject({
      status: 'canceled',
      ended_at: seconds('2027-01-15T10:00:00Z'),
    });
    await expect(harness.stripe.subscriptions.cancel(subscription.id)).rejects.toMatchObject({
      statusCode: 404,
    });
  });
});
