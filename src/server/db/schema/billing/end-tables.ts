import { sql } from 'drizzle-orm';
import { check, index, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { END_STATUSES, END_TIMES } from '../../../../domain/membership/end.ts';
import { profiles } from '../auth-tables.ts';
import { instant } from '../columns.ts';
import { memberships } from '../membership-tables.ts';

/**
 * That staff end a membership. Committed before the request to Stripe, so that the sweeper completes what was interrupted.
 * Whether it has ended, memberships says.
 */
export const membership_end = pgTable(
  'membership_end',
  {
    id: uuid('id').primaryKey(),
    membership_id: uuid('membership_id')
      .notNull()
      .references(() => memberships.id, { onDelete: 'cascade' }),
    ends: text('ends', { enum: END_TIMES }).notNull(),
    /** As the member was told. */
    ends_at: instant('ends_at').notNull(),
    asked_by_staff_id: uuid('asked_by_staff_id')
      .notNull()
      .references(() => profiles.id),
    status: text('status', { enum: END_STATUSES }).notNull(),
    created_at: instant('created_at').notNull(),
    settled_at: instant('settled_at'),
  },
  (t) => [
    uniqueIndex('membership_end_one_open')
      .on(t.membership_id)
      .where(sql`${t.status} in ('asked', 'set', 'withdrawing')`),
    index('membership_end_to_carry_out').on(t.created_at).where(sql`${t.status} in ('asked', 'withdrawing')`),
    check('membership_end_when_known', sql`${t.ends} in ('period_end', 'now')`),
    check('membership_end_status_known', sql`${t.status} in ('asked', 'set', 'withdrawing', 'withdrawn')`),
  ],
);
