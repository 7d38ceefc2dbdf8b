import type Stripe from 'stripe';
import { isForbidden } from '../stripe-errors.ts';
import { intentsOf, type OpenPayment, subscriptionOf } from './fetched-invoice.ts';
import { methodKey } from './fetched-subscription.ts';

/**
 * Reads the payments of open invoices of subscriptions, by payment intent. Those that the key may not read are left out.
 * Throws Stripe's other errors.
 */
export async function fetchOpenPayments(
  stripe: Stripe,
  invoices: Stripe.Invoice[],
): Promise<Map<string, OpenPayment>> {
  const payments = new Map<string, OpenPayment>();
  const due = invoices.filter((it) => it.status === 'open' && subscriptionOf(it));
  for (const id of due.flatMap((it) => intentsOf(it, 'open'))) {
    try {
      payments.set(id, read(await stripe.paymentIntents.retrieve(id, { expand: ['payment_method'] })));
    } catch (error) {
      if (!isForbidden(error)) throw error;
    }
  }
  return payments;
}

/** No charge is left where the bank asks to confirm a payment, or its holder failed to. */
function read({ status, payment_method, last_payment_error: error }: Stripe.PaymentIntent): OpenPayment {
  const methods = [payment_method, error?.charge ? null : error?.payment_method].filter((it) => it != null);
  return {
    tried: methods.map((it) => (typeof it === 'string' ? it : methodKey(it.id, it.card))),
    is_under_way: status === 'processing',
  };
}
