import type Stripe from 'stripe';
import { endsMembership } from '../../../domain/billing.ts';
import { CLOCK_SKEW_MS } from '../../../domain/calendar.ts';
import { isEnded } from '../../../domain/standing.ts';
import { and, eq, isNull } from '../../db/orm.ts';
import { billing_reversal } from '../../db/schema.ts';
import type { BillingDeps, BillingNotice } from '../billing-context.ts';
import { END_NOW } from '../request-params.ts';
import type { Reversal } from '../state/local-state.ts';
import type { StripeSnapshot } from '../state/stripe-snapshot.ts';
import { isRefused, isStripeError, unlessMissing } from '../stripe-errors.ts';
import { giveUpRefunds, type Refunds, refundPayments } from './refunds.ts';

/** Payments of an overdue subscription from this time on are refunded: they came too late to keep the membership. */
export function overdueFrom(fetchedAt: Date): Date {
  return new Date(fetchedAt.getTime() - CLOCK_SKEW_MS);
}

/**
 * Cancels and refunds at Stripe the subscriptions of a user's reversals. The open steps come from the snapshot, so a second
 * run after a crash does only what is missing. 'progress': something changed at Stripe. 'failed': Stripe failed or refused
 * (logged).
 */
export async function executeReversals(
  deps: BillingDeps,
  reversals: Reversal[],
  snapshot: StripeSnapshot,
): Promise<'nothing' | 'progress' | 'failed'> {
  const { log } = deps;
  let progress = false;
  for (const reversal of reversals) {
    const fields = {
      user_id: reversal.user_id,
      subscription: reversal.stripe_subscription_id,
      reason: reversal.reason,
    };
    try {
      const canceled = await cancelSubscription(deps, reversal, snapshot);
      const open = reversal.done_at === null ? await voidOpenInvoices(deps, reversal) : [];
      const refunds = await refundPayments(deps, reversal, snapshot);
      refunds.kept.push(...open.flatMap(partlyPaid));
      const voided = reversal.done_at !== null && (await voidLeftOpen(deps, reversal, snapshot));
      progress ||= canceled || open.length > 0 || voided || refunds.changed;
      for (const notice of await recordOutcome(deps, reversal, refunds)) {
        if (notice.type === 'payment_returned') {
          log.warn({ ...fields, amount_cents: notice.amount_cents }, 'Payment refunded');
        }
        log.info({ notice }, 'Billing notice');
      }
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
  await unlessMissing(stripe.subscriptions.cancel(id, END_NOW));
  return true;
}

/** A subscription's open invoices; none if it is missing at Stripe along with its customer. */
async function openInvoices(stripe: Stripe, subscription: string): Promise<Stripe.Invoice[]> {
  const open = stripe.invoices.list({ subscription, status: 'open', limit: 100 });
  return (await unlessMissing(open.autoPagingToArray({ limit: 10_000 }))) ?? [];
}

/** Stripe does not void an invoice that was paid in part (docs.stripe.com/invoicing/partial-payments). */
function partlyPaid({ id, amount_paid: amount_cents, currency }: Stripe.Invoice): Refunds['kept'] {
  if (!id || amount_cents === 0) return [];
  const why = 'The invoice is open and was paid in part.';
  return [{ cause: `part:${id}`, amount_cents, currency, stripe_invoice_id: id, why }];
}

/** Voids the subscription's open invoices, so that they can neither be collected nor paid. Returns them as they were. */
async function voidOpenInvoices(deps: BillingDeps, reversal: Reversal): Promise<Stripe.Invoice[]> {
  const open = await openInvoices(deps.stripe, reversal.stripe_subscription_id);
  for (const { id } of open) await voidInvoice(deps, id);
  return open;
}

/** Voids what Stripe refused to void while a payment of it was under way, and the bank declined since. True if it did. */
async function voidLeftOpen(
  deps: BillingDeps,
  { stripe_subscription_id: id }: Reversal,
  { due, subscriptions }: StripeSnapshot,
): Promise<boolean> {
  const end = subscriptions.find((it) => it.id === id)?.ended_at;
  const invoices = due
    .filter((it) => end && it.stripe_subscription_id === id && it.created_at < end)
    .filter(({ status, is_under_way }) => status === 'open' && !is_under_way);
  let isAny = false;
  for (const { stripe_invoice_id } of invoices) isAny = (await voidInvoice(deps, stripe_invoice_id)) || isAny;
  return isAny;
}

/** Whether Stripe voided the invoice. */
async function voidInvoice({ stripe, log }: BillingDeps, id: string): Promise<boolean> {
  try {
    await stripe.invoices.voidInvoice(id);
    return true;
  } catch (error) {
    if (!isRefused(error)) throw error;
    // Paid or voided meanwhile, or a payment is under way. The next reconciliation refunds a payment.
    log.warn({ invoice: id, err: error }, 'Invoice could not be voided');
    return false;
  }
}

/**
 * Marks a reversal as done and returns the notices that it posted. The first refund notice covers everything that the
 * reversal refunded, because an earlier process may have crashed before its notice; later ones cover payments since. The
 * end of the membership is announced here, when nothing can be charged any more.
 */
async function recordOutcome(
  deps: BillingDeps,
  reversal: Reversal,
  refunds: Refunds,
): Promise<BillingNotice[]> {
  const { db, now, post } = deps;
  const { refunded, unrefundable } = refunds;
  if (reversal.done_at && refunded.length === 0 && unrefundable.length === 0) return [];
  const { stripe_subscription_id: id, user_id, reason } = reversal;
  const invoices = refunded.map(({ payment }) => payment.stripe_invoice_id);
  const returned: BillingNotice = {
    type: 'payment_returned',
    cause: reversal.done_at ? `returned:${id}:${invoices.join(',')}` : `returned:${id}`,
    user_id,
    reason,
    amount_cents: refunded.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
    currency: refunded[0]?.payment.currency ?? '',
  };
  return db.transaction(async (tx) => {
    const [first] = await tx
      .update(billing_reversal)
      .set({ done_at: now() })
      .where(and(eq(billing_reversal.stripe_subscription_id, id), isNull(billing_reversal.done_at)))
      .returning();
    // Another process was faster and has sent the notice.
    if (!first && !reversal.done_at) return [];
    await giveUpRefunds(tx, deps, reversal, refunds);
    const notices: BillingNotice[] = [];
    if (first && endsMembership(reason)) {
      notices.push({ type: 'membership_ended', why: reason, user_id, cause: `ended:${id}` });
    }
    if (returned.amount_cents > 0) notices.push(returned);
    for (const notice of notices) await post(tx, notice);
    return notices;
  });
}
