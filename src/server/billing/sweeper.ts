import { and, asc, eq, exists, inArray, isNull, lt, lte, notInArray, or } from 'drizzle-orm';
import {
  allowance_period,
  billing_reversal,
  billing_subscription,
  checkout_attempt,
  membership_applications,
  stripe_event,
} from '../db/schema.ts';
import type { BillingContext } from './billing-context.ts';
import { closeAttempt, settleAttempt } from './checkout/checkout-attempts.ts';
import { retryEvent } from './webhook.ts';

/** How many of each were processed; `failures` of them are left for the next sweep. */
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

/** Until then a webhook may still do the work. */
const OVERDUE_AFTER_MS = 5 * MINUTE;

/**
 * Catches up on what no webhook reported and what failed earlier: checkout attempts that were paid or expired,
 * stored events that were not processed, subscriptions due for a check, and open reversals. Safe to run beside
 * another sweep; one item's failure never stops the others.
 */
export async function sweep(ctx: BillingContext): Promise<SweepReport> {
  const report: SweepReport = { attempts: 0, events: 0, members: 0, failures: 0 };
  const each = async <T>(items: T[], count: keyof SweepReport, work: (item: T) => Promise<boolean>) => {
    for (const item of items) {
      report[count] += 1;
      try {
        if (!(await work(item))) report.failures += 1;
      } catch (error) {
        report.failures += 1;
        ctx.log.error({ err: error, kind: count }, 'Sweep failed for an item; the next sweep retries it');
      }
    }
  };

  await each(await attemptsToSettle(ctx), 'attempts', ({ attempt, isPending }) =>
    ctx.runInUserQueue(attempt.user_id, async () => {
      await (isPending ? settleAttempt(ctx, attempt) : closeAttempt(ctx, attempt));
      return true;
    }),
  );
  await each(await eventsToRetry(ctx), 'events', (event) => retryEvent(ctx, event));
  await each(
    await usersToReconcile(ctx),
    'members',
    async (userId) => !(await ctx.reconcile(userId)).hasOpenReversals,
  );
  return report;
}

const ago = ({ now }: BillingContext, ms: number) => new Date(now().getTime() - ms);

async function attemptsToSettle(ctx: BillingContext) {
  const rows = await ctx.db
    .select({ attempt: checkout_attempt, status: membership_applications.status })
    .from(checkout_attempt)
    .innerJoin(membership_applications, eq(membership_applications.id, checkout_attempt.application_id))
    .where(
      and(
        inArray(checkout_attempt.status, ['creating', 'open']),
        lt(checkout_attempt.created_at, ago(ctx, OVERDUE_AFTER_MS)),
      ),
    )
    .orderBy(asc(checkout_attempt.created_at))
    .limit(BATCH);
  return rows.map(({ attempt, status }) => ({ attempt, isPending: status === 'pending' }));
}

function eventsToRetry(ctx: BillingContext) {
  return ctx.db
    .select({ id: stripe_event.id, stripe_customer_id: stripe_event.stripe_customer_id })
    .from(stripe_event)
    .where(and(isNull(stripe_event.processed_at), lt(stripe_event.received_at, ago(ctx, OVERDUE_AFTER_MS))))
    .orderBy(asc(stripe_event.received_at))
    .limit(BATCH);
}

/** The current period of a subscription that gives access, if its charge is not paid yet. */
function unpaidPeriod({ db }: BillingContext) {
  const s = billing_subscription;
  return db
    .select({ id: allowance_period.customer_id })
    .from(allowance_period)
    .where(
      and(
        eq(allowance_period.stripe_subscription_id, s.stripe_subscription_id),
        eq(allowance_period.starts_at, s.current_period_start),
        eq(allowance_period.paid, false),
        inArray(s.status, ['active', 'trialing']),
      ),
    );
}

/**
 * Users with an open reversal, or with a subscription that has reached an instant that matters (end of the
 * period, of grace, of the subscription) since the last check, is not paid, or was not checked for a week. A renewal
 * that waits for its charge is checked hourly, because only then the member gets all of the period's glasses.
 */
async function usersToReconcile(ctx: BillingContext): Promise<string[]> {
  const { db, now } = ctx;
  const s = billing_subscription;
  const passed = (instant: typeof s.grace_until | typeof s.cancel_at | typeof s.current_period_end) =>
    and(lte(instant, now()), lt(s.synced_at, instant));
  const due = await db
    .select({ user_id: s.user_id })
    .from(s)
    .where(
      and(
        notInArray(s.status, ['canceled', 'incomplete_expired']),
        or(
          passed(s.current_period_end),
          passed(s.grace_until),
          passed(s.cancel_at),
          and(lte(s.current_period_end, now()), lt(s.synced_at, ago(ctx, HOUR))),
          and(notInArray(s.status, ['active', 'trialing']), lt(s.synced_at, ago(ctx, DAY))),
          and(exists(unpaidPeriod(ctx)), lt(s.synced_at, ago(ctx, HOUR))),
          lt(s.synced_at, ago(ctx, 7 * DAY)),
        ),
      ),
    )
    .orderBy(asc(s.synced_at))
    .limit(BATCH);
  const openReversals = await db
    .select({ user_id: billing_reversal.user_id })
    .from(billing_reversal)
    .where(isNull(billing_reversal.done_at))
    .limit(BATCH);
  return [...new Set([...openReversals, ...due].map(({ user_id }) => user_id))];
}
