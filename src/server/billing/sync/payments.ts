import { eq, sql } from 'drizzle-orm';
import type { Tx } from '../../db/client.ts';
import { billing_payment } from '../../db/schema.ts';
import type { BillingDeps, BillingNotice } from '../context.ts';
import type { EvaluatedSubscription, LocalState } from './evaluate.ts';
import type { StripeSnapshot } from './stripe-snapshot.ts';

/** Stores paid invoices; answers a receipt for each that is new and belongs to a membership. */
export async function storePayments(
  tx: Tx,
  userId: string,
  local: LocalState,
  judged: EvaluatedSubscription[],
  truth: StripeSnapshot,
): Promise<BillingNotice[]> {
  if (truth.payments.length === 0) return [];
  const known = await tx
    .select({ id: billing_payment.stripe_invoice_id })
    .from(billing_payment)
    .where(eq(billing_payment.user_id, userId));
  await tx
    .insert(billing_payment)
    .values(
      truth.payments.map(({ paid_at, payment_intents: _, disputed, ...payment }) => ({
        ...payment,
        user_id: userId,
        status: paymentStatus(payment, disputed),
        created_at: paid_at,
      })),
    )
    .onConflictDoUpdate({
      target: billing_payment.stripe_invoice_id,
      set: {
        status: sql`excluded.status`,
        amount_paid_cents: sql`excluded.amount_paid_cents`,
        amount_refunded_cents: sql`excluded.amount_refunded_cents`,
      },
    });
  const reversed = (id: string) =>
    local.reversals.some((it) => it.stripe_subscription_id === id) ||
    judged.some(({ contender }) => contender.id === id && contender.reversed);
  return truth.payments
    .filter((it) => it.amount_paid_cents > 0 && !known.some(({ id }) => id === it.stripe_invoice_id))
    .filter((it) => !reversed(it.stripe_subscription_id))
    .map((it) => ({
      type: 'payment_received',
      cause: `paid:${it.stripe_invoice_id}`,
      user_id: userId,
      invoice: it.stripe_invoice_id,
      amount_cents: it.amount_paid_cents,
      currency: it.currency,
    }));
}

function paymentStatus(
  { amount_paid_cents, amount_refunded_cents }: { amount_paid_cents: number; amount_refunded_cents: number },
  disputed: boolean,
): string {
  if (disputed) return 'disputed';
  if (amount_refunded_cents === 0) return 'paid';
  return amount_refunded_cents < amount_paid_cents ? 'partially_refunded' : 'refunded';
}

/**
 * Somebody ended it at Stripe before we heard of it, and what it took stayed there. That was a decision of a
 * person, or this is an older backup: whether to give it back is one too.
 */
export function reportUnused(
  { log }: BillingDeps,
  { row, contender }: EvaluatedSubscription,
  truth: StripeSnapshot,
): void {
  const { user_id, stripe_subscription_id } = row;
  const kept = truth.payments
    .filter((it) => it.stripe_subscription_id === stripe_subscription_id)
    .reduce((sum, it) => sum + it.amount_paid_cents - it.amount_refunded_cents, 0);
  if (kept <= 0 || contender.was_membership) return;
  log.error(
    { user_id, subscription: stripe_subscription_id, kept_cents: kept },
    'Paid, and over before it was known',
  );
}
