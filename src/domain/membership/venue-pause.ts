import { addMonths, type LocalDate, monthsSince } from '../calendar.ts';
import { duesUntil } from './dues.ts';
import { type PauseMonths, type PauseObstacle, pauseMonthsLeft } from './pause.ts';

// A pause of a membership that is billed at the venue: docs/rules/dues.md, "Pausing". Days are the venue's.

/** A pause that is planned or has begun: its first day, and the day on which the membership continues. */
export interface VenuePause {
  from: LocalDate;
  until: LocalDate;
}

export interface VenuePauseFacts {
  start_date: LocalDate;
  paid_until: LocalDate | null;
  ends_on: LocalDate | null;
  /** The coming or running pause; null without one. */
  pause: VenuePause | null;
  /** Another tier begins with the next unpaid day. */
  pending_tier: string | null;
}

/** The first moment of a day in UTC: months of pause are counted on days alone. */
export const dayInUtc = (day: LocalDate): Date => new Date(`${day}T00:00:00Z`);

/** A pause of so many months: from the membership's next month on. */
export const venuePauseSpan = (start: LocalDate, today: LocalDate, months: number): VenuePause => ({
  from: duesUntil(start, today, 1),
  until: duesUntil(start, today, 1 + months),
});

/** How many months of a membership a pause has. */
export const monthsOfPause = (start: LocalDate, { from, until }: VenuePause): number =>
  monthsSince(start, until) - monthsSince(start, from);

/** The first start of a month from which a member can pause again, if at most `limit` of any twelve are skipped. */
export function venuePauseAgainOn(
  skipped: Date[],
  start: LocalDate,
  today: LocalDate,
  limit: number,
): LocalDate {
  for (let months = 1; ; months++) {
    const day = duesUntil(start, today, months);
    if (pauseMonthsLeft(skipped, dayInUtc(day), limit) > 0) return day;
  }
}

/** Why a membership at the venue cannot be paused now for so long; null if it can. `months_left`: as for pauseObstacle. */
export function venuePauseObstacle(
  { paid_until, ends_on, pause, pending_tier }: VenuePauseFacts,
  today: LocalDate,
  months_left: number,
  months: PauseMonths = 1,
): PauseObstacle | null {
  if (paid_until === null) return 'not_offered';
  if (pause) return 'paused';
  if (ends_on !== null) return 'ending';
  if (today >= paid_until) return 'payment_open';
  if (pending_tier !== null) return 'change_pending';
  return months > months_left ? 'too_soon' : null;
}

/** Why a pause cannot be extended by a month; null if it can. `longest` is the most months that it may have. */
export function venueExtensionObstacle(
  { start_date, ends_on }: VenuePauseFacts,
  pause: VenuePause,
  { longest, months_left }: { longest: number; months_left: number },
): PauseObstacle | null {
  const months = monthsOfPause(start_date, pause) + 1;
  if (ends_on !== null) return 'ending';
  if (months > longest) return 'not_offered';
  return months > months_left ? 'too_soon' : null;
}

/** The end of a pause that is extended by a month. */
export const venueExtendedUntil = (start: LocalDate, { until }: VenuePause): LocalDate =>
  addMonths(start, monthsSince(start, until) + 1);

/** The end of a pause from which the member comes back: with the running month, or none if it has not begun. */
export const venueReturn = (start: LocalDate, { from }: VenuePause, today: LocalDate): LocalDate =>
  today < from ? from : addMonths(start, monthsSince(start, today));
