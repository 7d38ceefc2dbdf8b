import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { type Harness, startHarness } from '../support/sandbox/harness.ts';
import { failCard, member } from '../support/sandbox/test-clock-member.ts';

/** A member since January 1 whose renewal on February 1 failed. */
async function overdue(harness: Harness) {
  const joined = await member(harness, '2027-01-01T10:00:00Z');
  await failCard(harness.stripe, joined.customer.id);
  const late = await joined.to('2027-02-02T00:00:00Z');
  const { id } = late.latest_invoice as Stripe.Invoice;
  return { ...joined, status: late.status, invoice: id };
}

const statusOf = async ({ stripe }: Harness, { id }: { id: string }) =>
  (await stripe.subscriptions.retrieve(id)).status;

describe('the status of a subscription', () => {
  test.each(['past_due', 'unpaid'] as const)(
    'that is %s is active once its only unpaid invoice is void',
    async (dunning_end) => {
      const harness = await startHarness();
      await harness.control('settings', { dunning_days: [1], dunning_end });
      const { subscription, invoice, to } = await overdue(harness);
      expect((await to('2027-02-10T00:00:00Z')).status).toBe(dunning_end);
      await harness.stripe.invoices.voidInvoice(invoice);
      expect(await statusOf(harness, subscription)).toBe('active');
    },
  );

  test('is that of the newest invoice that is not void', async () => {
    const harness = await startHarness();
    await harness.control('settings', { dunning_days: [60] });
    const { subscription, invoice, to } = await overdue(harness);
    const newest = (await to('2027-03-02T00:00:00Z')).latest_invoice as Stripe.Invoice;
    await harness.stripe.invoices.voidInvoice(newest.id);
    expect(await statusOf(harness, subscription)).toBe('past_due');
    const visa = await harness.stripe.paymentMethods.attach('pm_card_visa', {
      customer: String(subscription.customer),
    });
    await harness.stripe.invoices.pay(invoice, { payment_method: visa.id });
    expect(await statusOf(harness, subscription)).toBe('active');
  });

  test('stays past due when an older invoice is void', async () => {
    const harness = await startHarness();
    await harness.control('settings', { dunning_days: [60] });
    const { subscription, invoice, to } = await overdue(harness);
    await to('2027-03-02T00:00:00Z');
    await harness.stripe.invoices.voidInvoice(invoice);
    expect(await statusOf(harness, subscription)).toBe('past_due');
  });

  test('is active once its newest invoice is uncollectible, and its renewals go on', async () => {
    const harness = await startHarness();
    const { subscription, invoice, to } = await overdue(harness);
    const forgiven = await harness.stripe.invoices.markUncollectible(invoice);
    expect(forgiven).toMatchObject({
      status: 'uncollectible',
      status_details: { uncollectible: { reason: 'user_forgiven' } },
      auto_advance: false,
      next_payment_attempt: null,
    });
    expect(await statusOf(harness, subscription)).toBe('active');
    expect((await to('2027-03-02T00:00:00Z')).latest_invoice).toMatchObject({ status: 'open' });
  });
});

test('an uncollectible invoice can be paid, or voided', async () => {
  const harness = await startHarness();
  const { customer, invoice, to } = await overdue(harness);
  await harness.stripe.invoices.markUncollectible(invoice);
  const { id } = (await to('2027-03-02T00:00:00Z')).latest_invoice as Stripe.Invoice;
  await harness.stripe.invoices.markUncollectible(id);
  const visa = await harness.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  const paid = await harness.stripe.invoices.pay(invoice, { payment_method: visa.id });
  expect(paid.status).toBe('paid');
  expect(paid.status_details).toBeUndefined();
  expect(await harness.stripe.invoices.voidInvoice(id)).toMatchObject({ status: 'void' });
  await expect(harness.stripe.invoices.markUncollectible(id)).rejects.toMatchObject({ statusCode: 400 });
});

describe('an immediate cancellation', () => {
  test('clears the scheduled end, and keeps its date of request', async () => {
    const harness = await startHarness();
    const { subscription, to } = await member(harness, '2027-01-01T10:00:00Z');
    const { canceled_at } = await harness.stripe.subscriptions.update(subscription.id, {
      cancel_at_period_end: true,
    });
    await to('2027-01-05T00:00:00Z');
    expect(await harness.stripe.subscriptions.cancel(subscription.id)).toMatchObject({
      status: 'canceled',
      cancel_at: null,
      cancel_at_period_end: false,
      canceled_at,
    });
  });

  test('leaves an open invoice open, and charges it no more by itself', async () => {
    const harness = await startHarness();
    const { subscription, customer, invoice, to } = await overdue(harness);
    await harness.stripe.subscriptions.cancel(subscription.id);
    const visa = await harness.stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    await harness.stripe.customers.update(customer.id, {
      invoice_settings: { default_payment_method: visa.id },
    });
    await to('2027-04-01T00:00:00Z');
    expect(await harness.stripe.invoices.retrieve(invoice)).toMatchObject({
      status: 'open',
      auto_advance: false,
      next_payment_attempt: null,
    });
    expect(await harness.stripe.invoices.pay(invoice)).toMatchObject({ status: 'paid' });
    expect(await statusOf(harness, subscription)).toBe('canceled');
  });
});

test('an end on its scheduled date keeps the date', async () => {
  const harness = await startHarness();
  const { subscription, to } = await member(harness, '2027-01-01T10:00:00Z');
  const { cancel_at } = await harness.stripe.subscriptions.update(subscription.id, {
    cancel_at_period_end: true,
  });
  expect(await to('2027-02-02T00:00:00Z')).toMatchObject({
    status: 'canceled',
    cancel_at,
    cancel_at_period_end: true,
  });
});
