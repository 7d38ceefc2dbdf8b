import { describe, expect, test } from 'vitest';
import { createPayer, createTiers, startHarness } from '../support/sandbox/harness.ts';

async function paid() {
  const harness = await startHarness();
  const { stripe } = harness;
  const { premier } = await createTiers(stripe);
  const payer = await createPayer(stripe);
  await stripe.subscriptions.create({ customer: payer.id, items: [{ price: premier.id }] });
  const [charge] = (await stripe.charges.list({ customer: payer.id })).data;
  const events = async () => {
    const { data } = await stripe.events.list({ type: 'charge.dispute.*' });
    return data.map(({ type }) => type.replace('charge.dispute.', '')).reverse();
  };
  const move = (status: string) => harness.control('disputes/move', { status });
  return { ...harness, charge: charge?.id ?? '', events, move };
}

const REFUSED = { code: 'charge_disputed' };

describe('a dispute', () => {
  test.each([
    ['lost', ['funds_withdrawn', 'updated', 'updated', 'closed']],
    ['won', ['funds_withdrawn', 'updated', 'updated', 'funds_reinstated', 'closed']],
  ])('takes the money until it is decided, here %s', async (status, after) => {
    const { stripe, charge, control, events, move } = await paid();
    const { id } = await control<{ id: string }>('disputes', { charge });
    expect(await stripe.disputes.retrieve(id)).toMatchObject({
      status: 'needs_response',
      is_charge_refundable: false,
    });
    await move('under_review');
    await expect(stripe.refunds.create({ charge })).rejects.toMatchObject(REFUSED);
    await move(status);
    expect(await stripe.disputes.retrieve(id)).toMatchObject({ status });
    expect(await events()).toEqual(['created', ...after]);
    expect((await stripe.charges.retrieve(charge)).disputed, 'for good').toBe(true);
  });

  test('that begins as a question of the bank takes nothing, and the charge can be refunded', async () => {
    const { stripe, charge, control, events, move } = await paid();
    const { id } = await control<{ id: string }>('disputes', { charge, status: 'warning_needs_response' });
    expect(await stripe.disputes.retrieve(id)).toMatchObject({ is_charge_refundable: true });
    await stripe.refunds.create({ charge, amount: 100 });
    await move('warning_under_review');
    await move('warning_closed');
    expect(await events()).toEqual(['created', 'updated', 'updated', 'closed']);
  });

  test('may become one from a question, and be appealed after it was lost', async () => {
    const { stripe, charge, control, events, move } = await paid();
    await control('disputes', { charge, status: 'warning_needs_response' });
    await move('needs_response');
    await expect(stripe.refunds.create({ charge })).rejects.toMatchObject(REFUSED);
    await move('lost');
    await move('appeal_under_review');
    await move('won');
    expect(await events()).toEqual([
      'created',
      ...['updated', 'funds_withdrawn'],
      ...['updated', 'closed'],
      'updated',
      ...['updated', 'funds_reinstated', 'closed'],
    ]);
    await stripe.refunds.create({ charge });
  });

  test('that the network prevented is closed at once', async () => {
    const { charge, control, events } = await paid();
    await control('disputes', { charge, status: 'prevented' });
    expect(await events()).toEqual(['created', 'closed']);
  });

  test('has no other status', async () => {
    const { charge, control } = await paid();
    await expect(control('disputes', { charge, status: 'charge_refunded' })).rejects.toThrow(
      'status must be',
    );
  });
});

describe('a refund that is pending', () => {
  const pending = async () => {
    const it = await paid();
    await it.control('settings', { refunds: 'pending' });
    const refund = await it.stripe.refunds.create({ charge: it.charge, amount: 1000 });
    expect(refund).toMatchObject({ status: 'pending', pending_reason: 'processing' });
    expect(await it.stripe.charges.retrieve(it.charge)).toMatchObject({ amount_refunded: 1000 });
    return { ...it, id: refund.id };
  };
  const types = async ({ stripe }: Awaited<ReturnType<typeof pending>>) =>
    (await stripe.events.list({ types: ['refund.*', 'charge.refund.*'] })).data
      .map(({ type }) => type)
      .sort();

  test('succeeds later', async () => {
    const it = await pending();
    await it.control('refunds/settle', {});
    const settled = await it.stripe.refunds.retrieve(it.id);
    expect(settled.status).toBe('succeeded');
    expect(settled.pending_reason).toBeUndefined();
    expect(await types(it)).toEqual(['charge.refund.updated', 'refund.created', 'refund.updated']);
  });

  test('or fails, with the reason, and the venue has the money again', async () => {
    const it = await pending();
    await it.control('refunds/fail', { reason: 'insufficient_funds' });
    expect(await it.stripe.refunds.retrieve(it.id)).toMatchObject({
      status: 'failed',
      failure_reason: 'insufficient_funds',
      failure_balance_transaction: expect.any(String),
    });
    expect(await it.stripe.charges.retrieve(it.charge)).toMatchObject({
      amount_refunded: 0,
      refunded: false,
    });
    expect(await types(it)).toEqual([
      'charge.refund.updated',
      'refund.created',
      'refund.failed',
      'refund.updated',
    ]);
  });
});
