import { and, eq, inArray, or, sql } from '../db/orm.ts';
import {
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
  email_change,
  gift_membership,
  leaving_reason,
  membership_applications,
  membership_term,
  memberships,
  payment_link,
  pour_voids,
  pours,
  profile_search,
  profile_summary,
  profiles,
  staff_notice,
  stripe_event,
  tier_change,
  user_roles,
} from '../db/schema.ts';
import { CARD_DATA } from './card-data.ts';
import { IMPORT_DATA } from './import-data.ts';
import { MEMBER_RECORD_DATA } from './member-record-data.ts';
import {
  byUser,
  ofCustomer,
  ofMembership,
  ownCustomer,
  type PersonalDataTable,
  SECRET,
} from './personal-data-table.ts';
import { PUSH_DATA } from './push-data.ts';
import { SHARING_DATA } from './sharing-data.ts';
import { SIGN_IN_DATA } from './sign-in-data.ts';
import { STAFF_DATA } from './staff-data.ts';
import { TASTE_DATA } from './taste-data.ts';
import { WEBHOOK_DATA } from './webhook-data.ts';

const STAFF = 'names a member of our staff';
const GIFT_SECRET = 'would let anyone who reads this file redeem the gift';
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
    kept: { why: 'the ledger of payments', erased: { toast_reference_number: null } },
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
  ...TASTE_DATA,
  ...CARD_DATA,
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
  ...SHARING_DATA,
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
    about: 'Payments that our staff refunded to you',
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
    // After the events, which are found through it.
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
      and(eq(deliveries.kind, 'email'), or(eq(deliveries.user_id, user_id), eq(deliveries.recipient, email))),
    hidden: { payload: SECRET },
    kept: 'nothing',
  },
  ...IMPORT_DATA,
  ...STAFF_DATA,
  ...PUSH_DATA,
  ...WEBHOOK_DATA,
  {
    table: email_change,
    about: 'A new email that you have not confirmed yet',
    of: byUser(email_change.user_id),
    hidden: { token_hash: SECRET, device_hash: SECRET, asked_by_staff_id: STAFF },
    kept: 'nothing',
  },
  ...SIGN_IN_DATA,
];
