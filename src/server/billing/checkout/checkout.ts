import { and, eq } from 'drizzle-orm';
import { readyToPay } from '../../../domain/application.ts';
import { isUuid } from '../../../domain/card.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { isJoinable } from '../../../domain/tiers.ts';
import { membership_applications, tier_definitions } from '../../db/schema.ts';
import type { BillingContext } from '../context.ts';
import { stripeCustomerOf } from '../customer.ts';
import { isMissing, isStripeError, orUnavailable } from '../stripe-errors.ts';
import { localStatusOf } from '../sync/reconcile.ts';
import { beginAttempt, closeAttempt, settleAttempt, unsettledAttempt } from './checkout-attempts.ts';

export interface CheckoutInput {
  tierName: string;
  applicationId: string;
}

export interface ClosedCheckout {
  /**
   * none: nothing was open. expired: it can no longer be paid. completed: it was paid, and the member is up
   * to date. unreachable: Stripe did not answer; the sweeper closes it, and a payment meanwhile goes back.
   */
  outcome: 'none' | 'expired' | 'completed' | 'unreachable';
}

/** Each round settles one thing that stands in the way; more than a few means that something is wrong. */
const MAX_ROUNDS = 5;

/**
 * The page at which a user pays for a tier. Asked again, the same page; for another tier or after a change
 * of price, a new one, the old one closed first.
 * Throws Refusal NOT_FOUND (application or tier), ALREADY_MEMBER, APPLICATION_NOT_PENDING,
 * APPLICATION_NOT_READY, TIER_NOT_AVAILABLE or PAYMENTS_UNAVAILABLE.
 */
export async function createCheckout(
  context: BillingContext,
  userId: string,
  wish: CheckoutInput,
): Promise<{ url: string }> {
  return context.inCheckoutOrder(userId, () =>
    orUnavailable(context.log, 'checkout', async () => {
      let confirmed = false;
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const tier = await wantedTier(context, userId, wish);
        const open = await unsettledAttempt(context, userId);
        const same =
          open?.tier_name === tier.tier_name &&
          open.amount_cents === tier.amount_cents &&
          open.application_id === wish.applicationId;
        if (open && !same) {
          await closeAttempt(context, open);
          continue;
        }
        if (!open && !confirmed) {
          // A subscription that we have not heard of must not be paid for twice.
          await convergeKnown(context, userId);
          confirmed = true;
          continue;
        }
        const attempt =
          open ??
          (await beginAttempt(context, { user_id: userId, application_id: wish.applicationId, ...tier }));
        if (!attempt) continue;
        const now = await settleAttempt(context, attempt);
        if (now.state !== 'open') continue;
        if (await stillPending(context, wish.applicationId)) return { url: now.url };
        // Staff decided while Stripe was answering.
        const left = await unsettledAttempt(context, userId);
        if (left) await closeAttempt(context, left);
      }
      context.log.error({ user_id: userId }, 'Checkout did not come to rest');
      throw new Refusal('PAYMENTS_UNAVAILABLE');
    }),
  );
}

/**
 * Closes what the user may still pay for, as when staff decide on the application. Should it have been paid
 * in that moment, the user converges instead. Never throws Stripe's errors.
 */
export async function closeOpenCheckout(context: BillingContext, userId: string): Promise<ClosedCheckout> {
  return context.inCheckoutOrder(userId, async () => {
    const open = await unsettledAttempt(context, userId);
    if (!open) return { outcome: 'none' };
    try {
      return { outcome: await closeAttempt(context, open) };
    } catch (error) {
      if (!isStripeError(error)) throw error;
      context.log.warn({ err: error, user_id: userId }, 'Payment page could not be closed yet');
      return { outcome: 'unreachable' };
    }
  });
}

async function wantedTier(
  context: BillingContext,
  userId: string,
  { tierName, applicationId }: CheckoutInput,
): Promise<{ tier_name: string; amount_cents: number }> {
  const { db } = context;
  const [application] = isUuid(applicationId)
    ? await db
        .select()
        .from(membership_applications)
        .where(
          and(eq(membership_applications.id, applicationId), eq(membership_applications.user_id, userId)),
        )
    : [];
  if (!application) throw new Refusal('NOT_FOUND', { what: 'application' });
  if ((await localStatusOf(context, userId)) === 'active') throw new Refusal('ALREADY_MEMBER');
  if (application.status !== 'pending') {
    throw new Refusal('APPLICATION_NOT_PENDING', { status: application.status });
  }
  if (!readyToPay(application)) throw new Refusal('APPLICATION_NOT_READY');
  const [tier] = await db.select().from(tier_definitions).where(eq(tier_definitions.tier_name, tierName));
  if (!tier?.is_active || !isJoinable(tier.tier_name)) throw new Refusal('TIER_NOT_AVAILABLE');
  return { tier_name: tier.tier_name, amount_cents: tier.monthly_price_cents };
}

/** A customer whom Stripe does not know any more has nothing there to converge with. */
async function convergeKnown(context: BillingContext, userId: string): Promise<void> {
  if (!(await stripeCustomerOf(context, userId))) return;
  try {
    await context.converge(userId);
  } catch (error) {
    if (!isMissing(error, 'customer')) throw error;
    context.log.warn({ user_id: userId }, 'Stripe does not know this customer');
  }
}

async function stillPending({ db }: BillingContext, applicationId: string): Promise<boolean> {
  const [application] = await db
    .select({ status: membership_applications.status })
    .from(membership_applications)
    .where(eq(membership_applications.id, applicationId));
  return application?.status === 'pending';
}
