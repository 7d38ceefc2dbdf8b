import { leavesLastInvoice, type ReversalReason } from '../../../domain/billing.ts';
import type { Tx } from '../../db/client.ts';
import { and, eq, isNull, or } from '../../db/orm.ts';
import { billing_payment, billing_refund } from '../../db/schema.ts';
import { postStaffNotice } from '../../membership/staff-notices.ts';
import type { BillingDeps } from '../billing-context.ts';
import type { FetchedPayment } from '../state/fetched-invoice.ts';
import type { LocalState, Reversal } from '../state/local-state.ts';
import { paymentsOf, type StripeSnapshot } from '../state/stripe-snapshot.ts';

/**
 * Orders the refund of each payment of a reversed subscription since `refund_from`, in the transaction that stored the
 * payments. A payment that can never be refunded is posted for staff and not ordered again: that would block the member's
 * events and the deletion of their account forever.
 */
export async function orderRefunds(
  tx: Tx,
  deps: BillingDeps,
  local: LocalState,
  snapshot: StripeSnapshot,
): Promise<void> {
  for (const reversal of local.reversals) {
    const { stripe_subscription_id: id, reason, refund_from } = reversal;
    // Stripe's last invoice of a canceled subscription bills what was used; staff decide about it (closing.ts).
    const end = leavesLastInvoice(reason)
      ? snapshot.subscriptions.find((it) => it.id === id)?.ended_at
      : null;
    for (const payment of paymentsOf(snapshot, id)) {
      const { stripe_invoice_id, paid_at, invoiced_at, disputed } = payment;
      if (paid_at < refund_from || disputed || (end && invoiced_at >= end)) continue;
      if (local.payments.get(stripe_invoice_id)?.unrefundable) continue;
      await orderRefund(tx, deps, reversal, payment);
    }
  }
}

/** Orders the return of a whole payment that cannot count, such as a year's. */
export const orderReturn = (
  tx: Tx,
  deps: BillingDeps,
  user_id: string,
  payment: FetchedPayment,
  returned_because: ReversalReason,
): Promise<void> => orderRefund(tx, deps, { user_id, done_at: null, returned_because }, payment);

async function orderRefund(
  tx: Tx,
  deps: BillingDeps,
  {
    user_id,
    done_at,
    returned_because = null,
  }: Pick<Reversal, 'user_id' | 'done_at'> & { returned_because?: ReversalReason | null },
  { stripe_invoice_id, currency, payment_intents, charges, ...payment }: FetchedPayment,
): Promise<void> {
  const { credit_cents, amount_credited_cents: credited_cents } = payment;
  const owed_cents = payment.amount_paid_cents - payment.amount_refunded_cents - credited_cents;
  const isOutOfBand = owed_cents > 0 && payment_intents.length === 0;
  const matters: [cause: string, amount_cents: number, why: string][] = [
    ['unrefundable', isOutOfBand ? owed_cents : 0, 'It was paid outside of Stripe.'],
    ['credit', done_at ? 0 : credit_cents, 'It was paid with the customer’s credit in Stripe.'],
    ['credited', done_at ? 0 : credited_cents, 'A credit note in Stripe gave it back without a refund.'],
  ];
  for (const [cause, amount_cents, why] of matters) {
    if (amount_cents <= 0) continue;
    const facts = { amount_cents, currency, stripe_invoice_id, why };
    const matter = { cause: `${cause}:${stripe_invoice_id}`, user_id, facts, at: deps.now() };
    await postStaffNotice(tx, { kind: 'reversal_impossible', ...matter });
  }
  if (isOutOfBand)
    await tx
      .update(billing_payment)
      .set({ unrefundable: 'paid_out_of_band' })
      .where(eq(billing_payment.stripe_invoice_id, stripe_invoice_id));
  const amount_cents = charges.reduce((sum, { refundable_cents }) => sum + refundable_cents, 0);
  if (owed_cents <= 0 || amount_cents === 0) return;
  // Waits for a refund by staff that is being stored. A payment for something else the venue sells is not stored.
  const [stored] = await tx
    .select({ id: billing_payment.stripe_invoice_id })
    .from(billing_payment)
    .where(eq(billing_payment.stripe_invoice_id, stripe_invoice_id))
    .for('update');
  if (!stored) return;
  const { stripe_invoice_id: invoice, asked_by_staff_id, status } = billing_refund;
  // The rest of a refund by staff is ordered after it. What was refunded and came back is not refunded again.
  const isFirst = or(eq(status, 'asked'), and(eq(status, 'done'), isNull(asked_by_staff_id)));
  if ((await tx.$count(billing_refund, and(eq(invoice, stripe_invoice_id), isFirst))) > 0) return;
  await tx.insert(billing_refund).values({
    ...{ id: deps.newId(), user_id, stripe_invoice_id, amount_cents, currency, returned_because },
    ...{ status: 'asked', created_at: deps.now() },
  });
}
