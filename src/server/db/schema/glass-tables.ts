import { CHANGE_KINDS, GIVEN_LEDGER_KINDS, GRANT_KINDS } from '../../../domain/glasses.ts';
import { CELEBRATION_KINDS } from '../../../domain/membership/celebration.ts';
import { MAX_ROLLOVER } from '../../../domain/membership/rollover.ts';
import {
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  sql,
  text,
  uniqueIndex,
  uuid,
} from '../orm.ts';
import { profiles } from './auth-tables.ts';
import { tier_change } from './billing-tables.ts';
import { instant } from './columns.ts';
import { dues } from './dues-tables.ts';
import {
  customerId,
  memberships,
  ownedByCustomer,
  pours,
  tier_definitions,
  tierName,
} from './membership-tables.ts';
import { ACTORS_CUSTOMER, ownRows } from './row-policies.ts';
import { guest_glass } from './sharing-tables.ts';

/** Glasses given by staff or the house for a billing period, negative if taken back. Rows are added, never changed. */
export const given_glasses = pgTable(
  'given_glasses',
  {
    id: uuid('id').primaryKey(),
    /** Made by the client when the form opens: the same id again gives the same glasses once. */
    request_id: uuid('request_id').notNull().unique(),
    customer_id: customerId('customer_id'),
    kind: text('kind', { enum: GIVEN_LEDGER_KINDS }).notNull(),
    glasses: integer('glasses').notNull(),
    /** Null once erased. */
    reason: text('reason'),
    /** Null for a celebration. */
    given_by_staff_id: uuid('given_by_staff_id').references(() => profiles.id),
    /** The glasses belong to the billing period that contains this instant. */
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
 * The rollover limit of a tier, for periods that begin from an instant on. Rows are added, never changed; without a row,
 * nothing rolls over.
 */
export const tier_rollover = pgTable(
  'tier_rollover',
  {
    tier_name: tierName('tier_name'),
    since: instant('since').notNull(),
    glasses: smallint('glasses').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.tier_name, t.since] }),
    check('tier_rollover_glasses', sql`${t.glasses} between 0 and ${sql.raw(String(MAX_ROLLOVER))}`),
  ],
);

/**
 * The ledger of glasses: each grant to a member, its validity and reason. Rows are added, never changed; glass_change holds
 * later changes, glass_debit the glasses taken. docs/rules/glasses.md, "Glasses".
 */
export const glass_grant = pgTable(
  'glass_grant',
  {
    id: uuid('id').primaryKey(),
    /** The member who owns the glasses; in a household, the holder. */
    customer_id: customerId('customer_id'),
    membership_id: uuid('membership_id')
      .notNull()
      .references(() => memberships.id),
    kind: text('kind', { enum: GRANT_KINDS }).notNull(),
    /** The tier that gave them; for a rollover, the earlier period's tier. */
    tier: tierName('tier'),
    glasses: integer('glasses').notNull(),
    /** The most of them that may roll over into the next period. */
    rollable: integer('rollable').notNull().default(0),
    /** The first day of their billing period: by the venue's calendar, or in UTC for a card. */
    period: date('period', { mode: 'string' }).notNull(),
    valid_from: instant('valid_from').notNull(),
    /** Exclusive; glass_change may override it. */
    valid_until: instant('valid_until').notNull(),
    /** Days of grace that applied when a period paid by card began. */
    grace_days: smallint('grace_days'),
    /** The given glasses behind a grant from staff or for a celebration. */
    given_id: uuid('given_id')
      .unique()
      .references(() => given_glasses.id),
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    // One grant per period, and one rollover into it. The index finds the running period's grants.
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

/** Later changes of a grant: rows are added, never changed. */
export const glass_change = pgTable(
  'glass_change',
  {
    id: uuid('id').primaryKey(),
    grant_id: uuid('grant_id')
      .notNull()
      .references(() => glass_grant.id),
    kind: text('kind', { enum: CHANGE_KINDS }).notNull(),
    /** Added glasses; negative if removed. */
    glasses: integer('glasses').notNull().default(0),
    /** Added rollable glasses; negative if removed. */
    rollable: integer('rollable').notNull().default(0),
    /** The grant's new end, if it changed. */
    valid_until: instant('valid_until'),
    /** The new tier of a tier change, or the tier named by a payment or Stripe. */
    to_tier: text('to_tier').references(() => tier_definitions.tier_name),
    /** For a tier change: the start of the proration, as charged, or when a change made at Stripe was first seen. */
    prorated_at: instant('prorated_at'),
    /** The change made by the member here; null if made at Stripe. */
    tier_change_id: uuid('tier_change_id')
      .unique()
      .references(() => tier_change.id, { onDelete: 'set null' }),
    /** The row by which staff took glasses back. */
    given_id: uuid('given_id').references(() => given_glasses.id),
    /** The dues that paid for it at the venue, or whose void took that back. */
    dues_id: uuid('dues_id').references(() => dues.id),
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    index('glass_change_grant').on(t.grant_id),
    index('glass_change_end').on(t.valid_until).where(sql`${t.valid_until} is not null`),
    index('glass_change_given').on(t.given_id).where(sql`${t.given_id} is not null`),
    uniqueIndex('glass_change_paid_once')
      .on(t.grant_id, sql`coalesce(${t.dues_id}, ${t.grant_id})`)
      .where(sql`${t.kind} = 'paid'`),
    index('glass_change_dues').on(t.dues_id).where(sql`${t.dues_id} is not null`),
    check('glass_change_given_kind', sql`(${t.kind} = 'correction') = (${t.given_id} is not null)`),
    check(
      'glass_change_tier_kind',
      sql`${t.kind} <> 'tier_change' or ${t.prorated_at} is not null and ${t.to_tier} is not null`,
    ),
    // The policy on grants applies to the subquery: it only finds the actor's own.
    ownRows(`EXISTS (SELECT 1 FROM glass_grant g WHERE g.id = grant_id)`),
  ],
);

/**
 * Glasses taken from a grant: by a pour that is not voided, by a waiting guest's glass, or for an earlier unpaid grant
 * (owed), until that is paid after all. Rows are added, never changed.
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

/** A celebrated day of a member, once per occasion: docs/rules/glasses.md, "Days to celebrate". */
export const celebration = pgTable(
  'celebration',
  {
    customer_id: ownedByCustomer('customer_id'),
    /** The occasion, as in domain/membership/celebration.ts. */
    occasion: text('occasion').notNull(),
    kind: text('kind', { enum: CELEBRATION_KINDS }).notNull(),
    /** Full years as a member; null if it is not an anniversary. */
    years: smallint('years'),
    /** The venue's day. */
    day: date('day', { mode: 'string' }).notNull(),
    /** Glasses given by the house; null for none. */
    given_id: uuid('given_id')
      .unique()
      .references(() => given_glasses.id),
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.customer_id, t.occasion] }),
    index('celebration_day').on(t.customer_id, t.day),
    ownRows(`customer_id = ${ACTORS_CUSTOMER}`),
  ],
);
