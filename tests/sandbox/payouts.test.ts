import type Stripe from 'stripe';
import { describe, expect, test } from 'vitest';
import { createPayer, createTiers, type Harness, startHarness } from '../support/sandbox/harness.ts';
import { DAY } from '../support/sandbox/test-clock-member.ts';

const NOON = Date.UTC(2027, 0, 4, 12);
const MIDNIGHT = NOON / 1000 - DAY / 2;

/** A sandbox at noon of January 4, in which a member has paid $60. */
async function charged() {
  const harness = await startHarness({ now: () => NOON });
  const { stripe } = harness;
  const { premier } = await createTiers(stripe);
  const payer = await createPayer(stripe);
  const subscription = await stripe.subscriptions.create({
    customer: payer.id,
    items: [{ price: premier.id }],
  });
  const [charge] = (await stripe.charges.list({ expand: ['data.balance_transaction'] })).data;
  if (!charge) throw new Error('No charge');
  return { ...harness, subscription, charge };
}

const payoutsOf = async ({ stripe }: Pick<Harness, 'stripe'>) => (await stripe.payouts.list()).data.reverse();
const eventsOf = async ({ stripe }: Pick<Harness, 'stripe'>) =>
  (await stripe.events.list({ type: 'payout.*', limit: 100 })).data.map(({ type }) => type).reverse();

describe('a balance transaction', () => {
  test('of a charge has its fees, and is available two days later', async () => {
    const { stripe, charge, advance } = await charged();
    expect(charge.balance_transaction).toMatchObject({
      amount: 6000,
      fee: 204,
      fee_details: [{ amount: 204, type: 'stripe_fee', description: 'Stripe processing fees' }],
      net: 5796,
      source: charge.id,
      type: 'charge',
      reporting_category: 'charge',
      available_on: MIDNIGHT + 2 * DAY,
      status: 'pending',
    });
    const { id } = charge.balance_transaction as Stripe.BalanceTransaction;
    await advance('2 days');
    expect(await stripe.balanceTransactions.retrieve(id, { expand: ['source'] })).toMatchObject({
      status: 'available',
      source: { id: charge.id, object: 'charge' },
    });
  });

  test('of a refund takes its amount without fees, and of a failed one returns it', async () => {
    const { stripe, charge, control } = await charged();
    const refund = await stripe.refunds.create({ charge: charge.id, amount: 2500 });
    await control('refunds/fail', { refund: refund.id });
    const { data } = await stripe.balanceTransactions.list({ source: refund.id });
    expect(data.reverse()).toMatchObject([
      { id: refund.balance_transaction, type: 'refund', reporting_category: 'refund', net: -2500, fee: 0 },
      { type: 'refund_failure', reporting_category: 'refund_failure', net: 2500 },
    ]);
    const failed = await stripe.refunds.retrieve(refund.id);
    expect(failed.failure_balance_transaction).toBe(data[1]?.id);
  });

  test('of a dispute takes its amount and a fee, and returns both if it is won', async () => {
    const { stripe, charge, control } = await charged();
    const { id } = await control<Stripe.Dispute>('disputes', { charge: charge.id });
    const [opened] = (await stripe.disputes.list()).data;
    expect(opened?.balance_transactions).toMatchObject([
      { type: 'adjustment', reporting_category: 'dispute', amount: -6000, fee: 1500, net: -7500 },
    ]);
    await control('disputes/close', { dispute: id, won: true });
    const { balance_transactions } = await stripe.disputes.retrieve(id);
    expect(balance_transactions[1]).toMatchObject({ reporting_category: 'dispute_reversal', net: 7500 });
  });

  test('of an inquiry does not exist', async () => {
    const { stripe, charge, control } = await charged();
    await control('disputes', { charge: charge.id, status: 'warning_needs_response' });
    expect((await stripe.balanceTransactions.list({ type: 'adjustment' })).data).toEqual([]);
  });

  test('can be found by its type, currency and date', async () => {
    const { stripe, control } = await charged();
    await control('fees', { amount: 42 });
    const count = async (filters: Stripe.BalanceTransactionListParams) =>
      (await stripe.balanceTransactions.list(filters)).data.length;
    expect(await count({ type: 'stripe_fee' })).toBe(1);
    expect(await count({ currency: 'usd' })).toBe(2);
    expect(await count({ currency: 'eur' })).toBe(0);
    expect(await count({ created: { gt: NOON / 1000 } })).toBe(0);
  });
});

describe('an automatic payout', () => {
  test('contains what is available, moves by the clock, and lists its transactions', async () => {
    const harness = await charged();
    const { stripe, charge, advance } = harness;
    await advance('1 day');
    expect(await payoutsOf(harness)).toEqual([]);
    await advance('1 day');
    const [pending] = await payoutsOf(harness);
    expect(pending).toMatchObject({
      amount: 5796,
      automatic: true,
      status: 'pending',
      reconciliation_status: 'in_progress',
      arrival_date: MIDNIGHT + 4 * DAY,
    });
    await advance('1 day');
    expect(await payoutsOf(harness)).toMatchObject([
      { status: 'in_transit', reconciliation_status: 'completed' },
    ]);
    await advance('1 day');
    expect(await payoutsOf(harness)).toMatchObject([{ status: 'paid' }]);
    const { data } = await stripe.balanceTransactions.list({ payout: pending?.id });
    expect(data.map(({ type, net }) => [type, net])).toEqual([
      ['payout', -5796],
      ['charge', 5796],
    ]);
    expect(data[0]?.id).toBe(pending?.balance_transaction);
    expect(data[1]?.source).toBe(charge.id);
    expect(await eventsOf(harness)).toEqual([
      'payout.created',
      'payout.updated',
      'payout.reconciliation_completed',
      'payout.updated',
      'payout.paid',
    ]);
  });

  test('is the same whenever it is read', async () => {
    const often = await charged();
    for (let day = 0; day < 40; day += 1) {
      await often.advance('1 day');
      await payoutsOf(often);
    }
    const once = await charged();
    await once.advance('40 days');
    const facts = (payouts: Stripe.Payout[]) =>
      payouts.map(({ amount, created, arrival_date, status }) => [amount, created, arrival_date, status]);
    expect(facts(await payoutsOf(once))).toEqual(facts(await payoutsOf(often)));
    expect(await payoutsOf(once)).toHaveLength(2);
  });

  test('is made on time, with its events, if the settings say so', async () => {
    const harness = await charged();
    await harness.control('settings', { payouts: 'on_time' });
    await harness.advance('2 days');
    expect(await eventsOf(harness)).toEqual(['payout.created']);
  });

  test('takes from the bank what the account owes', async () => {
    const harness = await charged();
    await harness.advance('2 days');
    await harness.stripe.refunds.create({ charge: harness.charge.id });
    await harness.advance('1 day');
    expect((await payoutsOf(harness)).map(({ amount }) => amount)).toEqual([5796, -6000]);
  });

  test('that fails returns its money, which the next one contains', async () => {
    const harness = await charged();
    await harness.advance('4 days');
    const [first] = await payoutsOf(harness);
    const failed = await harness.control<Stripe.Payout>('payouts/fail', { payout: first?.id });
    expect(failed).toMatchObject({ status: 'failed', failure_code: 'account_closed' });
    const { data } = await harness.stripe.balanceTransactions.list({ type: 'payout_failure' });
    expect(data).toMatchObject([
      { id: failed.failure_balance_transaction, net: 5796, reporting_category: 'payout_reversal' },
    ]);
    await harness.advance('1 day');
    expect((await payoutsOf(harness)).map(({ amount, status }) => [amount, status])).toEqual([
      [5796, 'failed'],
      [5796, 'pending'],
    ]);
    expect(await eventsOf(harness)).toContain('payout.failed');
  });
});

test('a payout by hand needs available money, and has no list of transactions', async () => {
  const harness = await charged();
  const { stripe, control, advance } = harness;
  await control('settings', { payout_interval: 'manual' });
  const pay = () => stripe.payouts.create({ amount: 5000, currency: 'usd' });
  await expect(pay()).rejects.toMatchObject({ code: 'balance_insufficient' });
  await advance('2 days');
  const payout = await pay();
  expect(payout).toMatchObject({ automatic: false, reconciliation_status: 'not_applicable' });
  await expect(stripe.balanceTransactions.list({ payout: payout.id })).rejects.toMatchObject({
    statusCode: 400,
  });
  await expect(pay()).rejects.toMatchObject({ code: 'balance_insufficient' });
  await advance('3 days');
  expect((await stripe.payouts.list({ status: 'paid' })).data).toHaveLength(1);
});
