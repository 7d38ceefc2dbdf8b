import { isOverdue } from '../billing.ts';
import type { ActState } from '../billing-act.ts';
import { addMonths } from '../calendar.ts';
import { renewalIn } from '../price-move.ts';
import {
  endsAt,
  grantsAccess,
  isEnded,
  isPausedAt,
  type Standing,
  type SubscriptionState,
} from '../standing.ts';

export const PAUSE_MONTHS = [1, 2, 3] as const;
export type PauseMonths = (typeof PAUSE_MONTHS)[number];
/** The longest pause, in months. */
export const LONGEST_PAUSE: number = Math.max(...PAUSE_MONTHS);
/** The club's limit on a member's months of pause holds for any span of this many months. */
const PAUSE_YEAR_MONTHS = 12;
/** Minutes before the skipped renewal by which a pause must be requested. */
export const PAUSE_LEAD_MINUTES = 60;
/** How many minutes before the next charge Stripe gets the request to resume: an invoice created by then is charged. */
const RESUME_LEAD_MINUTES = 60;
/** Days before the return at which the member is reminded. */
export const RETURN_REMINDER_DAYS = 7;

/**
 * Why a membership cannot be paused now. paused: a pause is current or upcoming. payment_open: a payment is due or under
 * way. ending: it will not renew. change_pending: another tier is scheduled. approval_open: the bank must approve a change
 * of tier. renewing: it renews within the hour. too_soon: the member's months of pause in any twelve are used up.
 * not_offered: the venue lets members pause for fewer months, or not at all.
 */
export const PAUSE_OBSTACLES = [
  'paused',
  'payment_open',
  'ending',
  'change_pending',
  'approval_open',
  'renewing',
  'too_soon',
  'not_offered',
] as const;
export type PauseObstacle = (typeof PAUSE_OBSTACLES)[number];

interface Period {
  status: string;
  current_period_start: Date;
  current_period_end: Date;
}

const MINUTE_MS = 60_000;

/** A pause of this many months: from the end of the paid period to the renewal after the pause. */
export function pauseSpan(period: Period, months: PauseMonths): { from: Date; until: Date } {
  return { from: period.current_period_end, until: renewalIn(months, period) };
}

/** The time at which Stripe resumes collecting, so that the renewal at `until` is charged and none before it. */
export const resumesAt = (until: Date): Date => new Date(until.getTime() - RESUME_LEAD_MINUTES * MINUTE_MS);

function monthsLater(instant: Date, months: number): Date {
  const text = instant.toISOString();
  return new Date(`${addMonths(text.slice(0, 10), months)}${text.slice(10)}`);
}

export interface PastPause {
  starts_at: Date;
  months: number;
  /** When the member came back or the membership ended; null if neither happened before the pause was over. */
  over_at: Date | null;
}

/** The starts of the months that pauses skipped: each pause's start, and the same day of the months after it, in UTC. */
export function skippedMonths(pauses: PastPause[]): Date[] {
  return pauses.flatMap(({ starts_at, months, over_at }) =>
    Array.from({ length: months }, (_, month) => monthsLater(starts_at, month)).filter(
      (start) => over_at === null || start < over_at,
    ),
  );
}

/**
 * For how many months a member can pause from an instant on, if at most `limit` of any twelve months are skipped; 0 if
 * none. Each month belongs to the twelve that end with its start.
 */
export function pauseMonthsLeft(skipped: Date[], from: Date, limit: number): number {
  const isPossible = (months: number) => {
    const next = Array.from({ length: months }, (_, month) => monthsLater(from, month));
    return next.every(
      (start) =>
        [...skipped, ...next].filter((it) => it <= start && monthsLater(it, PAUSE_YEAR_MONTHS) > start)
          .length <= limit,
    );
  };
  return PAUSE_MONTHS.findLast(isPossible) ?? 0;
}

/** The first renewal at which a member's next pause can begin. `limit` is at least 1. */
export function pauseAgainAt(skipped: Date[], period: Period, limit: number): Date {
  for (let months = 0; ; months++) {
    const renewal = renewalIn(months, period);
    if (pauseMonthsLeft(skipped, renewal, limit) > 0) return renewal;
  }
}

export interface PauseFacts extends Period {
  standing: Standing;
  pending_tier: string | null;
  approval_tier: string | null;
  /** The start of an upcoming or current pause. */
  paused_from?: Date | null | undefined;
  paid: boolean;
  /** For how many months the member can pause (pauseMonthsLeft). */
  months_left: number;
}

/** The reason a membership cannot be paused now for so long; null if it can (docs/rules/membership.md, "Pausing"). */
export function pauseObstacle(facts: PauseFacts, now: Date, months: PauseMonths = 1): PauseObstacle | null {
  const { standing, paused_from, paid, months_left, current_period_end } = facts;
  if (standing === 'paused' || (grantsAccess(standing) && paused_from)) return 'paused';
  if (standing === 'ending') return 'ending';
  if (standing !== 'active') return 'payment_open';
  if (facts.approval_tier !== null) return 'approval_open';
  if (facts.pending_tier !== null) return 'change_pending';
  if (now.getTime() >= current_period_end.getTime() - PAUSE_LEAD_MINUTES * MINUTE_MS) return 'renewing';
  if (!paid) return 'payment_open';
  return months > months_left ? 'too_soon' : null;
}

/** The first renewal after the end of a pause: where it ends once it is extended by a month. */
export function extendedUntil(period: Period, ends_at: Date): Date {
  for (let months = 0; ; months++) {
    const renewal = renewalIn(months, period);
    if (renewal > ends_at) return renewal;
  }
}

/** The reason a pause cannot be extended to so many months now; null if it can. `longest` is the most it may have. */
export function extensionObstacle(
  pause: AskedPause & { months: number },
  subscription: SubscriptionState,
  { longest, months_left }: { longest: number; months_left: number },
  now: Date,
): PauseObstacle | null {
  if (pause.state !== 'set') return 'not_offered';
  if (endsAt(subscription)) return 'ending';
  if (now.getTime() >= pause.ends_at.getTime() - PAUSE_LEAD_MINUTES * MINUTE_MS) return 'renewing';
  if (pause.months > longest) return 'not_offered';
  return pause.months > months_left ? 'too_soon' : null;
}

/** Stripe's reasons for the status `paused` that mean a failed payment, or a trial that ended without a card. */
const PAYMENT_FAILED = new Set(['first_payment_failure', 'final_payment_failure']);
const NO_PAYMENT_METHOD = 'trial_end_without_payment_method';

/**
 * Reads Stripe's status `paused` by its reason. A pause by the venue is an active membership, stopped since then. A pause
 * after a failed payment is past_due until paid, so that grace ends as usual. A trial without a card is unchanged.
 */
export function readStop(
  { status, stop }: { status: string; stop: { reason: string; at: Date } | null },
  paid: boolean,
): { status: string; stopped_at: Date | null } {
  if (status !== 'paused' || !stop || stop.reason === NO_PAYMENT_METHOD) return { status, stopped_at: null };
  if (PAYMENT_FAILED.has(stop.reason) && !paid) return { status: 'past_due', stopped_at: null };
  return { status: 'active', stopped_at: stop.at };
}

/** Stripe's data about a subscription that affects its pause. */
export interface CollectionFacts extends Period {
  status: string;
  /** The time Stripe stopped it (readStop). */
  stopped_at?: Date | null;
  /** Set while Stripe collects nothing; `resumes_at` is null for an open-ended pause. */
  pause: { resumes_at: Date | null } | null;
  /** Whether the regular charge of the current period is paid. */
  paid: boolean;
}

export interface PausedSpan {
  paused_from: Date | null;
  paused_until: Date | null;
}

/** The longest pause made at Stripe that is followed, in months; a longer one counts as open-ended. */
const MAX_MONTHS = 120;

/**
 * The span in which a subscription is paused, from what Stripe says now and what we stored before. The paid period stays:
 * the pause begins with the first period that Stripe does not charge. A period that began during a pause stays paused to
 * its end, even after Stripe was asked to resume, because nobody paid for it. None begins while a payment is overdue.
 */
export function pausedSpan(stripe: CollectionFacts, before: PausedSpan | null): PausedSpan {
  const none = { paused_from: null, paused_until: null };
  const { current_period_start: start, current_period_end: end, pause, paid } = stripe;
  if (isEnded(stripe.status)) return none;
  const earlier = before?.paused_from ?? null;
  const { stopped_at } = stripe;
  if (stopped_at) {
    const goesOn = before?.paused_until ? before.paused_until > stopped_at : true;
    return {
      paused_from: earlier && goesOn && earlier < stopped_at ? earlier : stopped_at,
      paused_until: null,
    };
  }
  // A payment that is due stays so, whether the charge after a pause failed or Stripe's pause of collection came later.
  if (isOverdue(stripe.status)) return none;
  if (pause) {
    const { resumes_at } = pause;
    // Stripe resumes before the next renewal, so it skips nothing.
    if (paid && resumes_at && resumes_at <= end) return none;
    if (paid) return { paused_from: end, paused_until: renewalAt(stripe, resumes_at, 1) };
    const from = earlier && earlier < start ? earlier : start;
    return { paused_from: from, paused_until: renewalAt(stripe, resumes_at, 0) };
  }
  const until = before?.paused_until ?? null;
  const isUnpaidRest = earlier && !paid && start >= earlier && (until === null || start < until);
  return isUnpaidRest ? { paused_from: earlier, paused_until: end } : none;
}

/** The first renewal that Stripe collects, at least this many months after the current period's end; null for never. */
function renewalAt(period: Period, resumes_at: Date | null, atLeast: 0 | 1): Date | null {
  if (!resumes_at) return null;
  for (let months = atLeast as number; months <= MAX_MONTHS; months++) {
    const renewal = renewalIn(months, period);
    if (renewal >= resumes_at) return renewal;
  }
  return null;
}

/** A requested pause, with the data for its next step. */
export interface AskedPause {
  state: ActState;
  starts_at: Date;
  ends_at: Date;
  /** The end before an extension that Stripe may not have yet. */
  extended_from?: Date | null;
}

/** Within 30 minutes of renewal: a pause now might skip the wrong period. */
export const isTooLateToPause = ({ starts_at }: Pick<AskedPause, 'starts_at'>, now: Date): boolean =>
  now.getTime() >= starts_at.getTime() - (PAUSE_LEAD_MINUTES / 2) * MINUTE_MS;

/**
 * The next step of a pause, by our reconciled copy of its subscription (null if it is no longer the
 * membership's). request, clear: tell Stripe. Otherwise the state the pause has reached, or wait. A
 * withdrawn pause that a late request still set is cleared again. shorten: an extension came too late.
 */
export function pauseStep(
  pause: AskedPause,
  subscription: (SubscriptionState & PausedSpan) | null,
  now: Date,
): 'request' | 'clear' | 'wait' | 'shorten' | Exclude<ActState, 'asked' | 'withdrawing'> {
  const { state, starts_at, ends_at } = pause;
  if (!subscription || isEnded(subscription.status)) return state === 'done' ? 'wait' : 'done';
  if (state === 'done') return isRestSet(pause, subscription) ? 'clear' : 'wait';
  const isAtStripe = subscription.paused_until?.getTime() === ends_at.getTime();
  if (state === 'asked') {
    if (isAtStripe) return 'set';
    if (pause.extended_from)
      return extensionStep({ ...pause, extended_from: pause.extended_from }, subscription, now);
    return isTooLateToPause(pause, now) ? 'refused' : 'request';
  }
  if (state === 'set') {
    if (now >= ends_at) return 'done';
    if (subscription.paused_from) return 'wait';
    return now < starts_at ? 'withdrawn' : 'done';
  }
  // Withdrawn while Stripe has it as it was before an extension.
  const isUnextended = subscription.paused_until?.getTime() === pause.extended_from?.getTime();
  if (!isAtStripe && !(pause.extended_from && isUnextended))
    return state === 'withdrawing' ? 'withdrawn' : 'wait';
  return 'clear';
}

/** As pauseStep, while Stripe may not have the new end. A return that came first stands: no rest of the pause follows it. */
function extensionStep(
  { starts_at, extended_from }: AskedPause & { extended_from: Date },
  subscription: SubscriptionState & PausedSpan,
  now: Date,
): 'request' | 'clear' | 'shorten' | 'done' | 'withdrawn' {
  if (now < starts_at && !subscription.paused_from) return 'withdrawn';
  if (now >= starts_at && !isPausedAt(subscription, now)) return subscription.paused_from ? 'clear' : 'done';
  return isTooLateToPause({ starts_at: extended_from }, now) ? 'shorten' : 'request';
}

/** Whether a late request to extend a pause set what is left of it after the member came back. */
function isRestSet({ ends_at, extended_from }: AskedPause, { paused_until }: PausedSpan): boolean {
  if (!extended_from || !paused_until) return false;
  // Stripe resumes with the first renewal from then on, on the day of the month on which the member came back.
  return paused_until >= resumesAt(ends_at) && paused_until < monthsLater(ends_at, 1);
}
