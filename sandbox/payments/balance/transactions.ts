import { blank } from '../http/blank.ts';
import type { BalanceTransaction, Charge, Dispute, Payout, Refund } from '../http/wire.ts';
import { clockOf, newId, sandboxTime, timeOf, type World } from '../store/world.ts';

const DAY = 86_400;
const DELAY_DAYS = 2;
const FEE_PERCENT = 2.9;
const FEE_FIXED = 30;
const DISPUTE_FEE = 1500;

interface Entry
  extends Pick<
    BalanceTransaction,
    'amount' | 'currency' | 'description' | 'reporting_category' | 'source' | 'type'
  > {
  fee?: { amount: number; description: string };
  /** Days until the money is available; by default the next midnight. */
  days?: number;
  customer?: string | null;
}

/** Midnight in UTC, `days` after the day of `at`. In seconds. */
export const midnight = (at: number, days: number) => (Math.floor(at / DAY) + days) * DAY;

/** Books an amount on the account's balance. Stripe dates money by its own clock, not by a customer's test clock. */
function book(world: World, { fee, days = 1, customer = null, ...entry }: Entry): BalanceTransaction {
  const created = clockOf(world, customer) ? sandboxTime(world) : timeOf(world);
  const fees = fee ? [{ ...fee, application: null, currency: entry.currency, type: 'stripe_fee' }] : [];
  const transaction: BalanceTransaction = {
    ...blank('balance_transaction'),
    ...entry,
    id: newId('txn'),
    available_on: midnight(created, days),
    balance_type: 'payments',
    created,
    fee: fee?.amount ?? 0,
    fee_details: fees,
    net: entry.amount - (fee?.amount ?? 0),
    status: 'pending',
  };
  world.state.balance_transactions[transaction.id] = transaction;
  return transaction;
}

/** A transaction with its status of now: pending until its money is available. Undefined for an unknown id. */
export function currentTransaction(world: World, id: string): BalanceTransaction | undefined {
  const transaction = world.state.balance_transactions[id];
  if (!transaction) return undefined;
  const isAvailable = transaction.available_on <= sandboxTime(world);
  return { ...transaction, status: isAvailable ? 'available' : 'pending' };
}

export function bookCharge(world: World, { id, amount, currency, description, customer }: Charge): string {
  const fee = Math.round((amount * FEE_PERCENT) / 100) + FEE_FIXED;
  return book(world, {
    amount,
    currency,
    customer,
    days: DELAY_DAYS,
    description,
    fee: { amount: fee, description: 'Stripe processing fees' },
    reporting_category: 'charge',
    source: id,
    type: 'charge',
  }).id;
}

/** Books a refund, or with `isFailure` its return. Stripe keeps the fees of the charge. */
export function bookRefund(
  world: World,
  { id, amount, currency, charge }: Refund,
  isFailure = false,
): string {
  const { customer = null, description = null } = world.state.charges[charge ?? ''] ?? {};
  const kind = isFailure ? 'refund_failure' : 'refund';
  return book(world, {
    amount: isFailure ? amount : -amount,
    currency,
    customer,
    description: `REFUND${isFailure ? ' FAILURE' : ''} FOR CHARGE (${description ?? id})`,
    reporting_category: kind,
    source: id,
    type: kind,
  }).id;
}

/** Books what a dispute takes, with its fee; with `isReversal`, what it gives back. */
export function bookDispute(world: World, dispute: Dispute, isReversal = false): BalanceTransaction {
  const sign = isReversal ? 1 : -1;
  return book(world, {
    amount: sign * dispute.amount,
    currency: dispute.currency,
    customer: world.state.charges[dispute.charge]?.customer ?? null,
    description: `Chargeback ${isReversal ? 'reversal' : 'withdrawal'} for ${dispute.charge}`,
    fee: { amount: -sign * DISPUTE_FEE, description: `Dispute fee${isReversal ? ' refund' : ''}` },
    reporting_category: isReversal ? 'dispute_reversal' : 'dispute',
    source: dispute.id,
    type: 'adjustment',
  });
}

/** Books a payout, or with `isFailure` its return. */
export function bookPayout(
  world: World,
  { id, amount, currency, description }: Payout,
  isFailure = false,
): string {
  return book(world, {
    amount: isFailure ? amount : -amount,
    currency,
    description,
    reporting_category: isFailure ? 'payout_reversal' : 'payout',
    source: id,
    type: isFailure ? 'payout_failure' : 'payout',
    days: isFailure ? 1 : 0,
  }).id;
}

/** Books a fee of Stripe that belongs to no charge, such as that of Billing. */
export function bookFee(
  world: World,
  amount: number,
  currency: string,
  description: string,
): BalanceTransaction {
  return book(world, {
    amount: -amount,
    currency,
    description,
    reporting_category: 'fee',
    source: null,
    type: 'stripe_fee',
  });
}
