import { type LocalDate, localDate, startOfDay } from '../calendar.ts';
import { venuePeriod } from '../glasses.ts';

/** When staff end a membership: at the end of the paid period, or at once. */
export const END_TIMES = ['period_end', 'now'] as const;
export type EndTime = (typeof END_TIMES)[number];

/**
 * Why staff cannot end or keep a membership. no_membership: there is none. ending: an end is already set. overdue: a
 * payment is due, so there is no paid period, and the membership can only end now. by_member: the member canceled, and only
 * they can undo it. not_ending: there is no end to take back.
 */
export const END_OBSTACLES = ['no_membership', 'ending', 'overdue', 'by_member', 'not_ending'] as const;
export type EndObstacle = (typeof END_OBSTACLES)[number];

export interface EndFacts {
  /** An end with the period is set. A later one at Stripe can be replaced by it. */
  is_ending: boolean;
  /** A payment is due, by card or at the venue. */
  overdue: boolean;
}

/** The reason why staff cannot end a membership then; null if they can. `facts` is null without a membership. */
export function endObstacle(facts: EndFacts | null, time: EndTime): EndObstacle | null {
  if (!facts) return 'no_membership';
  if (time === 'now') return null;
  if (facts.overdue) return 'overdue';
  return facts.is_ending ? 'ending' : null;
}

/**
 * When a membership at the venue ends if the member or staff cancel: with its last paid day, or with the running month if
 * dues are not counted. overdue: that day is over, so it ends now.
 */
export function venueEndIfCanceled(
  { start_date, paid_until }: { start_date: LocalDate; paid_until: LocalDate | null },
  now: Date,
  timeZone: string,
): { at: Date; overdue: boolean } {
  if (paid_until === null) return { at: venuePeriod(start_date, now, timeZone).end, overdue: false };
  return { at: startOfDay(paid_until, timeZone), overdue: paid_until <= localDate(now, timeZone) };
}
