import type { Payment } from '../../../contract/billing.ts';
import { Refusal } from '../../../contract/refusals.ts';
import { and, desc, eq } from '../../db/orm.ts';
import { billing_customer, billing_payment } from '../../db/schema.ts';
import type { BillingCall, BillingContext } from '../billing-context.ts';
import { methodPageParams } from '../request-params.ts';
import { portalConfigurationId } from '../setup/portal-configuration.ts';
import { currentSubscription } from '../state/current-subscription.ts';
import type { StoredSubscription } from '../state/local-state.ts';
import { isMissing, orUnavailable } from '../stripe-errors.ts';

const MAX_PAYMENTS = 24;

/** A user's latest payments from our own copy, newest first; amounts in cents. */
export async function listPayments({ billing, actor }: BillingCall): Promise<Payment[]> {
  const rows = await billing.db
    .select()
    .from(billing_payment)
    .where(eq(billing_payment.user_id, actor.user_id))
    .orderBy(desc(billing_payment.created_at))
    .limit(MAX_PAYMENTS);
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
 * Returns the URL of a Stripe portal page where the user can change the payment method and nothing else; it leads
 * back to /account. Throws Refusal NO_SUBSCRIPTION for a user without a customer at Stripe (also one deleted there), or
 * PAYMENTS_UNAVAILABLE.
 */
export async function openPaymentMethodPage({ billing: ctx, actor }: BillingCall): Promise<{ url: string }> {
  const { db, stripe, log, publicUrl } = ctx;
  const isOwn = eq(billing_customer.user_id, actor.user_id);
  const [account] = await db.select().from(billing_customer).where(isOwn);
  if (!account) throw new Refusal('NO_SUBSCRIPTION');
  const return_url = `${publicUrl}/account`;
  const configuration = await portalConfigurationId(ctx);
  // No idempotency key: creating a session changes nothing, and a repeated one could be used up already.
  return orUnavailable(log, 'open the payment method page', async () => {
    try {
      const { url } = await stripe.billingPortal.sessions.create(
        methodPageParams(account.stripe_customer_id, return_url, configuration),
      );
      return { url };
    } catch (error) {
      if (isMissing(error, 'customer')) throw new Refusal('NO_SUBSCRIPTION');
      throw error;
    }
  });
}

/**
 * The URL of Stripe's page for an invoice that the user paid. Without an id, for their open invoice, which can be paid
 * there, with the bank's authentication if needed. Throws Refusal NOT_FOUND (another user's invoice too), NO_SUBSCRIPTION
 * or PAYMENTS_UNAVAILABLE.
 */
export async function openInvoicePage(
  { billing: ctx, actor: { user_id: userId } }: BillingCall,
  { invoice_id: invoiceId }: { invoice_id?: string | undefined } = {},
): Promise<{ url: string }> {
  const { db, stripe, log } = ctx;
  const url = await orUnavailable(log, 'open an invoice page', async () => {
    if (invoiceId === undefined) {
      const row = await currentSubscription(ctx, userId);
      if (!row) throw new Refusal('NO_SUBSCRIPTION');
      return dueInvoicePage(ctx, row);
    }
    const own = and(eq(billing_payment.user_id, userId), eq(billing_payment.stripe_invoice_id, invoiceId));
    if ((await db.$count(billing_payment, own)) === 0) return null;
    return (await stripe.invoices.retrieve(invoiceId)).hosted_invoice_url;
  });
  if (!url) throw new Refusal('NOT_FOUND', { what: 'invoice' });
  return { url };
}

/** The page of the subscription's newest unpaid invoice; a draft, as Stripe leaves it once it has given up, is finalized. */
async function dueInvoicePage(
  { stripe }: BillingContext,
  { stripe_subscription_id, status }: StoredSubscription,
) {
  const { data } = await stripe.invoices.list({ subscription: stripe_subscription_id, limit: 10 });
  const due = data.find((it) => it.status === 'open' || (it.status === 'draft' && status === 'unpaid'));
  if (due?.status !== 'draft' || !due.id) return due?.hosted_invoice_url ?? null;
  return (await stripe.invoices.finalizeInvoice(due.id, { auto_advance: false })).hosted_invoice_url;
}
