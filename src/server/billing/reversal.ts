import { and, eq, isNull } from 'drizzle-orm';
import { isEnded } from '../../domain/standing.ts';
import { billing_reversal } from '../db/schema.ts';
import type { BillingDeps, BillingNotice } from './deps.ts';
import { isMissing, isStripeError } from './stripe-errors.ts';
import type { StripeTruth } from './truth.ts';

type Reversal = typeof billing_reversal.$inferSelect;

/** Refunds that Stripe will never make: the bank has the money back already, or is deciding about it. */
const NOTHING_TO_REFUND = new Set(['charge_already_refunded', 'charge_disputed']);

/**
 * Ends at Stripe, and pays back, every subscription of the user that was decided against. What is left to
 * do is read from the fetched state, so a second run after a crash does only what is missing.
 * 'progress': something was done at Stripe; 'failed': Stripe refused or was out of reach (logged).
 */
export async function carryOutReversals(
  deps: BillingDeps,
  userId: string,
  truth: StripeTruth,
  tell: (notice: BillingNotice) => void,
): Promise<'nothing' | 'progress' | 'failed'> {
  const { db, log, now } = deps;
  const reversals = await db.select().from(billing_reversal).where(eq(billing_reversal.user_id, userId));
  let progress = false;
  for (const reversal of reversals) {
    const about = { user_id: userId, subscription: reversal.stripe_subscription_id, reason: reversal.reason };
    try {
      const ended = await end(deps, reversal, truth);
      const returned = await payBack(deps, reversal, truth);
      progress ||= ended || returned.cents > 0;
      if (returned.cents > 0) {
        log.warn({ ...about, amount_cents: returned.cents }, 'Payment was given back');
        tell({
          type: 'payment_returned',
          cause: `returned:${reversal.stripe_subscription_id}:${returned.invoices.join(',')}`,
          user_id: userId,
          reason: reversal.reason,
          amount_cents: returned.cents,
          currency: returned.currency,
        });
      }
    } catch (error) {
      if (!isStripeError(error)) throw error;
      log.error({ ...about, err: error }, 'Subscription could not be reversed yet');
      return 'failed';
    }
    const undone = and(
      eq(billing_reversal.stripe_subscription_id, reversal.stripe_subscription_id),
      isNull(billing_reversal.done_at),
    );
    if (!reversal.done_at) await db.update(billing_reversal).set({ done_at: now() }).where(undone);
  }
  return progress ? 'progress' : 'nothing';
}

async function end({ stripe }: BillingDeps, reversal: Reversal, truth: StripeTruth): Promise<boolean> {
  const id = reversal.stripe_subscription_id;
  const fetched = truth.subscriptions.find((it) => it.id === id);
  if (!fetched || isEnded(fetched.status)) return false;
  try {
    await stripe.subscriptions.cancel(id, { prorate: false, invoice_now: false });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return true;
}

async function payBack(
  { stripe, log }: BillingDeps,
  reversal: Reversal,
  truth: StripeTruth,
): Promise<{ cents: number; currency: string; invoices: string[] }> {
  const returned = { cents: 0, currency: '', invoices: [] as string[] };
  for (const payment of truth.payments) {
    if (payment.stripe_subscription_id !== reversal.stripe_subscription_id || payment.disputed) continue;
    const open = payment.amount_paid_cents - payment.amount_refunded_cents;
    if (open <= 0 || payment.paid_at < reversal.refund_from) continue;
    for (const payment_intent of payment.payment_intents) {
      const wanted = { payment_intent, reason: 'duplicate' as const, metadata: { why: reversal.reason } };
      try {
        const refund = await stripe.refunds.create(wanted, { idempotencyKey: `reversal:${payment_intent}` });
        returned.cents += refund.amount;
        returned.currency = refund.currency;
        returned.invoices.push(payment.stripe_invoice_id);
      } catch (error) {
        if (!isStripeError(error) || !NOTHING_TO_REFUND.has(error.code ?? '')) throw error;
        log.warn({ payment_intent, code: error.code }, 'Nothing to give back');
      }
    }
  }
  return returned;
}
