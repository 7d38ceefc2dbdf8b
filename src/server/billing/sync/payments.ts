import type { Tx } from '../../db/client.ts';
import { eq } from '../../db/orm.ts';
import { hasValues } from '../../db/results.ts';
import { billing_payment } from '../../db/schema.ts';
import { postStaffNotice, updateStaffNotice } from '../../membership/staff-notices.ts';
import type { BillingNotice } from '../billing-context.ts';
import type { EvaluatedSubscription } from '../state/evaluate.ts';
import type { FetchedPayment } from '../state/fetched-invoice.ts';
import type { LocalState } from '../state/local-state.ts';
import type { StripeSnapshot } from '../state/stripe-snapshot.ts';
import { isOurs } from '../state/tier-matching.ts';

type StoredPayment = Omit<typeof billing_payment.$inferSelect, 'unrefundable' | 'dues_id'>;

/**
 * Stores a user's payments. Returns a receipt for each new one above 0 cents of a subscription, unless that is reversed; a year
 * has its own (reconcile/years.ts).
 */
export async function storePayments(
  tx: Tx,
  userId: string,
  local: LocalState,
  evaluated: EvaluatedSubscription[],
  snapshot: StripeSnapshot,
): Promise<BillingNotice[]> {
  const payments = paymentsForClub(local, snapshot);
  const { fetched_at } = snapshot;
  const stored = local.payments;
  const added = payments.filter(({ stripe_invoice_id }) => !stored.has(stripe_invoice_id));
  if (added.length > 0)
    await tx
      .insert(billing_payment)
      .values(added.map((it) => toRow(userId, it, fetched_at)))
      .onConflictDoNothing();
  for (const payment of payments) {
    const before = stored.get(payment.stripe_invoice_id);
    if (before) await updatePayment(tx, before, changing(payment, before, fetched_at));
    await tellOfDispute(tx, userId, payment, before, fetched_at);
  }
  const isReversed = (id: string | null) =>
    local.reversals.some((it) => it.stripe_subscription_id === id) ||
    evaluated.some(({ candidate }) => candidate.id === id && candidate.reversed);
  return added
    .filter((it) => it.amount_paid_cents > 0 && !it.year && !isReversed(it.stripe_subscription_id))
    .map((it) => receiptFor(userId, it, evaluated));
}

/** Payments for memberships; the venue may sell other things at Stripe. */
function paymentsForClub(local: LocalState, { payments, subscriptions }: StripeSnapshot): FetchedPayment[] {
  const others = subscriptions.filter(
    (it) =>
      !isOurs(it, local, local.subscriptions.find((row) => row.stripe_subscription_id === it.id) ?? null),
  );
  return payments.filter((it) => others.every(({ id }) => id !== it.stripe_subscription_id));
}

function receiptFor(
  user_id: string,
  payment: FetchedPayment,
  evaluated: EvaluatedSubscription[],
): BillingNotice {
  const paidFor = evaluated.find(({ row }) => row.stripe_subscription_id === payment.stripe_subscription_id);
  const [period] = payment.periods;
  return {
    type: 'payment_received',
    cause: `paid:${payment.stripe_invoice_id}`,
    user_id,
    invoice: payment.number ?? payment.stripe_invoice_id,
    invoice_url: payment.hosted_url,
    tier: paidFor?.row.tier ?? null,
    period: period ? { start: period.start, end: period.end } : null,
    amount_cents: payment.amount_paid_cents,
    currency: payment.currency,
  };
}

function toRow(userId: string, payment: FetchedPayment, fetchedAt: Date): StoredPayment {
  return {
    stripe_invoice_id: payment.stripe_invoice_id,
    stripe_subscription_id: payment.stripe_subscription_id,
    user_id: userId,
    currency: payment.currency,
    created_at: payment.paid_at,
    ...changing(payment, undefined, fetchedAt),
  };
}

/** The mutable part of a paid invoice: refunds and disputes. */
function changing(payment: FetchedPayment, before: StoredPayment | undefined, fetchedAt: Date) {
  return {
    amount_paid_cents: payment.amount_paid_cents,
    amount_refunded_cents: payment.amount_refunded_cents,
    amount_credited_cents: payment.amount_credited_cents,
    amount_tax_cents: payment.tax_cents,
    status: paymentStatus(payment, payment.disputed),
    ...disputeColumns(payment, before, fetchedAt),
  };
}

async function updatePayment(tx: Tx, before: StoredPayment, set: ReturnType<typeof changing>): Promise<void> {
  if (hasValues(before, set)) return;
  const { stripe_invoice_id } = before;
  await tx.update(billing_payment).set(set).where(eq(billing_payment.stripe_invoice_id, stripe_invoice_id));
}

export function paymentStatus(
  { amount_paid_cents, amount_refunded_cents }: { amount_paid_cents: number; amount_refunded_cents: number },
  disputed: boolean,
): string {
  if (disputed) return 'disputed';
  if (amount_refunded_cents === 0) return 'paid';
  return amount_refunded_cents < amount_paid_cents ? 'partially_refunded' : 'refunded';
}

type DisputeColumns = Pick<
  typeof billing_payment.$inferSelect,
  'stripe_dispute_id' | 'dispute_state' | 'dispute_cents' | 'disputed_at' | 'dispute_settled_at'
>;

/** A payment's dispute as columns. `before` is the stored row, `at` the time of the fetch. */
function disputeColumns(
  { dispute }: FetchedPayment,
  before: DisputeColumns | undefined,
  at: Date,
): DisputeColumns {
  const known = before?.stripe_dispute_id === dispute?.id ? before : undefined;
  return {
    stripe_dispute_id: dispute?.id ?? null,
    dispute_state: dispute?.state ?? null,
    dispute_cents: dispute?.amount_cents ?? null,
    disputed_at: dispute?.opened_at ?? null,
    dispute_settled_at: dispute && dispute.state !== 'open' ? (known?.dispute_settled_at ?? at) : null,
  };
}

/**
 * Notifies staff of a dispute once, and updates the notice when the bank decides. A lost dispute reopens it, even if staff
 * had settled it; one that was won before we knew of it needs no notice.
 */
async function tellOfDispute(
  tx: Tx,
  user_id: string,
  payment: FetchedPayment,
  before: DisputeColumns | undefined,
  at: Date,
): Promise<void> {
  const { dispute, stripe_invoice_id, currency } = payment;
  if (!dispute) return;
  const { id, state, amount_cents } = dispute;
  const isKnown = before?.stripe_dispute_id === id;
  if (isKnown && before.dispute_state === state) return;
  const facts = { amount_cents, currency, stripe_invoice_id, stripe_dispute_id: id, state };
  const notice = { kind: 'payment_disputed' as const, cause: `payment_disputed:${id}`, facts };
  if (state !== 'won') await postStaffNotice(tx, { ...notice, user_id, at });
  await updateStaffNotice(tx, notice, { reopen: state === 'lost' });
}
