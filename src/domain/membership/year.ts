import type { ReversalReason } from '../billing.ts';
import type { LocalDate } from '../calendar.ts';

// A year is twelve months of a membership, paid once (docs/rules/years.md).

/** What pays for an active membership: a card subscription, a gift, the club, or dues. */
type Payer = 'card' | 'gift' | 'house' | 'dues';

export interface YearMember {
  /** The active membership; null without one. `ends_on`: the first day without it, if that is decided. */
  membership: { payer: Payer; tier: string; ends_on: LocalDate | null } | null;
  /** Staff rejected the application that it pays for, and there never was a membership. */
  is_rejected: boolean;
}

/** begins: a membership from today. continues: its months follow those that are paid. Otherwise, why the money goes back. */
export type YearOutcome = 'begins' | 'continues' | { returned: ReversalReason };

/** What the payment for a year of a tier becomes. */
export function yearOutcome({ membership, is_rejected }: YearMember, tier: string): YearOutcome {
  if (!membership) return is_rejected ? { returned: 'application_rejected' } : 'begins';
  if (membership.payer === 'card') return { returned: 'second_subscription' };
  const isSame = membership.payer === 'dues' && membership.tier === tier && membership.ends_on === null;
  return isSame ? 'continues' : { returned: 'venue_member' };
}
