import { monthsSince } from './calendar.ts';
import type { BillingRules } from './club/club-settings.ts';
import { RETURN_REMINDER_DAYS } from './membership/pause.ts';
import { endsAt, endsWithPeriod, type SubscriptionState, standingOf } from './standing.ts';

/** Days before a canceled membership ends at which its member is reminded. */
export const ENDING_REMINDER_DAYS = 5;

/** The reminders that the venue sends. docs/rules/emails.md, "Reminders". */
export interface ReminderSettings {
  /** Days before a renewal; 0 for none. */
  renewalDays: number;
  /** A yearly notice of the price, the interval and how to cancel. */
  annual: boolean;
}

export const reminderSettings = (rules: BillingRules): ReminderSettings => ({
  renewalDays: rules.renewal_reminder_days,
  annual: rules.annual_notice,
});

export interface RemindedSubscription extends SubscriptionState {
  created_at: Date;
  /** The time the end was decided; null while it renews, or if not recorded. */
  canceled_at: Date | null;
}

export type DueReminder =
  | { type: 'renewal_reminder'; renews_at: Date }
  | { type: 'ending_reminder'; ends_at: Date }
  | { type: 'return_reminder'; returns_at: Date }
  /** After that many full years. */
  | { type: 'annual_notice'; years: number };

const DAY_MS = 86_400_000;
const utcDay = (instant: Date) => instant.toISOString().slice(0, 10);

/** The reminders of a subscription that are due now; none after a failed payment. */
export function dueReminders(
  subscription: RemindedSubscription,
  { renewalDays, annual }: ReminderSettings,
  now: Date,
): DueReminder[] {
  const standing = standingOf(subscription, now);
  if (standing === 'paused') return returnReminder(subscription, now);
  if (standing === 'ending') return endingReminder(subscription, now);
  // A member who has just requested a pause knows when it begins, and nothing renews then.
  if (standing !== 'active' || subscription.paused_from) return [];
  const { created_at, current_period_end: renews_at } = subscription;
  const remaining = renews_at.getTime() - now.getTime();
  const years = Math.floor(monthsSince(utcDay(created_at), utcDay(now)) / 12);
  return [
    ...(remaining > 0 && remaining <= renewalDays * DAY_MS
      ? [{ type: 'renewal_reminder' as const, renews_at }]
      : []),
    ...(annual && years >= 1 ? [{ type: 'annual_notice' as const, years }] : []),
  ];
}

/** Only a pause that ends with a charge gets a reminder: not a canceled or an open-ended one. */
function returnReminder(subscription: RemindedSubscription, now: Date): DueReminder[] {
  const { paused_until } = subscription;
  if (!paused_until || endsAt(subscription)) return [];
  const remaining = paused_until.getTime() - now.getTime();
  return remaining <= RETURN_REMINDER_DAYS * DAY_MS
    ? [{ type: 'return_reminder', returns_at: paused_until }]
    : [];
}

/**
 * A member who canceled in the last few days has just read the date in the confirmation. With a charge still to come, the
 * reminder waits for it.
 */
function endingReminder(subscription: RemindedSubscription, now: Date): DueReminder[] {
  const ends_at = endsAt(subscription);
  if (!ends_at || !endsWithPeriod(subscription)) return [];
  const from = new Date(ends_at.getTime() - ENDING_REMINDER_DAYS * DAY_MS);
  const { canceled_at } = subscription;
  const isDue = now >= from && (canceled_at === null || canceled_at < from);
  return isDue ? [{ type: 'ending_reminder', ends_at }] : [];
}
