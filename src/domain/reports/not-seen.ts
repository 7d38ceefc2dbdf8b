import type { StandingOverTime } from './member-figures.ts';

/** Days without a visit from which a member is listed. */
export const NOT_SEEN_DAYS = 21;
/** The days over which a member's usual visits are counted, ending with the last visit. */
export const USUAL_GAP_DAYS = 365;
/** A member away three times as long as usual has changed a habit. */
const TIMES_LONGER = 3;
const LONG_DAYS = 60;

export const NOT_SEEN_RISKS = ['low', 'medium', 'high'] as const;
export type NotSeenRisk = (typeof NOT_SEEN_RISKS)[number];

export interface NotSeen {
  /** Days since the last visit, or since joining if there was none. */
  days_away: number;
  /** The usual number of days between two visits; null with fewer than three visits. */
  usual_gap: number | null;
  /** Days with a visit, of the USUAL_GAP_DAYS that end with the last one. */
  visits: number;
  standing: StandingOverTime;
}

/**
 * How likely an absent member is to leave, with the reason in words; null if they were here less than
 * NOT_SEEN_DAYS ago. docs/rules/reports.md, "Reports: members not seen".
 */
export function notSeenRisk(not_seen: NotSeen): { risk: NotSeenRisk; why: string } | null {
  const { days_away, usual_gap, visits, standing } = not_seen;
  if (days_away < NOT_SEEN_DAYS) return null;
  if (standing === 'ending') return { risk: 'high', why: 'Canceled, and the membership is running out' };
  if (standing === 'overdue') return { risk: 'high', why: 'A payment is overdue' };
  if (visits === 0) return { risk: days_away >= LONG_DAYS ? 'high' : 'medium', why: 'No visit recorded' };
  if (usual_gap !== null && days_away >= TIMES_LONGER * usual_gap) {
    const habit = `Used to come every ${usual_gap === 1 ? 'day' : `${usual_gap} days`}`;
    return { risk: days_away >= LONG_DAYS ? 'high' : 'medium', why: habit };
  }
  if (days_away >= LONG_DAYS) return { risk: 'high', why: 'Two months without a visit' };
  return {
    risk: 'low',
    why: usual_gap === null ? 'Too few visits to tell' : 'Often stays away this long',
  };
}
