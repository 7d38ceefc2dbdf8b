import type Stripe from 'stripe';
import { REFUND_MAY_FAIL_DAYS, type RefundObstacle, splitRefund } from '../../../domain/staff/refund.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, gt, or, sql } from '../../db/orm.ts';
import { billing_customer, billing_payment, billing_refund } from '../../db/schema.ts';
import { postStaffNotice } from '../../membership/staff-notices.ts';
import type { BillingDeps, BillingNotice } from '../billing-context.ts';
import { withKey } from '../idempotency-key.ts';
import { refundParams } from '../request-params.ts';
import type { FetchedPayment } from '../state/fetched-invoice.ts';
import type { StripeSnapshot } from '../state/stripe-snapshot.ts';
import { isRefundRefused, isStripeError } from '../stripe-errors.ts';
import { paymentStatus } from '../sync/payments.ts';
import { isUndone } from '../sync/refunds.ts';

type RefundRow = typeof billing_refund.$inferSelect;

const DAY_MS = 86_400_000;
/** The requester no longer waits after this; later refusals are posted as notices for staff. */
const NOBODY_WAITS_MS = 60_000;

interface Outcome {
  /** The cents refunded at Stripe for this request, over all runs. */
  refunded_cents: number;
  /** The cents that this run asked Stripe for; the snapshot does not include them yet. */
  added_cents: number;
  obstacle: RefundObstacle | null;
  why: string;
}

/**
 * Makes the refunds requested by staff, and checks whether a bank has returned earlier ones. Each refund at Stripe carries
 * the id of its row, so a second run, even days after a crash, finds it and does only what is missing. 'progress':
 * something changed at Stripe. 'failed': Stripe failed, or refused for now (logged).
 */
export async function carryOutRefunds(
  deps: BillingDeps,
  userId: string,
  snapshot: StripeSnapshot,
): Promise<'nothing' | 'progress' | 'failed'> {
  let progress = false;
  for (const row of await unsettledRefunds(deps, userId)) {
    const payment = snapshot.payments.find((it) => it.stripe_invoice_id === row.stripe_invoice_id);
    const fields = { user_id: userId, refund: row.id, amount_cents: row.amount_cents };
    try {
      const made = payment ? await refundsMade(deps, payment, row.id) : new Map<string, number>();
      if (row.status === 'done') {
        if (payment && made.size === 0) await recordFailure(deps, row);
        continue;
      }
      const outcome = await makeRefund(deps, row, payment ?? null, made);
      const notice = await settle(deps, row, payment ?? null, outcome);
      progress ||= outcome.refunded_cents > 0;
      deps.log.warn({ ...fields, obstacle: outcome.obstacle }, 'Refund by staff settled');
      if (notice) deps.log.info({ notice }, 'Billing notice');
    } catch (error) {
      if (!isStripeError(error)) throw error;
      deps.log.error({ ...fields, err: error }, 'Refund by staff failed; the sweeper retries it');
      return 'failed';
    }
  }
  return progress ? 'progress' : 'nothing';
}

/** Refunds that are not made at Stripe yet, and those that may still fail. */
function unsettledRefunds({ db, now }: BillingDeps, userId: string): Promise<RefundRow[]> {
  const { user_id, status, settled_at, created_at } = billing_refund;
  const recently = new Date(now().getTime() - REFUND_MAY_FAIL_DAYS * DAY_MS);
  const mayFail = and(eq(status, 'done'), gt(settled_at, recently));
  return db
    .select()
    .from(billing_refund)
    .where(and(eq(user_id, userId), or(eq(status, 'asked'), mayFail)))
    .orderBy(created_at);
}

/** Cents refunded at Stripe under this row's id, by payment intent. */
async function refundsMade(
  { stripe }: BillingDeps,
  { payment_intents }: FetchedPayment,
  id: string,
): Promise<Map<string, number>> {
  const made = new Map<string, number>();
  for (const payment_intent of payment_intents) {
    const all = await stripe.refunds
      .list({ payment_intent, limit: 100 })
      .autoPagingToArray({ limit: 10_000 });
    const ours = all.filter((refund) => refund.metadata?.refund_id === id && !isUndone(refund));
    const amount = ours.reduce((sum, refund) => sum + refund.amount, 0);
    if (amount > 0) made.set(payment_intent, amount);
  }
  return made;
}

async function makeRefund(
  deps: BillingDeps,
  { id, amount_cents }: RefundRow,
  payment: FetchedPayment | null,
  made: Map<string, number>,
): Promise<Outcome> {
  const before = [...made.values()].reduce((sum, amount) => sum + amount, 0);
  const outcome: Outcome = { refunded_cents: before, added_cents: 0, obstacle: null, why: '' };
  const charges = payment?.charges.filter(({ payment_intent }) => !made.has(payment_intent)) ?? [];
  const refuse = (obstacle: RefundObstacle, why: string) =>
    outcome.refunded_cents > 0 ? outcome : { ...outcome, obstacle, why };
  const left = charges.reduce((sum, { refundable_cents }) => sum + refundable_cents, 0);
  // More was refunded at Stripe meanwhile, so staff decide again. A partly made refund is completed as far as possible.
  if (payment && before === 0 && left < amount_cents) {
    return refuse(left === 0 ? 'nothing_left' : 'too_much', 'Less than that is left to refund.');
  }
  for (const part of splitRefund(amount_cents - before, charges)) {
    const params = refundParams(id, part);
    try {
      const key = `refund:${id}:${part.payment_intent}:${part.amount_cents}`;
      const { amount } = await withKey(deps, key, (options) => deps.stripe.refunds.create(params, options));
      outcome.refunded_cents += amount;
      outcome.added_cents += amount;
    } catch (error) {
      if (!isRefundRefused(error)) throw error;
      return refuse(obstacleOf(error), `Stripe won’t refund it: ${error.message}`);
    }
  }
  return refuse('refused', 'Stripe no longer has this payment.');
}

function obstacleOf({ code, param }: Stripe.errors.StripeError): RefundObstacle {
  if (code === 'charge_disputed') return 'disputed';
  if (code === 'charge_already_refunded') return 'nothing_left';
  return param === 'amount' ? 'too_much' : 'refused';
}

/**
 * Stores the outcome and updates our copy of the payment, so that the same money is not refunded again before the next
 * reconciliation; snapshots fetched earlier are discarded. Returns the notice that it posted to the member; null if nothing
 * was refunded, or another process settled it.
 */
async function settle(
  deps: BillingDeps,
  row: RefundRow,
  payment: FetchedPayment | null,
  { refunded_cents, added_cents, obstacle, why }: Outcome,
): Promise<BillingNotice | null> {
  const settled_at = deps.now();
  return deps.db.transaction(async (tx) => {
    // The lock order of reconcile.
    await tx
      .update(billing_customer)
      .set({ sync_version: sql`${billing_customer.sync_version} + 1` })
      .where(eq(billing_customer.user_id, row.user_id));
    const result = obstacle
      ? ({ status: 'refused', obstacle } as const)
      : ({ status: 'done', refunded_cents } as const);
    const [first] = await tx
      .update(billing_refund)
      .set({ ...result, settled_at })
      .where(and(eq(billing_refund.id, row.id), eq(billing_refund.status, 'asked')))
      .returning({ id: billing_refund.id });
    if (!first) return null;
    if (obstacle || !payment) {
      const waited = settled_at.getTime() - row.created_at.getTime();
      if (waited > NOBODY_WAITS_MS) await postRefundNotice(tx, row, why, settled_at);
      return null;
    }
    await noteRefunded(tx, payment, added_cents);
    const notice: BillingNotice = {
      type: 'payment_refunded',
      cause: `refunded:${row.id}`,
      user_id: row.user_id,
      amount_cents: refunded_cents,
      paid_cents: payment.amount_paid_cents,
      paid_at: payment.paid_at,
      currency: row.currency,
    };
    await deps.post(tx, notice);
    return notice;
  });
}

async function noteRefunded(tx: Tx, payment: FetchedPayment, added_cents: number): Promise<void> {
  const { amount_paid_cents, disputed, stripe_invoice_id } = payment;
  const amount_refunded_cents = Math.min(amount_paid_cents, payment.amount_refunded_cents + added_cents);
  const status = paymentStatus({ amount_paid_cents, amount_refunded_cents }, disputed);
  await tx
    .update(billing_payment)
    .set({ amount_refunded_cents, status })
    .where(eq(billing_payment.stripe_invoice_id, stripe_invoice_id));
}

async function recordFailure({ db, now, log }: BillingDeps, row: RefundRow): Promise<void> {
  log.error({ user_id: row.user_id, refund: row.id }, 'A refund by staff came back from the bank');
  await db.transaction(async (tx) => {
    const [first] = await tx
      .update(billing_refund)
      .set({ status: 'failed', refunded_cents: null, settled_at: now() })
      .where(and(eq(billing_refund.id, row.id), eq(billing_refund.status, 'done')))
      .returning({ id: billing_refund.id });
    if (first) await postRefundNotice(tx, row, 'The bank sent the refund back.', now());
  });
}

async function postRefundNotice(tx: Tx, row: RefundRow, why: string, at: Date): Promise<void> {
  const { id, user_id, amount_cents, currency, stripe_invoice_id } = row;
  await postStaffNotice(tx, {
    kind: 'reversal_impossible',
    cause: `refund:${id}:${stripe_invoice_id}`,
    user_id,
    facts: { amount_cents, currency, stripe_invoice_id, why },
    at,
  });
}
