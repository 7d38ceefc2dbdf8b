import type { Standing } from './standing.ts';
import { isMembership } from './standing.ts';

/** Whether members can pay by card. Off without a key of Stripe: they pay at the venue. */
export type Payments = 'on' | 'off';

/**
 * Why a subscription must be canceled. second_subscription: the member already has one. replaced: it lapsed and a newer one
 * took its place. venue_member: the member pays at the venue. application_rejected: staff rejected the application before
 * the payment arrived. payment_overdue: grace ended without a payment. canceled_overdue: the member canceled while a
 * payment was overdue. ended_by_staff: staff ended the membership. ended_at_stripe: it was canceled there. closed: it ended
 * earlier, but could still be paid. These end a membership or follow its end, and refund only later payments. year_changed: of
 * a payment for a dearer tier, whose year is no longer the one that it was ordered for.
 */
export const REVERSAL_REASONS = [
  'second_subscription',
  'replaced',
  'venue_member',
  'application_rejected',
  'payment_overdue',
  'canceled_overdue',
  'ended_by_staff',
  'ended_at_stripe',
  'closed',
  'year_changed',
] as const;
export type ReversalReason = (typeof REVERSAL_REASONS)[number];

/** Why a payment went back by itself, for staff. */
export const REVERSAL_TEXTS: Record<ReversalReason, string> = {
  second_subscription: 'Charged twice: a second subscription for the same membership',
  replaced: 'Charged for a lapsed subscription that a newer one had replaced',
  venue_member: 'Charged by card while billed at the venue',
  application_rejected: 'The application was rejected',
  payment_overdue: 'Paid too late: the membership had ended',
  canceled_overdue: 'Canceled while a payment was overdue',
  ended_by_staff: 'Staff had ended the membership',
  ended_at_stripe: 'The subscription was canceled at Stripe',
  closed: 'Paid after the membership had ended',
  year_changed: 'Paid for another tier in a year that had changed meanwhile',
};
/**
 * Why Stripe will never refund a payment. paid_out_of_band: no money went through Stripe. refund_refused: Stripe refuses
 * permanently.
 */
export const UNREFUNDABLE_REASONS = ['paid_out_of_band', 'refund_refused'] as const;
const ENDING_REASONS = ['payment_overdue', 'canceled_overdue', 'ended_by_staff', 'ended_at_stripe'] as const;
export type EndingReason = (typeof ENDING_REASONS)[number];

export function endsMembership(reason: ReversalReason): reason is EndingReason {
  return ENDING_REASONS.some((it) => it === reason);
}

/** Whether a reversal follows an end at Stripe: its last invoice, for what was used, is left to staff. */
export function leavesLastInvoice(reason: ReversalReason): boolean {
  return reason === 'ended_at_stripe' || reason === 'closed';
}

/** Whether a renewal of a subscription with this status is unpaid, so that a cancellation must end it at once. */
export function isOverdue(status: string): boolean {
  return status === 'past_due' || status === 'unpaid';
}

/** One of a user's subscriptions, with the data for choosing the membership. */
export interface SubscriptionCandidate {
  id: string;
  status: string;
  standing: Standing;
  created_at: Date;
  /** This subscription is or was the user's membership. */
  was_membership: boolean;
  /** Staff rejected the application that it paid for. */
  application_rejected: boolean;
  /** Already reversed; a reversal is final. */
  reversed: boolean;
  /** In its trial, until the months that were paid at the venue are over: it gives nothing yet. */
  waits: boolean;
  /** Ordered to go on from a membership at the venue that has ended, or was paid there since. */
  is_unclaimed?: boolean;
}

export interface MembershipChoice {
  /** The subscription that is the membership now; null without a card membership. */
  membership: string | null;
  /** Subscriptions to cancel at once; payments for them that never bought a membership are refunded. */
  reversals: { id: string; reason: ReversalReason }[];
}

const byAge = (a: SubscriptionCandidate, b: SubscriptionCandidate) =>
  a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1);

/** Whether it can still charge the member: not ended, of a known status, and past its first payment. */
function canCharge({ standing, status }: SubscriptionCandidate): boolean {
  return standing !== 'ended' && standing !== 'unknown' && status !== 'incomplete';
}

/**
 * Decides which of a user's subscriptions is the membership and which must be reversed (docs/rules/billing.md, "Billing:
 * one membership"). A paid subscription replaces one in grace. Otherwise the current membership stays while it gives access
 * or is paused; without one, the oldest subscription with access becomes it. `venue`: the active membership at the venue, and
 * the subscription that takes over from it.
 */
export function chooseMembership(
  candidates: SubscriptionCandidate[],
  venue: { next: string | null } | null,
): MembershipChoice {
  const payers = candidates.filter((it) => !it.reversed && canCharge(it)).sort(byAge);
  if (venue) {
    const next = payers.find(({ id }) => id === venue.next);
    const others = payers.filter((it) => it !== next);
    return {
      membership: next && !next.waits && isMembership(next.standing) ? next.id : null,
      reversals: others.map(({ id }) => ({ id, reason: 'venue_member' })),
    };
  }
  const rejections = payers.filter((it) => it.application_rejected && !it.was_membership);
  const unclaimed = payers.filter((it) => it.is_unclaimed);
  const approvals = payers.filter((it) => !rejections.includes(it) && !unclaimed.includes(it));
  const members = approvals.filter((it) => isMembership(it.standing) && !it.waits);
  const paid = members.filter(({ standing }) => standing !== 'grace');
  const eligible = paid.length > 0 ? paid : members;
  const choice = eligible.find((it) => it.was_membership) ?? eligible[0] ?? null;
  const reversals: MembershipChoice['reversals'] = [
    ...rejections.map(({ id }) => ({ id, reason: 'application_rejected' as const })),
    ...unclaimed.map(({ id }) => ({ id, reason: 'venue_member' as const })),
  ];
  for (const other of approvals) {
    if (other === choice) continue;
    if (choice) {
      reversals.push({ id: other.id, reason: other.was_membership ? 'replaced' : 'second_subscription' });
    } else if (other.status === 'past_due') {
      // A subscription without access is past its grace, and Stripe would keep trying to charge it.
      reversals.push({ id: other.id, reason: 'payment_overdue' });
    }
  }
  return { membership: choice?.id ?? null, reversals };
}

/** A subscription that has ended at Stripe, with what was or can still be paid for it. */
export interface EndedSubscription {
  ended_at: Date;
  /** Whether we knew it, and whether it was running when we last looked. */
  was_known: boolean;
  was_running: boolean;
  was_membership: boolean;
  /** Stripe gave up collecting, and canceled it. */
  gave_up: boolean;
  has_open_invoice: boolean;
  /** Payments that are new to us: when they arrived, and when their invoices were made. */
  new_payments: { paid_at: Date; invoiced_at: Date }[];
}

/** Whether an invoice from before the end was paid after it: that bought no membership. */
export const isPaidLate = (
  { paid_at, invoiced_at }: { paid_at: Date; invoiced_at: Date },
  ended_at: Date,
): boolean => paid_at >= ended_at && invoiced_at < ended_at;

/**
 * Whether Stripe's last invoice, made after an end, is for time of the membership: it bills no period, only what waited for an
 * invoice by then.
 */
export const isForUsedTime = (
  { was_membership }: Pick<SubscriptionCandidate, 'was_membership'>,
  { periods }: { periods: unknown[] },
): boolean => was_membership && periods.length === 0;

/**
 * How to close a subscription that ended at Stripe (docs/rules/billing.md, "Billing: an end closes what is open"): its open
 * invoices are voided, and what was paid from `refund_from` on is refunded. Null if nothing is left to close.
 */
export function closingOf(
  subscription: EndedSubscription,
  now: Date,
): { reason: 'payment_overdue' | 'ended_at_stripe' | 'closed'; refund_from: Date } | null {
  const latePayments = subscription.was_known
    ? subscription.new_payments.filter((payment) => isPaidLate(payment, subscription.ended_at))
    : [];
  const isOpen = subscription.has_open_invoice && (subscription.was_membership || subscription.was_running);
  if (!isOpen && latePayments.length === 0) return null;
  if (subscription.was_running && subscription.was_membership)
    return {
      reason: subscription.gave_up ? 'payment_overdue' : 'ended_at_stripe',
      refund_from: subscription.ended_at,
    };
  const times = [now, ...latePayments.map(({ paid_at }) => paid_at)].map((at) => at.getTime());
  return { reason: 'closed', refund_from: new Date(Math.min(...times)) };
}
