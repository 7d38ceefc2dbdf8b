import { INVITATION_DAYS, type SeatEnding } from '../../domain/membership/household.ts';
import { pourCount } from '../../domain/pour.ts';
import { emails } from '../mail/email-text.ts';

const HOLDER_READS: Record<SeatEnding, (partner: string) => string> = {
  holder: (partner) => `You ended sharing with ${partner}. All remaining pours are yours again.`,
  partner: (partner) => `${partner} left your household. All remaining pours are yours again.`,
  tier: (partner) =>
    `Your tier is now for one person, so you no longer share your membership with ${partner}.`,
  own_membership: (partner) =>
    `${partner} now has a membership of their own. All remaining pours are yours again.`,
  account: (partner) => `${partner} deleted their account. All remaining pours are yours again.`,
};

const PARTNER_READS: Record<SeatEnding, (holder: string) => string> = {
  holder: (holder) => `${holder} ended sharing their membership with you.`,
  partner: (holder) => `You left ${holder}'s household.`,
  tier: (holder) => `${holder}'s tier is now for one person, so you no longer share their membership.`,
  own_membership: (holder) => `You now have a membership of your own, so you no longer share ${holder}'s.`,
  account: (holder) => `${holder} deleted their account, and the membership you shared has ended.`,
};

/** Emails about applications and households. Billing writes those about payments. */
export const membershipEmails = emails<{
  /** For a membership billed at the venue. `tier` is its display name. */
  application_approved: { tier: string; monthly_pours: number };
  on_the_house: { tier: string; monthly_pours: number; ends_at: Date };
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

  on_the_house: {
    subject: 'Your membership is on the house',
    content: ({ tier, monthly_pours, ends_at }, { venue, page, day }) => [
      `${venue.club_name} gives you a ${tier} membership until ${day(ends_at)}, with ${pourCount(monthly_pours)} each month. You pay nothing, and it ends by itself.`,
      'Show your card when you come by:',
      { button: 'Open My Card', url: page('/qr-code') },
    ],
    values: ({ tier, ends_at }, { day }) => ({ tier, date: day(ends_at) }),
    sample: { tier: 'Select', monthly_pours: 4, ends_at: new Date('2026-12-31T08:00:00Z') },
  },

  // Without the staff's notes, which are internal.
  application_rejected: {
    topic: 'application',
    subject: 'Your application was not accepted',
    content: (_, { page }) => [
      "We've reviewed your membership application and didn't accept it.",
      'If you think this is a mistake, write to us. You can also apply again:',
      { button: 'Apply Again', url: page('/apply') },
    ],
  },

  household_invitation: {
    topic: 'sign-up',
    subject: ({ holder }) => `${holder} would like to share a membership with you`,
    content: ({ holder, url, days }, { venue }) => [
      `${holder} is a member of ${venue.club_name} and has invited you to share the membership. You'll use the same monthly pours, have your own card and history, and pay nothing.`,
      { button: 'See the Invitation', url },
      `The link works once, for ${days} days. If you don't know ${holder}, ignore this email.`,
    ],
    values: ({ holder }) => ({ holder }),
    sample: ({ page }) => ({ holder: 'Ben', url: page('/share', 'sample'), days: INVITATION_DAYS }),
  },

  partner_joined: {
    subject: ({ partner }) => `${partner} now shares your membership`,
    content: ({ partner }, { household }) => [
      `${partner} accepted your invitation. You now share your monthly pours, and each of you has a card. Only you pay, and you can stop sharing anytime.`,
      household,
    ],
    values: (data) => data,
    sample: { partner: 'Ben' },
  },

  sharing_ended_holder: {
    subject: 'You no longer share your membership',
    content: ({ by, partner }, words) => [HOLDER_READS[by](partner), words.dashboard],
    values: ({ partner }) => ({ partner }),
    sample: { by: 'holder', partner: 'Ben' },
  },

  sharing_ended_partner: {
    subject: 'You no longer share a membership',
    content: ({ by, holder }, words) => [
      PARTNER_READS[by](holder),
      by === 'own_membership'
        ? 'It comes with pours of your own.'
        : 'You can no longer use the shared pours or your card. You keep your history, and you can join with a membership of your own anytime.',
      words.dashboard,
    ],
    values: ({ holder }) => ({ holder }),
    sample: { by: 'holder', holder: 'Ben' },
  },
});
