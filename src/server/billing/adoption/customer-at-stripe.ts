import type Stripe from 'stripe';
import type { FoundSubscription } from '../../../domain/imports/adoption.ts';
import type { BillingDeps } from '../billing-context.ts';
import { listOfCustomer } from '../customers/found-subscriptions.ts';
import { readTiers } from '../state/known-tiers.ts';
import { addPreviews } from '../state/previews.ts';
import { fetchSnapshot, type StripeSnapshot } from '../state/stripe-snapshot.ts';
import { isMissing, unlessMissing } from '../stripe-errors.ts';

export interface CustomerAtStripe {
  subscriptions: FoundSubscription[];
  snapshot: StripeSnapshot;
}

/** A customer's current state at Stripe; null if it no longer exists there. Throws Stripe's other errors. */
export async function fetchCustomer(deps: BillingDeps, customer: string): Promise<CustomerAtStripe | null> {
  try {
    const snapshot = await addPreviews(deps, await fetchSnapshot(deps, customer));
    if (snapshot.customer !== 'found') return null;
    const tiers = await readTiers(deps.db);
    return { snapshot, subscriptions: await listOfCustomer(deps.stripe, tiers, customer) };
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Writes our account's id to a customer at Stripe, by which a backup restored later finds the customer. An existing value is
 * the venue's own, and stays. Throws Stripe's errors.
 */
export async function nameCustomer(
  { stripe }: Pick<BillingDeps, 'stripe'>,
  id: string,
  user_id: string,
): Promise<void> {
  const customer = await existing(stripe, id);
  if (customer && !customer.metadata.user_id) await stripe.customers.update(id, { metadata: { user_id } });
}

/** Removes our account's id again, so that no webhook makes the customer ours. Throws Stripe's errors. */
export async function unnameCustomer(
  { stripe }: Pick<BillingDeps, 'stripe'>,
  id: string,
  user_id: string,
): Promise<void> {
  const customer = await existing(stripe, id);
  if (customer?.metadata.user_id === user_id) {
    await stripe.customers.update(id, { metadata: { user_id: '' } });
  }
}

async function existing(stripe: Stripe, id: string): Promise<Stripe.Customer | null> {
  const customer = await unlessMissing(stripe.customers.retrieve(id));
  return customer?.deleted ? null : customer;
}
