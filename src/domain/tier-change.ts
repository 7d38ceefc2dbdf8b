import type { Availability } from './allowance.ts';
import type { Standing } from './standing.ts';

/** at_once: dearer, prorated and paid now. at_period_end: cheaper or the same, nothing is charged now. */
export const TIER_CHANGE_KINDS = ['at_once', 'at_period_end'] as const;
export type TierChangeKind = (typeof TIER_CHANGE_KINDS)[number];

/** What a member was shown may be agreed to for this long. */
export const PREVIEW_MINUTES = 15;
/** A change that was asked for and not answered is given up after this; no request to Stripe lives longer. */
export const ASKING_MINUTES = 3;

/**
 * Why a tier cannot be changed now. same_tier: it is the member's already. payment_open: a payment is due.
 * ending: the membership will not renew. change_pending: a change waits for the end of the period.
 * change_under_way: one is being made, in another window perhaps.
 */
export const TIER_CHANGE_OBSTACLES = [
  'same_tier',
  'payment_open',
  'ending',
  'change_pending',
  'change_under_way',
] as const;
export type TierChangeObstacle = (typeof TIER_CHANGE_OBSTACLES)[number];

/** Amounts in cents per month. */
export function tierChangeKind(from_cents: number, to_cents: number): TierChangeKind {
  return to_cents > from_cents ? 'at_once' : 'at_period_end';
}

/** Whether a paying member may change tier now (docs/rules.md, "Billing: changing the tier"). */
export function tierChangeObstacle(
  standing: Standing,
  has: { tier: string; pending_tier: string | null },
  to: string,
): TierChangeObstacle | null {
  if (standing === 'ending') return 'ending';
  if (standing !== 'active') return 'payment_open';
  if (has.pending_tier !== null) return 'change_pending';
  return has.tier === to ? 'same_tier' : null;
}

/**
 * The glasses left once a change is in force. At once: the new tier's, less what was poured this period.
 * At the end of the period: the new tier's whole.
 */
export function poursAfterChange(kind: TierChangeKind, has: Availability, new_tier_max: number): number {
  return kind === 'at_once' ? Math.max(0, new_tier_max - has.pours_used) : new_tier_max;
}

/** The tier whose glasses count at an instant: a change at the end of the period needs nobody's word. */
export function tierInForce(tier: string, pending: { tier: string; from: Date } | null, now: Date): string {
  return pending && now >= pending.from ? pending.tier : tier;
}
