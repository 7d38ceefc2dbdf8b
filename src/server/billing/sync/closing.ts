import {
  closingOf,
  isForUsedTime,
  isPaidLate,
  leavesLastInvoice,
  type ReversalReason,
} from '../../../domain/billing.ts';
import { lastCharge } from '../../../domain/membership/upcoming-charges.ts';
import { isEnded } from '../../../domain/standing.ts';
import type { Tx } from '../../db/client.ts';
import { postStaffNotice } from '../../membership/staff-notices.ts';
import type { BillingDeps, NamedCharge } from '../billing-context.ts';
import { periodDay } from '../state/card-periods.ts';
import { namedCharge } from '../state/coming-charges.ts';
import type { EvaluatedSubscription } from '../state/evaluate.ts';
import type { FetchedPayment, PaidPeriod } from '../state/fetched-invoice.ts';
import type { LocalState } from '../state/local-state.ts';
import { keptCents, paymentsOf, type StripeSnapshot } from '../state/stripe-snapshot.ts';

/** A reversal to store: the subscription is canceled, its open invoices voided, payments from `refund_from` on refunded. */
export interface NewReversal {
  one: EvaluatedSubscription;
  reason: ReversalReason;
  refund_from: Date;
}

const isOver = ({ row, candidate }: EvaluatedSubscription) => isEnded(row.status) && !candidate.reversed;

const endOf = ({ fetched }: EvaluatedSubscription, { fetched_at }: StripeSnapshot) =>
  fetched?.ended_at ?? fetched_at;

/**
 * Whether a payment is for an earlier month without a membership: on hold, because Stripe resumes a subscription only with
 * its newest invoice, or paid once that month was over, such as one in a pause that kept its invoice.
 */
function isForPast({ row }: EvaluatedSubscription, local: LocalState, { periods, paid_at }: FetchedPayment) {
  const { status, stripe_subscription_id: id, current_period_start } = row;
  const wasPaid = ({ start }: PaidPeriod) =>
    local.periods.some((it) => it.stripe_subscription_id === id && it.paid && it.period === periodDay(start));
  const isPast = (it: PaidPeriod) =>
    status === 'unpaid' ? it.end <= current_period_start : it.end <= paid_at && !wasPaid(it);
  return periods.length > 0 && periods.every(isPast);
}

const newPayments = ({ row }: EvaluatedSubscription, local: LocalState, snapshot: StripeSnapshot) =>
  paymentsOf(snapshot, row.stripe_subscription_id).filter((it) => !local.payments.has(it.stripe_invoice_id));

/** Subscriptions that ended at Stripe and could still be paid, or were paid since. */
export function closings(
  { now }: Pick<BillingDeps, 'now'>,
  local: LocalState,
  evaluated: EvaluatedSubscription[],
  snapshot: StripeSnapshot,
): NewReversal[] {
  return evaluated.filter(isOver).flatMap((one) => {
    const { before, candidate, fetched } = one;
    const closing = closingOf(
      {
        ended_at: endOf(one, snapshot),
        was_known: before !== null,
        was_running: before !== null && !isEnded(before.status),
        was_membership: candidate.was_membership,
        gave_up: fetched?.gave_up ?? false,
        // Stripe makes one after the end for what was used: that one stays.
        has_open_invoice: snapshot.due.some(
          (it) =>
            it.status === 'open' &&
            it.stripe_subscription_id === candidate.id &&
            it.created_at < endOf(one, snapshot),
        ),
        new_payments: newPayments(one, local, snapshot),
      },
      now(),
    );
    return closing ? [{ one, ...closing }] : [];
  });
}

/**
 * Money for which nobody has a membership, and which is not refunded automatically: a subscription that was paid and over
 * before we knew of it (someone canceled it at Stripe, or our database is an older backup), a last invoice of a period made
 * after the end, or an earlier month on hold or in a pause.
 */
function keptPayments(
  one: EvaluatedSubscription,
  local: LocalState,
  snapshot: StripeSnapshot,
): { cause: string; amount_cents: number }[] {
  const { before, candidate, row } = one;
  const payments = (isKept: (it: FetchedPayment) => boolean) =>
    newPayments(one, local, snapshot)
      .filter(isKept)
      .map(({ stripe_invoice_id, amount_paid_cents, amount_refunded_cents }) => ({
        cause: `kept:${stripe_invoice_id}`,
        amount_cents: amount_paid_cents - amount_refunded_cents,
      }));
  const end = endOf(one, snapshot);
  const isUsed = (it: FetchedPayment) => isForUsedTime(candidate, it);
  if (candidate.reversed) {
    const reversal = local.reversals.find((it) => it.stripe_subscription_id === candidate.id);
    const isLeft = before !== null && reversal !== undefined && leavesLastInvoice(reversal.reason);
    return isLeft ? payments((it) => it.invoiced_at >= end && !isUsed(it)) : [];
  }
  if (before && isOver(one)) {
    return payments((it) => it.paid_at >= end && !isPaidLate(it, end) && !isUsed(it));
  }
  if (before) return payments((it) => isForPast(one, local, it));
  if (!isOver(one) || candidate.was_membership) return [];
  const { stripe_subscription_id: id } = row;
  return [{ cause: `kept:${id}`, amount_cents: keptCents(snapshot, id) }];
}

/** What an ended membership is still charged: by Stripe's last invoice, or before there is one, for what waits. */
export function lastChargeOf(one: EvaluatedSubscription, snapshot: StripeSnapshot): NamedCharge | null {
  const { row, candidate } = one;
  if (!isEnded(row.status)) return namedCharge(row, lastCharge(row));
  const amount_cents = snapshot.due
    .filter((it) => it.stripe_subscription_id === candidate.id && it.created_at >= endOf(one, snapshot))
    .reduce((sum, it) => sum + it.amount_cents, 0);
  // An invoice includes its tax.
  return amount_cents > 0 ? { amount_cents, currency: row.currency, tax_behavior: 'unspecified' } : null;
}

/** Notifies staff of money for which nobody has a membership, and which is not refunded automatically. */
export async function reportKeptPayments(
  tx: Tx,
  { log, now }: BillingDeps,
  local: LocalState,
  evaluated: EvaluatedSubscription[],
  snapshot: StripeSnapshot,
): Promise<void> {
  for (const one of evaluated) {
    const { user_id, stripe_subscription_id, currency } = one.row;
    for (const { cause, amount_cents } of keptPayments(one, local, snapshot)) {
      if (amount_cents <= 0) continue;
      log.error({ user_id, subscription: stripe_subscription_id, amount_cents }, 'Paid without a membership');
      const facts = { amount_cents, currency, stripe_subscription_id };
      await postStaffNotice(tx, { kind: 'paid_without_membership', cause, user_id, facts, at: now() });
    }
  }
}
