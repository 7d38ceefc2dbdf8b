import { closingOf, isPaidLate, type ReversalReason } from '../../../domain/billing.ts';
import { isEnded } from '../../../domain/standing.ts';
import type { Tx } from '../../db/client.ts';
import { postStaffNotice } from '../../membership/staff-notices.ts';
import type { BillingDeps } from '../billing-context.ts';
import type { EvaluatedSubscription } from './evaluate.ts';
import type { FetchedPayment } from './fetched-invoice.ts';
import type { LocalState } from './local-state.ts';
import { keptCents, paymentsOf, type StripeSnapshot } from './stripe-snapshot.ts';

/** A reversal to store: the subscription is canceled, its open invoices voided, payments from `refund_from` on refunded. */
export interface NewReversal {
  one: EvaluatedSubscription;
  reason: ReversalReason;
  refund_from: Date;
}

const isOver = ({ row, candidate }: EvaluatedSubscription) => isEnded(row.status) && !candidate.reversed;

const endOf = ({ fetched }: EvaluatedSubscription, { fetched_at }: StripeSnapshot) =>
  fetched?.ended_at ?? fetched_at;

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
        has_open_invoice: snapshot.due.some(
          (it) => it.status === 'open' && it.stripe_subscription_id === candidate.id,
        ),
        new_payments: newPayments(one, local, snapshot),
      },
      now(),
    );
    return closing ? [{ one, ...closing }] : [];
  });
}

/**
 * Notifies staff of money for which nobody has a membership, and which is not refunded automatically: a subscription that
 * was paid and over before we knew of it (someone canceled it at Stripe, or our database is an older backup), or a last
 * invoice made after the end.
 */
export async function reportKeptPayments(
  tx: Tx,
  { log, now }: BillingDeps,
  local: LocalState,
  evaluated: EvaluatedSubscription[],
  snapshot: StripeSnapshot,
): Promise<void> {
  for (const one of evaluated.filter(isOver)) {
    const { user_id, stripe_subscription_id } = one.row;
    const report = async (cause: string, amount_cents: number) => {
      if (amount_cents <= 0) return;
      log.error({ user_id, subscription: stripe_subscription_id, amount_cents }, 'Paid without a membership');
      const facts = { amount_cents, currency: one.row.currency, stripe_subscription_id };
      await postStaffNotice(tx, { kind: 'paid_without_membership', cause, user_id, facts, at: now() });
    };
    if (!one.before) {
      if (one.candidate.was_membership) continue;
      await report(`kept:${stripe_subscription_id}`, keptCents(snapshot, stripe_subscription_id));
      continue;
    }
    const end = endOf(one, snapshot);
    const isLast = (it: FetchedPayment) => it.paid_at >= end && !isPaidLate(it, end);
    for (const it of newPayments(one, local, snapshot).filter(isLast))
      await report(`kept:${it.stripe_invoice_id}`, it.amount_paid_cents - it.amount_refunded_cents);
  }
}
