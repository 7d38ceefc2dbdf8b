import { and, asc, eq, inArray, isNull, lt, lte, notInArray, or, sql } from 'drizzle-orm';
import {
  billing_reversal,
  billing_subscription,
  checkout_attempt,
  membership_applications,
  stripe_event,
} from '../db/schema.ts';
import { closeAttempt, settleAttempt } from './checkout/checkout-attempts.ts';
import type { BillingContext } from './context.ts';
import { repeatEvent } from './webhook.ts';

/** How many of each were looked at, and how many of all failed and wait for the next sweep. */
export interface SweepReport {
  attempts: number;
  events: number;
  members: number;
  failures: number;
}

const BATCH = 200;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A webhook that is on its way needs no help yet. */
const PATIENCE_MS = 5 * MINUTE;

/**
 * Finds what nobody told us, or what could not be carried out when it was told, and converges it: attempts
 * that were paid or ran out, events kept but not carried out, subscriptions whose facts ran out, and
 * payments still to be given back. Runs beside itself and everything else; never throws for one item.
 */
export async function sweep(context: BillingContext): Promise<SweepReport> {
  const report: SweepReport = { attempts: 0, events: 0, members: 0, failures: 0 };
  const each = async <T>(items: T[], count: keyof SweepReport, work: (item: T) => Promise<boolean>) => {
    for (const item of items) {
      report[count] += 1;
      try {
        if (!(await work(item))) report.failures += 1;
      } catch (error) {
        report.failures += 1;
        context.log.error({ err: error, sweep: count }, 'Sweep left something for the next time');
      }
    }
  };

  await each(await attemptsToSettle(context), 'attempts', ({ attempt, pending }) =>
    context.inCheckoutOrder(attempt.user_id, async () => {
      await (pending ? settleAttempt(context, attempt) : closeAttempt(context, attempt));
      return true;
    }),
  );
  await each(await eventsToRepeat(context), 'events', (event) => repeatEvent(context, event));
  await each(
    await membersToConverge(context),
    'members',
    async (userId) => !(await context.converge(userId)).reversalsOpen,
  );
  return report;
}

const before = ({ now }: BillingContext, ms: number) => new Date(now().getTime() - ms);

async function attemptsToSettle(context: BillingContext) {
  const rows = await context.db
    .select({ attempt: checkout_attempt, status: membership_applications.status })
    .from(checkout_attempt)
    .innerJoin(membership_applications, eq(membership_applications.id, checkout_attempt.application_id))
    .where(
      and(
        inArray(checkout_attempt.status, ['creating', 'open']),
        lt(checkout_attempt.created_at, before(context, PATIENCE_MS)),
      ),
    )
    .orderBy(asc(checkout_attempt.created_at))
    .limit(BATCH);
  return rows.map(({ attempt, status }) => ({ attempt, pending: status === 'pending' }));
}

function eventsToRepeat(context: BillingContext) {
  return context.db
    .select({ id: stripe_event.id, stripe_customer_id: stripe_event.stripe_customer_id })
    .from(stripe_event)
    .where(and(isNull(stripe_event.processed_at), lt(stripe_event.received_at, before(context, PATIENCE_MS))))
    .orderBy(asc(stripe_event.received_at))
    .limit(BATCH);
}

/**
 * Users with a payment to give back, or with a subscription of which something ran out since we last asked
 * (period, grace, life), which is not paid, or about which we have not asked for a week.
 */
async function membersToConverge(context: BillingContext): Promise<string[]> {
  const { db, now } = context;
  const s = billing_subscription;
  const ranOut = (instant: typeof s.grace_until | typeof s.cancel_at | typeof s.current_period_end) =>
    and(lte(instant, now()), lt(s.synced_at, instant));
  const due = await db
    .select({ user_id: s.user_id })
    .from(s)
    .where(
      and(
        notInArray(s.status, ['canceled', 'incomplete_expired']),
        or(
          ranOut(s.current_period_end),
          ranOut(s.grace_until),
          ranOut(s.cancel_at),
          and(lte(s.current_period_end, now()), lt(s.synced_at, before(context, HOUR))),
          and(sql`${s.status} not in ('active', 'trialing')`, lt(s.synced_at, before(context, DAY))),
          lt(s.synced_at, before(context, 7 * DAY)),
        ),
      ),
    )
    .orderBy(asc(s.synced_at))
    .limit(BATCH);
  const owed = await db
    .select({ user_id: billing_reversal.user_id })
    .from(billing_reversal)
    .where(isNull(billing_reversal.done_at))
    .limit(BATCH);
  return [...new Set([...owed, ...due].map(({ user_id }) => user_id))];
}
