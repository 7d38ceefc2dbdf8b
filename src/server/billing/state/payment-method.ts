import type { BillingDeps } from '../billing-context.ts';
import { defaultMethodParams } from '../request-params.ts';
import { isStripeError } from '../stripe-errors.ts';
import type { FetchedMethod, FetchedSubscription } from './fetched-subscription.ts';

type Methods = Pick<FetchedSubscription, 'created_at' | 'pinned' | 'customer_default'>;

/**
 * The payment method that pays for a subscription (docs/rules/billing.md, "Billing: payment methods"): the customer's
 * default if it is newer than both the subscription and its own method, otherwise its own.
 */
export function chargedMethod({ created_at, pinned, customer_default }: Methods): FetchedMethod | null {
  if (!pinned || !customer_default) return pinned ?? customer_default;
  const isNewer = customer_default.created_at > pinned.created_at && customer_default.created_at > created_at;
  return isNewer ? customer_default : pinned;
}

/**
 * Moves the payment method that Checkout pinned on the subscription to the customer, because it would override the member's
 * later choice in the portal. `version` is the reconciliation's, for the idempotency keys. A failure is logged and left to
 * the next reconciliation: until then, the pinned method pays.
 */
export async function unpinPaymentMethod(
  { stripe, log }: BillingDeps,
  customer: string,
  subscription: FetchedSubscription,
  version: number,
): Promise<void> {
  const { id, pinned, has_source, customer_default } = subscription;
  const charged = chargedMethod(subscription);
  if (!charged || !(pinned || has_source)) return;
  try {
    if (charged.id !== customer_default?.id) {
      await stripe.customers.update(customer, defaultMethodParams(charged.id), {
        idempotencyKey: `default-method:${id}:${version}`,
      });
    }
    await stripe.subscriptions.update(
      id,
      { default_payment_method: '', default_source: has_source ? '' : undefined },
      { idempotencyKey: `unpin:${id}:${version}` },
    );
  } catch (error) {
    if (!isStripeError(error)) throw error;
    log.warn({ err: error, subscription: id }, 'Payment method could not be made the default');
  }
}
