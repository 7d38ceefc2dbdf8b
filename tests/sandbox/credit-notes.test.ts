import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { startHarness } from '../support/sandbox/harness.ts';
import { failCard, member } from '../support/sandbox/test-clock-member.ts';

async function overdue() {
  const harness = await startHarness();
  const { customer, to, subscription } = await member(harness, '2027-01-01T10:00:00Z');
  await failCard(harness.stripe, customer.id);
  const late = await to('2027-02-02T00:00:00Z');
  return { ...harness, customer, subscription, to, invoice: (late.latest_invoice as Stripe.Invoice).id };
}

async function paid() {
  const harness = await startHarness();
  const { customer, subscription } = await member(harness, '2027-01-01T10:00:00Z');
  return { ...harness, customer, invoice: String(subscription.latest_invoice) };
}

describe('a credit note on an open invoice', () => {
  test('reduces what is owed and charged', async () => {
    const { stripe, customer, invoice } = await overdue();
    const preview = await stripe.creditNotes.preview({ invoice, amount: 2000 });
    expect(preview).toMatchObject({ pre_payment_amount: 2000, post_payment_amount: 0 });
    expect((await stripe.creditNotes.list({ invoice })).data).toEqual([]);
    const note = await stripe.creditNotes.create({ invoice, amount: 2000, reason: 'order_change' });
    expect(note).toMatchObject({ type: 'pre_payment', status: 'issued', reason: 'order_change' });
    const visa = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
    const settled = await stripe.invoices.pay(invoice, { payment_method: visa.id });
    expect(settled).toMatchObject({
      total: 6000,
      amount_paid: 4000,
      pre_payment_credit_notes_amount: 2000,
    });
    expect((await stripe.charges.list()).data[0]?.amount).toBe(4000);
  });

  test('of all that is owed pays it, and the subscription is active', async () => {
    const { stripe, subscription, invoice } = await overdue();
    await stripe.creditNotes.create({ invoice, amount: 6000 });
    expect(await stripe.invoices.retrieve(invoice)).toMatchObject({ status: 'paid', amount_paid: 0 });
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe('active');
  });
});

describe('a credit note on a paid invoice', () => {
  test('refunds the charge and credits the balance, as requested', async () => {
    const { stripe, customer, invoice } = await paid();
    const note = await stripe.creditNotes.create({
      invoice,
      amount: 2500,
      refund_amount: 1500,
      credit_amount: 1000,
    });
    expect(note).toMatchObject({
      type: 'post_payment',
      post_payment_amount: 2500,
      refunds: [{ amount_refunded: 1500 }],
    });
    expect((await stripe.charges.list()).data[0]?.amount_refunded).toBe(1500);
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ balance: -1000 });
    expect(await stripe.invoices.retrieve(invoice)).toMatchObject({
      status: 'paid',
      post_payment_credit_notes_amount: 2500,
    });
  });

  test.each([
    ['without a way back', { amount: 2500 }],
    ['of more than the invoice', { amount: 6001, credit_amount: 6001 }],
  ])('%s is refused', async (_, input) => {
    const { stripe, invoice } = await paid();
    await expect(stripe.creditNotes.create({ invoice, ...input })).rejects.toMatchObject({
      statusCode: 400,
    });
  });
});
