import type { StaffNoticeFacts } from '../../../contract/staff-notices.ts';
import { STAFF_NOTICE_KINDS, type StaffNoticeKind } from '../../../domain/staff-notice.ts';
import { check, index, jsonb, pgTable, sql, text, uuid } from '../orm.ts';
import { profiles } from './auth-tables.ts';
import { instant } from './columns.ts';

/** Work that staff must do by hand, written in the transaction of its cause; only one row per cause, ever. */
export const staff_notice = pgTable(
  'staff_notice',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    kind: text('kind', { enum: STAFF_NOTICE_KINDS }).notNull(),
    /** The notice's cause, such as 'payment_unmatched:sub_123': posting it again does nothing. */
    cause: text('cause').notNull().unique(),
    /** Null if no user is known, or the account was deleted. */
    user_id: uuid('user_id').references(() => profiles.id, { onDelete: 'set null' }),
    facts: jsonb('facts').$type<StaffNoticeFacts[StaffNoticeKind]>().notNull(),
    created_at: instant('created_at').notNull(),
    settled_at: instant('settled_at'),
    settled_by_staff_id: uuid('settled_by_staff_id').references(() => profiles.id),
  },
  (t) => [
    index('staff_notice_open').on(t.created_at).where(sql`${t.settled_at} is null`),
    index('staff_notice_user').on(t.user_id),
    check(
      'staff_notice_kind_known',
      sql`${t.kind} in ('payment_unmatched', 'reversal_impossible', 'customer_missing', 'webhook_off', 'gift_reversed', 'payment_disputed', 'paid_more_than_once')`,
    ),
    check('staff_notice_settled', sql`num_nulls(${t.settled_at}, ${t.settled_by_staff_id}) in (0, 2)`),
  ],
);
