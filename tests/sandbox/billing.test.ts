import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { boundary, nextBoundary } from '../../sandbox/payments/subscriptions/periods.ts';
import {
  CARD,
  createPayer,
  createTiers,
  type Harness,
  pageOf,
  startHarness,
  submitForm,
} from '../support/sandbox/harness.ts';

const seconds = (iso: string) => Date.parse(iso) / 1000;
const iso = (at: number | undefined) => new Date((at ?? 0) * 1000).toISOString().slice(0, 10);
const DAY = 86_400;

/** A member on a test clock frozen at `start`. */
async function member(harness: Harness, start: string, card = 'pm_card_visa') {
  const { stripe } = harness;
  const tiers = await createTiers(stripe);
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: seconds(start) });
  const customer = await createPayer(stripe, card, clock.id);
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: tiers.premier.id }],
  });
  const to = async (moment: string | number) => {
    await stripe.testHelpers.testClocks.advance(clock.id, {
      frozen_time: typeof moment === 'string' ? seconds(moment) : moment,
    });
    return stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
  };
  return { ...tiers, clock, customer, subscription, to };
}

async function failCard(stripe: Stripe, customer: string) {
  const method = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } });
}

describe('periods', () => {
  test('months count from the anchor and clamp to the month', () => {
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

  test('a chosen anchor shortens the first period and its price, then rules', async () => {
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

describe('ending', () => {
  test('a cancellation at period end arrives, and can be taken back before', async () => {
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

  test('cancelling at once ends at once', async () => {
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

describe('dunning', () => {
  test('a failed renewal is tried again and then lost', async () => {
    const harness = await startHarness();
    const { customer, subscription, to } = await member(harness, '2027-01-01T10:00:00Z');
    await failCard(harness.stripe, customer.id);
    const late = await to('2027-02-02T00:00:00Z');
    expect(late).toMatchObject({
      status: 'past_due',
      latest_invoice: {
        status: 'open',
        attempt_count: 1,
        next_payment_attempt: seconds('2027-02-04T10:00:00Z'),
        amount_remaining: 6000,
      },
    });
    expect((await to('2027-02-10T00:00:00Z')).latest_invoice).toMatchObject({ attempt_count: 3 });
    const lost = await to('2027-02-20T00:00:00Z');
    expect(lost).toMatchObject({
      status: 'canceled',
      cancellation_details: { reason: 'payment_failed' },
      latest_invoice: { status: 'open', attempt_count: 4, next_payment_attempt: null },
    });
    expect((await harness.stripe.events.list({ type: 'invoice.payment_failed' })).data).toHaveLength(4);
    expect(lost.id).toBe(subscription.id);
  });

  test('a new card recovers it on the next try, or at once by paying', async () => {
    const harness = await startHarness();
    const { stripe } = harness;
    const { customer, to } = await member(harness, '2027-01-01T10:00:00Z');
    await failCard(stripe, customer.id);
    await to('2027-02-02T00:00:00Z');
    const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
    const well = await to('2027-02-05T00:00:00Z');
    expect(well).toMatchObject({ status: 'active', latest_invoice: { status: 'paid', attempt_count: 2 } });
    expect(iso(well.items.data[0]?.current_period_end)).toBe('2027-03-01');

    await failCard(stripe, customer.id);
    const late = await to('2027-03-02T00:00:00Z');
    expect(late.status).toBe('past_due');
    const other = await stripe.paymentMethods.attach('pm_card_mastercard', { customer: customer.id });
    await stripe.invoices.pay((late.latest_invoice as Stripe.Invoice).id, { payment_method: other.id });
    expect((await stripe.subscriptions.retrieve(late.id)).status).toBe('active');
  });

  test('what the member tries in vain does not hasten the end', async () => {
    const harness = await startHarness();
    const { customer, to } = await member(harness, '2027-01-01T10:00:00Z');
    await failCard(harness.stripe, customer.id);
    const late = await to('2027-02-02T00:00:00Z');
    const invoice = late.latest_invoice as Stripe.Invoice;
    for (let tries = 0; tries < 5; tries += 1)
      await expect(harness.stripe.invoices.pay(invoice.id)).rejects.toMatchObject({ statusCode: 402 });
    expect(await to('2027-02-03T00:00:00Z')).toMatchObject({
      status: 'past_due',
      latest_invoice: { attempt_count: 6, next_payment_attempt: seconds('2027-02-04T10:00:00Z') },
    });
    expect((await to('2027-02-17T00:00:00Z')).status).toBe('canceled');
  });

  test('renewal invoices may stay drafts for a while, as with Stripe', async () => {
    const harness = await startHarness();
    await harness.control('settings', { draft_seconds: 3600 });
    const { to } = await member(harness, '2027-01-01T10:00:00Z');
    expect(await to('2027-02-01T10:30:00Z')).toMatchObject({
      status: 'active',
      latest_invoice: { status: 'draft' },
    });
    expect(await to('2027-02-01T11:00:00Z')).toMatchObject({ latest_invoice: { status: 'paid' } });
    await expect(harness.control('settings', { dunning_end: 'never' })).rejects.toThrow(
      'dunning_end is not valid',
    );
  });

  test('it may end as unpaid instead, whose invoices are then left alone', async () => {
    const harness = await startHarness();
    await harness.control('settings', { dunning_days: [1], dunning_end: 'unpaid' });
    const { customer, to } = await member(harness, '2027-01-01T10:00:00Z');
    await failCard(harness.stripe, customer.id);
    expect((await to('2027-02-04T00:00:00Z')).status).toBe('unpaid');
    expect((await to('2027-03-04T00:00:00Z')).latest_invoice).toMatchObject({
      status: 'draft',
      attempt_count: 0,
    });
  });

  test('a card that authenticates every charge waits for its holder', async () => {
    const harness = await startHarness();
    const { stripe } = harness;
    const { customer, to } = await member(harness, '2027-01-01T10:00:00Z');
    const method = await stripe.paymentMethods.attach('pm_card_authenticationRequired', {
      customer: customer.id,
    });
    await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
    const late = await to('2027-02-02T00:00:00Z');
    expect(late.status).toBe('past_due');
    expect((await stripe.events.list({ type: 'invoice.payment_action_required' })).data).toHaveLength(1);
    const invoice = late.latest_invoice as Stripe.Invoice;
    const path = new URL(invoice.hosted_invoice_url ?? '').pathname;
    expect((await submitForm(harness.sandbox.url + path, {})).headers.get('location')).toBe(
      `${path}/authenticate`,
    );
    await submitForm(`${harness.sandbox.url}${path}/authenticate`, { answer: 'complete' });
    expect((await stripe.subscriptions.retrieve(late.id)).status).toBe('active');
  });
});

describe('changing the tier', () => {
  test('an upgrade is previewed to the cent and charged at once', async () => {
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
      customer: customer.id,
      subscription: subscription.id,
      subscription_details: { items, proration_behavior: 'always_invoice', proration_date },
    });
    // 20 of 30 days are left: 20.00 back of Select's 30.00, 40.00 of Premier's 60.00.
    expect(preview.lines.data.map((line) => line.amount)).toEqual([-2000, 4000]);
    expect(preview.lines.data.every((line) => line.parent?.invoice_item_details?.proration)).toBe(true);
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

  test('an upgrade that cannot be paid changes nothing, or waits, or goes past due: as asked', async () => {
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

  test('a downgrade waits for the period end on a schedule, which then lets go', async () => {
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

  test('prorations may wait for the next invoice', async () => {
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

  test('nothing is coming once the end is set', async () => {
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

describe('money back', () => {
  async function paid() {
    const harness = await startHarness();
    const { premier } = await createTiers(harness.stripe);
    const session = await harness.stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: premier.id, quantity: 1 }],
      success_url: 'http://club.test/',
    });
    await submitForm(pageOf(harness, session), CARD);
    const payments = await harness.stripe.invoicePayments.list({ status: 'paid' });
    const intent = await harness.stripe.paymentIntents.retrieve(
      String(payments.data[0]?.payment.payment_intent),
      { expand: ['latest_charge'] },
    );
    return { ...harness, intent, charge: intent.latest_charge as Stripe.Charge };
  }

  test('refunds in part and in full, never more than was paid', async () => {
    const { stripe, intent, charge } = await paid();
    expect(charge).toMatchObject({
      paid: true,
      amount: 6000,
      payment_method_details: { card: { last4: '4242' } },
    });
    const part = await stripe.refunds.create({
      payment_intent: intent.id,
      amount: 1000,
      reason: 'requested_by_customer',
    });
    expect(part).toMatchObject({ status: 'succeeded', amount: 1000, charge: charge.id });
    await expect(stripe.refunds.create({ charge: charge.id, amount: 5001 })).rejects.toMatchObject({
      param: 'amount',
    });
    await stripe.refunds.create({ charge: charge.id });
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ refunded: true, amount_refunded: 6000 });
    await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    });
    expect((await stripe.refunds.list({ charge: charge.id })).data.map((refund) => refund.amount)).toEqual([
      5000, 1000,
    ]);
    const events = await stripe.events.list({ types: ['charge.refunded', 'refund.created'] });
    expect(events.data).toHaveLength(4);
  });

  test('a dispute is made by a control and told by an event', async () => {
    const { stripe, charge, control } = await paid();
    const dispute = await control<{ id: string }>('disputes', { charge: charge.id });
    expect(await stripe.disputes.retrieve(dispute.id)).toMatchObject({
      charge: charge.id,
      status: 'needs_response',
      amount: 6000,
    });
    expect((await stripe.charges.retrieve(charge.id)).disputed).toBe(true);
    expect((await stripe.events.list({ type: 'charge.dispute.created' })).data).toHaveLength(1);
    await expect(stripe.refunds.create({ charge: charge.id })).rejects.toMatchObject({
      code: 'charge_disputed',
    });
  });
});
