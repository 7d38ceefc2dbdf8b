import { and, eq, inArray, or, sql } from '../db/orm.ts';
import {
  benefit_use,
  billing_act,
  billing_customer,
  billing_payment,
  billing_refund,
  billing_reversal,
  billing_subscription,
  checkout_attempt,
  consent,
  customers,
  deliveries,
  dues,
  dues_void,
  email_change,
  gift_membership,
  guest_glass,
  household_invitation,
  household_seat,
  imported_account,
  leaving_reason,
  member_import,
  member_import_row,
  member_palate,
  member_taste,
  membership_applications,
  membership_term,
  memberships,
  paper_card,
  payment_link,
  pour_rating,
  pour_voids,
  pours,
  profile_search,
  profile_summary,
  profiles,
  push_device,
  staff_notice,
  stripe_event,
  tier_change,
  user_roles,
  wallet_device,
  wallet_pass,
  webhook_event,
  webhook_try,
} from '../db/schema.ts';
import { MEMBER_RECORD_DATA } from './member-record-data.ts';
import { importRowsOf } from './mentions.ts';
import {
  byUser,
  ofCustomer,
  ofMembership,
  ownCustomer,
  type PersonalDataTable,
  SECRET,
} from './personal-data-table.ts';
import { SIGN_IN_DATA } from './sign-in-data.ts';
import { STAFF_DATA } from './staff-data.ts';

const STAFF = 'names a member of our staff';
const GIFT_SECRET = 'would let anyone who reads this file redeem the gift';
const DEVICE_ONLY = 'would let anyone who reads this file send to your device';
const OTHER = 'is someone else’s record';
const UNTIL_HEARD =
  'other systems of the venue must still hear that the membership ended; gone after 30 days';
const TABLET = 'says what our staff work with';

/**
 * Every table with personal data, in the order of the export. Each table is here or in not-personal.ts;
 * tests/server/privacy/inventory.test.ts fails for a missing one.
 */
export const PERSONAL_DATA: PersonalDataTable[] = [
  {
    table: profiles,
    about: 'Your profile',
    of: ({ user_id }) => eq(profiles.id, user_id),
    hidden: { erased_at: 'empty while you have an account' },
    kept: { why: 'ledger rows point to it', erased: {} },
  },
  { table: user_roles, about: 'Your role', of: byUser(user_roles.user_id), hidden: {}, kept: 'nothing' },
  {
    table: profile_search,
    about: 'The search entry that lets our staff find you',
    of: byUser(profile_search.user_id),
    hidden: {},
    kept: 'nothing',
  },
  ...MEMBER_RECORD_DATA,
  {
    table: consent,
    about: 'What you agreed to, and when',
    of: byUser(consent.user_id),
    hidden: {},
    kept: { why: 'proof of what was agreed to, as long as payments need the profile', erased: {} },
  },
  {
    table: membership_applications,
    about: 'Your applications: your survey answers and our staff’s notes',
    of: byUser(membership_applications.user_id),
    hidden: { reviewed_by_staff_id: STAFF },
    kept: 'nothing',
  },
  {
    table: customers,
    about: 'Your member record',
    of: byUser(customers.user_id),
    hidden: { activation_key: SECRET, signed_up_by_staff_id: STAFF },
    kept: { why: 'the ledger of glasses', erased: { activation_key: null } },
  },
  {
    table: memberships,
    about: 'Your memberships over time',
    of: ofCustomer(memberships.customer_id),
    hidden: { recorded_by_staff_id: STAFF },
    kept: { why: 'the ledger of payments', erased: { toast_reference_number: null, house_reason: null } },
  },
  {
    table: dues,
    about: 'What you paid at the venue, and until when',
    of: ofCustomer(dues.customer_id),
    hidden: { recorded_by_staff_id: STAFF, bar_device_id: TABLET },
    kept: { why: 'the ledger of payments', erased: { reference: null } },
  },
  {
    table: dues_void,
    about: 'Which of those were voided, and why',
    of: (person) =>
      inArray(dues_void.dues_id, sql`(select id from dues where customer_id in ${ownCustomer(person)})`),
    hidden: { voided_by_staff_id: STAFF },
    kept: { why: 'the ledger of payments', erased: { reason: null } },
  },
  {
    table: membership_term,
    about: 'What your memberships were over time',
    of: ofMembership(membership_term.membership_id),
    hidden: {},
    kept: { why: 'what the club earned and when, shown in reports', erased: {} },
  },
  {
    table: leaving_reason,
    about: 'Why you left, if you said so',
    of: ofMembership(leaving_reason.membership_id),
    hidden: {},
    kept: { why: 'counted by reports; it holds no text', erased: {} },
  },
  {
    table: member_taste,
    about: 'Your taste, as you last changed it',
    of: byUser(member_taste.user_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: pour_rating,
    about: 'What you thought of your wines',
    of: ofCustomer(pour_rating.customer_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: member_palate,
    about: 'Your answers about the kinds of wine you like, and the date from which your verdicts count',
    of: ofCustomer(member_palate.customer_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: paper_card,
    about: 'Your printed cards: when each was made and replaced',
    of: ofCustomer(paper_card.customer_id),
    hidden: { proof_hash: SECRET, key_id: 'says only which key of ours made the code' },
    kept: { why: 'the ledger of glasses', erased: { proof_hash: null, key_id: null } },
  },
  {
    // The devices come before the passes, through which they are found.
    table: wallet_device,
    about: 'Devices that keep your pass in Apple Wallet',
    of: ({ user_id }) =>
      inArray(wallet_device.pass_id, sql`(select id from wallet_pass where user_id = ${user_id}::uuid)`),
    hidden: { push_token: 'a secret address, to which messages to your device are sent' },
    kept: 'nothing',
  },
  {
    table: deliveries,
    about: 'When your passes are brought up to date',
    of: ({ user_id }) => and(eq(deliveries.kind, 'wallet'), eq(deliveries.user_id, user_id)),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: wallet_pass,
    about: 'Your passes in Apple Wallet and Google Wallet',
    of: byUser(wallet_pass.user_id),
    hidden: { content_hash: 'says nothing that the other tables do not' },
    kept: 'nothing',
  },
  {
    table: pours,
    about: 'Your pours, with our staff’s notes',
    of: ofCustomer(pours.customer_id),
    hidden: {
      recorded_by_staff_id: STAFF,
      bar_device_id: TABLET,
      pool_id: 'is the record of who shared with you',
    },
    kept: { why: 'the ledger of glasses', erased: { notes: null } },
  },
  {
    table: pour_voids,
    about: 'Pours that were voided, and why',
    of: (person) =>
      inArray(pour_voids.pour_id, sql`(select id from pours where customer_id in ${ownCustomer(person)})`),
    hidden: { voided_by_staff_id: STAFF, bar_device_id: TABLET },
    kept: { why: 'the ledger of glasses', erased: { reason: null } },
  },
  {
    table: benefit_use,
    about: 'Benefits of your tier that you took',
    of: ofCustomer(benefit_use.customer_id),
    hidden: {
      recorded_by_staff_id: STAFF,
      voided_by_staff_id: STAFF,
      bar_device_id: TABLET,
      pool_id: 'is the record of who shared with you',
    },
    kept: { why: 'it counts for the membership, also of a household', erased: { void_reason: null } },
  },
  {
    table: household_invitation,
    about: 'Invitations to share a membership, from you or to you',
    of: (person) =>
      or(
        sql`${household_invitation.holder_id} in ${ownCustomer(person)}`,
        eq(household_invitation.email, person.email),
      ),
    hidden: { token_hash: SECRET, holder_id: OTHER },
    kept: 'nothing',
  },
  {
    table: household_seat,
    about: 'Since when and until when you shared a membership',
    of: (person) =>
      or(ofCustomer(household_seat.holder_id)(person), ofCustomer(household_seat.customer_id)(person)),
    hidden: { holder_id: OTHER, customer_id: OTHER },
    kept: { why: 'the ledger of glasses', erased: {} },
  },
  {
    table: guest_glass,
    about: 'Pours that you gave to guests',
    of: ofCustomer(guest_glass.customer_id),
    hidden: { token_hash: SECRET, pool_id: OTHER },
    kept: { why: 'the ledger of glasses', erased: { token_hash: null } },
  },
  {
    table: profile_summary,
    about: 'The summary of your answers that a language model wrote for our staff',
    of: ofCustomer(profile_summary.customer_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: checkout_attempt,
    about: 'Checkout pages opened for you',
    of: byUser(checkout_attempt.user_id),
    hidden: { url: SECRET },
    kept: 'nothing',
  },
  {
    table: payment_link,
    about: 'Codes at the bar that opened a payment of yours',
    of: byUser(payment_link.user_id),
    hidden: { token_hash: SECRET, browser_hash: SECRET, created_by_staff_id: STAFF },
    kept: 'nothing',
  },
  {
    table: tier_change,
    about: 'Tier changes you previewed or confirmed',
    of: byUser(tier_change.user_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: billing_act,
    about:
      'Pauses of your membership, moves of it to another price, and memberships of yours that our staff ended',
    of: byUser(billing_act.user_id),
    hidden: { asked_by_staff_id: STAFF },
    kept: 'nothing',
  },
  {
    table: billing_subscription,
    about: 'Your subscriptions at the payment service',
    of: byUser(billing_subscription.user_id),
    hidden: {},
    kept: {
      why: 'the ledger of payments',
      erased: {
        payment_method_type: null,
        card_wallet: null,
        card_brand: null,
        card_last4: null,
        card_exp_month: null,
        card_exp_year: null,
      },
    },
  },
  {
    table: billing_payment,
    about: 'Your card payments',
    of: byUser(billing_payment.user_id),
    hidden: {},
    kept: { why: 'the ledger of payments', erased: {} },
  },
  {
    table: gift_membership,
    about: 'Memberships that you bought as gifts',
    of: byUser(gift_membership.buyer_id),
    hidden: {
      code_hash: GIFT_SECRET,
      code_key_id: GIFT_SECRET,
      code_version: GIFT_SECRET,
      url: SECRET,
      refunded_by_staff_id: STAFF,
    },
    kept: {
      why: 'it was paid for, and its recipient redeems it',
      erased: { buyer_id: null, from_name: null, to_name: null, message: null, url: null },
    },
  },
  {
    table: billing_refund,
    about: 'Payments that were refunded to you',
    of: byUser(billing_refund.user_id),
    hidden: { asked_by_staff_id: STAFF },
    kept: { why: 'the ledger of payments', erased: { reason: null } },
  },
  {
    table: billing_reversal,
    about: 'Subscriptions that were canceled and refunded',
    of: byUser(billing_reversal.user_id),
    hidden: {},
    kept: { why: 'the ledger of payments', erased: {} },
  },
  {
    table: staff_notice,
    about: 'Payments of yours that our staff corrected by hand',
    of: byUser(staff_notice.user_id),
    hidden: { settled_by_staff_id: STAFF },
    kept: { why: 'money may still have to be given back', erased: { user_id: null } },
  },
  {
    table: stripe_event,
    about: 'Events that the payment service sent about you',
    of: ({ user_id }) =>
      sql`${stripe_event.stripe_customer_id} in (select stripe_customer_id from billing_customer where user_id = ${user_id}::uuid)`,
    hidden: {},
    kept: 'nothing',
  },
  {
    // The customer comes after the events, which are found through it.
    table: billing_customer,
    about: 'Your customer id at the payment service',
    of: byUser(billing_customer.user_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: deliveries,
    about: 'Emails to you; their text is deleted once they are sent',
    of: ({ user_id, email }) =>
      and(
        eq(deliveries.kind, 'email'),
        or(eq(deliveries.user_id, user_id), sql`lower(${deliveries.recipient}) = ${email}`),
      ),
    hidden: { payload: SECRET },
    kept: 'nothing',
  },
  {
    table: imported_account,
    about: 'Whether our staff created your account from a file, and when',
    of: byUser(imported_account.user_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    // The files come before their rows, through which they are found.
    table: member_import,
    about: 'Files with a row about you, or that you imported as one of our staff',
    of: (person) =>
      or(
        eq(member_import.started_by_staff_id, person.user_id),
        sql`${member_import.id} in (select import_id from member_import_row where ${importRowsOf(person)})`,
      ),
    hidden: {
      started_by_staff_id: STAFF,
      file_name: OTHER,
      tier_names: OTHER,
      prices: OTHER,
      new_tags: OTHER,
    },
    kept: { why: 'the members who came with it are still there', erased: { file_name: null } },
  },
  {
    table: member_import_row,
    about: 'Your row in files that our staff imported; deleted after 30 days',
    of: importRowsOf,
    hidden: {},
    kept: 'nothing',
  },
  ...STAFF_DATA,
  {
    table: deliveries,
    about: 'Notifications on your devices; their text is deleted once they are sent',
    of: ({ user_id }) => and(eq(deliveries.kind, 'push'), eq(deliveries.user_id, user_id)),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: push_device,
    about: 'Browsers that show you notifications',
    of: byUser(push_device.user_id),
    hidden: { endpoint: DEVICE_ONLY, p256dh: DEVICE_ONLY, auth: DEVICE_ONLY },
    kept: 'nothing',
  },
  {
    table: webhook_event,
    about:
      'What was sent to the venue’s other systems about your membership, pours and benefits in the last 30 days',
    of: ofCustomer(webhook_event.customer_id),
    hidden: {},
    kept: { why: `ids and numbers only: ${UNTIL_HEARD}`, erased: {} },
  },
  {
    table: deliveries,
    about: 'Which of them it was sent to, and when',
    of: (person) =>
      inArray(
        deliveries.event_id,
        sql`(select id from webhook_event where customer_id in ${ownCustomer(person)})`,
      ),
    hidden: {},
    kept: { why: UNTIL_HEARD, erased: { recipient: null, subject: null, reason: null } },
  },
  {
    table: webhook_try,
    about: 'How often it was tried, and what they answered',
    of: (person) =>
      inArray(
        webhook_try.delivery_id,
        sql`(select d.id from deliveries d join webhook_event e on e.id = d.event_id
              where e.customer_id in ${ownCustomer(person)})`,
      ),
    hidden: {},
    kept: { why: UNTIL_HEARD, erased: { error: null, answer: null } },
  },
  {
    table: email_change,
    about: 'Your last change of email, until its link expires',
    of: byUser(email_change.user_id),
    hidden: { token_hash: SECRET, device_hash: SECRET, asked_by_staff_id: STAFF },
    kept: 'nothing',
  },
  ...SIGN_IN_DATA,
];
