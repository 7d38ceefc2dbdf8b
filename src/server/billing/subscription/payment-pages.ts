import { and, desc, eq } from 'drizzle-orm';
import type { Payment } from '../../../contract/billing.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { billing_customer, billing_payment } from '../../db/schema.ts';
import type { BillingContext } from '../context.ts';
import { orUnavailable } from '../stripe-errors.ts';
import { currentSubscription } from './current-subscription.ts';

const TWO_YEARS = 24;

/** A user's payments from our own copy, newest first; amounts in cents. */
export async function paymentsOf({ db }: BillingContext, userId: string): Promise<Payment[]> {
  const rows = await db
    .select()
    .from(billing_payment)
    .where(eq(billing_payment.user_id, userId))
    .orderBy(desc(billing_payment.created_at))
    .limit(TWO_YEARS);
  return rows.map((row) => ({
    id: row.stripe_invoice_id,
    status: row.status,
    amount: row.amount_paid_cents,
    amount_refunded: row.amount_refunded_cents,
    currency: row.currency,
    created_at: row.created_at.toISOString(),
  }));
}

/**
 * A page of Stripe's portal where the user changes their card, and nothing else; it leads back to /account.
 * Throws Refusal NO_SUBSCRIPTION for somebody Stripe does not know, or PAYMENTS_UNAVAILABLE.
 */
export async function openCardPage(context: BillingContext, userId: string): Promise<{ url: string }> {
  const { db, stripe, log, publicUrl } = context;
  const [account] = await db.select().from(billing_customer).where(eq(billing_customer.user_id, userId));
  if (!account) throw new Refusal('NO_SUBSCRIPTION');
  const return_url = `${publicUrl}/account`;
  // No key of our own: a session changes nothing by itself, and an old one shown again would be used up.
  const session = await orUnavailable(log, 'open the card page', () =>
    stripe.billingPortal.sessions.create({
      customer: account.stripe_customer_id,
      return_url,
      flow_data: {
        type: 'payment_method_update',
        after_completion: { type: 'redirect', redirect: { return_url } },
      },
    }),
  );
  return { url: session.url };
}

/**
 * Stripe's page of an invoice that the user paid, or, without an id, of the one that waits for its payment:
 * there it can be paid, and a bank that wants its holder is answered.
 * Throws Refusal NOT_FOUND (also for somebody else's), NO_SUBSCRIPTION or PAYMENTS_UNAVAILABLE.
 */
export async function openInvoicePage(
  context: BillingContext,
  userId: string,
  invoiceId?: string,
): Promise<{ url: string }> {
  const { db, stripe, log } = context;
  const url = await orUnavailable(log, 'open an invoice', async () => {
    if (invoiceId === undefined) {
      const row = await currentSubscription(context, userId);
      if (!row) throw new Refusal('NO_SUBSCRIPTION');
      const { latest_invoice: latest } = await stripe.subscriptions.retrieve(row.stripe_subscription_id, {
        expand: ['latest_invoice'],
      });
      if (!latest || typeof latest === 'string' || latest.status !== 'open') return null;
      return latest.hosted_invoice_url;
    }
    const theirs = and(eq(billing_payment.user_id, userId), eq(billing_payment.stripe_invoice_id, invoiceId));
    if ((await db.$count(billing_payment, theirs)) === 0) return null;
    return (await stripe.invoices.retrieve(invoiceId)).hosted_invoice_url;
  });
  if (!url) throw new Refusal('NOT_FOUND', { what: 'invoice' });
  return { url };
}
