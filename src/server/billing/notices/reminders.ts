import { pauseSpan } from '../../../domain/membership/pause.ts';
import type { UpcomingCharges } from '../../../domain/membership/upcoming-charges.ts';
import {
  type DueReminder,
  dueReminders,
  ENDING_REMINDER_DAYS,
  reminderSettings,
} from '../../../domain/reminders.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, eq, inArray, isNotNull, lte, or } from '../../db/orm.ts';
import { billing_subscription, deliveries, memberships } from '../../db/schema.ts';
import type { BillingContext, BillingNotice } from '../billing-context.ts';
import { openYear } from '../state/acts.ts';
import { comingCharges, namedCharge, priceChange } from '../state/coming-charges.ts';
import type { StoredSubscription } from '../state/local-state.ts';
import { pausePossibility } from '../state/pause-possibility.ts';

/**
 * Sends each due reminder once: its cause names the renewal, the year or the end. Stripe is asked first, so that no one is
 * reminded of a renewal that was canceled there. `failures` are left for the next run.
 */
export async function sendReminders(ctx: BillingContext): Promise<{ sent: number; failures: number }> {
  const report = { sent: 0, failures: 0 };
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

/** The membership of a subscription, while it lasts. */
export const isItsMembership = and(
  eq(memberships.stripe_subscription_id, billing_subscription.stripe_subscription_id),
  eq(memberships.status, 'active'),
);

/** Subscriptions that are a membership and not over. */
const memberSubscriptions = (db: Db | Tx) =>
  db
    .select({ subscription: billing_subscription })
    .from(billing_subscription)
    .innerJoin(memberships, isItsMembership);

async function usersToRemind({ db, rules, now }: BillingContext): Promise<string[]> {
  const reminders = reminderSettings(rules());
  const rows = await memberSubscriptions(db).where(
    and(
      inArray(billing_subscription.status, ['active', 'trialing']),
      // A venue without other reminders only needs those for ends and pauses.
      reminders.renewalDays > 0 || reminders.annual
        ? undefined
        : or(endsSoon(now()), isNotNull(billing_subscription.paused_from)),
    ),
  );
  const due = rows.flatMap(({ subscription }) => {
    const { user_id, stripe_subscription_id: id } = subscription;
    return dueReminders(subscription, reminders, now()).map((it) => ({ user_id, cause: causeOf(id, it) }));
  });
  const sent = await causesSent(db, due);
  return [...new Set(due.filter(({ cause }) => !sent.has(cause)).map(({ user_id }) => user_id))];
}

function endsSoon(at: Date) {
  const { cancel_at, cancel_at_period_end, current_period_end } = billing_subscription;
  const soon = new Date(at.getTime() + ENDING_REMINDER_DAYS * 86_400_000);
  return or(lte(cancel_at, soon), and(cancel_at_period_end, lte(current_period_end, soon)));
}

async function causesSent(db: Db | Tx, notices: Pick<BillingNotice, 'cause'>[]): Promise<Set<string>> {
  if (notices.length === 0) return new Set();
  const rows = await db
    .select({ cause: deliveries.cause })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.kind, 'email'),
        inArray(
          deliveries.cause,
          notices.map(({ cause }) => cause),
        ),
      ),
    );
  return new Set(rows.map(({ cause }) => cause));
}

/** Stores the reminders still due after the reconciliation. Returns their number. */
async function remind(ctx: BillingContext, userId: string): Promise<number> {
  return ctx.db.transaction(async (tx) => {
    // Locked, so that a reconciliation that finds a cancellation waits, and its email comes second.
    const rows = await memberSubscriptions(tx)
      .where(eq(billing_subscription.user_id, userId))
      .for('update', { of: billing_subscription });
    const due: BillingNotice[] = [];
    const year = await openYear(tx, userId);
    for (const { subscription } of rows) {
      const coming = await comingCharges({ ...ctx, db: tx }, subscription);
      for (const it of dueReminders(subscription, reminderSettings(ctx.rules()), ctx.now())) {
        const notice = toNotice(subscription, it, coming);
        if (notice?.type === 'renewal_reminder') notice.skip_until = await skipUntil(ctx, tx, subscription);
        // A year follows, of which the member has read.
        if (notice && !(year && notice.type === 'ending_reminder')) due.push(notice);
      }
    }
    const sent = await causesSent(tx, due);
    const notices = due.filter(({ cause }) => !sent.has(cause));
    for (const notice of notices) await ctx.post(tx, notice);
    return notices.length;
  });
}

/** The renewal that follows if the member skips the coming one; null if they cannot. */
async function skipUntil(ctx: BillingContext, tx: Tx, row: StoredSubscription): Promise<Date | null> {
  const { obstacle } = await pausePossibility({ ...ctx, db: tx }, row);
  return obstacle ? null : pauseSpan(row, 1).until;
}

/** The notice of a reminder; null for one about a charge that does not come. */
function toNotice(row: StoredSubscription, due: DueReminder, coming: UpcomingCharges): BillingNotice | null {
  const { user_id, stripe_subscription_id: id, currency, tax_behavior } = row;
  if (due.type === 'ending_reminder') {
    const to = { type: due.type, cause: causeOf(id, due), user_id };
    return { ...to, tier: row.tier, ends_at: due.ends_at, last_charge: namedCharge(row, coming.next) };
  }
  if (!coming.next) return null;
  const { at, tier, amount_cents, monthly_cents } = coming.next;
  const charge = {
    cause: causeOf(id, due),
    user_id,
    tier,
    amount_cents,
    monthly_cents,
    currency,
    tax_behavior,
    price_change: priceChange(row, coming, at),
  };
  if (due.type === 'annual_notice') {
    return { ...charge, type: due.type, since: row.created_at, next_billing: at };
  }
  return due.type === 'return_reminder'
    ? { ...charge, type: due.type, returns_at: at }
    : { ...charge, type: due.type, renews_at: at, skip_until: null };
}

/** Names the renewal, the year or the end, so that each brings one reminder. */
function causeOf(id: string, due: DueReminder): string {
  switch (due.type) {
    case 'annual_notice':
      return `annual-notice:${id}:${due.years}`;
    case 'ending_reminder':
      return `ending-reminder:${id}:${due.ends_at.getTime()}`;
    case 'return_reminder':
      return `return-reminder:${id}:${due.returns_at.getTime()}`;
    case 'renewal_reminder':
      return `renewal-reminder:${id}:${due.renews_at.getTime()}`;
  }
}
