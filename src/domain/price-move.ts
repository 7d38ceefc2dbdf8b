import { addMonths } from './calendar.ts';
import { endsAt, isEnded, type SubscriptionState } from './standing.ts';

/** Members get notice at least this many days before a move takes effect. */
const NOTICE_DAYS = 30;
const DAY_MS = 86_400_000;

interface Period {
  status: string;
  current_period_start: Date;
  current_period_end: Date;
}

/** The renewal this many months after the current period's end, counted in UTC like Stripe does. */
export function renewalIn(
  months: number,
  { status, current_period_start, current_period_end }: Period,
): Date {
  const start = current_period_start.toISOString().slice(0, 10);
  const end = current_period_end.toISOString();
  const endDay = end.slice(0, 10);
  // Stripe counts from the end of a trial. Otherwise a short month may hide the day at the end of a period of a month.
  const isShortened = status !== 'trialing' && addMonths(start, 1) === endDay;
  const day = isShortened && start.slice(8) > endDay.slice(8) ? start.slice(8) : endDay.slice(8);
  const date = addMonths(`${end.slice(0, 4)}-01-${day}`, Number(end.slice(5, 7)) - 1 + months);
  return new Date(`${date}${end.slice(10)}`);
}

interface PausedPeriod extends Period {
  paused_from?: Date | null;
  paused_until?: Date | null;
}

/**
 * The renewal with which a move due from an instant takes effect: the first one from then on, but not one that a pause skips
 * or ends with. Null in an open-ended pause.
 */
export function moveRenewal(subscription: PausedPeriod, from: Date): Date | null {
  const { paused_from, paused_until } = subscription;
  if (paused_from && !paused_until) return null;
  for (let months = 0; ; months++) {
    const renewal = renewalIn(months, subscription);
    if (renewal >= from && !(paused_from && paused_until && renewal <= paused_until)) return renewal;
  }
}

/** The renewal at which a move announced now takes effect: the first one at least 30 days away. Null if unknown. */
export function moveEffectiveAt(subscription: PausedPeriod, now: Date): Date | null {
  return moveRenewal(subscription, new Date(now.getTime() + NOTICE_DAYS * DAY_MS));
}

/** When the last period before a move begins: from then on, Stripe can be asked to make it with the renewal. */
export function lastPeriodStart(period: Period, effective_at: Date): Date {
  let start = period.current_period_start;
  for (let months = 0; renewalIn(months, period) < effective_at; months++) start = renewalIn(months, period);
  return start;
}

/** Our own copy of the subscription, with the data for a move. */
export interface MovedSubscription extends SubscriptionState, Period {
  stripe_price_id: string;
  stripe_schedule_id: string | null;
  pending_tier: string | null;
  /** A larger tier with a payment that the bank has not approved yet. */
  approval_tier: string | null;
}

export interface OpenMove {
  from_price_id: string;
  to_price_id: string | null;
  effective_at: Date;
  /** asked: the member got the email. set: Stripe makes the move with the renewal. */
  state: 'asked' | 'set';
  stripe_schedule_id: string | null;
}

/**
 * The next step of an open move (docs/rules/billing.md, "Prices and moves"). schedule: this is the last period at the
 * old price, and Stripe does not have the move yet. wait: nothing to do now.
 */
export function moveStep(
  move: OpenMove,
  subscription: MovedSubscription | null,
): 'schedule' | 'wait' | 'done' | 'withdrawn' {
  if (!subscription || isEnded(subscription.status)) return 'withdrawn';
  if (subscription.stripe_price_id === move.to_price_id) return 'done';
  // The member changed the tier, now or for the end of the period; or the price was changed at Stripe.
  if (subscription.stripe_price_id !== move.from_price_id || subscription.pending_tier) return 'withdrawn';
  const isLastPeriod = subscription.current_period_end.getTime() >= move.effective_at.getTime();
  // A pause skips renewals, and Stripe cannot hold a schedule and a pause together: the move comes with a later renewal.
  if (!isLastPeriod || subscription.status !== 'active' || subscription.approval_tier) return 'wait';
  if (subscription.paused_from) return 'wait';
  // The move still applies to a member who resumes, so that they pay the same as others.
  if (endsAt(subscription)) return 'wait';
  const isScheduled = move.state === 'set' && subscription.stripe_schedule_id === move.stripe_schedule_id;
  return isScheduled ? 'wait' : 'schedule';
}
