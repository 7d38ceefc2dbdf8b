import { sql } from 'drizzle-orm';
import {
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { CHANGE_KINDS, GIVEN_LEDGER_KINDS, GRANT_KINDS } from '../../../domain/glasses.ts';
import { MAX_ROLLOVER } from '../../../domain/membership/rollover.ts';
import { profiles } from './auth-tables.ts';
import { tier_change } from './billing-tables.ts';
import { instant } from './columns.ts';
import { customers, memberships, pours, tier_definitions } from './membership-tables.ts';
import { ACTORS_CUSTOMER, ownRows } from './row-policies.ts';
import { guest_glass } from './sharing/sharing-tables.ts';

/** Glasses that staff or the house gave for a billing period, negative where they took some back. Rows are added, never changed. */
export const given_glasses = pgTable(
  'given_glasses',
  {
    id: uuid('id').primaryKey(),
    /** Made by the client when the form opens: the same id again gives the same glasses once. */
    request_id: uuid('request_id').notNull().unique(),
    customer_id: uuid('customer_id')
      .notNull()
      .references(() => customers.id),
    kind: text('kind', { enum: GIVEN_LEDGER_KINDS }).notNull(),
    glasses: integer('glasses').notNull(),
    /** Null once erased. */
    reason: text('reason'),
    /** Null for a celebration. */
    given_by_staff_id: uuid('given_by_staff_id').references(() => profiles.id),
    /** It counts in the billing period that this instant is in. */
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    index('given_glasses_given_by').on(t.given_by_staff_id).where(sql`${t.given_by_staff_id} is not null`),
    index('given_glasses_customer').on(t.customer_id, t.created_at),
    check('given_glasses_giver', sql`(${t.kind} = 'celebration') = (${t.given_by_staff_id} is null)`),
    check('given_glasses_glasses', sql`${t.glasses} > 0 or ${t.kind} = 'correction' and ${t.glasses} < 0`),
    ownRows(`customer_id = ${ACTORS_CUSTOMER}`),
  ],
);

/**
 * How many glasses of a period of a tier roll over into the next, for periods that begin from an instant on. Rows are
 * added, never changed; a tier without one lets none roll over.
 */
export const tier_rollover = pgTable(
  'tier_rollover',
  {
    tier_name: text('tier_name')
      .notNull()
      .references(() => tier_definitions.tier_name),
    since: instant('since').notNull(),
    glasses: smallint('glasses').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tier_name, t.since] }),
    check('tier_rollover_glasses', sql`${t.glasses} between 0 and ${sql.raw(String(MAX_ROLLOVER))}`),
  ],
);

/**
 * The ledger of glasses: what gives a member glasses, from when, until when, and why. Rows are added, never changed; what
 * alters one later is a row of glass_change, what takes glasses a row of glass_debit. docs/rules/glasses.md, "Glasses".
 */
export const glass_grant = pgTable(
  'glass_grant',
  {
    id: uuid('id').primaryKey(),
    /** The member whose glasses they are; in a household, the holder. */
    customer_id: uuid('customer_id')
      .notNull()
      .references(() => customers.id),
    membership_id: uuid('membership_id')
      .notNull()
      .references(() => memberships.id),
    kind: text('kind', { enum: GRANT_KINDS }).notNull(),
    /** The tier by which they were given; of what rolled over, that of the period it came from. */
    tier: text('tier')
      .notNull()
      .references(() => tier_definitions.tier_name),
    glasses: integer('glasses').notNull(),
    /** How many of them may roll over into the next period, at most. */
    rollable: integer('rollable').notNull().default(0),
    /** The day on which the billing period began that they belong to: at the venue by its calendar, by card in UTC. */
    period: date('period', { mode: 'string' }).notNull(),
    valid_from: instant('valid_from').notNull(),
    /** Until before this instant, unless glass_change says otherwise. */
    valid_until: instant('valid_until').notNull(),
    /** For a period paid by card: how many days a failed renewal kept access when it began. */
    grace_days: smallint('grace_days'),
    /** What the club gave, for a grant that a person or a celebration made. */
    given_id: uuid('given_id')
      .unique()
      .references(() => given_glasses.id),
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    // One of a period, and one that rolled over into it. By this index the running period's grants are found.
    uniqueIndex('glass_grant_once')
      .on(t.membership_id, t.period, sql`(${t.kind} = 'rollover')`)
      .where(sql`${t.given_id} is null`),
    index('glass_grant_of_period').on(t.membership_id, t.period),
    index('glass_grant_customer').on(t.customer_id, t.valid_from),
    index('glass_grant_end').on(t.valid_until),
    check(
      'glass_grant_kind',
      sql`(${t.kind} in ('given', 'correction', 'celebration')) = (${t.given_id} is not null)`,
    ),
    check(
      'glass_grant_glasses',
      sql`${t.glasses} > 0 or ${t.kind} in ('period', 'advance') and ${t.glasses} = 0`,
    ),
    check('glass_grant_rollable', sql`${t.rollable} between 0 and ${sql.raw(String(MAX_ROLLOVER))}`),
    check('glass_grant_length', sql`${t.valid_from} < ${t.valid_until}`),
    check('glass_grant_grace', sql`${t.grace_days} between 1 and 27`),
    ownRows(`customer_id = ${ACTORS_CUSTOMER}`),
  ],
);

/** What was learned or decided about a grant later: rows are added, never changed. */
export const glass_change = pgTable(
  'glass_change',
  {
    id: uuid('id').primaryKey(),
    grant_id: uuid('grant_id')
      .notNull()
      .references(() => glass_grant.id),
    kind: text('kind', { enum: CHANGE_KINDS }).notNull(),
    /** More, or fewer below 0. */
    glasses: integer('glasses').notNull().default(0),
    /** How many more may roll over, or fewer below 0. */
    rollable: integer('rollable').notNull().default(0),
    /** When the grant ends, where that is not when it said. */
    valid_until: instant('valid_until'),
    /** The tier of a tier change, and the one that a payment or Stripe named. */
    to_tier: text('to_tier').references(() => tier_definitions.tier_name),
    /** For a tier change: from when the glasses are prorated, as charged, or when a change made at Stripe was first seen. */
    prorated_at: instant('prorated_at'),
    /** The change that the member made here; null for one made at Stripe. */
    tier_change_id: uuid('tier_change_id')
      .unique()
      .references(() => tier_change.id, { onDelete: 'set null' }),
    /** What staff took back. */
    given_id: uuid('given_id').references(() => given_glasses.id),
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    index('glass_change_grant').on(t.grant_id),
    index('glass_change_end').on(t.valid_until).where(sql`${t.valid_until} is not null`),
    index('glass_change_given').on(t.given_id).where(sql`${t.given_id} is not null`),
    uniqueIndex('glass_change_paid_once').on(t.grant_id).where(sql`${t.kind} = 'paid'`),
    check('glass_change_given_kind', sql`(${t.kind} = 'correction') = (${t.given_id} is not null)`),
    check(
      'glass_change_tier_kind',
      sql`${t.kind} <> 'tier_change' or ${t.prorated_at} is not null and ${t.to_tier} is not null`,
    ),
    // The subquery is subject to the policy on grants: only the actor's own are found.
    ownRows(`EXISTS (SELECT 1 FROM glass_grant g WHERE g.id = grant_id)`),
  ],
);

/**
 * What took glasses from a grant: a pour that was not voided; a guest's glass while it waits; or glasses of an earlier
 * grant that was never paid (owed), for as long as that is not paid after all. Rows are added, never changed.
 */
export const glass_debit = pgTable(
  'glass_debit',
  {
    grant_id: uuid('grant_id')
      .notNull()
      .references(() => glass_grant.id),
    glasses: integer('glasses').notNull(),
    pour_id: uuid('pour_id').references(() => pours.id),
    guest_glass_id: uuid('guest_glass_id').references(() => guest_glass.id),
    owed_grant_id: uuid('owed_grant_id').references(() => glass_grant.id),
  },
  (t) => [
    index('glass_debit_grant').on(t.grant_id),
    index('glass_debit_pour').on(t.pour_id).where(sql`${t.pour_id} is not null`),
    index('glass_debit_guest').on(t.guest_glass_id).where(sql`${t.guest_glass_id} is not null`),
    index('glass_debit_owed').on(t.owed_grant_id).where(sql`${t.owed_grant_id} is not null`),
    check('glass_debit_glasses', sql`${t.glasses} > 0`),
    check('glass_debit_cause', sql`num_nonnulls(${t.pour_id}, ${t.guest_glass_id}, ${t.owed_grant_id}) = 1`),
    ownRows(`EXISTS (SELECT 1 FROM glass_grant g WHERE g.id = grant_id)`),
  ],
);
