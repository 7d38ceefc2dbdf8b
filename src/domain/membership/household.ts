/** The number of adults a tier is for: docs/rules/households.md, "Household". */
export const MIN_PEOPLE = 1;
export const MAX_PEOPLE = 2;

export const INVITATION_DAYS = 7;

/**
 * Why a partner no longer shares. holder: removed by the holder. partner: left by themselves. tier: the membership now has
 * a tier for one. own_membership: the partner has their own membership now. account: one of the two deleted their account.
 */
export const SEAT_ENDINGS = ['holder', 'partner', 'tier', 'own_membership', 'account'] as const;
export type SeatEnding = (typeof SEAT_ENDINGS)[number];

/**
 * Why an invitation cannot be made or accepted. tier_for_one: the holder's tier is for one. full: the place is taken.
 * no_access: the holder has no access now. own_membership: the invited person has their own membership. shares_already: the
 * invited person already shares a membership. own_invitation: the link is the holder's own. email_not_confirmed: the
 * accepting account's email is unconfirmed. email_off: the club sends no email.
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

/** The holder's state that decides on an invitation. */
export interface HolderFacts {
  /** Access through their own membership. */
  access: boolean;
  people: number;
  partners: number;
}

/** The reason a holder cannot invite, or their invitation cannot be accepted; null if there is none. */
export function invitationObstacle({ access, people, partners }: HolderFacts): HouseholdObstacle | null {
  if (!access) return 'no_access';
  if (people < MAX_PEOPLE) return 'tier_for_one';
  return partners + 1 >= people ? 'full' : null;
}

/** The state of the person who follows the link. */
export interface InvitedFacts {
  is_holder: boolean;
  /** A membership of their own that has not ended, paused ones included. */
  own_membership: boolean;
  /** Already shares a membership, this one or another. */
  shares: boolean;
  email_confirmed: boolean;
}

/**
 * The reason an invitation cannot be accepted; null if there is none. The holder's obstacles come before the invited
 * person's own membership and unconfirmed email.
 */
export function acceptObstacle(holder: HolderFacts, guest: InvitedFacts): HouseholdObstacle | null {
  if (guest.is_holder) return 'own_invitation';
  if (guest.shares) return 'shares_already';
  const obstacle = invitationObstacle(holder);
  if (obstacle) return obstacle;
  if (guest.own_membership) return 'own_membership';
  return guest.email_confirmed ? null : 'email_not_confirmed';
}
