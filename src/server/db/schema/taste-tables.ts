import { type OwnWords, VERDICTS } from '../../../domain/taste.ts';
import { check, index, jsonb, pgTable, sql, text, uuid } from '../orm.ts';
import { instant } from './columns.ts';
import { customerId, ownedByCustomer, pours } from './membership-tables.ts';
import { ACTORS_CUSTOMER, ownRows } from './row-policies.ts';

/** A member's latest rating of a glass. Without a verdict, they declined to rate. */
export const pour_rating = pgTable(
  'pour_rating',
  {
    pour_id: uuid('pour_id')
      .primaryKey()
      .references(() => pours.id),
    customer_id: customerId('customer_id'),
    verdict: text('verdict', { enum: VERDICTS }),
    comment: text('comment'),
    answered_at: instant('answered_at').notNull(),
  },
  (t) => [
    index('pour_rating_of_customer').on(t.customer_id, t.answered_at),
    // For members at risk: finds the few such verdicts of some months.
    index('pour_rating_not_mine').on(t.answered_at).where(sql`${t.verdict} = 'not_mine'`),
    check('pour_rating_verdict', sql.raw(`verdict in (${VERDICTS.map((it) => `'${it}'`).join(', ')})`)),
    check('pour_rating_comment', sql`${t.comment} is null or ${t.verdict} is not null`),
    // The policy on pours applies to the subquery: it only finds the actor's own.
    ownRows(`customer_id = ${ACTORS_CUSTOMER} AND EXISTS (SELECT 1 FROM pours p WHERE p.id = pour_id)`),
  ],
);

/** A member's taste besides the survey, and since when their verdicts count. */
export const member_palate = pgTable(
  'member_palate',
  {
    customer_id: customerId('customer_id').primaryKey(),
    words: jsonb('words').$type<OwnWords>().notNull(),
    /** From when on ratings count; null for all. */
    ratings_since: instant('ratings_since'),
    changed_at: instant('changed_at').notNull(),
  },
  () => [ownRows(`customer_id = ${ACTORS_CUSTOMER}`)],
);

/** A language model's summary of a member's answers: written once, until the answers change. */
export const profile_summary = pgTable(
  'profile_summary',
  {
    /** A hash of the member, the answers, the model and the version of the prompt. */
    key: text('key').primaryKey(),
    customer_id: ownedByCustomer('customer_id'),
    /** Null while the call is in progress. */
    summary: text('summary'),
    /** When the call began; an unfinished one is repeated later. */
    asked_at: instant('asked_at').notNull(),
  },
  (t) => [index('profile_summary_customer').on(t.customer_id)],
);
