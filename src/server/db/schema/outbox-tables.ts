import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { profiles } from './auth-tables.ts';
import { instant } from './columns.ts';

/** Emails to send, each written in the transaction of its cause; one row per cause, ever. */
export const outbox_email = pgTable(
  'outbox_email',
  {
    id: uuid('id').primaryKey(),
    /** What the email is about, such as 'receipt:in_123': a second one with the same cause is never sent. */
    cause: text('cause').notNull().unique(),
    user_id: uuid('user_id').references(() => profiles.id, { onDelete: 'cascade' }),
    recipient: text('recipient').notNull(),
    subject: text('subject').notNull(),
    /** Null once it was sent: it may hold a link that opens an account. */
    body: text('body'),
    /** The same as HTML. */
    html: text('html'),
    created_at: instant('created_at').notNull(),
    sent_at: instant('sent_at'),
    attempts: integer('attempts').notNull().default(0),
    next_attempt_at: instant('next_attempt_at').notNull(),
  },
  (t) => [
    index('outbox_email_due').on(t.next_attempt_at).where(sql`${t.sent_at} is null`),
    index('outbox_email_user').on(t.user_id, t.sent_at),
  ],
);
