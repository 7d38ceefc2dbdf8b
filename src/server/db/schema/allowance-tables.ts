import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import { LEDGER_GIFT_KINDS } from '../../../domain/allowance.ts';
import { MAX_ROLLOVER } from '../../../domain/membership/rollover.ts';
import { GRACE_DAYS } from '../../../domain/standing.ts';
import { profiles } from './auth-tables.ts';
import { tier_change } from './billing-tables.ts';
import { instant } from './columns.ts';
import { customers, tier_definitions } from './membership-tables.ts';
import { ACTORS_CUSTOMER, ownRows } from './row-policies.ts';

/**
 * What each billing period of a card membership gives, written by billing/sync. At the venue every period is paid, so
 * only those have a row into which unpaid pours are carried. docs/rules.md, "What a period gives".
 */
export const allowance_period = pgTable(
  'allowance_period',
  {
    customer_id: uuid('customer_id')
      .notNull()
      .references(() => customers.id),
    starts_at: instant('starts_at').notNull(),
    ends_at: instant('ends_at').notNull(),
    /** Null when billed at the venue. */
    stripe_subscription_id: text('stripe_subscription_id'),
    /** With which the period began, by the price of its regular charge once that is paid. */
    tier: text('tier')
      .notNull()
      .references(() => tier_definitions.tier_name),
    paid: boolean('paid').notNull(),
    /** The charge that paid it was given back whole, or is disputed: none of its glasses roll over. */
    returned: boolean('returned').notNull().default(false),
    /** Pours of earlier periods that were never paid; they count in this one. */
    carried_pours: integer('carried_pours').notNull(),
    /** How many days a failed renewal kept access when the period began: its share of the glasses is given unpaid. */
    grace_days: smallint('grace_days').notNull().default(GRACE_DAYS),
  },
  (t) => [
    primaryKey({ columns: [t.customer_id, t.starts_at] }),
    index('allowance_period_end').on(t.ends_at),
    check('allowance_period_length', sql`${t.starts_at} < ${t.ends_at}`),
    check('allowance_period_grace', sql`${t.grace_days} between 1 and 27`),
    check('allowance_period_carried', sql`${t.carried_pours} >= 0`),
    ownRows(`customer_id = ${ACTORS_CUSTOMER}`),
  ],
);

/** Glasses that staff or the house gave for a billing period, negative where they took some back. Rows are added, never changed. */
export const allowance_gift = pgTable(
  'allowance_gift',
  {
    id: uuid('id').primaryKey(),
    /** Made by the client when the form opens: the same id again is the same gift. */
    request_id: uuid('request_id').notNull().unique(),
    customer_id: uuid('customer_id')
      .notNull()
      .references(() => customers.id),
    kind: text('kind', { enum: LEDGER_GIFT_KINDS }).notNull(),
    glasses: integer('glasses').notNull(),
    /** Null once erased. */
    reason: text('reason'),
    /** Null for a celebration. */
    given_by_staff_id: uuid('given_by_staff_id').references(() => profiles.id),
    /** It counts in the billing period that this instant is in. */
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    index('allowance_gift_given_by').on(t.given_by_staff_id).where(sql`${t.given_by_staff_id} is not null`),
    index('allowance_gift_customer').on(t.customer_id, t.created_at),
    check('allowance_gift_giver', sql`(${t.kind} = 'celebration') = (${t.given_by_staff_id} is null)`),
    check('allowance_gift_glasses', sql`${t.glasses} > 0 or ${t.kind} = 'correction' and ${t.glasses} < 0`),
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

/** How many glasses a month a tier gave until it was changed. After the last row, tier_definitions says. */
export const tier_glasses = pgTable(
  'tier_glasses',
  {
    tier_name: text('tier_name')
      .notNull()
      .references(() => tier_definitions.tier_name),
    until: instant('until').notNull(),
    glasses: integer('glasses').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tier_name, t.until] }),
    check('tier_glasses_count', sql`${t.glasses} >= 0`),
  ],
);

/**
 * Glasses that rolled over into a billing period, written with its first pour. Until then they follow from the period
 * before, by the same rule. Rows are added, never changed. docs/rules.md, "Glasses that roll over".
 */
export const allowance_rollover = pgTable(
  'allowance_rollover',
  {
    /** Whose glasses they are; of a household, the holder. */
    customer_id: uuid('customer_id')
      .notNull()
      .references(() => customers.id),
    period_starts_at: instant('period_starts_at').notNull(),
    /** The start of the period that gave them, and its tier. */
    from_starts_at: instant('from_starts_at').notNull(),
    tier: text('tier')
      .notNull()
      .references(() => tier_definitions.tier_name),
    glasses: integer('glasses').notNull(),
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customer_id, t.period_starts_at] }),
    check('allowance_rollover_glasses', sql`${t.glasses} > 0`),
    check('allowance_rollover_order', sql`${t.from_starts_at} < ${t.period_starts_at}`),
    ownRows(`customer_id = ${ACTORS_CUSTOMER}`),
  ],
);

/** The glasses that a tier change within a period added to it; negative after a change to a smaller tier. */
export const allowance_change = pgTable(
  'allowance_change',
  {
    id: uuid('id').primaryKey(),
    customer_id: uuid('customer_id').notNull(),
    period_starts_at: instant('period_starts_at').notNull(),
    to_tier: text('to_tier')
      .notNull()
      .references(() => tier_definitions.tier_name),
    glasses: integer('glasses').notNull(),
    /** From when the glasses are prorated: as charged, or when a change made at Stripe was first seen. */
    prorated_at: instant('prorated_at').notNull(),
    /** The change that the member made here; null for one made at Stripe. */
    tier_change_id: uuid('tier_change_id')
      .unique()
      .references(() => tier_change.id, { onDelete: 'set null' }),
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    index('allowance_change_period').on(t.customer_id, t.period_starts_at),
    foreignKey({
      name: 'allowance_change_of_period',
      columns: [t.customer_id, t.period_starts_at],
      foreignColumns: [allowance_period.customer_id, allowance_period.starts_at],
    }),
    ownRows(`customer_id = ${ACTORS_CUSTOMER}`),
  ],
);
