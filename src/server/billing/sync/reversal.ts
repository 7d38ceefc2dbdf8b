import { and, eq, isNull } from 'drizzle-orm';
import { isEnded } from '../../../domain/standing.ts';
import { billing_reversal } from '../../db/schema.ts';
import type { BillingDeps, BillingNotice } from '../billing-context.ts';
import { isMissing, isStripeError } from '../stripe-errors.ts';
import type { FetchedPayment, StripeSnapshot } from './stripe-snapshot.ts';

type Reversal = typeof billing_reversal.$inferSelect;

/** Stripe will never make these refunds: the charge is refunded already, or the bank decides about a dispute. */
const NOTHING_TO_REFUND = new Set(['charge_already_refunded', 'charge_disputed']);

/**
 * Cancels and refunds at Stripe every subscription of the user that has a reversal. What is left to do is read
 * from the snapshot, so a second run after a crash does only what is missing.
 * 'progress': something changed at Stripe. 'failed': Stripe failed or refused (logged).
 */
export async function executeReversals(
  deps: BillingDeps,
  userId: string,
  snapshot: StripeSnapshot,
  notify: (notice: BillingNotice) => void,
): Promise<'nothing' | 'progress' | 'failed'> {
  const { db, log } = deps;
  const reversals = await db.select().from(billing_reversal).where(eq(billing_reversal.user_id, userId));
  let progress = false;
  for (const reversal of reversals) {
    const fields = {
      user_id: userId,
      subscription: reversal.stripe_subscription_id,
      reason: reversal.reason,
    };
    try {
      const canceled = await cancelSubscription(deps, reversal, snapshot);
      const refunded = await refundPayments(deps, reversal, snapshot);
      progress ||= canceled || refunded.length > 0;
      const notice = await recordOutcome(deps, reversal, snapshot, refunded);
      if (!notice) continue;
      log.warn({ ...fields, amount_cents: notice.amount_cents }, 'Payment refunded');
      notify(notice);
    } catch (error) {
      if (!isStripeError(error)) throw error;
      log.error({ ...fields, err: error }, 'Reversal failed; the sweeper retries it');
      return 'failed';
    }
  }
  return progress ? 'progress' : 'nothing';
}

async function cancelSubscription(
  { stripe }: BillingDeps,
  reversal: Reversal,
  snapshot: StripeSnapshot,
): Promise<boolean> {
  const id = reversal.stripe_subscription_id;
  const fetched = snapshot.subscriptions.find((it) => it.id === id);
  if (!fetched || isEnded(fetched.status)) return false;
  try {
    await stripe.subscriptions.cancel(id, { prorate: false, invoice_now: false });
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  return true;
}

/** Returns the payments that this call refunded. */
async function refundPayments(
  { stripe, log }: BillingDeps,
  reversal: Reversal,
  snapshot: StripeSnapshot,
): Promise<FetchedPayment[]> {
  const refunded: FetchedPayment[] = [];
  for (const payment of refundablePayments(reversal, snapshot)) {
    if (payment.disputed || payment.amount_refunded_cents >= payment.amount_paid_cents) continue;
    for (const payment_intent of payment.payment_intents) {
      const params = { payment_intent, reason: 'duplicate' as const, metadata: { why: reversal.reason } };
      try {
        await stripe.refunds.create(params, { idempotencyKey: `reversal:${payment_intent}` });
        refunded.push(payment);
      } catch (error) {
        if (!isStripeError(error) || !NOTHING_TO_REFUND.has(error.code ?? '')) throw error;
        log.warn({ payment_intent, code: error.code }, 'Nothing to refund');
      }
    }
  }
  return refunded;
}

function refundablePayments(
  { stripe_subscription_id, refund_from }: Reversal,
  { payments }: StripeSnapshot,
): FetchedPayment[] {
  return payments.filter(
    (it) => it.stripe_subscription_id === stripe_subscription_id && it.paid_at >= refund_from,
  );
}

/**
 * Marks a reversal as done and returns the notice to send; null for none. The first notice covers all payments,
 * because the process that refunded them may have crashed before its notice. Later ones cover what was paid since.
 */
async function recordOutcome(
  { db, now, post }: BillingDeps,
  reversal: Reversal,
  snapshot: StripeSnapshot,
  refunded: FetchedPayment[],
): Promise<Extract<BillingNotice, { type: 'payment_returned' }> | null> {
  if (reversal.done_at && refunded.length === 0) return null;
  const id = reversal.stripe_subscription_id;
  const reported = reversal.done_at
    ? refunded
    : refundablePayments(reversal, snapshot).filter(({ disputed }) => !disputed);
  const invoices = reported.map(({ stripe_invoice_id }) => stripe_invoice_id);
  const notice = {
    type: 'payment_returned' as const,
    cause: reversal.done_at ? `returned:${id}:${invoices.join(',')}` : `returned:${id}`,
    user_id: reversal.user_id,
    reason: reversal.reason,
    amount_cents: reported.reduce((sum, { amount_paid_cents }) => sum + amount_paid_cents, 0),
    currency: reported[0]?.currency ?? '',
  };
  return db.transaction(async (tx) => {
    const [first] = await tx
      .update(billing_reversal)
      .set({ done_at: now() })
      .where(and(eq(billing_reversal.stripe_subscription_id, id), isNull(billing_reversal.done_at)))
      .returning();
    // Another process was faster and has sent the notice.
    if ((!first && !reversal.done_at) || notice.amount_cents === 0) return null;
    await post?.(tx, notice);
    return notice;
  });
}
