import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { isUuid } from '../../../domain/uuid.ts';
import { eq } from '../../db/orm.ts';
import { billing_customer, profiles } from '../../db/schema.ts';
import type { BillingDeps } from '../billing-context.ts';
import { withKey } from '../idempotency-key.ts';
import { shownAtStripe } from '../request-params.ts';
import { isMissing, isRefused, unlessMissing } from '../stripe-errors.ts';
import { removeConnected } from './unknown-notices.ts';

/** The user's customer id at Stripe; null if they never started a payment. */
export async function getStripeCustomerId({ db }: BillingDeps, userId: string): Promise<string | null> {
  const [row] = await db.select().from(billing_customer).where(eq(billing_customer.user_id, userId));
  return row?.stripe_customer_id ?? null;
}

/** Creates the customer if needed, and again for a `deletedId` that Stripe deleted. Throws Stripe's errors. */
async function ensureCustomer(deps: BillingDeps, userId: string, deletedId?: string): Promise<string> {
  const { db, stripe, now, log } = deps;
  const existing = await getStripeCustomerId(deps, userId);
  if (existing && existing !== deletedId) return existing;
  const [profile] = await db.select().from(profiles).where(eq(profiles.id, userId));
  if (!profile || profile.erased_at) throw new Error(`No profile to create a Stripe customer for: ${userId}`);
  const params: Stripe.CustomerCreateParams = { ...shownAtStripe(profile), metadata: { user_id: userId } };
  // Stripe refuses a reused key with other parameters, so a changed email needs another key.
  const digest = createHash('sha256').update(JSON.stringify(params)).digest('hex').slice(0, 16);
  const key = `customer:${userId}:${digest}${deletedId ? `:${deletedId}` : ''}`;
  const created = await withKey(deps, key, (options) => stripe.customers.create(params, options));
  if (deletedId) {
    log.warn(
      { user_id: userId, deleted_customer: deletedId, customer: created.id },
      'Replaced a customer that was deleted at Stripe',
    );
  }
  const [row] = await db
    .insert(billing_customer)
    .values({
      user_id: userId,
      stripe_customer_id: created.id,
      profile_sent_at: profile.updatedAt,
      created_at: now(),
    })
    .onConflictDoUpdate({
      target: billing_customer.user_id,
      set: deletedId ? { stripe_customer_id: created.id } : { user_id: userId },
    })
    .returning();
  return row?.stripe_customer_id ?? created.id;
}

/**
 * Makes a request that names the user's customer, and makes it once more for a new one if the customer was deleted at
 * Stripe. Throws Stripe's errors.
 */
export async function withCustomer<T>(
  deps: BillingDeps,
  userId: string,
  request: (customer: string) => Promise<T>,
): Promise<T> {
  const customer = await ensureCustomer(deps, userId);
  try {
    return await request(customer);
  } catch (error) {
    if (!isMissing(error, 'customer')) throw error;
    return request(await ensureCustomer(deps, userId, customer));
  }
}

/**
 * Gives Stripe a user's name and email. A final refusal is logged, and not retried until the profile changes. Throws
 * Stripe's other errors.
 */
export async function sendProfile({ db, stripe, log }: BillingDeps, userId: string): Promise<void> {
  const [row] = await db
    .select({ profile: profiles, customer: billing_customer.stripe_customer_id })
    .from(billing_customer)
    .innerJoin(profiles, eq(profiles.id, billing_customer.user_id))
    .where(eq(billing_customer.user_id, userId));
  if (!row || row.profile.erased_at) return;
  const { profile, customer } = row;
  try {
    await stripe.customers.update(customer, shownAtStripe(profile));
  } catch (error) {
    if (!isRefused(error)) throw error;
    log.warn({ err: error, user_id: userId }, 'Stripe did not accept the name and email');
  }
  await db
    .update(billing_customer)
    .set({ profile_sent_at: profile.updatedAt })
    .where(eq(billing_customer.user_id, userId));
}

/** The user that our records name for a Stripe customer; null if unknown. */
export async function findUserId({ db }: BillingDeps, stripeCustomerId: string): Promise<string | null> {
  const [row] = await db
    .select()
    .from(billing_customer)
    .where(eq(billing_customer.stripe_customer_id, stripeCustomerId));
  return row?.user_id ?? null;
}

/**
 * Records a Stripe customer that our records lost, for example when an older backup was restored. Trusts the
 * user id in its metadata, which only our API key can write, and only if that user has no other customer. A
 * customer of a deleted account is deleted at Stripe instead. Returns the user's id, or null if nothing was recorded.
 */
export async function adoptCustomer(deps: BillingDeps, stripeCustomerId: string): Promise<string | null> {
  const { db, stripe, now, log } = deps;
  const customer = await unlessMissing(stripe.customers.retrieve(stripeCustomerId));
  if (!customer || customer.deleted) return null;
  const userId = customer.metadata.user_id;
  if (!userId || !isUuid(userId)) return null;
  const [profile] = await db
    .select({ erased_at: profiles.erased_at })
    .from(profiles)
    .where(eq(profiles.id, userId));
  if (!profile) return null;
  const fields = { user_id: userId, customer: stripeCustomerId };
  if (profile.erased_at) {
    log.error(fields, 'Deleted account still had a customer at Stripe; customer deleted');
    await stripe.customers.del(stripeCustomerId);
    return null;
  }
  const [row] = await db
    .insert(billing_customer)
    .values({ user_id: userId, stripe_customer_id: stripeCustomerId, created_at: now() })
    .onConflictDoNothing()
    .returning();
  if (row) {
    log.warn(fields, 'Recorded a customer that only Stripe knew');
    await removeConnected(db, stripeCustomerId);
  } else log.error(fields, 'User has a second customer at Stripe');
  return row?.user_id ?? null;
}
