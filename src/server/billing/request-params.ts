import type Stripe from 'stripe';
import { unixSeconds } from '../../domain/calendar.ts';
import type { BillingDeps } from './billing-context.ts';

/**
 * Parameters for requests that several callers make at Stripe: the product, and the try-out, which sends each once to see
 * that Stripe accepts it. Checkout's pages are in checkout/page-params.ts and gifts/gift-page.ts.
 */

export function priceParams(
  { currency, taxBehavior }: Pick<BillingDeps, 'currency' | 'taxBehavior'>,
  tier: { tier_name: string; amount_cents: number },
  { product, lookup_key }: { product: string; lookup_key: string },
): Stripe.PriceCreateParams {
  return {
    product,
    currency,
    unit_amount: tier.amount_cents,
    recurring: { interval: 'month' },
    tax_behavior: taxBehavior,
    lookup_key,
    transfer_lookup_key: true,
    metadata: { tier: tier.tier_name },
  };
}

/** A user's name and email at Stripe: on its dashboard, pages and invoices. */
export function shownAtStripe({
  email,
  first_name,
  last_name,
}: {
  email: string;
  first_name: string;
  last_name: string;
}): { email: string; name: string } {
  return { email, name: `${first_name} ${last_name}`.trim() };
}

export const defaultMethodParams = (method: string): Stripe.CustomerUpdateParams => ({
  invoice_settings: { default_payment_method: method },
});

/** A change of price within the period; the rest of it is prorated from `at` on. */
export interface PriceChange {
  /** The membership's item. Without the id, Stripe would add a second item and charge both. */
  item: string;
  price: string;
  at: Date;
}

export function changePreviewParams(
  subscription: string,
  { item, price, at }: PriceChange,
): Stripe.InvoiceCreatePreviewParams {
  return {
    subscription,
    subscription_details: {
      items: [{ id: item, price }],
      proration_behavior: 'always_invoice',
      proration_date: unixSeconds(at),
    },
  };
}

export function changeParams(
  { item, price, at }: PriceChange,
  payment_behavior: 'error_if_incomplete' | 'pending_if_incomplete',
): Stripe.SubscriptionUpdateParams {
  return {
    items: [{ id: item, price }],
    proration_behavior: 'always_invoice',
    proration_date: unixSeconds(at),
    payment_behavior,
  };
}

/** Stripe voids the charges until then, and the day of the month stays. */
export const pauseParams = (resumesAt: Date): Stripe.SubscriptionUpdateParams => ({
  pause_collection: { behavior: 'void', resumes_at: unixSeconds(resumesAt) },
});

export const PAUSE_OVER: Stripe.SubscriptionUpdateParams = { pause_collection: '' };

/** Resuming after a pause: a month begins now, and is charged. */
export const COME_BACK: Stripe.SubscriptionUpdateParams = {
  pause_collection: '',
  billing_cycle_anchor: { type: 'now' },
  // No credit for the skipped month: it was not paid.
  proration_behavior: 'none',
  payment_behavior: 'error_if_incomplete',
};

export const CANCEL: Stripe.SubscriptionUpdateParams = { cancel_at_period_end: true };
export const KEEP: Stripe.SubscriptionUpdateParams = { cancel_at_period_end: false };
/** Withdraws a cancellation, with the period or on a day. */
export const keepParams = ({
  cancel_at_period_end,
}: {
  cancel_at_period_end: boolean;
}): Stripe.SubscriptionUpdateParams => (cancel_at_period_end ? KEEP : { cancel_at: '' });
export const END_NOW: Stripe.SubscriptionCancelParams = { prorate: false, invoice_now: false };

/** Why money goes back, as Stripe shows it; `metadata` finds it again. */
export interface RefundTerms {
  reason: Stripe.RefundCreateParams.Reason;
  metadata: Record<string, string>;
}

export const refundParams = (
  { reason, metadata }: RefundTerms,
  part: { payment_intent: string; amount_cents: number },
): Stripe.RefundCreateParams => ({
  payment_intent: part.payment_intent,
  amount: part.amount_cents,
  reason,
  metadata,
});

/** Opens only the portal's page for changing the payment method. */
export const methodPageParams = (
  customer: string,
  return_url: string,
  configuration: string | null,
): Stripe.BillingPortal.SessionCreateParams => ({
  customer,
  return_url,
  configuration: configuration ?? undefined,
  flow_data: {
    type: 'payment_method_update',
    after_completion: { type: 'redirect', redirect: { return_url } },
  },
});
