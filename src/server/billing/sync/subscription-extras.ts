import type Stripe from 'stripe';
import { isEnded } from '../../../domain/standing.ts';
import { isForbidden, isRefused, unlessMissing } from '../stripe-errors.ts';
import { idOf } from '../stripe-objects.ts';
import type { Extras } from './fetched-subscription.ts';

/**
 * Reads what few running subscriptions need: a card that is one of Stripe's older sources, where no payment method is set,
 * and the amounts of prices that are charged in another of their currencies. Throws Stripe's errors.
 */
export async function fetchExtras(stripe: Stripe, subscriptions: Stripe.Subscription[]): Promise<Extras> {
  const running = subscriptions.filter(({ status }) => !isEnded(status));
  const sources = new Map<string, Stripe.PaymentMethod>();
  for (const id of new Set(running.flatMap(sourcesOf))) {
    const method = await asMethod(stripe, id);
    if (method) sources.set(id, method);
  }
  const amounts = new Map<string, number | null>();
  for (const { items, currency } of running)
    for (const { price } of items.data) {
      if (price.currency === currency || amounts.has(price.id)) continue;
      const { currency_options } = await stripe.prices.retrieve(price.id, { expand: ['currency_options'] });
      amounts.set(price.id, currency_options?.[currency]?.unit_amount ?? null);
    }
  return { sources, amounts };
}

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
