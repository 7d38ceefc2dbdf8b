import { atHour, localDate } from '../calendar.ts';

/** How long before the reset a member is told about glasses left. */
export const GLASSES_REMINDER_DAYS = 3;

const HOUR_MS = 3_600_000;
const MORNING = 9;
const EVENING = 21;

/** Why a device shows something. */
type PushReason = 'payment_failed' | 'glasses_left';

/** What a device shows, and the page of ours that a tap opens. */
export interface PushMessage {
  /** A later one with the same tag takes its place. */
  tag: PushReason;
  title: string;
  body: string;
  /** A path of the web app. */
  path: string;
}

/**
 * What anyone can read on a locked screen: that the club has something to say, and no amount, number or name.
 * `resets_on` is the day as the member reads it.
 */
export function glassesLeftMessage(club: string, resets_on: string): PushMessage {
  return {
    tag: 'glasses_left',
    title: club,
    body: `You have glasses left this month. They reset on ${resets_on}.`,
    path: '/dashboard',
  };
}

/** The same for a payment that failed. */
export function paymentFailedMessage(club: string): PushMessage {
  return {
    tag: 'payment_failed',
    title: club,
    body: 'Please check the payment method of your membership.',
    path: '/account',
  };
}

/** Now, or the next morning at nine if it is night at the venue: no phone rings at night. */
export function nextDaytime(now: Date, timeZone: string): Date {
  const today = localDate(now, timeZone);
  const morning = atHour(today, MORNING, timeZone);
  const evening = atHour(today, EVENING, timeZone);
  if (now < morning) return morning;
  if (now < evening) return now;
  const tomorrow = localDate(new Date(evening.getTime() + 12 * HOUR_MS), timeZone);
  return atHour(tomorrow, MORNING, timeZone);
}
