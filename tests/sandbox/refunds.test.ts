import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { CARD, createTiers, pageOf, startHarness, submitForm } from '../support/sandbox/harness.ts';

describe('refunds and disputes', () => {
  async function paid() {
    const harness = await startHarness();
    const { premier } = await createTiers(harness.stripe);
    const session = await harness.stripe.checkout.sessions.create({
      mode: 'subscription',
      line_items: [{ price: premier.id, quantity: 1 }],
      success_url: 'http://club.test/',
    });
    await submitForm(pageOf(harness, session), CARD);
    const [charge] = (await harness.stripe.charges.list()).data;
    const intent = await harness.stripe.paymentIntents.retrieve(String(charge?.payment_intent), {
      expand: ['latest_charge'],
    });
    return { ...harness, intent, charge: intent.latest_charge as Stripe.Charge };
  }

  test('refunds in part and in full, but never more than was paid', async () => {
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

  test('a control makes the bank return a refund, and an event reports it', async () => {
    const { stripe, charge, control } = await paid();
    const { id } = await stripe.refunds.create({ charge: charge.id, amount: 1000 });
    await control('refunds/fail', {});
    expect(await stripe.refunds.retrieve(id)).toMatchObject({
      status: 'failed',
      failure_reason: 'expired_or_canceled_card',
    });
    expect(await stripe.charges.retrieve(charge.id)).toMatchObject({ refunded: false, amount_refunded: 0 });
    expect((await stripe.events.list({ type: 'refund.failed' })).data).toHaveLength(1);
    await expect(control('refunds/fail', { refund: id })).rejects.toThrow();
  });

  test('a control opens a dispute, and an event reports it', async () => {
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
