import type { Standing } from './standing.ts';
import { grantsAccess } from './standing.ts';

/**
 * Why a subscription may not be a membership. second_subscription: the member has one already.
 * replaced: it lapsed and a newer one took its place. venue_member: the member pays at the venue.
 * application_rejected: staff said no before the payment arrived.
 */
export const REVERSAL_REASONS = [
  'second_subscription',
  'replaced',
  'venue_member',
  'application_rejected',
] as const;
export type ReversalReason = (typeof REVERSAL_REASONS)[number];

/** One subscription of a user, as far as the choice of the membership needs it. */
export interface Contender {
  id: string;
  /** Stripe's word for it. */
  status: string;
  standing: Standing;
  created_at: Date;
  /** It is, or once was, the user's membership. */
  was_membership: boolean;
  /** Staff rejected the application it was paid for. */
  application_rejected: boolean;
  /** It was decided against before; that is never taken back. */
  reversed: boolean;
}

export interface Settlement {
  /** The subscription that is the membership now; null for none by card. */
  membership: string | null;
  /** Subscriptions to end and pay back, decided now. */
  reversals: { id: string; reason: ReversalReason }[];
}

const byAge = (a: Contender, b: Contender) =>
  a.created_at.getTime() - b.created_at.getTime() || (a.id < b.id ? -1 : 1);

/** Still able to take money: not over, and past its first payment. */
function takesMoney({ standing, status }: Contender): boolean {
  return standing !== 'ended' && standing !== 'unknown' && status !== 'incomplete';
}

/**
 * Which of a user's subscriptions is the membership, and which must go (docs/rules.md, "Billing: one
 * membership"). The present membership stays so long as it gives access; else the oldest that does.
 */
export function settleSubscriptions(contenders: Contender[], venueMember: boolean): Settlement {
  const standing = contenders.filter((it) => !it.reversed && takesMoney(it)).sort(byAge);
  if (venueMember) {
    return { membership: null, reversals: standing.map(({ id }) => ({ id, reason: 'venue_member' })) };
  }
  const refused = standing.filter((it) => it.application_rejected && !it.was_membership);
  const allowed = standing.filter((it) => !refused.includes(it));
  const withAccess = allowed.filter((it) => grantsAccess(it.standing));
  const holder = withAccess.find((it) => it.was_membership) ?? withAccess[0] ?? null;
  const reversals: Settlement['reversals'] = refused.map(({ id }) => ({
    id,
    reason: 'application_rejected',
  }));
  for (const other of holder ? allowed : []) {
    if (other === holder) continue;
    reversals.push({ id: other.id, reason: other.was_membership ? 'replaced' : 'second_subscription' });
  }
  return { membership: holder?.id ?? null, reversals };
}
