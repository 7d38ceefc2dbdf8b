/**
 * What staff are told about a membership before they pour: docs/rules.md, "At the bar". The member's own pages say the
 * same, from the same dates.
 */

import type { LocalDate } from './calendar.ts';
import { localDate } from './calendar.ts';
import { endsAt, grantsAccess, type Standing, type SubscriptionState, standingOf } from './standing.ts';

/** venue: billed at the venue. inactive: no membership, and none by card that ended. The others: standing.ts. */
export type BarStanding = 'venue' | 'inactive' | Standing;

export interface BarFacts {
  /** The customer's status is active. */
  active: boolean;
  /** The subscription that pays for the membership, or paid for the last one; null when billed at the venue. */
  subscription: SubscriptionState | null;
  /** When the last membership ended, if it did. */
  ended_on: LocalDate | null;
}

/** The standing that staff see, and since which day of the venue there is no access; null while there is, or unknown. */
export function barStanding(
  { active, subscription, ended_on }: BarFacts,
  now: Date,
  timeZone: string,
): { standing: BarStanding; no_access_since: LocalDate | null } {
  const standing = subscription && standingOf(subscription, now);
  if (!active) {
    // A subscription that was replaced or refunded may look paid in our copy; the membership has ended all the same.
    const lost = standing && grantsAccess(standing) ? 'ended' : standing;
    return { standing: lost ?? 'inactive', no_access_since: ended_on };
  }
  const lostAt =
    standing === 'ended' ? endsAtOf(subscription) : standing === 'suspended' && graceOf(subscription);
  return {
    standing: standing ?? 'venue',
    no_access_since: lostAt && lostAt <= now ? localDate(lostAt, timeZone) : null,
  };
}

const endsAtOf = (subscription: SubscriptionState | null) => subscription && endsAt(subscription);
const graceOf = (subscription: SubscriptionState | null) => subscription?.grace_until;

export interface PeriodFacts {
  standing: BarStanding;
  /** When the running period ends. */
  period_end: Date;
  /** When a membership that will not renew ends. */
  ends_at: Date | null;
  /** How many more glasses this period gives once its charge is paid. */
  pours_when_paid: number;
}

/** When a member has glasses again: with the next period. Null where that is not certain, or a payment brings them. */
export function poursReturnAt({ standing, period_end, ends_at, pours_when_paid }: PeriodFacts): Date | null {
  if (pours_when_paid > 0) return null;
  const goesOn = standing === 'venue' || standing === 'active';
  return goesOn || (standing === 'ending' && ends_at && ends_at > period_end) ? period_end : null;
}
