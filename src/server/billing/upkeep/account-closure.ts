import { Refusal } from '../../../contract/refusals.ts';
import { localDate } from '../../../domain/calendar.ts';
import { isEnded } from '../../../domain/standing.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, eq, inArray, notInArray } from '../../db/orm.ts';
import {
  billing_refund,
  billing_subscription,
  customers,
  gift_membership,
  memberships,
} from '../../db/schema.ts';
import { lockPerson } from '../../membership/record/locks.ts';
import type { BillingContext, BillingDeps } from '../billing-context.ts';
import { closeAttempt, unsettledAttempt } from '../checkout/checkout-attempts.ts';
import { getStripeCustomerId } from '../customers/customer.ts';
import { closeOrder } from '../gifts/buy-gift.ts';
import { END_NOW } from '../request-params.ts';
import { lockBilling } from '../state/current-subscription.ts';
import { isMissing, orUnavailable, unlessMissing } from '../stripe-errors.ts';
import { endMembership } from '../sync/membership.ts';

const ALL_PAGES = { limit: 10_000 };

/** The result of canceling at Stripe: the deleted customer, or null if the user never had one. */
export interface CanceledBilling {
  stripe_customer_id: string | null;
}

/**
 * Makes sure that a user whose account is being deleted is never charged again: closes open payment pages, also those of
 * gifts, cancels every subscription at once, updates our copy, and deletes the customer at Stripe with all payment methods.
 * Refunds nothing. Safe to repeat after a crash: each step is skipped if it is already done. Throws Refusal
 * PAYMENTS_UNAVAILABLE, also while a refund is open.
 */
export async function cancelEverything(ctx: BillingContext, userId: string): Promise<CanceledBilling> {
  const { log, stripe } = ctx;
  return ctx.runInUserQueue(userId, () =>
    orUnavailable(log, 'cancel everything', async () => {
      const open = await unsettledAttempt(ctx, userId);
      if (open) await closeAttempt(ctx, open);
      // Paid gifts stay valid for their recipients.
      for (const gift of await openGifts(ctx.db, userId))
        if (gift.status === 'ordered') await closeOrder(ctx, userId, gift);
      const stripe_customer_id = await getStripeCustomerId(ctx, userId);
      if (!stripe_customer_id) return { stripe_customer_id };
      try {
        if ((await stripe.customers.retrieve(stripe_customer_id)).deleted) return { stripe_customer_id };
        const { open } = await ctx.reconcile(userId);
        if (open.some((it) => it !== 'acts')) throw new Refusal('PAYMENTS_UNAVAILABLE');
        if (await cancelSubscriptions(ctx, stripe_customer_id)) await ctx.reconcile(userId);
        await stripe.customers.del(stripe_customer_id);
      } catch (error) {
        if (!isMissing(error)) throw error;
        // Stripe cancels the subscriptions of a customer deleted there.
        log.warn({ user_id: userId }, 'Customer not found at Stripe');
      }
      return { stripe_customer_id };
    }),
  );
}

const openGifts = (db: Db | Tx, buyer: string) =>
  db
    .select()
    .from(gift_membership)
    .where(
      and(eq(gift_membership.buyer_id, buyer), inArray(gift_membership.status, ['ordered', 'refunding'])),
    );

async function cancelSubscriptions({ stripe }: BillingContext, customer: string): Promise<boolean> {
  const all = await stripe.subscriptions
    .list({ customer, status: 'all', limit: 100 })
    .autoPagingToArray(ALL_PAGES);
  const running = all.filter(({ status }) => !isEnded(status));
  for (const { id } of running) await unlessMissing(stripe.subscriptions.cancel(id, END_NOW));
  return running.length > 0;
}

/**
 * Closes our rows in the transaction that erases the account: the membership ends today, paid by card or at the venue, and
 * no row is left for the sweeper. Returns false, with nothing written, if a payment, a refund by staff or a gift is open, or
 * the customer at Stripe is not that of `canceled`.
 */
export async function closeBillingRows(
  { now, venue }: Pick<BillingDeps, 'now' | 'venue'>,
  tx: Tx,
  userId: string,
  canceled: CanceledBilling,
): Promise<boolean> {
  // Lock order as in reconcile and staff's reviews, to prevent deadlocks.
  const stripe_customer_id = await lockBilling(tx, userId);
  await lockPerson(tx, userId, 'update');
  // No payment can start from here on: each of its rows references the profile.
  const open = await unsettledAttempt({ db: tx }, userId);
  const refunds = and(eq(billing_refund.user_id, userId), eq(billing_refund.status, 'asked'));
  if (open || stripe_customer_id !== canceled.stripe_customer_id) return false;
  if ((await tx.$count(billing_refund, refunds)) > 0) return false;
  if ((await openGifts(tx, userId)).length > 0) return false;

  const own = tx.select({ id: customers.id }).from(customers).where(eq(customers.user_id, userId));
  await tx.update(customers).set({ status: 'inactive' }).where(eq(customers.user_id, userId));
  const active = await tx
    .select()
    .from(memberships)
    .where(and(inArray(memberships.customer_id, own), eq(memberships.status, 'active')));
  for (const membership of active) await endMembership(tx, membership, localDate(now(), venue.time_zone));
  await tx
    .update(memberships)
    .set({ next_subscription_id: null })
    .where(inArray(memberships.customer_id, own));
  await tx
    .update(billing_subscription)
    .set({ status: 'canceled', access_until: null, look_again_at: null })
    .where(
      and(
        eq(billing_subscription.user_id, userId),
        notInArray(billing_subscription.status, ['canceled', 'incomplete_expired']),
      ),
    );
  return true;
}
