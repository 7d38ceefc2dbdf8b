import type { LetterKey } from '../../../domain/club/letters.ts';
import * as auth from '../../auth/auth-emails.ts';
import * as emailChange from '../../auth/email-change/email-change-emails.ts';
import { invitationEmail } from '../../auth/team/invitation-email.ts';
import type { BillingNotice } from '../../billing/billing-context.ts';
import { billingEmail, partnerEmail } from '../../billing/notices/billing-emails.ts';
import { giftEmail } from '../../billing/notices/gift-letters.ts';
import type { PartnersNews } from '../../billing/notices/partner-letters.ts';
import { importedEmail } from '../../imports/import-email.ts';
import type { Email, Venue } from '../../mail/email.ts';
import { approvedEmail, rejectedEmail } from '../../membership/application-emails.ts';
import * as household from '../../membership/household/household-emails.ts';
import { rolloverEmail } from '../../pours/rollover-letters.ts';

/** Someone who does not exist. */
const ADA = 'Ada';
const BEN = 'Ben';
const NEW_EMAIL = 'ada@example.com';

const on = (day: string) => new Date(`${day}T16:00:00Z`);
const start = on('2026-07-13');
const next_billing = on('2026-08-13');
const price_change = null;
const money = { currency: 'usd', tax_behavior: 'unspecified' } as const;
const price = { ...money, tier: 'select', amount_cents: 3900, monthly_cents: 3900, price_change };
const gift = { tier: 'select', months: 3 } as const;
type WithoutCause<T> = T extends BillingNotice ? Omit<T, 'cause' | 'user_id'> : never;

const billing =
  (notice: WithoutCause<BillingNotice>) =>
  (venue: Venue): Email =>
    billingEmail({ ...notice, cause: 'sample', user_id: 'sample' } as BillingNotice, ADA, venue);
const shared =
  (notice: WithoutCause<PartnersNews>) =>
  (venue: Venue): Email => {
    const news = { ...notice, cause: 'sample', user_id: 'sample' } as PartnersNews;
    return partnerEmail(news, { holder: BEN, firstName: ADA }, venue);
  };
const moved = (to: string, monthly_pours: number) =>
  billing({
    ...{ type: 'price_move_announced', from: 'select', to, monthly_pours, effective_at: next_billing },
    ...{
      discounted: false,
      from_amount_cents: 3900,
      to_amount_cents: 4500,
      currency: 'usd',
      tax_behavior: 'unspecified',
    },
  });
const linkOf = ({ public_url }: Venue, page: string) => `${public_url}/${page}#sample`;

/** Each letter as a made-up member would get it. Its links lead to pages that say the link has expired. */
const SAMPLES: Record<LetterKey, (venue: Venue) => Email> = {
  password_reset: (venue) => auth.passwordResetEmail(venue, ADA, 'sample', 30),
  first_password: (venue) => auth.firstPasswordEmail(venue, ADA, linkOf(venue, 'reset-password'), 24),
  choose_password: (venue) => auth.choosePasswordEmail(venue, ADA, linkOf(venue, 'reset-password'), 24),
  imported: (venue) => importedEmail(venue, ADA, linkOf(venue, 'reset-password'), 14),
  verification: (venue) => auth.verificationEmail(venue, ADA, 'sample', 24),
  account_exists: (venue) => auth.accountExistsEmail(venue, ADA),
  password_changed: (venue) => auth.passwordChangedEmail(venue, ADA, false),
  password_replaced: (venue) => auth.passwordReplacedEmail(venue, ADA),
  passkey_added: (venue) => auth.passkeyAddedEmail(venue, ADA, 'Phone'),
  passkey_removed: (venue) => auth.passkeyRemovedEmail(venue, ADA, 'Phone'),
  two_factor_on: (venue) => auth.twoFactorChangedEmail(venue, ADA, true),
  two_factor_off: (venue) => auth.twoFactorChangedEmail(venue, ADA, false),
  two_factor_reset: (venue) => auth.twoFactorResetEmail(venue, ADA, '/account'),
  account_linked: (venue) => auth.accountLinkedEmail(venue, ADA, 'Google'),
  account_unlinked: (venue) => auth.accountUnlinkedEmail(venue, ADA, 'Google'),
  api_client_added: (venue) => auth.apiClientAddedEmail(venue, ADA, 'Till'),
  new_email: (venue) =>
    emailChange.confirmNewEmail(venue, ADA, { token: 'sample', hours: 24, byStaff: false }),
  new_email_taken: (venue) => emailChange.newEmailTaken(venue, ADA),
  email_change_asked: (venue) =>
    emailChange.emailChangeAskedFor(venue, ADA, { new_email: NEW_EMAIL, hours: 24, byStaff: false }),
  email_changed: (venue) => emailChange.emailChanged(venue, ADA, NEW_EMAIL),
  email_corrected: (venue) => emailChange.emailCorrected(venue),
  account_deleted: (venue) => auth.accountDeletedEmail(venue, ADA),
  application_approved: (venue) => approvedEmail(venue, ADA, 'Select', 4),
  application_rejected: (venue) => rejectedEmail(venue, ADA),
  welcome: billing({ type: 'membership_started', renewed: false, ...price, next_billing, carried_pours: 0 }),
  welcome_back: billing({
    ...{ type: 'membership_started', renewed: true, ...price, next_billing, carried_pours: 0 },
  }),
  tier_changed: billing({
    ...{ type: 'tier_changed', from: 'select', to: 'premier', added_pours: 4, monthly_pours: 8 },
    next_billing,
  }),
  tier_change_scheduled: billing({
    ...{ type: 'tier_change_scheduled', to: 'select', amount_cents: 3900, currency: 'usd' },
    ...{ tax_behavior: 'unspecified', effective_at: next_billing },
  }),
  tier_change_withdrawn: billing({ type: 'tier_change_withdrawn', tier: 'premier' }),
  price_announced: moved('select', 4),
  tier_move_announced: moved('premier', 8),
  price_move_withdrawn: billing({ type: 'price_move_withdrawn', tier: 'select' }),
  pause_scheduled: billing({
    type: 'pause_scheduled',
    from: next_billing,
    until: on('2026-10-13'),
    begun: false,
  }),
  pause_withdrawn: billing({ type: 'pause_withdrawn', next_billing, price_change }),
  pause_ended: billing({ type: 'pause_ended', tier: 'select', next_billing, price_change }),
  return_reminder: billing({ type: 'return_reminder', ...price, returns_at: next_billing }),
  cancellation_scheduled: billing({
    ...{ type: 'cancellation_scheduled', ends_at: next_billing, paused: false, by_venue: false },
  }),
  ending_by_staff: billing({
    ...{ type: 'cancellation_scheduled', ends_at: next_billing, paused: false, by_venue: true },
  }),
  cancellation_withdrawn: billing({ type: 'cancellation_withdrawn', price_change }),
  ending_reminder: billing({ type: 'ending_reminder', tier: 'select', ends_at: next_billing }),
  membership_ended: billing({ type: 'membership_ended', why: null }),
  membership_ended_unpaid: billing({ type: 'membership_ended', why: 'payment_overdue' }),
  membership_ended_by_staff: billing({ type: 'membership_ended', why: 'ended_by_staff' }),
  membership_suspended: billing({ type: 'membership_suspended' }),
  annual_notice: billing({ type: 'annual_notice', ...price, since: on('2025-07-13'), next_billing }),
  payment_received: billing({
    ...{ type: 'payment_received', invoice: 'A1B2-0001', invoice_url: null, tier: 'select' },
    ...{ period: { start, end: next_billing }, amount_cents: 3900, currency: 'usd' },
  }),
  payment_failed: billing({
    ...{ type: 'payment_failed', grace_until: on('2026-07-20'), available_pours: 1, period_pours: 4 },
  }),
  access_restored: billing({ type: 'access_restored', tier: 'select' }),
  payment_returned: billing({
    ...{ type: 'payment_returned', reason: 'second_subscription', amount_cents: 3900, currency: 'usd' },
  }),
  payment_refunded: billing({
    ...{ type: 'payment_refunded', amount_cents: 1000, paid_cents: 3900, paid_at: start, currency: 'usd' },
  }),
  renewal_reminder: billing({ type: 'renewal_reminder', ...price, renews_at: next_billing }),
  gift_bought: billing({
    type: 'gift_bought',
    ...gift,
    amount_cents: 11_700,
    currency: 'usd',
    send_on: null,
  }),
  gift: (venue) =>
    giftEmail(
      venue,
      {
        ...{ from_name: BEN, to_name: ADA, message: 'Enjoy!', tier: 'Select', months: 3 },
        code: '0000-0000-0000-0000-0000',
      },
      'ada@club.example',
    ),
  gift_refunded: billing({ type: 'gift_refunded', ...gift, amount_cents: 11_700, currency: 'usd' }),
  gift_started: billing({ type: 'gift_started', ...gift, last_day: on('2026-10-12') }),
  gift_ending: billing({ type: 'gift_ending', tier: 'select', last_day: on('2026-10-12') }),
  gift_ended: billing({ type: 'gift_ended', tier: 'select' }),
  glasses_ending: (venue) => rolloverEmail(venue, ADA, 2, next_billing),
  household_invitation: (venue) => household.householdInvitationEmail(venue, BEN, linkOf(venue, 'share'), 14),
  partner_joined: (venue) => household.partnerJoinedEmail(venue, ADA, BEN),
  sharing_ended_holder: (venue) => household.sharingEndedForHolder(venue, 'holder', ADA, BEN),
  sharing_ended_partner: (venue) => household.sharingEndedForPartner(venue, 'holder', ADA, BEN),
  shared_active_again: shared({ type: 'access_restored', tier: 'select' }),
  shared_not_active: shared({ type: 'membership_suspended' }),
  shared_pause_scheduled: shared({
    type: 'pause_scheduled',
    from: next_billing,
    until: on('2026-10-13'),
    begun: false,
  }),
  shared_pause_withdrawn: shared({ type: 'pause_withdrawn', next_billing, price_change }),
  shared_ending: shared({
    ...{ type: 'cancellation_scheduled', ends_at: next_billing, paused: false, by_venue: false },
  }),
  shared_continues: shared({ type: 'cancellation_withdrawn', price_change }),
  staff_invitation: (venue) => invitationEmail(venue, BEN, 'sample', 72),
};

/** A letter as a made-up member would get it from this venue. */
export const sampleLetter = (letter: LetterKey, venue: Venue): Email => SAMPLES[letter](venue);
