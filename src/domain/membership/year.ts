import type { ReversalReason } from '../billing.ts';
import { type LocalDate, monthsSince } from '../calendar.ts';
import { endsAt, endsWithPeriod, type SubscriptionState } from '../standing.ts';
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

/** The months of a year that have not begun, their share of what was paid, and until when it is paid without them. */
export interface UnusedMonths {
  months: number;
  amount_cents: number;
  until: LocalDate;
}

/**
 * The whole months of a year that staff can refund: a twelfth of what was paid for each that has not begun, rounded down, and
 * no more than is left of the payment. Null without one. `paid_until`: moved by pauses that are over. docs/rules/years.md,
 * "Refunding unused months".
 */
export function unusedMonths(
  { start_date, paid_until }: { start_date: LocalDate; paid_until: LocalDate },
  { paid_cents, left_cents }: { paid_cents: number; left_cents: number },
  today: LocalDate,
): UnusedMonths | null {
  const months = Math.min(
    YEAR_MONTHS,
    monthsSince(start_date, paid_until) - monthsSince(start_date, today) - 1,
  );
  const amount_cents = Math.min(left_cents, Math.floor((paid_cents * months) / YEAR_MONTHS));
  return months > 0 && amount_cents > 0
    ? { months, amount_cents, until: duesUntil(start_date, paid_until, -months) }
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
