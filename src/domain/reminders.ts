import { monthsSince } from './calendar.ts';
import { type SubscriptionState, standingOf } from './standing.ts';

/** Which reminders the venue sends. docs/rules.md, "Reminders". */
export interface ReminderSettings {
  /** How many days before a renewal; 0 for none. */
  renewalDays: number;
  /** Once a year: what the member pays, how often, and how to cancel. */
  annual: boolean;
}

export interface RemindedSubscription extends SubscriptionState {
  created_at: Date;
}

export type DueReminder =
  | { type: 'renewal_reminder'; renews_at: Date }
  /** After that many full years. */
  | { type: 'annual_notice'; years: number };

const DAY_MS = 86_400_000;
const utcDay = (instant: Date) => instant.toISOString().slice(0, 10);

/** The reminders of a subscription that are due now; none for one that will not renew, or whose payment failed. */
export function dueReminders(
  subscription: RemindedSubscription,
  { renewalDays, annual }: ReminderSettings,
  now: Date,
): DueReminder[] {
  if (standingOf(subscription, now) !== 'active') return [];
  const { created_at, current_period_end: renews_at } = subscription;
  const left = renews_at.getTime() - now.getTime();
  const years = Math.floor(monthsSince(utcDay(created_at), utcDay(now)) / 12);
  return [
    ...(left > 0 && left <= renewalDays * DAY_MS ? [{ type: 'renewal_reminder' as const, renews_at }] : []),
    ...(annual && years >= 1 ? [{ type: 'annual_notice' as const, years }] : []),
  ];
}
