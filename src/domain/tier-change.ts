import type { Standing } from './standing.ts';

/** at_once: a higher price, prorated and paid now. at_period_end: the same or a lower price, no charge now. */
export const TIER_CHANGE_KINDS = ['at_once', 'at_period_end'] as const;
export type TierChangeKind = (typeof TIER_CHANGE_KINDS)[number];

/** Minutes for which a preview can be accepted. */
export const PREVIEW_MINUTES = 15;
/** Minutes after which a change without a response from Stripe is given up; no request to Stripe takes longer. */
export const CHANGE_TIMEOUT_MINUTES = 3;

/**
 * Why the tier cannot be changed now. same_tier: the member already has it. payment_open: a payment is due. ending: the
 * membership will not renew. change_pending: a change is scheduled for the end of the period. approval_open: the member's
 * bank still has to approve the payment of an earlier change. change_under_way: another change is in progress, perhaps in
 * another window. paused: a pause is current or upcoming, and Stripe would charge nothing for the change.
 */
export const TIER_CHANGE_OBSTACLES = [
  'same_tier',
  'payment_open',
  'ending',
  'change_pending',
  'approval_open',
  'change_under_way',
  'paused',
] as const;
export type TierChangeObstacle = (typeof TIER_CHANGE_OBSTACLES)[number];

/** Whether a change between monthly prices, in cents, applies at once or at the end of the period. */
export function tierChangeKind(from_cents: number, to_cents: number): TierChangeKind {
  return to_cents > from_cents ? 'at_once' : 'at_period_end';
}

/** Why the tier cannot change now; null if it can (docs/rules/billing.md, "Billing: changing the tier"). */
export function tierChangeObstacle(
  standing: Standing,
  current: {
    tier: string;
    pending_tier: string | null;
    approval_tier: string | null;
    paused_from?: Date | null;
  },
  to: string,
): TierChangeObstacle | null {
  if (standing === 'paused' || (standing === 'active' && current.paused_from)) return 'paused';
  if (standing === 'ending') return 'ending';
  if (standing !== 'active') return 'payment_open';
  if (current.approval_tier !== null) return 'approval_open';
  if (current.pending_tier !== null) return 'change_pending';
  return current.tier === to ? 'same_tier' : null;
}

/**
 * Why a membership at the venue cannot change to a tier, null for any other; null if it can (docs/rules/dues.md, "Another
 * tier").
 */
export function venueTierObstacle(
  current: { tier: string; pending_tier: string | null; paused_until: Date | null; ends_on: string | null },
  to: string | null,
  now: Date,
): TierChangeObstacle | null {
  if (current.paused_until && current.paused_until > now) return 'paused';
  if (current.ends_on !== null) return 'ending';
  if (current.pending_tier !== null) return 'change_pending';
  return current.tier === to ? 'same_tier' : null;
}

/** A change at once adds `extra`, less what was poured from a larger tier; a later one gives all of the new tier's pours. */
export function poursAfterChange(
  kind: TierChangeKind,
  allowance: { available_pours: number; pours_used: number; period_pours: number },
  { extra, monthly }: { extra: number; monthly: number },
): { available_pours: number; period_pours: number } {
  if (kind === 'at_period_end') return { available_pours: monthly, period_pours: monthly };
  const period_pours = allowance.period_pours + extra;
  const available_pours = Math.min(
    allowance.available_pours + extra,
    Math.max(0, period_pours - allowance.pours_used),
  );
  return { available_pours, period_pours };
}
