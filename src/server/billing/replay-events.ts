import { and, asc, eq, gte, isNotNull, isNull, lte } from 'drizzle-orm';
import { stripe_event } from '../db/schema.ts';
import type { BillingContext } from './context.ts';
import { lookAt } from './webhook.ts';

export interface ReplayProgress {
  /** Customers looked at so far, and in all. */
  done: number;
  total: number;
  /** Stored events that they stand for, so far. */
  events: number;
  /** Customers who could not be converged; their events stay open for the sweeper. */
  failures: number;
}

/**
 * Carries out all stored events since an instant anew, or all there are. An event is a hint about whom to look
 * at, so each customer is converged once, whatever their number of events; a second run changes nothing.
 * Yields after each customer, and once before the first. Throws the database's errors alone.
 */
export async function* replayEvents(
  context: BillingContext,
  since: Date | null,
): AsyncGenerator<ReplayProgress> {
  const { db, log, now } = context;
  const until = now();
  const wanted = and(
    isNotNull(stripe_event.stripe_customer_id),
    lte(stripe_event.received_at, until),
    since ? gte(stripe_event.received_at, since) : undefined,
  );
  const customers = await db
    .selectDistinct({ id: stripe_event.stripe_customer_id })
    .from(stripe_event)
    .where(wanted)
    .orderBy(asc(stripe_event.stripe_customer_id));
  const progress: ReplayProgress = { done: 0, total: customers.length, events: 0, failures: 0 };
  yield { ...progress };
  for (const { id: customer } of customers) {
    if (customer === null) continue;
    const theirs = and(wanted, eq(stripe_event.stripe_customer_id, customer));
    try {
      progress.events += await db.$count(stripe_event, theirs);
      if ((await lookAt(context, customer)) !== 'open') {
        await db
          .update(stripe_event)
          .set({ processed_at: now() })
          .where(and(theirs, isNull(stripe_event.processed_at)));
      } else progress.failures++;
    } catch (error) {
      progress.failures++;
      log.error({ err: error, customer }, 'Events could not be replayed');
    }
    progress.done++;
    yield { ...progress };
  }
}
