/** Subscription statuses that Stripe has (API 2026-10-28). Any other is treated as unknown. */
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
 * active: paid. ending: paid, will not renew. grace: a renewal failed, access is kept for a while.
 * suspended: no access until paid. ended: over for good. unknown: a status we do not know.
 */
export const STANDINGS = ['active', 'ending', 'grace', 'suspended', 'ended', 'unknown'] as const;
export type Standing = (typeof STANDINGS)[number];

/** How long access is kept after a failed renewal (docs/rules.md, "Billing: standing"). */
export const GRACE_DAYS = 7;
const DAY_MS = 86_400_000;

/** What decides a subscription's standing. */
export interface SubscriptionState {
  status: string;
  cancel_at_period_end: boolean;
  current_period_end: Date;
  /** When the subscription ends for good, once that is decided; not always the end of the period. */
  cancel_at?: Date | null;
  /** When access ends after a failed renewal; null if none failed. */
  grace_until: Date | null;
}

/** When a subscription that will not renew ends; null if it renews. */
export function endsAt(state: SubscriptionState): Date | null {
  if (state.cancel_at) return state.cancel_at;
  return state.cancel_at_period_end ? state.current_period_end : null;
}

/** The standing of a subscription at an instant (docs/rules.md, "Billing: standing"). */
export function standingOf(state: SubscriptionState, now: Date): Standing {
  switch (state.status) {
    case 'active':
    case 'trialing': {
      const end = endsAt(state);
      if (end) return now < end ? 'ending' : 'ended';
      return 'active';
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

/** When grace ends: set by the first failure, not extended by later ones, cleared by recovery. */
export function graceUntil(status: string, previous: Date | null, now: Date): Date | null {
  if (status !== 'past_due') return null;
  return previous ?? new Date(now.getTime() + GRACE_DAYS * DAY_MS);
}

/**
 * Until when our copy of a subscription allows pours; null for no access. An active one is trusted for 7 days past
 * its period, so that a late webhook refuses no paying member, while a lost one does not give access forever.
 */
export function accessUntil(state: SubscriptionState, now: Date): Date | null {
  const standing = standingOf(state, now);
  const trustedUntil = new Date(state.current_period_end.getTime() + GRACE_DAYS * DAY_MS);
  if (standing === 'grace') return state.grace_until;
  if (standing === 'active') return trustedUntil;
  if (standing !== 'ending') return null;
  const end = endsAt(state) ?? state.current_period_end;
  return end < trustedUntil ? end : trustedUntil;
}

const ENDED = new Set(['canceled', 'incomplete_expired']);

/** Whether a fetched status may replace the stored one: an ended subscription never becomes active again. */
export function canReplaceStatus(stored: string, fetched: string): boolean {
  return !ENDED.has(stored) || ENDED.has(fetched);
}

export function isEnded(status: string): boolean {
  return ENDED.has(status);
}
