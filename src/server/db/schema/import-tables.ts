import type { AdoptionRemark, FoundPrice, FoundSubscription } from '../../../domain/imports/adoption.ts';
import { NAME_ORDERS } from '../../../domain/imports/full-name.ts';
import { DATE_ORDERS, type ImportMapping, type TierNames } from '../../../domain/imports/import-fields.ts';
import {
  IMPORT_SOURCES,
  IMPORT_STATUSES,
  type ImportProblem,
  type KeptReason,
  OPEN_STATUSES,
  ROW_OUTCOMES,
} from '../../../domain/imports/import-words.ts';
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  sql,
  text,
  uniqueIndex,
  uuid,
} from '../orm.ts';
import { ownedBy, profiles } from './auth-tables.ts';
import { instant, quoted } from './columns.ts';
import { ACTOR, ownRows } from './row-policies.ts';

/**
 * A file of members, or a Stripe account's subscriptions, being imported or imported. docs/rules/imports.md, "Moving in and
 * out".
 */
export const member_import = pgTable(
  'member_import',
  {
    id: uuid('id').primaryKey(),
    /** Null once its rows are deleted, or someone in it or who imported it has deleted their account. */
    file_name: text('file_name'),
    source: text('source', { enum: IMPORT_SOURCES }).notNull().default('file'),
    status: text('status', { enum: IMPORT_STATUSES }).notNull(),
    columns: jsonb('columns').$type<string[]>().notNull(),
    mapping: jsonb('mapping').$type<ImportMapping>().notNull(),
    /** Unknown names of tiers in the file, with the tier chosen for each. */
    tier_names: jsonb('tier_names').$type<TierNames>().notNull().default({}),
    date_order: text('date_order', { enum: DATE_ORDERS }).notNull(),
    name_order: text('name_order', { enum: NAME_ORDERS }).notNull().default('first_last'),
    total_rows: integer('total_rows').notNull().default(0),
    /** Rows processed by the running step, in order. */
    done_rows: integer('done_rows').notNull().default(0),
    /** Checked rows that can be imported, and those among them billed at the venue. */
    ready_rows: integer('ready_rows').notNull().default(0),
    venue_rows: integer('venue_rows').notNull().default(0),
    imported_rows: integer('imported_rows').notNull().default(0),
    /** Rows that undoing left in place, because they are in use. */
    kept_rows: integer('kept_rows').notNull().default(0),
    /** Prices found at Stripe, with their chosen tiers; null for a file. */
    prices: jsonb('prices').$type<FoundPrice[]>(),
    /** Keys of tags that importing the checked rows would create. */
    new_tags: jsonb('new_tags').$type<string[]>().notNull(),
    started_by_staff_id: uuid('started_by_staff_id').references(() => profiles.id, { onDelete: 'set null' }),
    created_at: instant('created_at').notNull(),
    finished_at: instant('finished_at'),
    rows_deleted_at: instant('rows_deleted_at'),
    /** Whether staff requested emails with a link to set a password. */
    emails_wanted: boolean('emails_wanted').notNull().default(false),
    emailed_rows: integer('emailed_rows').notNull().default(0),
  },
  (t) => [
    uniqueIndex('member_import_one_open')
      .on(sql`(true)`)
      .where(sql`${t.status} in (${quoted(OPEN_STATUSES)})`),
    check('member_import_status_known', sql`${t.status} in (${quoted(IMPORT_STATUSES)})`),
    check('member_import_source_known', sql`${t.source} in (${quoted(IMPORT_SOURCES)})`),
  ],
).enableRLS();

/** A row of an import, deleted 30 days after it. */
export const member_import_row = pgTable(
  'member_import_row',
  {
    import_id: uuid('import_id')
      .notNull()
      .references(() => member_import.id, { onDelete: 'cascade' }),
    /** From 1, without the header. */
    row_no: integer('row_no').notNull(),
    /** The row's line in the file, as a spreadsheet counts it; null where it follows from `row_no`. */
    line: integer('line'),
    cells: jsonb('cells').$type<string[]>().notNull(),
    /** The email from the cells, in lowercase; null if not read yet, or missing. */
    email: text('email'),
    /** Empty if the row can be imported; null before the check. */
    problems: jsonb('problems').$type<ImportProblem[]>(),
    /** Set for rows of a Stripe subscription, as are the columns up to `named_at`. */
    stripe_subscription_id: text('stripe_subscription_id'),
    stripe_customer_id: text('stripe_customer_id'),
    found: jsonb('found').$type<FoundSubscription>(),
    remarks: jsonb('remarks').$type<AdoptionRemark[]>(),
    /** Whether an account is found or made for it; null if it cannot be adopted. */
    becomes: text('becomes', { enum: ['found', 'made'] }),
    /** The member record created for it, if there was none. */
    made_customer_id: uuid('made_customer_id'),
    /** The previous 'member since' of an existing record, if Stripe's was earlier. */
    member_since_before: date('member_since_before', { mode: 'string' }),
    /** When our account's id was written to the customer at Stripe. */
    named_at: instant('named_at'),
    outcome: text('outcome', { enum: ROW_OUTCOMES }),
    kept_because: text('kept_because').$type<KeptReason>(),
    user_id: uuid('user_id').references(() => profiles.id, { onDelete: 'set null' }),
    /** The glasses given or taken back by the row. */
    given_id: uuid('given_id'),
    imported_at: instant('imported_at'),
    emailed_at: instant('emailed_at'),
  },
  (t) => [
    primaryKey({ columns: [t.import_id, t.row_no] }),
    index('member_import_row_email').on(t.email),
    index('member_import_row_user').on(t.user_id),
    index('member_import_row_stripe')
      .on(t.import_id, t.stripe_customer_id)
      .where(sql`${t.stripe_customer_id} is not null`),
    index('member_import_row_given').on(t.given_id).where(sql`${t.given_id} is not null`),
    index('member_import_row_problems').on(t.import_id, t.row_no).where(sql`${t.problems} <> '[]'::jsonb`),
    check('member_import_row_outcome_known', sql`${t.outcome} in (${quoted(ROW_OUTCOMES)})`),
  ],
).enableRLS();

/** Imported accounts whose users have not given consent: they are asked at their first sign-in. */
export const imported_account = pgTable(
  'imported_account',
  {
    user_id: ownedBy('user_id').primaryKey(),
    imported_at: instant('imported_at').notNull(),
  },
  () => [ownRows(`user_id = ${ACTOR}`)],
);
