import { and, asc, eq, gte, isNotNull, isNull, lte } from '../../db/orm.ts';
import { stripe_event } from '../../db/schema.ts';
import type { BillingContext } from '../billing-context.ts';
import { reportUnknown } from '../customers/unknown-notices.ts';
import { listUnknownSubscriptions, type UnknownSubscription } from '../customers/unknown-subscriptions.ts';
import { isStripeError } from '../stripe-errors.ts';
import { reconcileStripeCustomer } from './webhook.ts';

export interface ReplayProgress {
  done: number;
  total: number;
  /** Stored events of the customers processed so far. */
  events: number;
  /** Customers that could not be reconciled; the sweeper retries their events. */
  failures: number;
  /** Subscriptions that run at Stripe for nobody here; null until the replay has looked, after the last customer. */
  unknown: UnknownSubscription[] | null;
}

/**
 * Replays the stored events received since an instant, or all of them. An event only says which customer changed,
 * so each customer is reconciled once; a second replay changes nothing. Then looks for running subscriptions on our
 * prices that no stored event is about, as after an older backup was restored: connects those whose metadata names an
 * account here, and notifies staff of the others. Yields once before the first customer, once after each, and once after
 * the look. Throws only database errors.
 */
export async function* replayEvents(ctx: BillingContext, since: Date | null): AsyncGenerator<ReplayProgress> {
  const { db, log, now } = ctx;
  const selected = and(
    isNotNull(stripe_event.stripe_customer_id),
    lte(stripe_event.received_at, now()),
    since ? gte(stripe_event.received_at, since) : undefined,
  );
  const customers = await db
    .selectDistinct({ id: stripe_event.stripe_customer_id })
    .from(stripe_event)
    .where(selected)
    .orderBy(asc(stripe_event.stripe_customer_id));
  const progress: ReplayProgress = {
    done: 0,
    total: customers.length,
    events: 0,
    failures: 0,
    unknown: null,
  };
  yield { ...progress };
  for (const { id: customer } of customers) {
    if (customer === null) continue;
    const ofCustomer = and(selected, eq(stripe_event.stripe_customer_id, customer));
    try {
      progress.events += await db.$count(stripe_event, ofCustomer);
      const outcome = await reconcileStripeCustomer(ctx, customer);
      if (outcome === 'done') {
        await db
          .update(stripe_event)
          .set({ processed_at: now() })
          .where(and(ofCustomer, isNull(stripe_event.processed_at)));
      }
      // The sweeper follows an unknown customer's event by its payment, which may be a gift's.
      if (outcome === 'open') progress.failures++;
    } catch (error) {
      progress.failures++;
      log.error({ err: error, customer }, 'Replay failed for a customer');
    }
    progress.done++;
    yield { ...progress };
  }
  try {
    progress.unknown = await reportOrConnect(ctx);
  } catch (error) {
    if (!isStripeError(error)) throw error;
    progress.failures++;
    progress.unknown = [];
    log.error({ err: error }, 'Replay could not look at the subscriptions at Stripe');
  }
  yield { ...progress };
}

/** Returns the unknown subscriptions that could not be connected. Throws Stripe's errors. */
async function reportOrConnect(ctx: BillingContext): Promise<UnknownSubscription[]> {
  const unknown = await listUnknownSubscriptions(ctx);
  const left = unknown.filter(({ user_id }) => user_id === null);
  await reportUnknown(ctx, ctx.db, left);
  for (const { user_id, stripe_customer_id } of unknown)
    if (user_id) await reconcileStripeCustomer(ctx, stripe_customer_id);
  return left;
}
