import { DUES_KINDS, PAID_METHODS } from '../../../domain/membership/dues.ts';
import { check, date, index, integer, pgTable, smallint, sql, text, uuid } from '../orm.ts';
import { profiles } from './auth-tables.ts';
import { instant } from './columns.ts';
import { customerId, memberships, tier_definitions } from './membership-tables.ts';
import { bar_device } from './staff-tables.ts';

/**
 * What was paid at the venue for a membership, and until when (docs/rules/dues.md). Rows are added and never changed; voiding
 * adds a row to dues_void.
 */
export const dues = pgTable(
  'dues',
  {
    id: uuid('id').primaryKey(),
    /** Made by the client when the form opens: a repeated id is the same payment. */
    request_id: uuid('request_id').notNull().unique(),
    customer_id: customerId('customer_id'),
    membership_id: uuid('membership_id')
      .notNull()
      .references(() => memberships.id),
    kind: text('kind', { enum: DUES_KINDS }).notNull(),
    /** The number on the receipt. Only of a payment; null once erased. */
    reference: text('reference'),
    amount_cents: integer('amount_cents').notNull(),
    /** For a pause: how many months it got, or lost if below 0. */
    months: smallint('months').notNull(),
    /** Only of a payment, if it was recorded. */
    method: text('method', { enum: PAID_METHODS }),
    /** The day it was received, or recorded. */
    paid_on: date('paid_on', { mode: 'string' }).notNull(),
    /** The first day that it pays for, and the first that it does not. Of a pause: its first day, and its new end. */
    paid_from: date('paid_from', { mode: 'string' }).notNull(),
    paid_until: date('paid_until', { mode: 'string' }).notNull(),
    /** The tier that a payment or a difference paid for; null of payments from before it was noted. */
    tier: text('tier').references(() => tier_definitions.tier_name),
    /** The tier of a year before its difference. */
    from_tier: text('from_tier').references(() => tier_definitions.tier_name),
    /** Null for a pause by the member, and for a payment online. */
    recorded_by_staff_id: uuid('recorded_by_staff_id').references(() => profiles.id),
    /** The shared tablet that recorded it; null for any other device. */
    bar_device_id: uuid('bar_device_id').references(() => bar_device.id),
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    index('dues_customer').on(t.customer_id, t.created_at),
    index('dues_membership').on(t.membership_id),
    index('dues_paid_on').on(t.paid_on),
    index('dues_recorded_by').on(t.recorded_by_staff_id),
    index('dues_bar_device').on(t.bar_device_id).where(sql`${t.bar_device_id} is not null`),
    check(
      'dues_recorded',
      sql`${t.recorded_by_staff_id} is not null or ${t.kind} = 'pause' or coalesce(${t.method}, '') = 'online'`,
    ),
    check('dues_amount', sql`${t.amount_cents} >= 0`),
    check('dues_from_tier', sql`(${t.kind} = 'difference') = (${t.from_tier} is not null)`),
    check(
      'dues_kind',
      sql`${t.kind} in ('payment', 'difference') and ${t.months} > 0 and ${t.paid_from} < ${t.paid_until}
        or ${t.kind} = 'start' and ${t.months} = 0 and ${t.amount_cents} = 0 and ${t.paid_from} = ${t.paid_until}
        or ${t.kind} = 'pause' and ${t.months} <> 0 and ${t.amount_cents} = 0 and ${t.paid_from} <= ${t.paid_until}`,
    ),
  ],
);

export const dues_void = pgTable(
  'dues_void',
  {
    dues_id: uuid('dues_id')
      .primaryKey()
      .references(() => dues.id),
    /** Null once erased, and for a start that a later one replaced. */
    reason: text('reason'),
    voided_by_staff_id: uuid('voided_by_staff_id')
      .notNull()
      .references(() => profiles.id),
    created_at: instant('created_at').notNull(),
  },
  (t) => [index('dues_void_voided_by').on(t.voided_by_staff_id)],
);
