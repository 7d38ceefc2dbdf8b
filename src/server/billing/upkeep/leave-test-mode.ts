import { localDate } from '../../../domain/calendar.ts';
import type { StripeMode } from '../../config/stripe-mode.ts';
import { storedStripeMode } from '../../db/claim-stripe-mode.ts';
import type { Db, Tx } from '../../db/client.ts';
import { and, eq, inArray, isNotNull, or, type PgTable, type SQL, sql } from '../../db/orm.ts';
import {
  billing_act,
  billing_customer,
  billing_payment,
  billing_refund,
  billing_reversal,
  billing_subscription,
  checkout_attempt,
  closed_day,
  customers,
  deliveries,
  gift_membership,
  glass_change,
  glass_debit,
  glass_grant,
  member_import,
  membership_applications,
  memberships,
  staff_notice,
  stripe_event,
  stripe_key_failure,
  stripe_mode,
  stripe_setup,
  tier_change,
  tier_price,
} from '../../db/schema.ts';
import type { BillingDeps } from '../billing-context.ts';
import { endMembership } from '../sync/membership.ts';

/** Tables of copies from Stripe and derived rows, each before the tables it references. */
export const STRIPE_COPIES: { table: PgTable; called: string }[] = [
  { table: tier_change, called: 'tier changes' },
  { table: billing_act, called: 'pauses, ends by staff, and moves to another price' },
  { table: gift_membership, called: 'gifts' },
  { table: billing_reversal, called: 'reversals' },
  { table: billing_refund, called: 'refunds' },
  { table: billing_payment, called: 'payments' },
  { table: billing_subscription, called: 'subscriptions' },
  { table: checkout_attempt, called: 'payment pages' },
  { table: billing_customer, called: 'customers' },
  { table: tier_price, called: 'prices' },
  { table: stripe_event, called: 'events' },
  { table: stripe_key_failure, called: 'counts of failed requests' },
  { table: stripe_setup, called: 'records of webhook endpoint and portal' },
];

/** Emails about a subscription, a payment or a gift, sent or not, as their cause names it. */
const ABOUT_PAYMENTS: SQL = sql`(${deliveries.kind} = 'email' and ${deliveries.cause} ~ ':(sub|in)_|^gift')`;

/** Notices for staff about a payment: they contain its ids at Stripe. */
const NOTICES: SQL = sql`(${staff_notice.cause} || ${staff_notice.facts}::text ~ '[:"](sub|in|cus|pi)_'
  or ${staff_notice.kind} = 'caught_up')`;

/** Memberships paid by a subscription, or once, as a gift or a year. */
const BY_CARD: SQL = sql`(${memberships.stripe_subscription_id} is not null or ${memberships.is_gift}
  or exists (select from dues d where d.membership_id = ${memberships.id} and d.method = 'online'))`;

export interface TestPayments {
  /** Null for payments from before their mode was recorded. */
  mode: Exclude<StripeMode, 'live'> | null;
  memberships: number;
  /** Emails about payments, sent or not. */
  emails: number;
  /** Notices for staff about payments, settled or not. */
  notices: number;
  copies: { called: string; rows: number }[];
}

/** Thrown if the database holds real payments, or none. */
export class NothingToLeave extends Error {
  constructor(mode: StripeMode | null) {
    super(
      mode === 'live'
        ? 'This database holds real payments. Nothing was changed.'
        : 'This database holds no payments of test mode or the demo. Nothing was changed.',
    );
    this.name = 'NothingToLeave';
  }
}

/** The effect of leaveTestMode. Throws NothingToLeave. */
export async function countTestPayments(db: Db | Tx): Promise<TestPayments> {
  const mode = await storedStripeMode(db);
  const copies: TestPayments['copies'] = [];
  for (const { table, called } of STRIPE_COPIES) {
    const rows = await db.$count(table);
    if (rows > 0) copies.push({ called, rows });
  }
  if (mode === 'live' || (mode === null && copies.length === 0)) throw new NothingToLeave(mode);
  return {
    mode,
    memberships: await db.$count(memberships, sql`${BY_CARD} and ${memberships.status} = 'active'`),
    emails: await db.$count(deliveries, ABOUT_PAYMENTS),
    notices: await db.$count(staff_notice, NOTICES),
    copies,
  };
}

/**
 * Takes the database out of test mode, or out of the demo, in one transaction: memberships paid by card end today, and
 * every id from Stripe is deleted, so that the next start sets the mode. Accounts, applications, memberships billed at the
 * venue and the ledger of pours stay; no email is sent. Returns the counts. Throws NothingToLeave.
 */
export async function leaveTestMode({
  db,
  now,
  venue,
}: Pick<BillingDeps, 'db' | 'now'> & { venue: { time_zone: string } }): Promise<TestPayments> {
  return db.transaction(async (tx) => {
    // From here on no other process can write an id of the old mode (db/functions/stripe-mode.sql).
    await tx.select().from(stripe_mode).for('update');
    const found = await countTestPayments(tx);
    // The ledger then allows deleting card payments' rows (db/functions/pour-ledger.sql).
    await tx.delete(stripe_mode);
    // Members who were to go on by card stay at the venue.
    const stays = { next_subscription_id: null, ends_on: null, canceled_at: null };
    const isFollowed = isNotNull(memberships.next_subscription_id);
    await tx
      .update(memberships)
      .set(stays)
      .where(and(isFollowed, eq(memberships.status, 'active')));
    await tx.update(memberships).set({ next_subscription_id: null }).where(isFollowed);
    await deleteCardGrants(tx);
    await endCardMemberships(tx, localDate(now(), venue.time_zone));
    await tx.delete(deliveries).where(ABOUT_PAYMENTS);
    await tx.delete(staff_notice).where(NOTICES);
    await tx
      .update(membership_applications)
      .set({ stripe_session_id: null })
      .where(isNotNull(membership_applications.stripe_session_id));
    // An import's rows go with it. Members adopted from Stripe stay, like everyone who paid by card.
    await tx.delete(member_import).where(eq(member_import.source, 'stripe'));
    for (const { table } of STRIPE_COPIES) await tx.delete(table);
    return found;
  });
}

/** Deletes the glasses granted by test subscriptions, and the debts of unpaid ones. The pours stay. */
async function deleteCardGrants(tx: Tx): Promise<void> {
  const byCard = tx
    .select({ id: glass_grant.id })
    .from(glass_grant)
    .innerJoin(memberships, eq(memberships.id, glass_grant.membership_id))
    .where(isNotNull(memberships.stripe_subscription_id));
  await tx
    .delete(glass_debit)
    .where(or(inArray(glass_debit.grant_id, byCard), inArray(glass_debit.owed_grant_id, byCard)));
  await tx.delete(glass_change).where(inArray(glass_change.grant_id, byCard));
  await tx.delete(glass_grant).where(inArray(glass_grant.id, byCard));
  // Reports count these days live until a task closes them again.
  await tx.delete(closed_day);
}

/** Ends memberships paid by card on this day ('YYYY-MM-DD'), and removes the subscription id from past ones too. */
async function endCardMemberships(tx: Tx, today: string): Promise<void> {
  const byCard = await tx.select().from(memberships).where(BY_CARD);
  for (const membership of byCard) {
    if (membership.status !== 'active') continue;
    await endMembership(tx, membership, today);
    await tx.update(customers).set({ status: 'inactive' }).where(eq(customers.id, membership.customer_id));
  }
  await tx.update(memberships).set({ stripe_subscription_id: null }).where(BY_CARD);
}
