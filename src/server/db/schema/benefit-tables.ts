import { BENEFIT_UNITS, MAX_BENEFIT_NUMBER, MAX_BENEFITS } from '../../../domain/membership/benefit.ts';
import { check, index, pgTable, primaryKey, smallint, sql, text, uuid } from '../orm.ts';
import { profiles, userId } from './auth-tables.ts';
import { instant } from './columns.ts';
import { customerId, tierName } from './membership-tables.ts';
import { bar_device } from './staff-tables.ts';

/** What a tier gives beside its pours: docs/rules/benefits.md. */
export const tier_benefit = pgTable(
  'tier_benefit',
  {
    id: uuid('id').primaryKey(),
    tier_name: tierName('tier_name'),
    words: text('words').notNull(),
    /** Null for a standing one, which is not counted. */
    every: text('every', { enum: BENEFIT_UNITS }),
    /** The place in the tier's list, from 0; null once it is off the list. */
    place: smallint('place'),
  },
  (t) => [
    index('tier_benefit_tier').on(t.tier_name),
    check('tier_benefit_every', sql`${t.every} in ('month', 'quarter', 'year', 'once')`),
    check('tier_benefit_place', sql`${t.place} between 0 and ${sql.raw(String(MAX_BENEFITS - 1))}`),
  ],
);

/** The number of a counted benefit from an instant on, 0 once it is off the list. Rows are added, never changed. */
export const tier_benefit_number = pgTable(
  'tier_benefit_number',
  {
    benefit_id: uuid('benefit_id')
      .notNull()
      .references(() => tier_benefit.id),
    since: instant('since').notNull(),
    number: smallint('number').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.benefit_id, t.since] }),
    check('tier_benefit_number_range', sql`${t.number} between 0 and ${sql.raw(String(MAX_BENEFIT_NUMBER))}`),
  ],
);

/** A counted benefit that a member took. Only undoing it changes the row. Members read it through benefit_facts. */
export const benefit_use = pgTable(
  'benefit_use',
  {
    id: uuid('id').primaryKey(),
    /** Made by the client: a repeated id is the same use. */
    request_id: uuid('request_id').notNull().unique(),
    benefit_id: uuid('benefit_id')
      .notNull()
      .references(() => tier_benefit.id),
    customer_id: customerId('customer_id'),
    /** The member whose membership gave it: the same, or the holder of the household. */
    pool_id: customerId('pool_id'),
    /** The benefit's words at that time. */
    words: text('words').notNull(),
    recorded_by_staff_id: userId('recorded_by_staff_id'),
    /** The shared tablet that recorded it; null for any other device. */
    bar_device_id: uuid('bar_device_id').references(() => bar_device.id),
    /** When it was taken. */
    created_at: instant('created_at').notNull(),
    /** When it was recorded, if it waited for a network; null if that was at once. */
    recorded_at: instant('recorded_at'),
    voided_at: instant('voided_at'),
    voided_by_staff_id: uuid('voided_by_staff_id').references(() => profiles.id),
    /** Null without one, and once erased. */
    void_reason: text('void_reason'),
  },
  (t) => [
    index('benefit_use_pool').on(t.pool_id, t.created_at),
    index('benefit_use_customer').on(t.customer_id, t.created_at),
    index('benefit_use_benefit').on(t.benefit_id),
    check('benefit_use_voided', sql`(${t.voided_at} is null) = (${t.voided_by_staff_id} is null)`),
  ],
);
