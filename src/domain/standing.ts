/** Subscription statuses that Stripe knows (API 2026-10-28). Anything else is treated as unknown. */
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
 * active: paid. ending: paid, will not renew. grace: a renewal failed, access kept for a while.
 * suspended: no access until paid. ended: over for good. unknown: Stripe said something new.
 */
export const STANDINGS = ['active', 'ending', 'grace', 'suspended', 'ended', 'unknown'] as const;
export type Standing = (typeof STANDINGS)[number];

/** A failed renewal keeps its access this long (design section 6). */
export const GRACE_DAYS = 7;
const DAY_MS = 86_400_000;

export interface SubscriptionFacts {
  status: string;
  cancel_at_period_end: boolean;
  current_period_end: Date;
  /** When the subscription ends for good, if that is decided; may differ from the end of the period. */
  cancel_at?: Date | null;
  /** When access after a failed renewal ends; null while nothing failed. */
  grace_until: Date | null;
}

/** When a subscription that will not renew ends; null while it renews. */
export function endsAt(facts: SubscriptionFacts): Date | null {
  if (facts.cancel_at) return facts.cancel_at;
  return facts.cancel_at_period_end ? facts.current_period_end : null;
}

/** Standing from Stripe's facts at an instant (docs/rules.md, "Billing: facts to standing"). */
export function standingOf(facts: SubscriptionFacts, now: Date): Standing {
  switch (facts.status) {
    case 'active':
    case 'trialing': {
      const end = endsAt(facts);
      if (end) return now < end ? 'ending' : 'ended';
      return 'active';
    }
    case 'past_due':
      return facts.grace_until && now < facts.grace_until ? 'grace' : 'suspended';
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

/** Once set, grace is not extended by later failures of the same invoice; it is cleared by recovery. */
export function graceUntil(status: string, previous: Date | null, now: Date): Date | null {
  if (status !== 'past_due') return null;
  return previous ?? new Date(now.getTime() + GRACE_DAYS * DAY_MS);
}

/**
 * The instant up to which our copy of the facts may be trusted for a pour, or null for no access.
 * An active subscription is trusted for the grace time past its period, so that a late webhook does not
 * refuse a paying member and a lost one does not pour for ever.
 */
export function accessUntil(facts: SubscriptionFacts, now: Date): Date | null {
  const standing = standingOf(facts, now);
  const trusted = new Date(facts.current_period_end.getTime() + GRACE_DAYS * DAY_MS);
  if (standing === 'grace') return facts.grace_until;
  if (standing === 'active') return trusted;
  if (standing !== 'ending') return null;
  const end = endsAt(facts) ?? facts.current_period_end;
  return end < trusted ? end : trusted;
}

const ENDED = new Set(['canceled', 'incomplete_expired']);

/** Ended never turns active again for the same subscription id (design section 6). */
export function canReplaceStatus(stored: string, fetched: string): boolean {
  return !ENDED.has(stored) || ENDED.has(fetched);
}

export function isEnded(status: string): boolean {
  return ENDED.has(status);
}
