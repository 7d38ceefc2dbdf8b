import type { StandingOverTime } from './member-figures.ts';

/** Why a member may leave, the most urgent first. docs/rules/members.md, "Members at risk". */
export const RISK_KINDS = ['payment', 'absent', 'not_mine', 'unused'] as const;
export type RiskKind = (typeof RISK_KINDS)[number];

/** How likely a member is to leave, the most likely first. */
export const RISK_LEVELS = ['high', 'medium', 'low'] as const;
export type RiskLevel = (typeof RISK_LEVELS)[number];

export const MAX_PERSONAL_EMAIL_SUBJECT = 120;
export const MAX_PERSONAL_EMAIL_LENGTH = 2000;

/** Days before the club sends the same member another email. */
const PERSONAL_EMAIL_REST_DAYS = 30;
/** The last days of a period, in which unused glasses matter. */
export const UNUSED_DAYS = 7;
/** Days after which a verdict no longer counts. */
export const VERDICT_DAYS = 90;
/** Consecutive verdicts 'not mine' that make a risk. */
export const VERDICTS_IN_A_ROW = 2;
export const NOT_SEEN_DAYS = 21;
/** The days over which a member's usual visits are counted, ending with the last visit. */
export const USUAL_GAP_DAYS = 365;
/** A member away three times as long as usual has changed a habit. */
const TIMES_LONGER = 3;
const LONG_DAYS = 60;

export interface RiskFacts {
  standing: StandingOverTime;
  /** Days since the last visit, or since joining if there was none. */
  days_away: number;
  /** Days with a visit, of the USUAL_GAP_DAYS that end with the last one. */
  visits: number;
  /** The usual number of days between two visits; null with fewer than three visits. */
  usual_gap: number | null;
  /** The last verdicts of VERDICT_DAYS, newest first. */
  verdicts: string[];
  /** Glasses of the current period; null if they are not counted. */
  glasses: { left: number; given: number; ends_in_days: number } | null;
}

export interface Risk {
  kind: RiskKind;
  level: RiskLevel;
  text: string;
}

/** A member's risks, the most urgent kind first, each with its figures in words; none for most members. */
export function risksOf(facts: RiskFacts): Risk[] {
  const { standing, verdicts, glasses } = facts;
  const latest = verdicts.slice(0, VERDICTS_IN_A_ROW);
  const risks: Record<RiskKind, Omit<Risk, 'kind'> | false | null> = {
    payment: standing === 'overdue' && { level: 'high', text: 'A payment is overdue' },
    absent: absence(facts),
    not_mine: latest.length === VERDICTS_IN_A_ROW &&
      latest.every((verdict) => verdict === 'not_mine') && {
        level: 'medium',
        text: `Rated the last ${VERDICTS_IN_A_ROW} wines “Not mine”`,
      },
    unused: glasses && unusedGlasses(glasses),
  };
  return RISK_KINDS.flatMap((kind) => (risks[kind] ? [{ kind, ...risks[kind] }] : []));
}

export const levelOf = (risks: readonly Risk[]): RiskLevel =>
  RISK_LEVELS.find((level) => risks.some((it) => it.level === level)) ?? 'low';

/**
 * For sorting, the most likely to leave first: by level, then the most urgent reason, the number of reasons, and the days
 * away.
 */
export function compareRisks(
  a: { risks: Risk[]; days_away: number },
  b: { risks: Risk[]; days_away: number },
): number {
  const level = (risks: Risk[]) => RISK_LEVELS.indexOf(levelOf(risks));
  const urgency = (risks: Risk[]) => RISK_KINDS.indexOf(risks[0]?.kind ?? 'unused');
  return (
    level(a.risks) - level(b.risks) ||
    urgency(a.risks) - urgency(b.risks) ||
    b.risks.length - a.risks.length ||
    b.days_away - a.days_away
  );
}

/** The risk of a member who has at least half of the period's glasses left, with UNUSED_DAYS or less to go; else null. */
function unusedGlasses({ left, given, ends_in_days }: NonNullable<RiskFacts['glasses']>) {
  if (ends_in_days > UNUSED_DAYS || left === 0 || left * 2 < given) return null;
  const days = ends_in_days <= 1 ? '1 day' : `${ends_in_days} days`;
  return { level: 'medium', text: `${left} of ${given} pours left, with ${days} to go` } as const;
}

/** The risk of a member who stays away; an overdue payment is a reason of its own. */
function absence({ standing, days_away, visits, usual_gap }: RiskFacts): Omit<Risk, 'kind'> | null {
  if (days_away < NOT_SEEN_DAYS) return null;
  const level = days_away >= LONG_DAYS ? 'high' : 'medium';
  const lastSeen =
    visits === 0 ? `no visit recorded in ${days_away} days` : `last here ${days_away} days ago`;
  const risk = (level: RiskLevel, reason?: string) => ({
    level,
    text: reason ? `${reason}, ${lastSeen}` : `${lastSeen.charAt(0).toUpperCase()}${lastSeen.slice(1)}`,
  });
  if (standing === 'ending') return risk('high', 'Canceled, and the membership is running out');
  if (standing === 'overdue') return risk('high');
  if (visits === 0) return risk(level);
  if (usual_gap !== null && days_away >= TIMES_LONGER * usual_gap) {
    return risk(level, `Used to come every ${usual_gap === 1 ? 'day' : `${usual_gap} days`}`);
  }
  if (level === 'high') return risk('high', 'Two months without a visit');
  return risk('low', usual_gap === null ? 'Too few visits to tell' : 'Often stays away this long');
}

export const RISK_ACTS: Record<RiskKind, string> = {
  payment: 'Ask them to check their payment',
  absent: 'Invite them back',
  not_mine: 'Offer to choose their next glass with them',
  unused: 'Remind them of their pours',
};

/** The suggested text of a personal email, for staff to read and change. Empty lines separate the paragraphs of `text`. */
export function personalEmailDraft(kind: RiskKind, clubName: string): { subject: string; text: string } {
  const close = 'See you soon.';
  const words: Record<RiskKind, { subject: string; text: string }> = {
    payment: {
      subject: 'Your last payment didn’t go through',
      text: 'Your last payment didn’t go through. You can change your card on your account page.\n\nIf something’s wrong, reply to this email, and we’ll sort it out together.',
    },
    absent: {
      subject: 'It’s been a while',
      text: `We’ve missed you at ${clubName}.\n\nYour glasses are waiting. Let us know when you’re coming, and we’ll save you a seat.\n\n${close}`,
    },
    not_mine: {
      subject: 'Let’s choose the next one together',
      text: `Thank you for telling us the last two wines weren’t for you.\n\nNext time you’re in, let’s choose together. We’d love to find one you like.\n\n${close}`,
    },
    unused: {
      subject: 'You have pours left this month',
      text: `You still have pours left this month.\n\nCome by and enjoy them before the month is over.\n\n${close}`,
    },
  };
  return words[kind];
}

export const PERSONAL_EMAIL_OBSTACLES = ['not_at_risk', 'not_agreed', 'opted_out', 'too_soon'] as const;
export const PERSONAL_EMAIL_PLACES = ['dashboard', 'account'] as const;
/** Where an answer comes from; `email` is the link in a personal email, which turns them off. */
export const PERSONAL_EMAIL_SOURCES = [...PERSONAL_EMAIL_PLACES, 'email'] as const;
export type PersonalEmailObstacle = (typeof PERSONAL_EMAIL_OBSTACLES)[number];

/** The reason staff may not email a member now; null if they may. */
export function personalEmailObstacle(
  /** `wanted`: the member's answer; null before they gave one. */
  facts: { at_risk: boolean; wanted: boolean | null; last_email: Date | null },
  now: Date,
): PersonalEmailObstacle | null {
  if (!facts.at_risk) return 'not_at_risk';
  if (facts.wanted === null) return 'not_agreed';
  if (!facts.wanted) return 'opted_out';
  const isRested =
    !facts.last_email || now.getTime() - facts.last_email.getTime() >= PERSONAL_EMAIL_REST_DAYS * 86_400_000;
  return isRested ? null : 'too_soon';
}
