import { desc, eq } from 'drizzle-orm';
import type { Payment } from '../../contract/billing.ts';
import { Refusal } from '../../domain/refusal.ts';
import { billing_customer, billing_payment } from '../db/schema.ts';
import type { BillingContext } from './deps.ts';
import { orUnavailable } from './stripe-errors.ts';

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
