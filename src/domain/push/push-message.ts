import { atHour, localDate } from '../calendar.ts';

/** Days before the reset at which members are reminded of glasses left. */
export const GLASSES_REMINDER_DAYS = 3;

const HOUR_MS = 3_600_000;
const MORNING = 9;
const EVENING = 21;

type PushReason = 'payment_failed' | 'glasses_left';

/** A notification, and the page of ours that a tap opens. */
export interface PushMessage {
  /** A later notification with the same tag replaces this one. */
  tag: PushReason;
  title: string;
  body: string;
  /** A path of the web app. */
  path: string;
}

/** Anyone can read it on a locked screen: no amount, number or name. `resets_on` is a formatted day. */
export function glassesLeftMessage(club: string, resets_on: string): PushMessage {
  return {
    tag: 'glasses_left',
    title: club,
    body: `You have pours left this month. They reset on ${resets_on}.`,
    path: '/dashboard',
  };
}

export function paymentFailedMessage(club: string): PushMessage {
  return {
    tag: 'payment_failed',
    title: club,
    body: 'Please check the payment method for your membership.',
    path: '/account',
  };
}

/** Now, or nine the next morning if it is night at the venue: no phone rings at night. */
export function nextDaytime(now: Date, timeZone: string): Date {
  const today = localDate(now, timeZone);
  const morning = atHour(today, MORNING, timeZone);
  const evening = atHour(today, EVENING, timeZone);
  if (now < morning) return morning;
  if (now < evening) return now;
  const tomorrow = localDate(new Date(evening.getTime() + 12 * HOUR_MS), timeZone);
  return atHour(tomorrow, MORNING, timeZone);
}
