import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { profiles } from '../auth-tables.ts';
import { instant } from '../columns.ts';
import { membership_applications } from '../membership-tables.ts';

/**
 * A code by which someone who signs up at the bar pays on their own phone; one for each application. It opens that one
 * payment, and nothing else.
 */
export const payment_link = pgTable('payment_link', {
  application_id: uuid('application_id')
    .primaryKey()
    .references(() => membership_applications.id, { onDelete: 'cascade' }),
  user_id: uuid('user_id')
    .notNull()
    .references(() => profiles.id, { onDelete: 'cascade' }),
  /** SHA-256 of the 32 random bytes in the link, base64url. */
  token_hash: text('token_hash').notNull().unique(),
  /** SHA-256 of the secret of the one browser that went on to payment; null until one did. */
  browser_hash: text('browser_hash'),
  created_by_staff_id: uuid('created_by_staff_id')
    .notNull()
    .references(() => profiles.id),
  created_at: instant('created_at').notNull(),
  expires_at: instant('expires_at').notNull(),
  /** When a phone first read it. */
  opened_at: instant('opened_at'),
  /** When a browser went on to payment. */
  continued_at: instant('continued_at'),
}).enableRLS();
