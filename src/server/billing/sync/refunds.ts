import type Stripe from 'stripe';
import type { StaffNoticeFacts } from '../../../contract/staff-notices.ts';
import { leavesLastInvoice, type UnrefundableReason } from '../../../domain/billing.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, isNotNull } from '../../db/orm.ts';
import { billing_payment } from '../../db/schema.ts';
import { postStaffNotice } from '../../membership/staff-notices.ts';
import type { BillingDeps } from '../billing-context.ts';
import { withKey } from '../idempotency-key.ts';
import type { FetchedPayment } from '../state/fetched-invoice.ts';
import type { Reversal } from '../state/local-state.ts';
import type { StripeSnapshot } from '../state/stripe-snapshot.ts';
import { isRefundRefused } from '../stripe-errors.ts';

export interface Refunds {
  /** Whether Stripe made a refund now. */
  changed: boolean;
  refunded: { payment: FetchedPayment; amount_cents: number }[];
  unrefundable: { payment: FetchedPayment; reason: UnrefundableReason; why: string }[];
  /** Money that no refund of ours gives back, for staff: credit that was used, or a part of an open invoice. */
  kept: (StaffNoticeFacts['reversal_impossible'] & { cause: string })[];
}

/** Stripe will never make these refunds: the charge was refunded already, or the bank decides about a dispute. */
const NOTHING_TO_REFUND = new Set(['charge_already_refunded', 'charge_disputed']);

/**
 * Refunds the payments of a reversed subscription since `refund_from`. A payment that can never be refunded is reported as
 * such, and never retried: that would block the member's events and the deletion of their account forever. Until the
 * reversal is done, refunds of an interrupted run are reported too. Throws Stripe's other errors.
 */
export async function refundPayments(
  deps: BillingDeps,
  reversal: Reversal,
  { payments, subscriptions }: StripeSnapshot,
): Promise<Refunds> {
  const { stripe_subscription_id: subscription, user_id, refund_from } = reversal;
  const refunds: Refunds = { changed: false, refunded: [], unrefundable: [], kept: [] };
  // Stripe's last invoice of a canceled subscription bills what was used; staff decide about it (closing.ts).
  const isLeft = leavesLastInvoice(reversal.reason);
  const end = isLeft ? subscriptions.find(({ id }) => id === subscription)?.ended_at : null;
  const givenUp = await deps.db
    .select({ id: billing_payment.stripe_invoice_id })
    .from(billing_payment)
    .where(and(eq(billing_payment.user_id, user_id), isNotNull(billing_payment.unrefundable)));
  for (const payment of payments) {
    const { stripe_subscription_id, stripe_invoice_id, paid_at, disputed } = payment;
    if (stripe_subscription_id !== subscription || paid_at < refund_from || disputed) continue;
    if (end && payment.invoiced_at >= end) continue;
    if (givenUp.some(({ id }) => id === stripe_invoice_id)) continue;
    await refundPayment(deps, reversal, payment, refunds);
    if (reversal.done_at === null) refunds.kept.push(...keptOf(payment));
  }
  return refunds;
}

/** Money of a payment that is or was credit at Stripe, for staff to look at. */
function keptOf({
  stripe_invoice_id,
  currency,
  credit_cents,
  amount_credited_cents,
}: FetchedPayment): Refunds['kept'] {
  const of = { currency, stripe_invoice_id };
  const creditUsed = 'It was paid with the customer’s credit in Stripe.';
  const creditNote = 'A credit note in Stripe gave it back without a refund.';
  return [
    { ...of, cause: `credit:${stripe_invoice_id}`, amount_cents: credit_cents, why: creditUsed },
    { ...of, cause: `credited:${stripe_invoice_id}`, amount_cents: amount_credited_cents, why: creditNote },
  ].filter(({ amount_cents }) => amount_cents > 0);
}

const refundableOf = ({ charges }: FetchedPayment, payment_intent: string): number =>
  charges.reduce((sum, it) => sum + (it.payment_intent === payment_intent ? it.refundable_cents : 0), 0);

async function refundPayment(
  deps: BillingDeps,
  reversal: Reversal,
  payment: FetchedPayment,
  refunds: Refunds,
): Promise<void> {
  const { stripe, log } = deps;
  const { amount_paid_cents, amount_refunded_cents, amount_credited_cents, payment_intents } = payment;
  let amount_cents = 0;
  if (amount_refunded_cents + amount_credited_cents >= amount_paid_cents) {
    if (reversal.done_at === null) amount_cents = await refundedBefore(deps, payment);
  } else {
    if (payment_intents.length === 0) {
      const why = 'It was paid outside of Stripe.';
      refunds.unrefundable.push({ payment, reason: 'paid_out_of_band', why });
    }
    for (const payment_intent of payment_intents) {
      if (await wasSentBack(deps, payment_intent)) {
        const why = 'The bank sent the refund back.';
        refunds.unrefundable.push({ payment, reason: 'refund_refused', why });
        continue;
      }
      const params: Stripe.RefundCreateParams = {
        payment_intent,
        reason: 'duplicate',
        metadata: { why: reversal.reason },
        amount: amount_credited_cents > 0 ? refundableOf(payment, payment_intent) : undefined,
      };
      if (params.amount === 0) continue;
      try {
        const { amount } = await withKey(deps, `reversal:${payment_intent}`, (options) =>
          stripe.refunds.create(params, options),
        );
        amount_cents += amount;
        refunds.changed = true;
      } catch (error) {
        if (!isRefundRefused(error)) throw error;
        log.warn({ payment_intent, code: error.code }, 'Nothing to refund');
        if (NOTHING_TO_REFUND.has(error.code ?? '')) continue;
        const why = `Stripe won’t refund it: ${error.message}`;
        refunds.unrefundable.push({ payment, reason: 'refund_refused', why });
      }
    }
  }
  if (amount_cents > 0) refunds.refunded.push({ payment, amount_cents });
}

/** Whether a refund never reached the payer. */
export const isUndone = ({ status }: Pick<Stripe.Refund, 'status'>) =>
  status === 'failed' || status === 'canceled';

const isOurs = ({ metadata }: Stripe.Refund) => Boolean(metadata?.why);

/** A refund returned by the bank would be returned again: staff give the money back in another way. */
async function wasSentBack({ stripe }: BillingDeps, payment_intent: string): Promise<boolean> {
  const { data } = await stripe.refunds.list({ payment_intent, limit: 100 });
  return data.some((refund) => isOurs(refund) && isUndone(refund));
}

/** Cents refunded by an interrupted run of this reversal, without staff's own refunds. */
async function refundedBefore(
  { stripe }: BillingDeps,
  { payment_intents, amount_refunded_cents }: FetchedPayment,
): Promise<number> {
  if (amount_refunded_cents === 0) return 0;
  let amount = 0;
  for (const payment_intent of payment_intents) {
    const { data } = await stripe.refunds.list({ payment_intent, limit: 100 });
    for (const refund of data) if (isOurs(refund) && !isUndone(refund)) amount += refund.amount;
  }
  return amount;
}

/** Marks payments as never refundable, and notifies staff of each once, and of other money kept. */
export async function giveUpRefunds(
  tx: Tx,
  { now }: BillingDeps,
  { user_id }: Reversal,
  { unrefundable, kept }: Refunds,
): Promise<void> {
  const post = (cause: string, facts: StaffNoticeFacts['reversal_impossible']) =>
    postStaffNotice(tx, { kind: 'reversal_impossible', cause, user_id, facts, at: now() });
  for (const { cause, ...facts } of kept) await post(cause, facts);
  for (const { payment, reason, why } of unrefundable) {
    const { stripe_invoice_id, amount_paid_cents, amount_refunded_cents, amount_credited_cents, currency } =
      payment;
    await tx
      .update(billing_payment)
      .set({ unrefundable: reason })
      .where(eq(billing_payment.stripe_invoice_id, stripe_invoice_id));
    const amount_cents = amount_paid_cents - amount_refunded_cents - amount_credited_cents;
    await post(`unrefundable:${stripe_invoice_id}`, { amount_cents, currency, stripe_invoice_id, why });
  }
}
