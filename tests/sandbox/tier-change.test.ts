import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { createPayer, createTiers, startHarness } from '../support/sandbox/harness.ts';
import { failCard, member, seconds } from '../support/sandbox/test-clock-member.ts';

describe('changing the tier', () => {
  test('an upgrade is previewed to the cent, by its subscription item, and charged at once', async () => {
    const harness = await startHarness();
    const { stripe } = harness;
    const tiers = await createTiers(stripe);
    const clock = await stripe.testHelpers.testClocks.create({
      frozen_time: seconds('2027-04-01T00:00:00Z'),
    });
    const customer = await createPayer(stripe, 'pm_card_visa', clock.id);
    const subscription = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: tiers.select.id }],
    });
    await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: seconds('2027-04-11T00:00:00Z') });
    const items = [{ id: subscription.items.data[0]?.id, price: tiers.premier.id }];
    const proration_date = seconds('2027-04-11T00:00:00Z');
    const preview = await stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: { items, proration_behavior: 'always_invoice', proration_date },
    });
    // 20 of 30 days are left: a credit of 20.00 for Select's 30.00, and 40.00 of Premier's 60.00.
    expect(preview.lines.data.map((line) => line.amount)).toEqual([-2000, 4000]);
    const [first] = (await stripe.invoices.retrieve(String(subscription.latest_invoice))).lines.data;
    const proration = { proration: true, subscription_item: subscription.items.data[0]?.id };
    const parent = { type: 'subscription_item_details', invoice_item_details: null };
    const credited_items = { invoice: subscription.latest_invoice, invoice_line_items: [first?.id] };
    expect(preview.lines.data).toMatchObject([
      {
        parent: {
          ...parent,
          subscription_item_details: { ...proration, proration_details: { credited_items } },
        },
      },
      {
        parent: {
          ...parent,
          subscription_item_details: { ...proration, proration_details: { credited_items: null } },
        },
      },
    ]);
    expect(preview).toMatchObject({ amount_due: 2000, total: 2000, status: 'draft', number: null });
    expect((await stripe.invoices.list()).data).toHaveLength(1);

    const changed = await stripe.subscriptions.update(subscription.id, {
      items,
      proration_behavior: 'always_invoice',
      proration_date,
      payment_behavior: 'error_if_incomplete',
      expand: ['latest_invoice'],
    });
    expect(changed.items.data[0]).toMatchObject({
      id: subscription.items.data[0]?.id,
      price: { id: tiers.premier.id },
      current_period_end: subscription.items.data[0]?.current_period_end,
    });
    expect(changed.latest_invoice).toMatchObject({
      status: 'paid',
      amount_paid: 2000,
      billing_reason: 'subscription_update',
    });
  });

  test('an upgrade that cannot be paid changes nothing, waits, or becomes past due, as requested', async () => {
    const harness = await startHarness();
    const { stripe } = harness;
    const { select, premier, customer, subscription, to } = await member(harness, '2027-04-01T00:00:00Z');
    await to('2027-04-11T00:00:00Z');
    await failCard(stripe, customer.id);
    const bigger = await stripe.prices.create({
      product: String(premier.product),
      currency: 'usd',
      unit_amount: 9000,
      recurring: { interval: 'month' },
    });
    const items = [{ id: subscription.items.data[0]?.id, price: bigger.id }];
    const change = (payment_behavior: Stripe.SubscriptionUpdateParams.PaymentBehavior) =>
      stripe.subscriptions.update(subscription.id, {
        items,
        proration_behavior: 'always_invoice',
        payment_behavior,
      });
    await expect(change('error_if_incomplete')).rejects.toMatchObject({
      statusCode: 402,
      code: 'card_declined',
    });
    expect((await stripe.invoices.list()).data).toHaveLength(1);

    const waiting = await change('pending_if_incomplete');
    expect(waiting).toMatchObject({
      status: 'active',
      items: { data: [{ price: { id: premier.id } }] },
      pending_update: { subscription_items: [{ price: { id: bigger.id } }] },
    });
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    await stripe.invoices.pay(String(waiting.latest_invoice), { payment_method: method.id });
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      pending_update: null,
      items: { data: [{ price: { id: bigger.id } }] },
    });

    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: items[0]?.id, price: select.id }],
      proration_behavior: 'none',
    });
    const owing = await change('allow_incomplete');
    expect(owing).toMatchObject({ status: 'past_due', items: { data: [{ price: { id: bigger.id } }] } });
  });

  test('a pending change that is never paid is dropped after 23 hours', async () => {
    const harness = await startHarness();
    const { stripe } = harness;
    const { select, premier, customer, subscription, to } = await member(harness, '2027-04-01T00:00:00Z');
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]?.id, price: select.id }],
      proration_behavior: 'none',
    });
    await failCard(stripe, customer.id);
    const waiting = await stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]?.id, price: premier.id }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'pending_if_incomplete',
    });
    expect(waiting.pending_update).not.toBeNull();
    const after = await to('2027-04-02T00:00:00Z');
    expect(after).toMatchObject({
      status: 'active',
      pending_update: null,
      latest_invoice: { status: 'void' },
    });
    expect(after.items.data[0]?.price.id).toBe(select.id);
  });

  test('a downgrade waits on a schedule for the period end, and is then released', async () => {
    const harness = await startHarness();
    const { stripe } = harness;
    const { select, premier, subscription, to } = await member(harness, '2027-04-01T00:00:00Z');
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    expect(schedule).toMatchObject({
      status: 'active',
      subscription: subscription.id,
      phases: [{ items: [{ price: premier.id }] }],
    });
    const [first] = schedule.phases;
    await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: 'release',
      phases: [
        {
          items: [{ price: premier.id, quantity: 1 }],
          start_date: first?.start_date,
          end_date: first?.end_date,
        },
        { items: [{ price: select.id, quantity: 1 }], duration: { interval: 'month', interval_count: 1 } },
      ],
    });
    await expect(
      stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }),
    ).rejects.toMatchObject({
      message: expect.stringContaining(schedule.id),
    });
    expect((await to('2027-04-30T00:00:00Z')).items.data[0]?.price.id).toBe(premier.id);
    const lower = await to('2027-05-02T00:00:00Z');
    expect(lower).toMatchObject({
      status: 'active',
      schedule: schedule.id,
      items: { data: [{ price: { id: select.id } }] },
      latest_invoice: { amount_paid: 3000, billing_reason: 'subscription_cycle' },
    });
    const free = await to('2027-06-02T00:00:00Z');
    expect(free).toMatchObject({ schedule: null, latest_invoice: { amount_paid: 3000 } });
    expect(await stripe.subscriptionSchedules.retrieve(schedule.id)).toMatchObject({
      status: 'released',
      released_subscription: subscription.id,
    });
  });

  test('a schedule can be released before it does anything', async () => {
    const harness = await startHarness();
    const { stripe } = harness;
    const { subscription } = await member(harness, '2027-04-01T00:00:00Z');
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: subscription.id });
    await expect(
      stripe.subscriptionSchedules.create({ from_subscription: subscription.id }),
    ).rejects.toMatchObject({
      param: 'from_subscription',
    });
    await stripe.subscriptionSchedules.release(schedule.id);
    expect((await stripe.subscriptions.retrieve(subscription.id)).schedule).toBeNull();
  });

  test('a cheaper tier at once leaves credit for the next invoice', async () => {
    const harness = await startHarness();
    const { stripe } = harness;
    const { select, customer, subscription, to } = await member(harness, '2027-04-01T00:00:00Z');
    await to('2027-04-11T00:00:00Z');
    const changed = await stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]?.id, price: select.id }],
      proration_behavior: 'always_invoice',
      expand: ['latest_invoice'],
    });
    expect(changed.latest_invoice).toMatchObject({
      total: -2000,
      amount_due: 0,
      status: 'paid',
      ending_balance: -2000,
    });
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -2000 });
    expect((await to('2027-05-02T00:00:00Z')).latest_invoice).toMatchObject({
      total: 3000,
      amount_paid: 1000,
    });
  });

  test('prorations can wait for the next invoice', async () => {
    const harness = await startHarness();
    const { stripe } = harness;
    const { select, subscription, to } = await member(harness, '2027-04-01T00:00:00Z');
    await to('2027-04-16T00:00:00Z');
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]?.id, price: select.id }],
      proration_behavior: 'create_prorations',
    });
    const upcoming = await stripe.invoices.createPreview({ subscription: subscription.id });
    expect(upcoming.lines.data.map((line) => line.amount)).toEqual([-3000, 1500, 3000]);
    expect(upcoming.amount_due).toBe(1500);
    expect((await to('2027-05-02T00:00:00Z')).latest_invoice).toMatchObject({
      total: 1500,
      amount_paid: 1500,
    });
  });

  test('an item without an id is added, as Stripe does', async () => {
    const harness = await startHarness();
    const { select, subscription } = await member(harness, '2027-04-01T00:00:00Z');
    const both = await harness.stripe.subscriptions.update(subscription.id, {
      items: [{ price: select.id }],
      proration_behavior: 'none',
    });
    expect(both.items.data).toHaveLength(2);
  });

  test('there is no upcoming invoice once the end is set', async () => {
    const harness = await startHarness();
    const { subscription } = await member(harness, '2027-04-01T00:00:00Z');
    await harness.stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    await expect(
      harness.stripe.invoices.createPreview({ subscription: subscription.id }),
    ).rejects.toMatchObject({
      code: 'invoice_upcoming_none',
    });
  });
});
