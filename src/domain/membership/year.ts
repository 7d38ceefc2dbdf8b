import type { ReversalReason } from '../billing.ts';
import { type LocalDate, monthsSince } from '../calendar.ts';
import { endsAt, endsWithPeriod, type SubscriptionState } from '../standing.ts';
import type { TierChangeObstacle } from '../tier-change.ts';
import { MIN_PRICE } from '../tiers.ts';
import { duesUntil, YEAR_MONTHS } from './dues.ts';

// A year is twelve months of a membership, paid once (docs/rules/years.md).

/** What pays for an active membership: a card subscription, a gift, the club, or dues. */
type Payer = 'card' | 'gift' | 'house' | 'dues';

export interface YearMember {
  /** The active membership; null without one. `tier`: of its next unpaid month. `ends_on`: the first day without it. */
  membership: { payer: Payer; tier: string; ends_on: LocalDate | null } | null;
  /** Staff rejected the application that it pays for, and there never was a membership. */
  is_rejected: boolean;
  /** A member ordered it, not an applicant. */
  is_move: boolean;
  /** No longer follows a month by card: the member keeps paying by the month, or staff ended the membership. */
  is_withdrawn: boolean;
}

/**
 * begins: a membership from today. continues: its months follow those that are paid. follows: a membership by card, once its
 * paid month is over. Otherwise, why the money goes back.
 */
export type YearOutcome = 'begins' | 'continues' | 'follows' | { returned: ReversalReason };

/** What the payment for a year of a tier becomes. */
export function yearOutcome(
  { membership, is_rejected, is_move, is_withdrawn }: YearMember,
  tier: string,
): YearOutcome {
  if (is_withdrawn) return { returned: membership ? 'second_subscription' : 'ended_by_staff' };
  if (!membership) return is_rejected ? { returned: 'application_rejected' } : 'begins';
  if (membership.payer === 'card') {
    return is_move && membership.tier === tier ? 'follows' : { returned: 'second_subscription' };
  }
  const isSame = membership.payer === 'dues' && membership.tier === tier && membership.ends_on === null;
  return isSame ? 'continues' : { returned: 'venue_member' };
}

/** The first day of a membership, and its first unpaid one, moved by pauses that are over. */
interface PaidSpan {
  start_date: LocalDate;
  paid_until: LocalDate;
}

/** The paid months of a membership that have not begun. */
const monthsLeft = ({ start_date, paid_until }: PaidSpan, today: LocalDate): number =>
  monthsSince(start_date, paid_until) - monthsSince(start_date, today) - 1;

/** A year that nothing paid follows. */
export interface LastYear extends PaidSpan {
  tier: string;
  /** What twelve of its months cost at its tier, with what was paid for a dearer one; not always whole cents. */
  year_cents: number;
}

/** A dearer tier for the months of a running year that have not begun, and its price: the difference. */
export interface TierUp {
  tier: string;
  months: number;
  amount_cents: number;
}

/** A tier as it is sold today. */
interface SoldTier {
  tier_name: string;
  is_active: boolean;
  monthly_price_cents: number;
  yearly_price_cents: number | null;
}

/** Whether a tier costs more than another: a year of it or, where one of them has no price of a year, a month. */
const isDearer = (tier: SoldTier, than: SoldTier): boolean =>
  tier.yearly_price_cents !== null && than.yearly_price_cents !== null
    ? tier.yearly_price_cents > than.yearly_price_cents
    : tier.monthly_price_cents > than.monthly_price_cents;

/**
 * The dearer tiers that a member can have for the rest of their year, of all `tiers`. None while it waits to begin or in its
 * last month; not those whose difference is less than Stripe charges. docs/rules/years.md, "Up within the year".
 */
export function tiersUp(year: LastYear, tiers: SoldTier[], today: LocalDate): TierUp[] {
  const months = monthsLeft(year, today);
  const ownTier = tiers.find(({ tier_name }) => tier_name === year.tier);
  if (!ownTier || months < 1 || months >= YEAR_MONTHS) return [];
  return tiers.flatMap((sold) => {
    const { tier_name: tier, yearly_price_cents: price } = sold;
    // A year that cost less, as one for a friend of the house, makes no other tier dearer.
    if (!sold.is_active || price === null || !isDearer(sold, ownTier)) return [];
    const amount_cents = Math.round(((price - year.year_cents) * months) / YEAR_MONTHS);
    return amount_cents < MIN_PRICE ? [] : [{ tier, months, amount_cents }];
  });
}

/**
 * What the payment for a dearer tier becomes: it counts while the year is the one that it was ordered for, with as many months
 * left. Otherwise, why the money goes back. `obstacle`: to another tier. `year`: null without a membership of a year.
 */
export function raiseOutcome(
  {
    is_member,
    year,
    obstacle,
  }: { is_member: boolean; year: LastYear | null; obstacle: TierChangeObstacle | null },
  order: { from_tier: string; months: number },
  today: LocalDate,
): 'counts' | { returned: ReversalReason } {
  if (!is_member) return { returned: 'closed' };
  const isSame = year?.tier === order.from_tier && monthsLeft(year, today) === order.months;
  return isSame && obstacle === null ? 'counts' : { returned: 'year_changed' };
}

/** The day from which the tier before a difference comes back once that is voided: the next month, or the first unpaid day. */
export function tierBackFrom({ start_date, paid_until }: PaidSpan, today: LocalDate): LocalDate {
  const next = duesUntil(start_date, today, 1);
  return next < paid_until ? next : paid_until;
}

/** The months of a year that have not begun, their share of what was paid, and until when it is paid without them. */
export interface UnusedMonths {
  months: number;
  amount_cents: number;
  until: LocalDate;
}

/**
 * The whole months that staff can refund of a year, or of the difference to a dearer tier in it: for each that has not begun
 * its share of what was paid, rounded down, and no more than is left of the payment. Null without one. docs/rules/years.md,
 * "Refunding unused months".
 */
export function unusedMonths(
  span: PaidSpan,
  { months: all, paid_cents, left_cents }: { months: number; paid_cents: number; left_cents: number },
  today: LocalDate,
): UnusedMonths | null {
  const months = Math.min(all, monthsLeft(span, today));
  const amount_cents = Math.min(left_cents, Math.floor((paid_cents * months) / all));
  return months > 0 && amount_cents > 0
    ? { months, amount_cents, until: duesUntil(span.start_date, span.paid_until, -months) }
    : null;
}

interface ByCard extends SubscriptionState {
  pending_tier: string | null;
  approval_until: Date | null;
}

/** Whether a year can follow the paid month of a card: nothing is overdue, paused or about to change, and no later end is set. */
export const canPayYear = (subscription: ByCard, now: Date): boolean =>
  subscription.status === 'active' &&
  !(subscription.paused_from && !(subscription.paused_until && subscription.paused_until <= now)) &&
  subscription.pending_tier === null &&
  !(subscription.approval_until && subscription.approval_until > now) &&
  (endsAt(subscription) === null || endsWithPeriod(subscription));
