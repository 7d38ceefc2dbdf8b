import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { startHarness, submitForm } from '../support/sandbox/harness.ts';
import { failCard, iso, member, seconds } from '../support/sandbox/test-clock-member.ts';

describe('dunning', () => {
  test('a failed renewal is retried, and then the subscription ends', async () => {
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

  test('a failed renewal is paid with a new card, on the next attempt or at once by hand', async () => {
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

  test('a payment under way is not retried until the bank declines it', async () => {
    const harness = await startHarness();
    const { customer, to } = await member(harness, '2027-01-01T10:00:00Z');
    await failCard(harness.stripe, customer.id);
    await to('2027-02-02T00:00:00Z');
    const method = await harness.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    const invoice_settings = { default_payment_method: method.id };
    await harness.stripe.customers.update(customer.id, { invoice_settings });
    await harness.control('settings', { charges: 'pending' });
    const open = { status: 'open', attempt_count: 2, next_payment_attempt: null };
    expect(await to('2027-02-20T00:00:00Z')).toMatchObject({ status: 'past_due', latest_invoice: open });
    await harness.control('charges/fail', {});
    const { latest_invoice } = await to('2027-02-21T00:00:00Z');
    expect(latest_invoice).toMatchObject({ next_payment_attempt: seconds('2027-02-25T00:00:00Z') });
  });

  test('failed attempts by the member do not bring the end forward', async () => {
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

  test('renewal invoices can stay drafts for a while, as at Stripe', async () => {
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

  test('the subscription can end as unpaid instead, and later invoices are not charged', async () => {
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

  test('a card with 3-D Secure on every charge waits for the cardholder', async () => {
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
