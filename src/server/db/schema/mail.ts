import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';
import { profiles } from './identity.ts';

/** Mail that is to be sent, written in the transaction of its cause; one row for each cause, ever. */
export const outgoing_mail = pgTable(
  'outgoing_mail',
  {
    id: uuid('id').primaryKey(),
    /** What the mail is about, e.g. 'receipt:in_123': a second one with the same cause is never sent. */
    cause: text('cause').notNull().unique(),
    user_id: uuid('user_id').references(() => profiles.id, { onDelete: 'cascade' }),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    /** Emptied once it was sent: it may hold a link that opens an account. */
    body: text('body'),
    created_at: instant('created_at').notNull(),
    sent_at: instant('sent_at'),
    attempts: integer('attempts').notNull().default(0),
    next_attempt_at: instant('next_attempt_at').notNull(),
  },
  (t) => [index('outgoing_mail_due').on(t.next_attempt_at).where(sql`${t.sent_at} is null`)],
);
