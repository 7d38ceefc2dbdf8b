import type Stripe from 'stripe';
import type { FoundSubscription } from '../../../domain/imports/adoption.ts';
import type { Tx } from '../../db/client.ts';
import type { BillingDeps } from '../billing-context.ts';
import { isMissing, unlessMissing } from '../stripe-errors.ts';
import { readTiers } from '../sync/known-tiers.ts';
import { addPreviews } from '../sync/previews.ts';
import { fetchSnapshot, type StripeSnapshot } from '../sync/stripe-snapshot.ts';
import { type Adoption, adopt } from './adopt.ts';
import { listOfCustomer, listRunning, namesOfProducts } from './found-subscriptions.ts';

export { type AdoptedRecord, NotAdoptable } from './adopt.ts';
export { forgetPrices, release, rememberPrices, tiersOfPrices } from './release.ts';

/** Adopts subscriptions that the venue already bills at Stripe: the calls to Stripe, including the one write. */
export function createAdoption(deps: BillingDeps) {
  const { stripe } = deps;
  return {
    listRunning: async (after: string | null) => listRunning(stripe, await readTiers(deps.db), after),
    namesOfProducts: (products: string[]) => namesOfProducts(stripe, products),
    /** A customer's current state at Stripe; null if it no longer exists there. Throws Stripe's other errors. */
    async lookAt(
      customer: string,
    ): Promise<{ subscriptions: FoundSubscription[]; snapshot: StripeSnapshot } | null> {
      try {
        const snapshot = await addPreviews(deps, await fetchSnapshot(deps, customer));
        if (snapshot.customer !== 'found') return null;
        return { snapshot, subscriptions: await listOfCustomer(stripe, await readTiers(deps.db), customer) };
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    adopt: (tx: Tx, adoption: Adoption) => adopt(tx, deps, adoption),
    nameCustomer: (customer: string, user_id: string) => nameCustomer(stripe, customer, user_id),
    unnameCustomer: (customer: string, user_id: string) => unnameCustomer(stripe, customer, user_id),
  };
}

/**
 * Writes our account's id to a customer at Stripe, by which a backup restored later finds the customer. An existing value is
 * the venue's own, and stays. Throws Stripe's errors.
 */
async function nameCustomer(stripe: Stripe, id: string, user_id: string): Promise<void> {
  const customer = await found(stripe, id);
  if (customer && !customer.metadata.user_id) await stripe.customers.update(id, { metadata: { user_id } });
}

/** Removes our account's id again, so that no webhook makes the customer ours. Throws Stripe's errors. */
async function unnameCustomer(stripe: Stripe, id: string, user_id: string): Promise<void> {
  const customer = await found(stripe, id);
  if (customer?.metadata.user_id === user_id) {
    await stripe.customers.update(id, { metadata: { user_id: '' } });
  }
}

async function found(stripe: Stripe, id: string): Promise<Stripe.Customer | null> {
  const customer = await unlessMissing(stripe.customers.retrieve(id));
  return customer?.deleted ? null : customer;
}
