import { and, desc, eq, notInArray } from 'drizzle-orm';
import type Stripe from 'stripe';
import type { Subscription } from '../../contract/functions.ts';
import { Refusal } from '../../domain/refusal.ts';
import { endsAt, isEnded } from '../../domain/standing.ts';
import {
  billing_customer,
  billing_reversal,
  billing_subscription,
  customers,
  memberships,
} from '../db/schema.ts';
import type { BillingContext } from './deps.ts';
import type { StoredSubscription } from './facts.ts';
import { orUnavailable } from './stripe-errors.ts';

const seconds = (instant: Date) => Math.floor(instant.getTime() / 1000);

/**
 * The subscription that speaks for the user: the one that is the membership, else the newest that was not
 * sent back. Null for a member billed at the venue and for one who never paid by card.
 */
async function speaking({ db }: BillingContext, userId: string): Promise<StoredSubscription | null> {
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

/** What the account page shows, from our own copy: amount in cents, times in seconds since 1970, UTC. */
export async function subscriptionDetails(
  context: BillingContext,
  userId: string,
): Promise<Subscription | null> {
  const row = await speaking(context, userId);
  if (!row) return null;
  const { card_brand, card_last4, card_exp_month, card_exp_year } = row;
  return {
    status: row.status,
    cancel_at_period_end: endsAt(row) !== null,
    current_period_end: seconds(row.current_period_end),
    amount: row.amount_cents,
    payment_method:
      card_brand && card_last4 && card_exp_month && card_exp_year
        ? { brand: card_brand, last4: card_last4, exp_month: card_exp_month, exp_year: card_exp_year }
        : null,
  };
}

/**
 * Ends the subscription with the paid period; access stays until then. Asked again, the same answer.
 * cancel_at in seconds since 1970. Throws Refusal NO_SUBSCRIPTION or PAYMENTS_UNAVAILABLE.
 */
export async function cancelAtPeriodEnd(
  context: BillingContext,
  userId: string,
): Promise<{ cancel_at: number }> {
  const row = await change(context, userId, 'cancel', (now) => endsAt(now) !== null, {
    cancel_at_period_end: true,
  });
  return { cancel_at: seconds(endsAt(row) ?? row.current_period_end) };
}

/**
 * Takes a cancellation back before it takes effect; the subscription renews as before.
 * Throws Refusal NO_SUBSCRIPTION (also when it is over already) or PAYMENTS_UNAVAILABLE.
 */
export async function resume(context: BillingContext, userId: string): Promise<Subscription | null> {
  await change(
    context,
    userId,
    'resume',
    (now) => endsAt(now) === null,
    (now) => (now.cancel_at_period_end ? { cancel_at_period_end: false } : { cancel_at: '' }),
  );
  return subscriptionDetails(context, userId);
}

type Update = Stripe.SubscriptionUpdateParams;

/** Converges, updates the subscription at Stripe unless it is so already, converges again, and looks. */
async function change(
  context: BillingContext,
  userId: string,
  what: string,
  done: (now: StoredSubscription) => boolean,
  update: Update | ((now: StoredSubscription) => Update),
): Promise<StoredSubscription> {
  const { stripe, log } = context;
  return orUnavailable(log, what, async () => {
    for (let round = 0; round < 3; round++) {
      await context.converge(userId);
      const row = await speaking(context, userId);
      if (!row || isEnded(row.status)) throw new Refusal('NO_SUBSCRIPTION');
      if (done(row)) return row;
      const id = row.stripe_subscription_id;
      // Each convergence has a number of its own, so a key is used again for a repeated try and for nothing else.
      const version = await syncVersion(context, userId);
      await stripe.subscriptions.update(id, typeof update === 'function' ? update(row) : update, {
        idempotencyKey: `${what}:${id}:${version}`,
      });
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
