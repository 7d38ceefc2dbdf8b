import { eq, inArray, like, or, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { accountKey } from '../auth/sign-in-limits.ts';
import {
  accounts,
  api_clients,
  billing_customer,
  billing_payment,
  billing_reversal,
  billing_subscription,
  checkout_attempt,
  customers,
  jwks,
  membership_applications,
  memberships,
  outbox_email,
  passkeys,
  pour_voids,
  pours,
  profile_search,
  profile_summary,
  profiles,
  rate_limits,
  schema_functions,
  sessions,
  stripe_event,
  tier_change,
  tier_definitions,
  tier_price,
  two_factors,
  used_totp_codes,
  user_roles,
  verifications,
} from '../db/schema.ts';

export interface Person {
  user_id: string;
  email: string;
}

/** What the venue holds about people in one table: what they are shown of it, and what goes with them. */
export interface PersonalDataTable {
  table: PgTable;
  /** The heading in the download. */
  about: string;
  /** Which of its rows are about this person. */
  of(person: Person): SQL | undefined;
  /** Columns that the download leaves out, and why. A string instead leaves out the whole table. */
  hidden: Record<string, string> | string;
  /**
   * What a deleted account leaves: 'nothing', or the rows without what stands in `erased`. The profile and the
   * facts of billing are put to rest by erasure.ts and billing/ending.ts themselves.
   */
  kept: 'nothing' | { why: string; erased: Record<string, null> };
}

const SECRET = 'would let whoever reads this file act as you';
const STAFF = 'names somebody of our staff';

const byUser = (column: PgColumn) => (person: Person) => eq(column, person.user_id);
const ownCustomer = ({ user_id }: Person) => sql`(select id from customers where user_id = ${user_id}::uuid)`;
const ofCustomer = (column: PgColumn) => (person: Person) => inArray(column, ownCustomer(person));

/**
 * Every table with rows about people, in the order of the download. A table is here or in NOBODYS;
 * tests/server/privacy/inventory.test.ts fails for one that is in neither.
 */
export const PERSONAL_DATA: PersonalDataTable[] = [
  {
    table: profiles,
    about: 'Your profile',
    of: ({ user_id }) => eq(profiles.id, user_id),
    hidden: { erased_at: 'is empty while you have an account' },
    kept: { why: 'the rows of the ledger need something to point to', erased: {} },
  },
  {
    table: user_roles,
    about: 'What you may do here',
    of: byUser(user_roles.user_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: profile_search,
    about: 'The line by which our staff find you',
    of: byUser(profile_search.user_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: membership_applications,
    about: 'Your applications: your answers about taste, and what our staff noted',
    of: byUser(membership_applications.user_id),
    hidden: { reviewed_by_staff_id: STAFF },
    kept: 'nothing',
  },
  {
    table: customers,
    about: 'You as a member',
    of: byUser(customers.user_id),
    hidden: { activation_key: SECRET, signed_up_by_staff_id: STAFF },
    kept: { why: 'the ledger of glasses', erased: { activation_key: null } },
  },
  {
    table: memberships,
    about: 'Your memberships, one for each span of time',
    of: ofCustomer(memberships.customer_id),
    hidden: { recorded_by_staff_id: STAFF },
    kept: { why: 'the ledger of payments', erased: { toast_reference_number: null } },
  },
  {
    table: pours,
    about: 'Your glasses, with what our staff noted',
    of: ofCustomer(pours.customer_id),
    hidden: { recorded_by_staff_id: STAFF },
    kept: { why: 'the ledger of glasses', erased: { notes: null } },
  },
  {
    table: pour_voids,
    about: 'Glasses that were taken back, and why',
    of: (person) =>
      inArray(pour_voids.pour_id, sql`(select id from pours where customer_id in ${ownCustomer(person)})`),
    hidden: { voided_by_staff_id: STAFF },
    kept: { why: 'the ledger of glasses', erased: { reason: null } },
  },
  {
    table: profile_summary,
    about: 'What a language model wrote for our staff about your answers',
    of: ofCustomer(profile_summary.customer_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: checkout_attempt,
    about: 'Payment pages that were opened for you',
    of: byUser(checkout_attempt.user_id),
    hidden: { url: SECRET },
    kept: 'nothing',
  },
  {
    table: tier_change,
    about: 'Changes of tier you were shown, and those you agreed to',
    of: byUser(tier_change.user_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: billing_subscription,
    about: 'Your subscriptions at the payment service',
    of: byUser(billing_subscription.user_id),
    hidden: {},
    kept: {
      why: 'the ledger of payments',
      erased: { card_brand: null, card_last4: null, card_exp_month: null, card_exp_year: null },
    },
  },
  {
    table: billing_payment,
    about: 'Your payments by card',
    of: byUser(billing_payment.user_id),
    hidden: {},
    kept: { why: 'the ledger of payments', erased: {} },
  },
  {
    table: billing_reversal,
    about: 'Subscriptions that were ended and paid back',
    of: byUser(billing_reversal.user_id),
    hidden: {},
    kept: { why: 'the ledger of payments', erased: {} },
  },
  {
    table: stripe_event,
    about: 'What the payment service told us about you, and when',
    of: ({ user_id }) =>
      sql`${stripe_event.stripe_customer_id} in (select stripe_customer_id from billing_customer where user_id = ${user_id}::uuid)`,
    hidden: {},
    kept: 'nothing',
  },
  {
    // After the events, which are found by it.
    table: billing_customer,
    about: 'Who you are at the payment service',
    of: byUser(billing_customer.user_id),
    hidden: {},
    kept: 'nothing',
  },
  {
    table: outbox_email,
    about: 'Mails to you; their text is not kept once they are sent',
    of: ({ user_id, email }) => or(eq(outbox_email.user_id, user_id), eq(outbox_email.recipient, email)),
    hidden: { body: SECRET },
    kept: 'nothing',
  },
  {
    table: sessions,
    about: 'Where you are signed in',
    of: byUser(sessions.userId),
    hidden: { token: SECRET },
    kept: 'nothing',
  },
  {
    table: accounts,
    about: 'How you sign in',
    of: byUser(accounts.userId),
    hidden: { password: SECRET, access_token: SECRET, refresh_token: SECRET, id_token: SECRET },
    kept: 'nothing',
  },
  {
    table: api_clients,
    about: 'Machines that may act in your name',
    of: byUser(api_clients.user_id),
    hidden: { secret_hash: SECRET },
    kept: 'nothing',
  },
  {
    table: two_factors,
    about: 'Your two-step sign-in',
    of: byUser(two_factors.userId),
    hidden: { secret: SECRET, backup_codes: SECRET },
    kept: 'nothing',
  },
  {
    table: passkeys,
    about: 'Your passkeys',
    of: byUser(passkeys.userId),
    hidden: { credential_id: SECRET, public_key: SECRET },
    kept: 'nothing',
  },
  {
    table: used_totp_codes,
    about: 'Codes of your authenticator app that were used in the last minutes',
    of: byUser(used_totp_codes.user_id),
    hidden: SECRET,
    kept: 'nothing',
  },
  {
    table: verifications,
    about: 'Links we sent you that are still good, and devices you trust',
    of: ({ user_id, email }) =>
      or(like(verifications.value, `%${user_id}%`), sql`position(${email} in ${verifications.value}) > 0`),
    hidden: SECRET,
    kept: 'nothing',
  },
  {
    table: rate_limits,
    about: 'Counts of your attempts, for an hour at most',
    of: ({ user_id, email }) =>
      or(
        like(rate_limits.key, `%${user_id}%`),
        sql`split_part(${rate_limits.key}, '|', 2) = ${accountKey(email)}`,
      ),
    hidden: 'are found by a hash alone, and hold nothing but a number',
    kept: 'nothing',
  },
];

/** Tables without a row about anybody. */
export const NOT_PERSONAL: { table: PgTable; why: string }[] = [
  { table: jwks, why: 'the keys that sign tokens' },
  { table: schema_functions, why: 'which SQL functions the database has' },
  { table: tier_definitions, why: 'what the venue sells' },
  { table: tier_price, why: 'what that is called at the payment service' },
];
