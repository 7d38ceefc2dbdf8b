import { type LocalDate, localDate } from './calendar.ts';

/** Stripe's subscription statuses (API 2026-10-28). Any other counts as unknown. */
export const SUBSCRIPTION_STATUSES = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'paused',
  'incomplete',
  'canceled',
  'incomplete_expired',
] as const;

/**
 * active: paid. ending: paid, will not renew. grace: a renewal failed, access continues for a while. paused: a member
 * without access and without charge, until a day. suspended: no access until paid. ended: over for good. unknown: a status
 * we do not know.
 */
export const STANDINGS = ['active', 'ending', 'grace', 'paused', 'suspended', 'ended', 'unknown'] as const;
export type Standing = (typeof STANDINGS)[number];

/** Days of access after a failed renewal by default (docs/rules/billing.md, "Billing: standing"). */
export const GRACE_DAYS = 7;
/** Days past its period for which our copy of an active subscription is trusted. */
const TRUSTED_DAYS = 7;
const DAY_MS = 86_400_000;

export interface SubscriptionState {
  status: string;
  cancel_at_period_end: boolean;
  current_period_end: Date;
  /** The permanent end of the subscription, once decided; not always the end of the period. */
  cancel_at?: Date | null;
  /** The end of access after a failed renewal; null if none failed. */
  grace_until: Date | null;
  /** The start and end of a pause (pausedSpan in membership/pause.ts). Null for no pause; a null end is open. */
  paused_from?: Date | null;
  paused_until?: Date | null;
}

/** The end of a subscription that will not renew; null if it renews. */
export function endsAt(
  state: Pick<SubscriptionState, 'cancel_at' | 'cancel_at_period_end' | 'current_period_end'>,
): Date | null {
  if (state.cancel_at) return state.cancel_at;
  return state.cancel_at_period_end ? state.current_period_end : null;
}

/**
 * Whether a subscription ends with its period, so that no further month is charged. One that ends on a later day renews
 * until then.
 */
export function endsWithPeriod(
  state: Pick<SubscriptionState, 'cancel_at' | 'cancel_at_period_end' | 'current_period_end'>,
): boolean {
  const end = endsAt(state);
  return end !== null && end <= state.current_period_end;
}

/** Whether a membership is paused at an instant, regardless of other problems. */
export function isPausedAt(
  { paused_from, paused_until }: Pick<SubscriptionState, 'paused_from' | 'paused_until'>,
  now: Date,
): boolean {
  return Boolean(paused_from && now >= paused_from && (!paused_until || now < paused_until));
}

/** The standing of a subscription at an instant (docs/rules/billing.md, "Billing: standing"). */
export function standingOf(state: SubscriptionState, now: Date): Standing {
  switch (state.status) {
    case 'active':
    case 'trialing': {
      const end = endsAt(state);
      if (end && now >= end) return 'ended';
      if (isPausedAt(state, now)) return 'paused';
      return end ? 'ending' : 'active';
    }
    case 'past_due':
      return state.grace_until && now < state.grace_until ? 'grace' : 'suspended';
    case 'unpaid':
    case 'paused':
    case 'incomplete':
      return 'suspended';
    case 'canceled':
    case 'incomplete_expired':
      return 'ended';
    default:
      return 'unknown';
  }
}

export function grantsAccess(standing: Standing): boolean {
  return standing === 'active' || standing === 'ending' || standing === 'grace';
}

/** Whether a standing makes the user a member: with access, or paused. */
export function isMembership(standing: Standing): boolean {
  return grantsAccess(standing) || standing === 'paused';
}

/** The end of grace: set by the first failure, not extended by later ones, cleared by recovery. */
export function graceUntil(
  status: string,
  previous: Date | null,
  now: Date,
  graceDays: number = GRACE_DAYS,
): Date | null {
  if (status !== 'past_due') return null;
  return previous ?? new Date(now.getTime() + graceDays * DAY_MS);
}

/**
 * The time until which our copy of a subscription allows pours; null for no access. An active one is trusted for 7 days
 * past its period, so that a late webhook refuses no paying member, but a lost one does not give access forever. Never
 * extends into a pause.
 */
export function accessUntil(state: SubscriptionState, now: Date): Date | null {
  const standing = standingOf(state, now);
  const trustEnd = new Date(state.current_period_end.getTime() + TRUSTED_DAYS * DAY_MS);
  const { paused_from } = state;
  const trustedUntil = paused_from && paused_from > now && paused_from < trustEnd ? paused_from : trustEnd;
  if (standing === 'grace') return state.grace_until;
  if (standing === 'active') return trustedUntil;
  if (standing !== 'ending') return null;
  const end = endsAt(state) ?? state.current_period_end;
  return end < trustedUntil ? end : trustedUntil;
}

const ENDED = new Set(['canceled', 'incomplete_expired']);

/** Whether a fetched status may replace the stored one: an ended subscription never becomes active again. */
export function canReplaceStatus(current: string, next: string): boolean {
  return !ENDED.has(current) || ENDED.has(next);
}

export function isEnded(status: string): boolean {
  return ENDED.has(status);
}

/**
 * The standing shown to staff, with or without access (docs/rules/card.md, "At the bar"). venue: billed at the venue.
 * inactive: no membership, nor an ended card membership.
 */
export type BarStanding = 'venue' | 'inactive' | Standing;

export interface BarFacts {
  /** The customer's status is active. */
  active: boolean;
  /** The subscription that pays for the membership, or paid for the last one; null when billed at the venue. */
  subscription: SubscriptionState | null;
  ended_on: LocalDate | null;
  /** The pause of a membership at the venue. */
  pause?: Pick<SubscriptionState, 'paused_from' | 'paused_until'> | undefined;
}

/** When access ended for a membership that our copy still counts as one; null with access, or if unknown. */
function accessLostAt(state: SubscriptionState, now: Date): Date | null {
  const standing = standingOf(state, now);
  if (standing === 'ended') return endsAt(state);
  if (standing === 'paused') return state.paused_from ?? null;
  return standing === 'suspended' ? state.grace_until : null;
}

/** The standing shown to staff, and the day, at the venue, on which access ended; null with access, or if unknown. */
export function barStanding(
  { active, subscription, ended_on, pause }: BarFacts,
  now: Date,
  timeZone: string,
): { standing: BarStanding; no_access_since: LocalDate | null } {
  const standing = subscription && standingOf(subscription, now);
  if (!active) {
    // A replaced or refunded subscription may look paid in our copy, but its membership has ended.
    const lost = standing && isMembership(standing) ? 'ended' : standing;
    return { standing: lost ?? 'inactive', no_access_since: ended_on };
  }
  if (!subscription && pause?.paused_from && isPausedAt(pause, now)) {
    return { standing: 'paused', no_access_since: localDate(pause.paused_from, timeZone) };
  }
  const lostAt = subscription && accessLostAt(subscription, now);
  return {
    standing: standing ?? 'venue',
    no_access_since: lostAt && lostAt <= now ? localDate(lostAt, timeZone) : null,
  };
}

export interface PeriodFacts {
  standing: BarStanding;
  period_end: Date;
  /** The end of a membership that will not renew. */
  ends_at: Date | null;
  /** The end of a pause; null without one, and for an open-ended one. */
  paused_until: Date | null;
  /** The additional glasses of this period once its charge is paid. */
  pours_when_paid: number;
  /** When dues at the venue are next to be paid; null if they are not counted. */
  dues_from?: Date | null;
}

/** The time a member has glasses again: with the next period. Null if uncertain or dependent on a payment. */
export function poursReturnAt(facts: PeriodFacts): Date | null {
  const { standing, period_end, ends_at, paused_until, pours_when_paid } = facts;
  if (standing === 'paused') return ends_at ? null : paused_until;
  if (pours_when_paid > 0 || (facts.dues_from && facts.dues_from <= period_end)) return null;
  const goesOn = standing === 'active' || (standing === 'venue' && !ends_at);
  const isLasting = (standing === 'ending' || standing === 'venue') && ends_at && ends_at > period_end;
  return goesOn || isLasting ? period_end : null;
}
