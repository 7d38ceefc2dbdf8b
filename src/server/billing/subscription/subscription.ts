import { eq } from 'drizzle-orm';
import type { Subscription } from '../../../contract/functions.ts';
import { Refusal } from '../../../domain/refusal.ts';
import { endsAt, isEnded } from '../../../domain/standing.ts';
import { billing_customer } from '../../db/schema.ts';
import type { BillingContext } from '../context.ts';
import { orUnavailable } from '../stripe-errors.ts';
import type { StoredSubscription } from '../sync/evaluate.ts';
import { currentSubscription } from './current-subscription.ts';
import { releaseSchedule } from './schedule.ts';

const seconds = (instant: Date) => Math.floor(instant.getTime() / 1000);

/** What the account page shows, from our own copy: amounts in cents, times in seconds since 1970, UTC. */
export async function subscriptionDetails(
  context: BillingContext,
  userId: string,
): Promise<Subscription | null> {
  const row = await currentSubscription(context, userId);
  if (!row) return null;
  const { card_brand, card_last4, card_exp_month, card_exp_year } = row;
  const { pending_tier, pending_from, pending_amount_cents } = row;
  return {
    status: row.status,
    cancel_at_period_end: endsAt(row) !== null,
    current_period_end: seconds(row.current_period_end),
    amount: row.amount_cents,
    tier: row.tier,
    pending_tier:
      pending_tier && pending_from
        ? { tier: pending_tier, from: seconds(pending_from), amount: pending_amount_cents ?? 0 }
        : null,
    grace_until: row.grace_until && seconds(row.grace_until),
    payment_method:
      card_brand && card_last4 && card_exp_month && card_exp_year
        ? { brand: card_brand, last4: card_last4, exp_month: card_exp_month, exp_year: card_exp_year }
        : null,
  };
}

/**
 * Ends the subscription with the paid period; access stays until then, and a change of tier that waited for
 * the same day is dropped. Asked again, the same answer. cancel_at in seconds since 1970.
 * Throws Refusal NO_SUBSCRIPTION or PAYMENTS_UNAVAILABLE.
 */
export async function cancelAtPeriodEnd(
  context: BillingContext,
  userId: string,
): Promise<{ cancel_at: number }> {
  const row = await change(context, userId, 'cancel', {
    done: (now) => endsAt(now) !== null,
    order: (now, idempotencyKey) =>
      context.stripe.subscriptions.update(
        now.stripe_subscription_id,
        { cancel_at_period_end: true },
        { idempotencyKey },
      ),
  });
  return { cancel_at: seconds(endsAt(row) ?? row.current_period_end) };
}

/**
 * Takes a cancellation back before it takes effect; the subscription renews as before.
 * Throws Refusal NO_SUBSCRIPTION (also when it is over already) or PAYMENTS_UNAVAILABLE.
 */
export async function resume(context: BillingContext, userId: string): Promise<Subscription | null> {
  await change(context, userId, 'resume', {
    done: (now) => endsAt(now) === null,
    order: (now, idempotencyKey) =>
      context.stripe.subscriptions.update(
        now.stripe_subscription_id,
        now.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' },
        { idempotencyKey },
      ),
  });
  return subscriptionDetails(context, userId);
}

/**
 * Takes a change of tier back that waits for the end of the period. Without one, nothing happens.
 * Throws Refusal NO_SUBSCRIPTION or PAYMENTS_UNAVAILABLE.
 */
export async function keepTier(context: BillingContext, userId: string): Promise<Subscription | null> {
  // The order is empty: change() takes the subscription off its schedule before any order.
  await change(context, userId, 'keep tier', {
    done: (now) => now.stripe_schedule_id === null,
    order: async () => undefined,
  });
  return subscriptionDetails(context, userId);
}

interface Wish {
  done(now: StoredSubscription): boolean;
  order(now: StoredSubscription, idempotencyKey: string): Promise<unknown>;
}

/** Converges, orders the change at Stripe unless it is so already, converges again, and looks. */
async function change(
  context: BillingContext,
  userId: string,
  what: string,
  { done, order }: Wish,
): Promise<StoredSubscription> {
  const { log } = context;
  return orUnavailable(log, what, async () => {
    for (let round = 0; round < 4; round++) {
      await context.converge(userId);
      const row = await currentSubscription(context, userId);
      if (!row || isEnded(row.status)) throw new Refusal('NO_SUBSCRIPTION');
      if (done(row)) return row;
      // Stripe refuses to end or continue a subscription that is on a schedule.
      if (row.stripe_schedule_id) {
        await releaseSchedule(context, row.stripe_schedule_id);
        continue;
      }
      // Each convergence has a number of its own, so a key is used again for a repeated try and for nothing else.
      const version = await syncVersion(context, userId);
      await order(row, `${what}:${row.stripe_subscription_id}:${version}`);
    }
    log.error({ user_id: userId, what }, 'Subscription did not change as asked');
    throw new Refusal('PAYMENTS_UNAVAILABLE');
  });
}

async function syncVersion({ db }: BillingContext, userId: string): Promise<number> {
  const [row] = await db
    .select({ version: billing_customer.sync_version })
    .from(billing_customer)
    .where(eq(billing_customer.user_id, userId));
  return row?.version ?? 0;
}
