import type { ReversalReason } from '../../../domain/billing.ts';
import { REFUND_MAY_FAIL_DAYS, type RefundObstacle } from '../../../domain/staff/refund.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, getTableColumns, gt, isNull, or, sql } from '../../db/orm.ts';
import { billing_customer, billing_payment, billing_refund, billing_reversal } from '../../db/schema.ts';
import { shortenYear } from '../../membership/dues/dues.ts';
import { postStaffNotice } from '../../membership/staff-notices.ts';
import type { BillingDeps, BillingNotice } from '../billing-context.ts';
import type { RefundTerms } from '../request-params.ts';
import type { FetchedPayment } from '../state/fetched-invoice.ts';
import type { StripeSnapshot } from '../state/stripe-snapshot.ts';
import { paymentStatus } from '../sync/payments.ts';
import { findRefunds, type RefundAnswer, requestRefund } from './refund-requests.ts';
import { postTierBack } from './tier-back.ts';

/** `reversal`: why the product returns the payment; null for a refund by staff. */
type Refund = typeof billing_refund.$inferSelect & {
  stripe_subscription_id: string | null;
  reversal: ReversalReason | null;
};

/** `refunded_cents`: over all runs. `added_cents`: by this one, which the snapshot does not include yet. */
interface Outcome extends RefundAnswer {
  refund: Refund;
  payment: FetchedPayment | null;
  status: 'done' | 'refused' | 'failed';
  added_cents: number;
}

const DAY_MS = 86_400_000;
/** The requester no longer waits after this; later refusals are posted as notices for staff. */
const NOBODY_WAITS_MS = 60_000;

/**
 * Makes the refunds ordered by staff or by reversals, and checks whether a bank has returned earlier ones. Each refund at
 * Stripe names its order, so a second run, even days after a crash, finds it and does only what is missing. Refunds of one
 * reversal are settled together, with one email. True if something was settled. Throws Stripe's errors, unless it refuses for
 * good.
 */
export async function carryOutRefunds(
  deps: BillingDeps,
  userId: string,
  by: 'staff' | 'reversals',
  snapshot: StripeSnapshot,
): Promise<boolean> {
  let progress = false;
  const refunds = (await unsettledRefunds(deps, userId)).filter((it) => !it.reversal === (by === 'staff'));
  const acts = Map.groupBy(refunds, (it) => (it.reversal && it.stripe_subscription_id) || it.id);
  for (const act of acts.values()) {
    const outcomes: Outcome[] = [];
    for (const refund of act) outcomes.push(...(await carryOut(deps, refund, snapshot)));
    if (outcomes.length > 0) await settle(deps, userId, outcomes);
    progress ||= outcomes.length > 0;
  }
  return progress;
}

/** Refunds that are not made at Stripe yet, and those that may still fail. */
function unsettledRefunds({ db, now }: BillingDeps, userId: string): Promise<Refund[]> {
  const { user_id, status, settled_at, created_at, asked_by_staff_id, stripe_invoice_id } = billing_refund;
  const { stripe_subscription_id } = billing_payment;
  const recently = new Date(now().getTime() - REFUND_MAY_FAIL_DAYS * DAY_MS);
  const mayFail = and(eq(status, 'done'), gt(settled_at, recently));
  const isBehind = eq(billing_reversal.stripe_subscription_id, stripe_subscription_id);
  return db
    .select({
      ...getTableColumns(billing_refund),
      stripe_subscription_id,
      reversal: sql<ReversalReason | null>`coalesce(${billing_refund.returned_because}, ${billing_reversal.reason})`,
    })
    .from(billing_refund)
    .innerJoin(billing_payment, eq(billing_payment.stripe_invoice_id, stripe_invoice_id))
    .leftJoin(billing_reversal, and(isBehind, isNull(asked_by_staff_id)))
    .where(and(eq(user_id, userId), or(eq(status, 'asked'), mayFail)))
    .orderBy(created_at);
}

/** How a refund is known at Stripe. Those of a reversal all carry its reason. */
const termsOf = ({ id, reversal }: Refund): RefundTerms =>
  reversal
    ? { reason: 'duplicate', metadata: { why: reversal } }
    : { reason: 'requested_by_customer', metadata: { refund_id: id } };

/** The outcome of a refund; none if it stays as it is. */
async function carryOut(
  deps: BillingDeps,
  refund: Refund,
  { payments }: StripeSnapshot,
): Promise<[] | [Outcome]> {
  const { id, amount_cents, reversal, stripe_invoice_id } = refund;
  const payment = payments.find((it) => it.stripe_invoice_id === stripe_invoice_id) ?? null;
  const refunds = payment ? await findRefunds(deps, payment.payment_intents, termsOf(refund).metadata) : [];
  const refunded_cents = refunds.reduce((sum, it) => sum + (it.is_sent_back ? 0 : it.amount_cents), 0);
  const outcome = { refund, payment, refunded_cents, added_cents: 0, obstacle: null };
  if (refunds.some(({ is_sent_back }) => is_sent_back))
    return [{ ...outcome, status: 'failed', why: 'The bank sent the refund back.' }];
  if (refund.status === 'done') return [];
  const refuse = (obstacle: RefundObstacle, why: string): [Outcome] => [
    { ...outcome, status: 'refused', obstacle, why },
  ];
  if (!payment) return refuse('refused', 'Stripe no longer has this payment.');
  const charges = payment.charges.filter((it) =>
    refunds.every((of) => of.payment_intent !== it.payment_intent),
  );
  const refundable = charges.reduce((sum, { refundable_cents }) => sum + refundable_cents, 0);
  // More was refunded at Stripe meanwhile: staff decide again, a reversal refunds the rest. A partly made refund is completed.
  if (refunded_cents === 0 && (refundable === 0 || (!reversal && refundable < amount_cents)))
    return refuse(refundable === 0 ? 'nothing_left' : 'too_much', 'Less than that is left to refund.');
  const rest = { amount_cents: amount_cents - refunded_cents, charges };
  const answer = await requestRefund(deps, id, termsOf(refund), rest);
  const added_cents = answer.refunded_cents;
  const total = { refunded_cents: refunded_cents + added_cents, added_cents };
  const status = total.refunded_cents > 0 ? 'done' : 'refused';
  return [{ refund, payment, ...answer, ...total, status }];
}

/**
 * Stores outcomes and updates our copy of the payments, so that the same money is not refunded again before the next
 * reconciliation; snapshots fetched earlier are discarded. Another process may have settled some. Emails what was refunded.
 */
async function settle(deps: BillingDeps, user_id: string, outcomes: Outcome[]): Promise<void> {
  const at = deps.now();
  const settled: Outcome[] = [];
  const notice = await deps.db.transaction(async (tx) => {
    // The lock order of reconcile.
    await tx
      .update(billing_customer)
      .set({ sync_version: sql`${billing_customer.sync_version} + 1` })
      .where(eq(billing_customer.user_id, user_id));
    for (const outcome of outcomes) if (await store(deps, tx, outcome, at)) settled.push(outcome);
    const email = emailOf(settled);
    if (email) await deps.post(tx, email);
    return email;
  });
  for (const { refund, status, refunded_cents, obstacle } of settled) {
    const fields = { user_id, refund: refund.id, reason: refund.reversal, refunded_cents, obstacle };
    deps.log.warn(fields, status === 'done' ? 'Payment refunded' : 'Payment not refunded');
  }
  if (notice) deps.log.info({ notice }, 'Billing notice');
}

/** False, with nothing stored, if another process was faster. */
async function store(deps: BillingDeps, tx: Tx, outcome: Outcome, at: Date): Promise<boolean> {
  const { refund, payment, status, refunded_cents, added_cents, obstacle, why } = outcome;
  const { id, user_id, amount_cents, currency, reversal, stripe_invoice_id } = refund;
  const [first] = await tx
    .update(billing_refund)
    .set({
      status,
      refunded_cents: status === 'done' ? refunded_cents : null,
      obstacle: status === 'refused' ? obstacle : null,
      settled_at: at,
    })
    .where(and(eq(billing_refund.id, id), eq(billing_refund.status, refund.status)))
    .returning({ id: billing_refund.id });
  if (!first) return false;
  const isGivenUp = isForStaff(outcome, at);
  if (isGivenUp) {
    const facts = { amount_cents: amount_cents - refunded_cents, currency, stripe_invoice_id, why };
    const cause = `refund:${id}:${stripe_invoice_id}`;
    await postStaffNotice(tx, { kind: 'reversal_impossible', cause, user_id, facts, at });
  }
  const isPayment = eq(billing_payment.stripe_invoice_id, stripe_invoice_id);
  if (reversal && isGivenUp)
    await tx.update(billing_payment).set({ unrefundable: 'refund_refused' }).where(isPayment);
  if (status === 'done') await giveMonthsBack(deps, tx, refund);
  if (payment && status === 'done') {
    const { amount_paid_cents, disputed } = payment;
    const amount_refunded_cents = Math.min(amount_paid_cents, payment.amount_refunded_cents + added_cents);
    const shown = paymentStatus({ amount_paid_cents, amount_refunded_cents }, disputed);
    await tx.update(billing_payment).set({ amount_refunded_cents, status: shown }).where(isPayment);
  }
  return true;
}

/**
 * Takes the unused months of a refunded year off its membership, or of the difference to a dearer tier in one: the tier before
 * comes back with the next month.
 */
async function giveMonthsBack(
  deps: BillingDeps,
  tx: Tx,
  { unused_months: unused, stripe_invoice_id, user_id, asked_by_staff_id: staff_id, reason }: Refund,
): Promise<void> {
  const isPayment = eq(billing_payment.stripe_invoice_id, stripe_invoice_id);
  const [payment] = await tx.select().from(billing_payment).where(isPayment);
  if (unused === null || staff_id === null || !payment?.dues_id) return;
  const ctx = { ...deps, club: { current: deps.rules } };
  const shortened = await shortenYear(ctx, tx, { dues_id: payment.dues_id, unused, staff_id, reason });
  if (!shortened) return;
  const { rest_id: dues_id, back } = shortened;
  if (dues_id) await tx.update(billing_payment).set({ dues_id }).where(isPayment);
  if (back) await postTierBack(deps, tx, { user_id, payment: stripe_invoice_id, back });
}

/**
 * Whether staff must give money back in another way. Of a reversal that refunded nothing, the next reconciliation orders what
 * is left, and a dispute is up to the bank.
 */
function isForStaff({ refund, status, obstacle }: Outcome, at: Date): boolean {
  if (status === 'failed') return true;
  if (refund.reversal) return obstacle === 'refused' || (status === 'done' && obstacle !== null);
  return status === 'refused' && at.getTime() - refund.created_at.getTime() > NOBODY_WAITS_MS;
}

function emailOf(settled: Outcome[]): BillingNotice | null {
  const done = settled.filter(({ status }) => status === 'done');
  const [first] = done;
  if (!first?.payment) return null;
  const { id, user_id, currency, reversal, stripe_invoice_id } = first.refund;
  const amount_cents = done.reduce((sum, { refunded_cents }) => sum + refunded_cents, 0);
  const refunded = { cause: `refunded:${stripe_invoice_id}:${id}`, user_id, amount_cents, currency };
  if (reversal) return { type: 'payment_returned', reason: reversal, ...refunded };
  const { amount_paid_cents: paid_cents, paid_at } = first.payment;
  return { type: 'payment_refunded', paid_cents, paid_at, ...refunded };
}
