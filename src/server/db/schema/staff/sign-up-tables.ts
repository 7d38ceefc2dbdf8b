import { pgTable, text, uuid } from '../../orm.ts';
import { profiles } from '../auth-tables.ts';
import { instant } from '../columns.ts';
import { membership_applications } from '../membership-tables.ts';

/**
 * A code for paying a sign-up at the bar on the applicant's own phone; one per application. It opens that payment alone.
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
  /** SHA-256 of the secret of the browser that went on to payment; null until then. */
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
