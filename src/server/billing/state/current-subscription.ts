import type Stripe from 'stripe';
import { Refusal } from '../../../contract/refusals.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, desc, eq, notInArray } from '../../db/orm.ts';
import {
  billing_customer,
  billing_reversal,
  billing_subscription,
  customers,
  memberships,
} from '../../db/schema.ts';
import type { StoredSubscription } from './local-state.ts';
import { allOf, PAGE_SIZE } from './whole-lists.ts';

/**
 * A user's current subscription: the one that is the membership, otherwise the newest that was not reversed. Null for a
 * member who pays at the venue, or if there is no such subscription.
 */
export async function currentSubscription(
  { db }: { db: Db | Tx },
  userId: string,
): Promise<StoredSubscription | null> {
  const [active] = await db
    .select({ id: memberships.stripe_subscription_id })
    .from(memberships)
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .where(and(eq(customers.user_id, userId), eq(memberships.status, 'active')));
  if (active && active.id === null) return null;
  const reversed = db
    .select({ id: billing_reversal.stripe_subscription_id })
    .from(billing_reversal)
    .where(eq(billing_reversal.user_id, userId));
  const [row] = await db
    .select()
    .from(billing_subscription)
    .where(
      active?.id
        ? eq(billing_subscription.stripe_subscription_id, active.id)
        : and(
            eq(billing_subscription.user_id, userId),
            notInArray(billing_subscription.stripe_subscription_id, reversed),
          ),
    )
    .orderBy(desc(billing_subscription.created_at))
    .limit(1);
  return row ?? null;
}

/** Takes reconcile's lock on its user: what is decided from the row holds until the transaction ends. */
export async function lockSubscription(
  tx: Tx,
  { user_id, stripe_subscription_id }: Pick<StoredSubscription, 'user_id' | 'stripe_subscription_id'>,
): Promise<StoredSubscription | null> {
  await lockBilling(tx, user_id);
  const [row] = await tx
    .select()
    .from(billing_subscription)
    .where(eq(billing_subscription.stripe_subscription_id, stripe_subscription_id));
  return row ?? null;
}

/** Takes the lock that reconcile takes on its user. Returns the user's customer at Stripe; null if there is none. */
export async function lockBilling(tx: Tx, user_id: string): Promise<string | null> {
  const [account] = await tx
    .select({ id: billing_customer.stripe_customer_id })
    .from(billing_customer)
    .where(eq(billing_customer.user_id, user_id))
    .for('update');
  return account?.id ?? null;
}

/**
 * As lockBilling, and locks the member's row too, for which a pour waits. The order is that of reconcile and erasure,
 * against deadlocks.
 */
export async function lockMember(tx: Tx, user_id: string): Promise<void> {
  await lockBilling(tx, user_id);
  await tx.select({ id: customers.id }).from(customers).where(eq(customers.user_id, user_id)).for('update');
}

/**
 * The item at Stripe that is the membership: the one at its stored price, or at `moved_to`, to which another process has
 * perhaps moved it meanwhile. Throws Refusal PREVIEW_EXPIRED if the price has changed there otherwise, and Stripe's errors.
 */
export async function pricedItem(
  { stripe }: { stripe: Stripe },
  {
    stripe_subscription_id,
    stripe_price_id,
  }: Pick<StoredSubscription, 'stripe_subscription_id' | 'stripe_price_id'>,
  moved_to?: string,
): Promise<Stripe.SubscriptionItem> {
  const items = await allOf(
    stripe.subscriptionItems.list({ subscription: stripe_subscription_id, limit: PAGE_SIZE }),
  );
  const at = (id: string | undefined) => items.find(({ price }) => price.id === id);
  const item = at(stripe_price_id) ?? at(moved_to);
  if (!item) throw new Refusal('PREVIEW_EXPIRED');
  return item;
}
