import { type NotSeen, notSeenRisk } from './not-seen.ts';

/** Why a member may leave, the most urgent first. docs/rules/members.md, "Members at risk". */
export const RISK_KINDS = ['payment', 'absent', 'not_mine', 'unused'] as const;
export type RiskKind = (typeof RISK_KINDS)[number];

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

export interface RiskFacts {
  overdue: boolean;
  /** Null for a recent visitor. */
  not_seen: NotSeen | null;
  /** The last verdicts of VERDICT_DAYS, newest first. */
  verdicts: string[];
  /** Glasses of the current period. */
  glasses: { left: number; given: number; ends_in_days: number };
}

export interface Risk {
  kind: RiskKind;
  text: string;
}

/** The risks of a member leaving, the most urgent first; usually none. `unused`: hasUnusedGlasses() of the period. */
export function riskKinds({
  overdue,
  not_seen,
  verdicts,
  unused,
}: Omit<RiskFacts, 'glasses'> & { unused: boolean }): RiskKind[] {
  const away = not_seen && notSeenRisk(not_seen);
  const disliked = verdicts.slice(0, VERDICTS_IN_A_ROW);
  const found: Record<RiskKind, boolean> = {
    payment: overdue,
    absent: away !== null && away.risk !== 'low',
    not_mine: disliked.length === VERDICTS_IN_A_ROW && disliked.every((verdict) => verdict === 'not_mine'),
    unused,
  };
  return RISK_KINDS.filter((kind) => found[kind]);
}

/** At least half of the period's glasses are left, and it ends within UNUSED_DAYS. */
const hasUnusedGlasses = ({ left, given, ends_in_days }: RiskFacts['glasses']): boolean =>
  ends_in_days <= UNUSED_DAYS && left > 0 && left * 2 >= given;

/** A member's risks, each with its figures in words. */
export function risksOf(facts: RiskFacts): Risk[] {
  const { not_seen, glasses } = facts;
  const { left, given, ends_in_days } = glasses;
  const texts: Record<RiskKind, () => string> = {
    payment: () => 'A payment is overdue',
    absent: () => (not_seen ? notSeenText(not_seen, notSeenRisk(not_seen)?.why ?? '') : ''),
    not_mine: () => `Rated the last ${VERDICTS_IN_A_ROW} wines “Not mine”`,
    unused: () => `${left} of ${given} pours left, with ${daysText(ends_in_days)} to go`,
  };
  return riskKinds({ ...facts, unused: hasUnusedGlasses(glasses) }).map((kind) => ({
    kind,
    text: texts[kind](),
  }));
}

const daysText = (days: number) => (days <= 1 ? '1 day' : `${days} days`);

/** An overdue payment is a separate reason. */
const notSeenText = ({ days_away, visits, standing }: NotSeen, why: string): string => {
  if (visits === 0) return `No visit recorded in ${days_away} days`;
  const since = `last here ${days_away} days ago`;
  return standing === 'overdue' ? `${since.charAt(0).toUpperCase()}${since.slice(1)}` : `${why}, ${since}`;
};

/** The suggested action for each risk. */
export const RISK_ACTS: Record<RiskKind, string> = {
  payment: 'Ask them to check their payment',
  absent: 'Invite them back',
  not_mine: 'Offer to choose their next glass with them',
  unused: 'Remind them of their pours',
};

/** The suggested text of a personal email, for staff to read and change. `text`: paragraphs with an empty line between them. */
export function personalEmailDraft(kind: RiskKind, clubName: string): { subject: string; text: string } {
  const close = 'See you soon.';
  const words: Record<RiskKind, { subject: string; text: string }> = {
    payment: {
      subject: "Your last payment didn't go through",
      text: "Your last payment didn't go through. You can change your card on your account page.\n\nIf something's wrong, reply to this email, and we'll sort it out together.",
    },
    absent: {
      subject: "It's been a while",
      text: `We've missed you at ${clubName}.\n\nYour glasses are waiting. Let us know when you're coming, and we'll save you a seat.\n\n${close}`,
    },
    not_mine: {
      subject: "Let's choose the next one together",
      text: `Thank you for telling us the last two wines weren't for you.\n\nNext time you're in, let's choose together. We'd love to find one you like.\n\n${close}`,
    },
    unused: {
      subject: 'You have pours left this month',
      text: `You still have pours left this month.\n\nCome by and enjoy them before the month is over.\n\n${close}`,
    },
  };
  return words[kind];
}

/** Why the club does not email a member. */
export const PERSONAL_EMAIL_OBSTACLES = ['not_at_risk', 'opted_out', 'too_soon'] as const;
export type PersonalEmailObstacle = (typeof PERSONAL_EMAIL_OBSTACLES)[number];

/** The reason staff may not email a member now; null if they may. */
export function personalEmailObstacle(
  facts: { at_risk: boolean; opted_out: boolean; last_letter: Date | null },
  now: Date,
): PersonalEmailObstacle | null {
  if (!facts.at_risk) return 'not_at_risk';
  if (facts.opted_out) return 'opted_out';
  const rested =
    !facts.last_letter ||
    now.getTime() - facts.last_letter.getTime() >= PERSONAL_EMAIL_REST_DAYS * 86_400_000;
  return rested ? null : 'too_soon';
}
