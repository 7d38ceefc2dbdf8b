import { and, eq, inArray, isNotNull, lte, or } from 'drizzle-orm';
import {
  type DueReminder,
  dueReminders,
  ENDING_REMINDER_DAYS,
  reminderSettings,
} from '../../../domain/reminders.ts';
import type { Db, Tx } from '../../db/client.ts';
import { billing_subscription, memberships, outbox_email, price_move } from '../../db/schema.ts';
import type { BillingContext, BillingNotice } from '../billing-context.ts';
import type { StoredSubscription } from '../sync/local-state.ts';

export interface ReminderReport {
  sent: number;
  /** Left for the next run. */
  failures: number;
}

/**
 * Sends each reminder that is due, once: its cause names the renewal or the year. Stripe is asked first, so that nobody
 * is reminded of a renewal that was canceled there. One failure does not stop the others.
 */
export async function sendReminders(ctx: BillingContext): Promise<ReminderReport> {
  const report: ReminderReport = { sent: 0, failures: 0 };
  for (const user_id of await usersToRemind(ctx)) {
    try {
      await ctx.reconcile(user_id);
      report.sent += await remind(ctx, user_id);
    } catch (error) {
      report.failures += 1;
      ctx.log.error({ err: error, user_id }, 'Reminder failed; the next run retries it');
    }
  }
  return report;
}

/** Subscriptions that are somebody's membership and not over. */
const memberSubscriptions = (db: Db | Tx) =>
  db
    .select({ subscription: billing_subscription })
    .from(billing_subscription)
    .innerJoin(
      memberships,
      and(
        eq(memberships.stripe_subscription_id, billing_subscription.stripe_subscription_id),
        eq(memberships.status, 'active'),
      ),
    );

async function usersToRemind({ db, rules, now }: BillingContext): Promise<string[]> {
  const reminders = reminderSettings(rules());
  const rows = await memberSubscriptions(db).where(
    and(
      inArray(billing_subscription.status, ['active', 'trialing']),
      // Where the venue sends no others, only those that end, and pauses, are looked at.
      reminders.renewalDays > 0 || reminders.annual
        ? undefined
        : or(endsSoon(now()), isNotNull(billing_subscription.paused_from)),
    ),
  );
  const due = rows.flatMap(({ subscription }) =>
    dueReminders(subscription, reminders, now()).map((it) => toNotice(subscription, it)),
  );
  const sent = await causesSent(db, due);
  return [...new Set(due.filter(({ cause }) => !sent.has(cause)).map(({ user_id }) => user_id))];
}

function endsSoon(at: Date) {
  const { cancel_at, cancel_at_period_end, current_period_end } = billing_subscription;
  const soon = new Date(at.getTime() + ENDING_REMINDER_DAYS * 86_400_000);
  return or(lte(cancel_at, soon), and(cancel_at_period_end, lte(current_period_end, soon)));
}

async function causesSent(db: Db | Tx, notices: BillingNotice[]): Promise<Set<string>> {
  if (notices.length === 0) return new Set();
  const rows = await db
    .select({ cause: outbox_email.cause })
    .from(outbox_email)
    .where(
      inArray(
        outbox_email.cause,
        notices.map(({ cause }) => cause),
      ),
    );
  return new Set(rows.map(({ cause }) => cause));
}

/** Stores what is still due after the reconciliation. Returns how many emails that is. */
async function remind(ctx: BillingContext, userId: string): Promise<number> {
  const posted = await ctx.db.transaction(async (tx) => {
    // Locked, so that a reconciliation that learns of a cancellation waits, and its email comes second.
    const rows = await memberSubscriptions(tx)
      .where(eq(billing_subscription.user_id, userId))
      .for('update', { of: billing_subscription });
    const [move] = await tx
      .select()
      .from(price_move)
      .where(and(eq(price_move.user_id, userId), eq(price_move.status, 'scheduled')));
    const due = rows.flatMap(({ subscription }) =>
      dueReminders(subscription, reminderSettings(ctx.rules()), ctx.now()).map((it) =>
        toNotice(subscription, it, move),
      ),
    );
    const sent = await causesSent(tx, due);
    const notices = due.filter(({ cause }) => !sent.has(cause));
    for (const notice of notices) await ctx.post?.(tx, notice);
    return notices;
  });
  for (const notice of posted) ctx.notify?.(notice);
  return posted.length;
}

/** `move`: what Stripe moves the subscription to with its next renewal. */
function toNotice(
  row: StoredSubscription,
  due: DueReminder,
  move?: typeof price_move.$inferSelect,
): BillingNotice {
  const { user_id, stripe_subscription_id: id, current_period_end, currency, tax_behavior } = row;
  if (due.type === 'annual_notice') {
    return {
      type: 'annual_notice',
      cause: `annual-notice:${id}:${due.years}`,
      user_id,
      tier: row.tier,
      amount_cents: row.amount_cents,
      currency,
      tax_behavior,
      since: row.created_at,
      next_billing: current_period_end,
    };
  }
  if (due.type === 'ending_reminder') {
    const { ends_at } = due;
    return {
      type: 'ending_reminder',
      cause: `ending-reminder:${id}:${ends_at.getTime()}`,
      user_id,
      tier: row.tier,
      ends_at,
    };
  }
  if (due.type === 'return_reminder') {
    return {
      type: 'return_reminder',
      cause: `return-reminder:${id}:${due.returns_at.getTime()}`,
      user_id,
      tier: row.tier,
      amount_cents: row.amount_cents,
      currency,
      tax_behavior,
      returns_at: due.returns_at,
    };
  }
  return {
    type: 'renewal_reminder',
    cause: `renewal-reminder:${id}:${due.renews_at.getTime()}`,
    user_id,
    // What is scheduled for the end of the period is what renews.
    tier: move?.to_tier ?? row.pending_tier ?? row.tier,
    amount_cents: move
      ? move.to_amount_cents + row.add_ons_cents
      : (row.pending_amount_cents ?? row.amount_cents),
    currency,
    tax_behavior,
    renews_at: due.renews_at,
  };
}
