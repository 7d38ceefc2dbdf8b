import type { SeatEnding } from '../../../domain/membership/household.ts';
import { composeEmail, type Email, type Venue } from '../../mail/email.ts';

/** The token stands after the #, which keeps it out of logs. days: how long the link works. */
export function householdInvitationEmail(venue: Venue, holder: string, url: string, days: number): Email {
  return composeEmail(
    venue,
    { letter: 'household_invitation', first_name: null, values: { holder } },
    `${holder} would like to share a membership with you`,
    [
      `${holder} is a member of ${venue.club_name} and invites you to share the membership: one pool of glasses for the two of you, and a card of your own. You pay nothing.`,
      { button: 'See the Invitation', url },
      `The link works once, for ${days} days. If you do not know ${holder}, ignore this email.`,
    ],
    'sign-up',
  );
}

export function partnerJoinedEmail(venue: Venue, holder: string, partner: string): Email {
  return composeEmail(
    venue,
    { letter: 'partner_joined', first_name: holder, values: { partner } },
    `${partner} now shares your membership`,
    [
      `${partner} accepted your invitation. You have one pool of glasses, and each of you has a card. You remain the only one who pays, and you can stop sharing at any time.`,
      { button: 'See Your Household', url: `${venue.public_url}/household` },
    ],
    'membership',
  );
}

const HOLDER_READS: Record<SeatEnding, (partner: string) => string> = {
  holder: (partner) => `You ended sharing with ${partner}. All glasses are yours again.`,
  partner: (partner) => `${partner} left your household. All glasses are yours again.`,
  tier: (partner) =>
    `Your tier is now for one person, so you no longer share your membership with ${partner}.`,
  own_membership: (partner) => `${partner} now has a membership of their own. All glasses are yours again.`,
  account: (partner) => `${partner} deleted their account. All glasses are yours again.`,
};

const PARTNER_READS: Record<SeatEnding, (holder: string) => string> = {
  holder: (holder) => `${holder} ended sharing their membership with you.`,
  partner: (holder) => `You left ${holder}'s household.`,
  tier: (holder) => `${holder}'s tier is now for one person, so you no longer share it.`,
  own_membership: (holder) => `You now have a membership of your own, so you no longer share ${holder}'s.`,
  account: (holder) => `${holder} deleted their account, and the membership you shared has ended.`,
};

export function sharingEndedForHolder(venue: Venue, by: SeatEnding, holder: string, partner: string): Email {
  const content = [HOLDER_READS[by](partner), { button: 'Dashboard', url: `${venue.public_url}/dashboard` }];
  return composeEmail(
    venue,
    { letter: 'sharing_ended_holder', first_name: holder, values: { partner } },
    'You no longer share your membership',
    content,
    'membership',
  );
}

export function sharingEndedForPartner(venue: Venue, by: SeatEnding, partner: string, holder: string): Email {
  const next =
    by === 'own_membership'
      ? 'Your own glasses begin with it.'
      : 'Your card and the shared glasses have ended. Your history stays yours, and you can join with a membership of your own at any time.';
  const content = [
    PARTNER_READS[by](holder),
    next,
    { button: 'Dashboard', url: `${venue.public_url}/dashboard` },
  ];
  return composeEmail(
    venue,
    { letter: 'sharing_ended_partner', first_name: partner, values: { holder } },
    'You no longer share a membership',
    content,
    'membership',
  );
}
