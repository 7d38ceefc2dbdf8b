import { sql } from 'drizzle-orm';
import { date, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { profiles } from './identity.ts';

/**
 * What staff search in, one narrow row for each person; written by triggers alone (migration
 * `search_rules`, which also makes the indexes over the text).
 */
export const profile_search = pgTable(
  'profile_search',
  {
    user_id: uuid('user_id')
      .primaryKey()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    /** First name, last name and email, lowercased and without accents. */
    search_text: text('search_text').notNull(),
    /** Both are set for active members alone. */
    customer_id: uuid('customer_id'),
    member_since: date('member_since', { mode: 'string' }),
  },
  (t) => [
    index('profile_search_newest')
      .on(t.member_since.desc(), t.customer_id.desc())
      .where(sql`${t.member_since} is not null`),
  ],
);
