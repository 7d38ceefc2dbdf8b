import type Stripe from 'stripe';
import { unixSeconds } from '../../../domain/calendar.ts';
import { and, eq, inArray, isNotNull } from '../../db/orm.ts';
import { billing_customer, scheduled_task, stripe_event } from '../../db/schema.ts';
import type { BillingContext } from '../billing-context.ts';
import { isHandled } from '../webhook-events.ts';
import { LATE_MS, type MissedEvent, reportCaughtUp, startOfCount } from './caught-up.ts';
import { customerOfEvent, paymentOfEvent, processEvent } from './webhook.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Newer events are left to their webhooks. */
const ON_THEIR_WAY_MS = 10 * MINUTE;
/** Stripe lists events for 30 days. */
const LISTED_MS = 30 * DAY;
/** Longer than a reconciliation's requests take, and clocks differ. */
const SYNC_MARGIN_MS = 5 * MINUTE;
const PAGE = 100;
/** The row of scheduled_task with the instant through which the events were read. A restored backup has its own. */
const READ_THROUGH = 'events of Stripe';

export interface MissedEventsReport {
  /** Events without a webhook since the last time. */
  missed: number;
  /** Customers whose state was fetched for them. */
  customers: number;
  /** Customers left for the next time. */
  failures: number;
}

/**
 * Reads Stripe's list of events since the last run, and processes those without a webhook: after an outage, with an endpoint
 * turned off, a rotated key, or a restored backup. What staff should know is one notice for each gap. The events are not
 * stored, so that monitoring still sees that no webhooks come. Throws Stripe's errors if the list cannot be read.
 */
export async function fetchMissedEvents(ctx: BillingContext): Promise<MissedEventsReport> {
  const now = ctx.now().getTime();
  const to = new Date(now - ON_THEIR_WAY_MS);
  const last = await readThrough(ctx);
  const from = last ?? new Date(now - LISTED_MS);
  // Before the first run nobody counted.
  const countFrom = last ? await startOfCount(ctx, new Date(from.getTime() - LATE_MS)) : to;
  const first = new Date(Math.max(Math.min(from.getTime(), countFrom.getTime()), now - LISTED_MS));
  const events = await readMissed(ctx, first, to);
  const report = await processMissed(
    ctx,
    events.filter(({ created_at, is_stored }) => created_at >= from && !is_stored),
  );
  const late = new Date(now - LATE_MS);
  await reportCaughtUp(
    ctx,
    events.filter(({ created_at }) => created_at >= countFrom && created_at <= late),
  );
  if (report.failures === 0) await noteRead(ctx, to);
  return report;
}

/** The instant through which the events were read; null before the first run, or if a clock was wrong. */
async function readThrough({ db, now }: BillingContext): Promise<Date | null> {
  const [row] = await db.select().from(scheduled_task).where(eq(scheduled_task.name, READ_THROUGH));
  return row && row.began_at <= now() ? row.began_at : null;
}

async function noteRead({ db }: BillingContext, began_at: Date): Promise<void> {
  await db
    .insert(scheduled_task)
    .values({ name: READ_THROUGH, began_at })
    .onConflictDoUpdate({ target: scheduled_task.name, set: { began_at } });
}

/** The handled events of a span whose webhooks did not come, or were processed hours late; oldest first. */
async function readMissed(ctx: BillingContext, from: Date, to: Date): Promise<MissedEvent[]> {
  const created = { gte: unixSeconds(from), lte: unixSeconds(to) };
  const missed: MissedEvent[] = [];
  let batch: Stripe.Event[] = [];
  const flush = async () => {
    missed.push(...(await notOnTime(ctx, batch)));
    batch = [];
  };
  for await (const event of ctx.stripe.events.list({ created, limit: PAGE })) {
    if (!isHandled(event.type)) continue;
    batch.push(event);
    if (batch.length === PAGE) await flush();
  }
  await flush();
  return missed.reverse();
}

async function notOnTime(ctx: BillingContext, events: Stripe.Event[]): Promise<MissedEvent[]> {
  if (events.length === 0) return [];
  const ids = events.map(({ id }) => id);
  const rows = await ctx.db.select().from(stripe_event).where(inArray(stripe_event.id, ids));
  const stored = new Map(rows.map((row) => [row.id, row]));
  const missed: MissedEvent[] = [];
  for (const event of events) {
    const row = stored.get(event.id);
    if (row && isOnTime(row)) continue;
    const object = event.data.object as { billing_reason?: string };
    missed.push({
      id: event.id,
      type: event.type,
      created_at: new Date(event.created * 1000),
      stripe_customer_id: row ? row.stripe_customer_id : await customerOfEvent(ctx, event),
      stripe_payment_intent_id: paymentOfEvent(event),
      is_stored: row !== undefined,
      is_renewal: object.billing_reason === 'subscription_cycle',
    });
  }
  return missed;
}

/** Whether its webhook was processed within hours. The sweeper still tries one that is not processed yet. */
const isOnTime = ({ created_at, processed_at }: typeof stripe_event.$inferSelect): boolean =>
  processed_at === null || processed_at.getTime() - created_at.getTime() <= LATE_MS;

/** Processes the newest event of each customer that was not reconciled since, as its webhook would. */
async function processMissed(ctx: BillingContext, events: MissedEvent[]): Promise<MissedEventsReport> {
  const newest = new Map(events.map((it) => [it.stripe_customer_id ?? it.id, it]));
  const synced = await syncedAt(ctx, [...newest.keys()]);
  const report: MissedEventsReport = { missed: events.length, customers: 0, failures: 0 };
  for (const [customer, event] of newest) {
    const at = synced.get(customer);
    if (at && at.getTime() - SYNC_MARGIN_MS > event.created_at.getTime()) continue;
    report.customers += 1;
    try {
      // The sweeper completes what stays open.
      await processEvent(ctx, event);
    } catch (error) {
      report.failures += 1;
      ctx.log.error({ err: error, event: event.id }, 'Missed event could not be processed');
    }
  }
  return report;
}

async function syncedAt({ db }: BillingContext, customers: string[]): Promise<Map<string, Date>> {
  if (customers.length === 0) return new Map();
  const { stripe_customer_id, synced_at } = billing_customer;
  const rows = await db
    .select({ stripe_customer_id, synced_at })
    .from(billing_customer)
    .where(and(inArray(stripe_customer_id, customers), isNotNull(synced_at)));
  return new Map(rows.flatMap((it) => (it.synced_at ? [[it.stripe_customer_id, it.synced_at]] : [])));
}
