import { and, eq, isNull } from 'drizzle-orm';
import { isEnded } from '../../../domain/standing.ts';
import { billing_reversal } from '../../db/schema.ts';
import type { BillingDeps, BillingNotice } from '../context.ts';
import { isMissing, isStripeError } from '../stripe-errors.ts';
import type { FetchedPayment, StripeSnapshot } from './stripe-snapshot.ts';

type Reversal = typeof billing_reversal.$inferSelect;

/** Refunds that Stripe will never make: the bank has the money back already, or is deciding about it. */
const NOTHING_TO_REFUND = new Set(['charge_already_refunded', 'charge_disputed']);

/**
 * Ends at Stripe, and pays back, every subscription of the user that was decided against. What is left to
 * do is read from the fetched state, so a second run after a crash does only what is missing.
 * 'progress': something was done at Stripe; 'failed': Stripe refused or was out of reach (logged).
 */
export async function executeReversals(
  deps: BillingDeps,
  userId: string,
  truth: StripeSnapshot,
  tell: (notice: BillingNotice) => void,
): Promise<'nothing' | 'progress' | 'failed'> {
  const { db, log } = deps;
  const reversals = await db.select().from(billing_reversal).where(eq(billing_reversal.user_id, userId));
  let progress = false;
  for (const reversal of reversals) {
    const about = { user_id: userId, subscription: reversal.stripe_subscription_id, reason: reversal.reason };
    try {
      const ended = await end(deps, reversal, truth);
      const returned = await payBack(deps, reversal, truth);
      progress ||= ended || returned.length > 0;
      const notice = await writeDown(deps, reversal, truth, returned);
      if (!notice) continue;
      log.warn({ ...about, amount_cents: notice.amount_cents }, 'Payment was given back');
      tell(notice);
    } catch (error) {
      if (!isStripeError(error)) throw error;
      log.error({ ...about, err: error }, 'Subscription could not be reversed yet');
      return 'failed';
    }
  }
  return progress ? 'progress' : 'nothing';
}

async function end({ stripe }: BillingDeps, reversal: Reversal, truth: StripeSnapshot): Promise<boolean> {
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

/** Answers the invoices that were given back just now. */
async function payBack(
  { stripe, log }: BillingDeps,
  reversal: Reversal,
  truth: StripeSnapshot,
): Promise<FetchedPayment[]> {
  const returned: FetchedPayment[] = [];
  for (const payment of owed(reversal, truth)) {
    if (payment.disputed || payment.amount_refunded_cents >= payment.amount_paid_cents) continue;
    for (const payment_intent of payment.payment_intents) {
      const wanted = { payment_intent, reason: 'duplicate' as const, metadata: { why: reversal.reason } };
      try {
        await stripe.refunds.create(wanted, { idempotencyKey: `reversal:${payment_intent}` });
        returned.push(payment);
      } catch (error) {
        if (!isStripeError(error) || !NOTHING_TO_REFUND.has(error.code ?? '')) throw error;
        log.warn({ payment_intent, code: error.code }, 'Nothing to give back');
      }
    }
  }
  return returned;
}

function owed(
  { stripe_subscription_id, refund_from }: Reversal,
  { payments }: StripeSnapshot,
): FetchedPayment[] {
  return payments.filter(
    (it) => it.stripe_subscription_id === stripe_subscription_id && it.paid_at >= refund_from,
  );
}

/**
 * Notes that a reversal is done, and says so: for the first time about all of it, as whoever did it may have
 * died before saying so, and afterwards about what came in later. Null when there is nothing to say.
 */
async function writeDown(
  { db, now, post }: BillingDeps,
  reversal: Reversal,
  truth: StripeSnapshot,
  returned: FetchedPayment[],
): Promise<Extract<BillingNotice, { type: 'payment_returned' }> | null> {
  if (reversal.done_at && returned.length === 0) return null;
  const id = reversal.stripe_subscription_id;
  const said = reversal.done_at ? returned : owed(reversal, truth).filter(({ disputed }) => !disputed);
  const invoices = said.map(({ stripe_invoice_id }) => stripe_invoice_id);
  const notice = {
    type: 'payment_returned' as const,
    cause: reversal.done_at ? `returned:${id}:${invoices.join(',')}` : `returned:${id}`,
    user_id: reversal.user_id,
    reason: reversal.reason,
    amount_cents: said.reduce((sum, { amount_paid_cents }) => sum + amount_paid_cents, 0),
    currency: said[0]?.currency ?? '',
  };
  return db.transaction(async (tx) => {
    const [first] = await tx
      .update(billing_reversal)
      .set({ done_at: now() })
      .where(and(eq(billing_reversal.stripe_subscription_id, id), isNull(billing_reversal.done_at)))
      .returning();
    // Another process was faster, and has said it.
    if ((!first && !reversal.done_at) || notice.amount_cents === 0) return null;
    await post?.(tx, notice);
    return notice;
  });
}
