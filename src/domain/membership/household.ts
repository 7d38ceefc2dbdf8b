/** How many adults a tier's membership is for: docs/rules/households.md, "Household". */
export const MIN_PEOPLE = 1;
export const MAX_PEOPLE = 2;

/** How long the link of an invitation works. */
export const INVITATION_DAYS = 7;

/**
 * Why a partner shares no longer. holder: removed by the holder. partner: left by themselves. tier: the membership has a tier
 * for one now. own_membership: the partner has one of their own. account: one of the two deleted their account.
 */
export const SEAT_ENDINGS = ['holder', 'partner', 'tier', 'own_membership', 'account'] as const;
export type SeatEnding = (typeof SEAT_ENDINGS)[number];

/**
 * Why someone cannot invite, or accept. tier_for_one: the holder's tier has no second place. full: the place is taken.
 * no_access: the holder has no access now. own_membership: who accepts is a member by themselves. shares_already: they
 * share another membership. own_invitation: the link is the holder's own. email_not_confirmed: of the account that accepts.
 * email_off: the club sends no email.
 */
export const HOUSEHOLD_OBSTACLES = [
  'tier_for_one',
  'full',
  'no_access',
  'own_membership',
  'shares_already',
  'own_invitation',
  'email_not_confirmed',
  'email_off',
] as const;
export type HouseholdObstacle = (typeof HOUSEHOLD_OBSTACLES)[number];

/** What is known of the one who invites. */
export interface HolderFacts {
  /** Has access through their own membership. */
  access: boolean;
  /** How many people the tier in force is for. */
  people: number;
  /** Partners who share it now. */
  partners: number;
}

/** What keeps a holder from inviting, or an invitation of theirs from being accepted; null for nothing. */
export function invitationObstacle({ access, people, partners }: HolderFacts): HouseholdObstacle | null {
  if (!access) return 'no_access';
  if (people < MAX_PEOPLE) return 'tier_for_one';
  return partners + 1 >= people ? 'full' : null;
}

/** What is known of the one who follows the link. */
export interface InvitedFacts {
  is_holder: boolean;
  /** Has a membership of their own that has not ended, paused ones too. */
  own_membership: boolean;
  /** Shares a membership already, this one or another. */
  shares: boolean;
  email_confirmed: boolean;
}

/** What keeps someone from accepting an invitation; null for nothing. The holder's obstacles come first. */
export function acceptObstacle(holder: HolderFacts, invited: InvitedFacts): HouseholdObstacle | null {
  if (invited.is_holder) return 'own_invitation';
  if (invited.shares) return 'shares_already';
  const obstacle = invitationObstacle(holder);
  if (obstacle) return obstacle;
  if (invited.own_membership) return 'own_membership';
  return invited.email_confirmed ? null : 'email_not_confirmed';
}

export interface PartnerFacts {
  /** The holder's own access. */
  holder_access: boolean;
  /** How many people the tier in force is for: a scheduled change counts on time, confirmed by Stripe or not. */
  people: number;
}

/** Whether a partner has access: exactly as long as the holder has, with a tier for two. */
export const partnerHasAccess = ({ holder_access, people }: PartnerFacts): boolean =>
  holder_access && people >= MAX_PEOPLE;
