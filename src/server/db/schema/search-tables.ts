import { sql } from 'drizzle-orm';
import { date, index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { profiles } from './auth-tables.ts';

/**
 * What staff search: one narrow row per user, written by the triggers in db/functions/search.sql, which also makes
 * the index of short n-grams (docs/decisions/0005-member-search.md).
 */
export const profile_search = pgTable(
  'profile_search',
  {
    user_id: uuid('user_id')
      .primaryKey()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    /** First name, last name and email, lowercased and without accents. */
    search_text: text('search_text').notNull(),
    /** This and member_since are set for active members only. */
    customer_id: uuid('customer_id'),
    member_since: date('member_since', { mode: 'string' }),
  },
  (t) => [
    index('profile_search_trigrams').using('gin', t.search_text.op('gin_trgm_ops')),
    index('profile_search_newest')
      .on(t.member_since.desc(), t.customer_id.desc())
      .where(sql`${t.member_since} is not null`),
  ],
);
