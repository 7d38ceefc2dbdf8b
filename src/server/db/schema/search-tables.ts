import { date, index, integer, pgTable, sql, text, uuid } from '../orm.ts';
import { ownedBy } from './auth-tables.ts';
import { instant } from './columns.ts';
import { ownedByCustomer } from './membership-tables.ts';

/**
 * The staff's search rows: one narrow row per user, written by the triggers in db/functions/search.sql, which also makes
 * the index in list order and the one of short n-grams (docs/decisions/search-and-lists.md).
 */
export const profile_search = pgTable(
  'profile_search',
  {
    user_id: ownedBy('user_id').primaryKey(),
    /** First name, last name, email and phone, lowercased, without accents, the phone as digits. */
    search_text: text('search_text').notNull(),
    /** Like member_since, only set for active members. */
    customer_id: uuid('customer_id'),
    member_since: date('member_since', { mode: 'string' }),
  },
  (t) => [index('profile_search_trigrams').using('gin', t.search_text.op('gin_trgm_ops'))],
);

/**
 * The rows by which staff list, filter and sort members: a narrow one for each member and former member, written by the
 * triggers in db/functions/staff-directory.sql (docs/decisions/search-and-lists.md). They hold what the standing follows
 * from, not the standing, which changes with time.
 */
export const member_directory = pgTable(
  'member_directory',
  {
    customer_id: ownedByCustomer('customer_id').primaryKey(),
    user_id: uuid('user_id').notNull(),
    /** Last and first name, lowercased and without accents. */
    sort_name: text('sort_name').notNull(),
    tier: text('tier').notNull(),
    status: text('status', { enum: ['active', 'inactive'] }).notNull(),
    member_since: date('member_since', { mode: 'string' }).notNull(),
    /**
     * The status of the subscription that pays for the membership, or paid for the last one; null when billed at the venue.
     */
    stripe_status: text('stripe_status'),
    grace_until: instant('grace_until'),
    ends_at: instant('ends_at'),
    paused_from: instant('paused_from'),
    paused_until: instant('paused_until'),
  },
  (t) => [
    index('member_directory_name').on(sql`${t.sort_name} collate "C"`, t.customer_id),
    index('member_directory_joined').on(t.member_since, t.customer_id),
    // Rare values are found by their own index, not by scanning a million others.
    index('member_directory_tier').on(t.tier, t.member_since),
    index('member_directory_stripe_status').on(t.stripe_status).where(sql`${t.stripe_status} is not null`),
    index('member_directory_ends').on(t.ends_at).where(sql`${t.ends_at} is not null`),
    index('member_directory_paused').on(t.paused_from).where(sql`${t.paused_from} is not null`),
    index('member_directory_user').on(t.user_id),
  ],
);

/**
 * A member's last pour that was not voided; '-infinity' before the first, so that every row has a place in the order. For
 * members who stay away also how often they used to come, once a task has counted it (server/reports/at-risk/usual-gaps.ts).
 */
export const member_visit = pgTable(
  'member_visit',
  {
    customer_id: ownedByCustomer('customer_id').primaryKey(),
    last_visit: instant('last_visit').notNull(),
    /** The time zone in which visits were counted; null while they are not, as after each pour and void. */
    visits_zone: text('visits_zone'),
    /** Days with a visit in the year up to the last one. */
    visits: integer('visits'),
    first_visit: date('first_visit', { mode: 'string' }),
  },
  (t) => [index('member_visit_newest').on(t.last_visit, t.customer_id)],
);
