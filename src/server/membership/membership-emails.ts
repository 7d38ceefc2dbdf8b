import type { SeatEnding } from '../../domain/membership/household.ts';
import { pourCount } from '../../domain/pour.ts';
import { emails, type Words } from '../mail/email-text.ts';

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

const dashboard = ({ page }: Words) => ({ button: 'Dashboard', url: page('/dashboard') });

/** Emails about applications and households. Billing writes those about payments. */
export const membershipEmails = emails<{
  /** For a membership billed at the venue. `tier` is its display name. */
  application_approved: { tier: string; monthly_pours: number };
  application_rejected: null;
  household_invitation: { holder: string; url: string; days: number };
  partner_joined: { partner: string };
  sharing_ended_holder: { by: SeatEnding; partner: string };
  sharing_ended_partner: { by: SeatEnding; holder: string };
}>('membership', {
  application_approved: {
    topic: 'application',
    subject: 'Your application was approved',
    content: ({ tier, monthly_pours }, { venue, page }) => [
      `Welcome to ${venue.club_name}. Your ${tier} membership is active, with ${pourCount(monthly_pours)} each month. It is billed at the venue.`,
      'Show your card when you come by:',
      { button: 'Open My Card', url: page('/qr-code') },
    ],
    values: ({ tier }) => ({ tier }),
    sample: { tier: 'Select', monthly_pours: 4 },
  },

  // Without the staff's notes, which are internal.
  application_rejected: {
    topic: 'application',
    subject: 'Your application was not accepted',
    content: (_, { page }) => [
      'We have reviewed your membership application and did not accept it.',
      'If you think this is a mistake, write to us. You can also apply again:',
      { button: 'Apply Again', url: page('/apply') },
    ],
  },

  household_invitation: {
    topic: 'sign-up',
    subject: ({ holder }) => `${holder} would like to share a membership with you`,
    content: ({ holder, url, days }, { venue }) => [
      `${holder} is a member of ${venue.club_name} and invites you to share the membership: one pool of glasses for the two of you, and a card of your own. You pay nothing.`,
      { button: 'See the Invitation', url },
      `The link works once, for ${days} days. If you do not know ${holder}, ignore this email.`,
    ],
    values: ({ holder }) => ({ holder }),
    sample: ({ page }) => ({ holder: 'Ben', url: page('/share', 'sample'), days: 14 }),
  },

  partner_joined: {
    subject: ({ partner }) => `${partner} now shares your membership`,
    content: ({ partner }, { household }) => [
      `${partner} accepted your invitation. You have one pool of glasses, and each of you has a card. You remain the only one who pays, and you can stop sharing at any time.`,
      household,
    ],
    values: (data) => data,
    sample: { partner: 'Ben' },
  },

  sharing_ended_holder: {
    subject: 'You no longer share your membership',
    content: ({ by, partner }, words) => [HOLDER_READS[by](partner), dashboard(words)],
    values: ({ partner }) => ({ partner }),
    sample: { by: 'holder', partner: 'Ben' },
  },

  sharing_ended_partner: {
    subject: 'You no longer share a membership',
    content: ({ by, holder }, words) => [
      PARTNER_READS[by](holder),
      by === 'own_membership'
        ? 'Your own glasses begin with it.'
        : 'Your card and the shared glasses have ended. Your history stays yours, and you can join with a membership of your own at any time.',
      dashboard(words),
    ],
    values: ({ holder }) => ({ holder }),
    sample: { by: 'holder', holder: 'Ben' },
  },
});
