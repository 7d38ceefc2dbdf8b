import type Stripe from 'stripe';
import { amountOfSteps } from '../../../domain/membership/price-amount.ts';
import { isEnded } from '../../../domain/standing.ts';
import { isForbidden, isRefused, unlessMissing } from '../stripe-errors.ts';
import { idOf } from '../stripe-objects.ts';
import type { Extras } from './fetched-subscription.ts';
import { allOf, PAGE_SIZE } from './whole-lists.ts';

/**
 * Reads what few running subscriptions need: a card that is one of Stripe's older sources, where no payment method is set,
 * the amounts of prices that are charged in another of their currencies, have tiers, or fractions of a cent, and the items
 * that wait for an invoice. Throws Stripe's errors.
 */
export async function fetchExtras(stripe: Stripe, subscriptions: Stripe.Subscription[]): Promise<Extras> {
  const running = subscriptions.filter(({ status }) => !isEnded(status));
  const sources = new Map<string, Stripe.PaymentMethod>();
  for (const id of new Set(running.flatMap(sourcesOf))) {
    const method = await asMethod(stripe, id);
    if (method) sources.set(id, method);
  }
  const amounts: Extras['amounts'] = new Map();
  for (const { items, currency } of running)
    for (const { price } of items.data) {
      if (amounts.has(price.id) || (price.currency === currency && price.unit_amount !== null)) continue;
      amounts.set(price.id, amountOf(await stripe.prices.retrieve(price.id, { expand: EXPANDED }), currency));
    }
  return { sources, amounts, waiting: await fetchWaiting(stripe, idOf(running[0]?.customer)) };
}

/** The subscriptions that a customer's pending invoice items are for; null is any of the customer's. */
async function fetchWaiting(stripe: Stripe, customer: string | null): Promise<Extras['waiting']> {
  if (!customer) return [];
  try {
    const items = await allOf(stripe.invoiceItems.list({ customer, pending: true, limit: PAGE_SIZE }));
    return items.map(({ parent }) => parent?.subscription_details?.subscription ?? null);
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return 'unknown';
  }
}

const EXPANDED = ['currency_options', 'tiers'];

/** What a quantity of a price costs in a currency. */
function amountOf(price: Stripe.Price, currency: string): (quantity: number) => number {
  const amounts = price.currency === currency ? price : (price.currency_options?.[currency] ?? null);
  if (price.billing_scheme !== 'tiered') return (quantity) => Math.round(unitOf(amounts) * quantity);
  const steps = (amounts?.tiers ?? []).map((tier) => ({
    up_to: tier.up_to,
    unit_cents: unitOf(tier),
    flat_cents: Number(tier.flat_amount_decimal ?? 0),
  }));
  const mode = price.tiers_mode === 'volume' ? 'volume' : 'graduated';
  return (quantity) => amountOfSteps({ mode, steps }, quantity);
}

/** `unit_amount` is null for fractions of a cent. */
const unitOf = (of: Pick<Stripe.Price, 'unit_amount' | 'unit_amount_decimal'> | null) =>
  of?.unit_amount ?? Number(of?.unit_amount_decimal ?? 0);

function sourcesOf({ default_payment_method, default_source, customer }: Stripe.Subscription): string[] {
  const own = default_payment_method ? null : idOf(default_source);
  const isUsable = typeof customer !== 'string' && !customer.deleted;
  const usual =
    isUsable && !customer.invoice_settings.default_payment_method ? idOf(customer.default_source) : null;
  return [own, usual].filter((id) => id !== null);
}

/** An older card as a payment method, which its id names too (docs.stripe.com/payments/payment-methods/transitioning). */
async function asMethod(stripe: Stripe, id: string): Promise<Stripe.PaymentMethod | null> {
  try {
    return await unlessMissing(stripe.paymentMethods.retrieve(id));
  } catch (error) {
    // Bank accounts and other sources are no payment methods.
    if (!isForbidden(error) && !isRefused(error)) throw error;
    return null;
  }
}
