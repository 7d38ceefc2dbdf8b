import { monthlyCents, upcomingCharges } from '../../../domain/membership/upcoming-charges.ts';
import { endsAt, endsWithPeriod, isPausedAt } from '../../../domain/standing.ts';
import type { MemberAllowance } from '../../pours/allowance.ts';
import type { BillingNotice } from '../billing-context.ts';
import { namedCharge } from '../state/coming-charges.ts';
import type { EvaluatedSubscription, StoredAllowance } from '../state/evaluate.ts';
import type { Membership } from '../state/local-state.ts';

/**
 * Notices about what changed for a member with this subscription. `previous` is the membership row before the change;
 * `isReturning` is true for a former member. Repeatable actions, such as canceling, have the time in their cause, so that
 * each gets its own notice.
 */
export function membershipNotices(
  subscription: EvaluatedSubscription,
  previous: Membership | null,
  allowance: StoredAllowance,
  isReturning: boolean,
  now: Date,
): BillingNotice[] {
  return [
    membershipNotice(subscription, previous, allowance, isReturning, now),
    cancellationNotice(subscription, now),
    pauseNotice(subscription, now),
    pendingTierNotice(subscription, previous, now),
  ].filter((notice) => notice !== null);
}

function causeOf({ row }: EvaluatedSubscription, cause: string): { user_id: string; cause: string } {
  return { user_id: row.user_id, cause: `${cause}:${row.stripe_subscription_id}` };
}

/** No price move is passed, because it does not change the day. */
const nextBilling = ({ row }: EvaluatedSubscription, now: Date): Date =>
  upcomingCharges(row, null, now).next?.at ?? row.current_period_end;

function membershipNotice(
  subscription: EvaluatedSubscription,
  previous: Membership | null,
  { added, carried_pours, monthly_pours }: StoredAllowance,
  isReturning: boolean,
  now: Date,
): BillingNotice | null {
  const { row, is_paid } = subscription;
  const { tier, currency, tax_behavior } = row;
  if (!previous) {
    return {
      ...causeOf(subscription, 'started'),
      type: 'membership_started',
      renewed: isReturning,
      tier,
      monthly_cents: monthlyCents(row),
      currency,
      tax_behavior,
      next_billing: nextBilling(subscription, now),
      monthly_pours,
      carried_pours,
    };
  }
  if (previous.status !== 'active') {
    return {
      ...causeOf(subscription, `restored:${previous.end_date}`),
      type: 'access_restored',
      tier,
      is_paid,
    };
  }
  if (previous.tier === tier) return null;
  return {
    ...causeOf(subscription, `tier:${now.getTime()}`),
    type: 'tier_changed',
    from: previous.tier,
    to: tier,
    added_pours: added,
    monthly_pours,
    next_billing: subscription.row.current_period_end,
  };
}

function cancellationNotice(subscription: EvaluatedSubscription, now: Date): BillingNotice | null {
  const { row, before } = subscription;
  const ends_at = endsAt(row);
  const endedBefore = before && endsAt(before);
  if (ends_at && ends_at.getTime() !== endedBefore?.getTime()) {
    const cause = causeOf(subscription, `ending:${now.getTime()}`);
    const { next } = upcomingCharges(row, null, now);
    if (!next || endsWithPeriod(row)) {
      const paused = isPausedAt(row, now);
      const last_charge = namedCharge(row, next);
      const charge = row.charging_cents !== null && { amount_cents: row.charging_cents };
      const { currency, tax_behavior, grace_until } = row;
      const isOverdue = row.status === 'past_due' && grace_until !== null;
      return {
        ...cause,
        type: 'cancellation_scheduled',
        ...{ ends_at, paused, by_venue: false, last_charge },
        charging: charge && !isOverdue ? { ...charge, currency, tax_behavior } : null,
        overdue: isOverdue ? { access_until: grace_until } : null,
      };
    }
    const { at: charged_at, amount_cents } = next;
    const { currency, tax_behavior } = row;
    return { ...cause, type: 'end_scheduled', ends_at, charged_at, amount_cents, currency, tax_behavior };
  }
  if (!ends_at && endedBefore) {
    const cause = causeOf(subscription, `continuing:${now.getTime()}`);
    return { ...cause, type: 'cancellation_withdrawn', price_change: null };
  }
  return null;
}

/** A pause that ended as planned brings a receipt, and no other email. */
function pauseNotice(subscription: EvaluatedSubscription, now: Date): BillingNotice | null {
  const { row, before } = subscription;
  const { tier, paused_from: from, paused_until: until } = row;
  const next_billing = nextBilling(subscription, now);
  const isMoved = (was: Date | null | undefined, is: Date | null) => was?.getTime() !== is?.getTime();
  // A pause made at Stripe within the hour of a renewal begins once the month that is charged is over.
  if (from && (isMoved(before?.paused_from, from) || isMoved(before?.paused_until, until))) {
    const begun = isPausedAt(row, now);
    return {
      ...causeOf(subscription, `paused:${now.getTime()}`),
      type: 'pause_scheduled',
      from,
      until,
      begun,
    };
  }
  if (from || !before?.paused_from || (before.paused_until && before.paused_until <= now)) return null;
  // Another email says that the charge for coming back failed.
  if (row.status === 'past_due') return null;
  const price_change = null;
  return isPausedAt(before, now)
    ? {
        ...causeOf(subscription, `back:${now.getTime()}`),
        type: 'pause_ended',
        tier,
        next_billing,
        price_change,
      }
    : {
        ...causeOf(subscription, `unpaused:${now.getTime()}`),
        type: 'pause_withdrawn',
        next_billing,
        price_change,
      };
}

function pendingTierNotice(
  subscription: EvaluatedSubscription,
  previous: Membership | null,
  now: Date,
): BillingNotice | null {
  const { row, before } = subscription;
  if (row.pending_tier && row.pending_from && row.pending_tier !== before?.pending_tier) {
    return {
      ...causeOf(subscription, `pending:${now.getTime()}`),
      type: 'tier_change_scheduled',
      to: row.pending_tier,
      amount_cents: upcomingCharges(row, null, now).change?.monthly_cents ?? row.pending_amount_cents ?? 0,
      currency: row.currency,
      tax_behavior: row.tax_behavior,
      effective_at: row.pending_from,
    };
  }
  const isDropped = before?.pending_tier && !row.pending_tier && previous?.tier === row.tier;
  if (!isDropped || endsAt(row)) return null;
  return {
    ...causeOf(subscription, `kept:${now.getTime()}`),
    type: 'tier_change_withdrawn',
    tier: row.tier,
  };
}

/** `has`: the pours available in the unpaid period. */
export function failureNotice(
  subscription: EvaluatedSubscription,
  grace_until: Date,
  has: Pick<MemberAllowance, 'available_pours' | 'period_pours' | 'pours_when_paid'>,
): BillingNotice {
  const { row, fetched } = subscription;
  const { payment_method_type: type, card_brand: brand, card_last4: last4, card_wallet: wallet } = row;
  return {
    ...causeOf(subscription, `failed:${row.current_period_start.getTime()}`),
    type: 'payment_failed',
    tier: row.tier,
    open_cents: fetched?.open_cents ?? null,
    is_paid: subscription.is_paid,
    is_sent: fetched?.is_sent ?? false,
    currency: row.currency,
    method: type ? { type, brand, last4, wallet } : null,
    grace_until,
    available_pours: has.available_pours,
    period_pours: has.period_pours + has.pours_when_paid,
  };
}
