import { createHash } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import { isUuid } from '../../domain/card.ts';
import { billing_customer, profiles } from '../db/schema.ts';
import type { BillingDeps } from './context.ts';
import { isMissing } from './stripe-errors.ts';

/** The Stripe customer of a user, null when they never came near paying. */
export async function stripeCustomerOf({ db }: BillingDeps, userId: string): Promise<string | null> {
  const [row] = await db.select().from(billing_customer).where(eq(billing_customer.user_id, userId));
  return row?.stripe_customer_id ?? null;
}

/**
 * The Stripe customer of a user, made when there is none. A customer that was deleted at Stripe (named in
 * `gone`) is replaced. Throws Stripe's errors.
 */
export async function ensureCustomer(deps: BillingDeps, userId: string, gone?: string): Promise<string> {
  const { db, stripe, now, log } = deps;
  const known = await stripeCustomerOf(deps, userId);
  if (known && known !== gone) return known;
  const [profile] = await db.select().from(profiles).where(eq(profiles.id, userId));
  if (!profile || profile.erased_at) throw new Error('A customer at Stripe belongs to a profile');
  const params = {
    email: profile.email,
    name: `${profile.first_name} ${profile.last_name}`.trim(),
    metadata: { user_id: userId },
  };
  // Stripe refuses a key that comes back with other parameters, so a changed address must be another key.
  const digest = createHash('sha256').update(JSON.stringify(params)).digest('hex').slice(0, 16);
  const created = await stripe.customers.create(params, {
    idempotencyKey: `customer:${userId}:${digest}${gone ? `:${gone}` : ''}`,
  });
  if (gone)
    log.warn({ user_id: userId, gone, customer: created.id }, 'Customer was deleted at Stripe; replaced');
  const [row] = await db
    .insert(billing_customer)
    .values({ user_id: userId, stripe_customer_id: created.id, created_at: now() })
    .onConflictDoUpdate({
      target: billing_customer.user_id,
      set: gone ? { stripe_customer_id: created.id } : { user_id: userId },
    })
    .returning();
  return row?.stripe_customer_id ?? created.id;
}

/** The user whose Stripe customer this is by our own record, null for a stranger. */
export async function userOfCustomer({ db }: BillingDeps, stripeCustomerId: string): Promise<string | null> {
  const [row] = await db
    .select()
    .from(billing_customer)
    .where(eq(billing_customer.stripe_customer_id, stripeCustomerId));
  return row?.user_id ?? null;
}

/**
 * The user of a Stripe customer we have no record of, as after an older backup was restored: by the
 * metadata that only our key can write, and only for a user who has no other customer. Null otherwise.
 */
export async function adoptCustomer(deps: BillingDeps, stripeCustomerId: string): Promise<string | null> {
  const { db, stripe, now, log } = deps;
  let customer: Stripe.Customer | Stripe.DeletedCustomer;
  try {
    customer = await stripe.customers.retrieve(stripeCustomerId);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
  const userId = customer.deleted ? undefined : customer.metadata.user_id;
  if (!userId || !isUuid(userId)) return null;
  const [profile] = await db
    .select({ erased_at: profiles.erased_at })
    .from(profiles)
    .where(eq(profiles.id, userId));
  if (!profile) return null;
  if (profile.erased_at) {
    // Whoever deleted their account is charged for nothing any more, also not by a customer we had lost.
    log.error({ user_id: userId, customer: stripeCustomerId }, 'Deleted person is a customer still; ended');
    await stripe.customers.del(stripeCustomerId);
    return null;
  }
  const [row] = await db
    .insert(billing_customer)
    .values({ user_id: userId, stripe_customer_id: stripeCustomerId, created_at: now() })
    .onConflictDoNothing()
    .returning();
  if (row) log.warn({ user_id: userId, customer: stripeCustomerId }, 'Customer at Stripe was adopted');
  else log.error({ user_id: userId, customer: stripeCustomerId }, 'User has a second customer at Stripe');
  return row?.user_id ?? null;
}
