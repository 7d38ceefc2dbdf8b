import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { AdoptionRemark, FoundPrice, FoundSubscription } from '../../../domain/imports/adoption.ts';
import { DATE_ORDERS, type ImportMapping } from '../../../domain/imports/import-fields.ts';
import {
  IMPORT_SOURCES,
  IMPORT_STATUSES,
  type ImportProblem,
  type KeptReason,
  OPEN_STATUSES,
  ROW_OUTCOMES,
} from '../../../domain/imports/import-words.ts';
import { profiles } from './auth-tables.ts';
import { instant } from './columns.ts';
import { ACTOR, ownRows } from './row-policies.ts';

const oneOf = (values: readonly string[]) => sql.raw(values.map((it) => `'${it}'`).join(', '));

/**
 * A file of members, or an account's subscriptions at Stripe, that is, or was, imported. docs/rules/imports.md, "Moving
 * in and out".
 */
export const member_import = pgTable(
  'member_import',
  {
    id: uuid('id').primaryKey(),
    /** Null once whoever imported it has deleted their account. */
    file_name: text('file_name'),
    source: text('source', { enum: IMPORT_SOURCES }).notNull().default('file'),
    status: text('status', { enum: IMPORT_STATUSES }).notNull(),
    /** The names of the file's columns. */
    columns: jsonb('columns').$type<string[]>().notNull(),
    mapping: jsonb('mapping').$type<ImportMapping>().notNull(),
    date_order: text('date_order', { enum: DATE_ORDERS }).notNull(),
    total_rows: integer('total_rows').notNull().default(0),
    /** How many the running step has been through, in the order of the rows. */
    done_rows: integer('done_rows').notNull().default(0),
    /** That can be imported, as far as checked; of them those that become members billed at the venue. */
    ready_rows: integer('ready_rows').notNull().default(0),
    venue_rows: integer('venue_rows').notNull().default(0),
    imported_rows: integer('imported_rows').notNull().default(0),
    /** That undoing has left, because something has used them since. */
    kept_rows: integer('kept_rows').notNull().default(0),
    /** The prices found at Stripe, with the tiers chosen for them; null for a file. */
    prices: jsonb('prices').$type<FoundPrice[]>(),
    /** Keys of tags that the checked rows would make. */
    new_tags: jsonb('new_tags').$type<string[]>().notNull(),
    /** Who imports: the author of notes and tags. */
    started_by_staff_id: uuid('started_by_staff_id').references(() => profiles.id, { onDelete: 'set null' }),
    created_at: instant('created_at').notNull(),
    /** When it was imported, and when its rows were deleted. */
    finished_at: instant('finished_at'),
    rows_deleted_at: instant('rows_deleted_at'),
    /** Staff asked for emails with a link to set a password. */
    emails_wanted: boolean('emails_wanted').notNull().default(false),
    emailed_rows: integer('emailed_rows').notNull().default(0),
  },
  (t) => [
    uniqueIndex('member_import_one_open')
      .on(sql`(true)`)
      .where(sql`${t.status} in (${oneOf(OPEN_STATUSES)})`),
    check('member_import_status_known', sql`${t.status} in (${oneOf(IMPORT_STATUSES)})`),
    check('member_import_source_known', sql`${t.source} in (${oneOf(IMPORT_SOURCES)})`),
  ],
).enableRLS();

/** A row of such a file. It is deleted 30 days after the import. */
export const member_import_row = pgTable(
  'member_import_row',
  {
    import_id: uuid('import_id')
      .notNull()
      .references(() => member_import.id, { onDelete: 'cascade' }),
    /** From 1; the names of the columns are not counted. */
    row_no: integer('row_no').notNull(),
    cells: jsonb('cells').$type<string[]>().notNull(),
    /** As read from the cells, in lowercase; null before that, or where there is none. */
    email: text('email'),
    /** Empty where the row can be imported; null before it was checked. */
    problems: jsonb('problems').$type<ImportProblem[]>(),
    /** Of a row that is a subscription at Stripe, as is all that follows down to `named_at`. */
    stripe_subscription_id: text('stripe_subscription_id'),
    stripe_customer_id: text('stripe_customer_id'),
    found: jsonb('found').$type<FoundSubscription>(),
    remarks: jsonb('remarks').$type<AdoptionRemark[]>(),
    /** Whether an account is found or made for it; null where it cannot be taken over. */
    becomes: text('becomes', { enum: ['found', 'made'] }),
    /** The record as a member that it made, if there was none. */
    made_customer_id: uuid('made_customer_id'),
    /** Since when a record that was there had them as a member, where Stripe had them longer. */
    member_since_before: date('member_since_before', { mode: 'string' }),
    /** When the customer at Stripe was given our account's id. */
    named_at: instant('named_at'),
    outcome: text('outcome', { enum: ROW_OUTCOMES }),
    /** Why undoing left it. */
    kept_because: text('kept_because').$type<KeptReason>(),
    /** The account that it became. */
    user_id: uuid('user_id').references(() => profiles.id, { onDelete: 'set null' }),
    /** The glasses that it gave or took back. */
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
    check('member_import_row_outcome_known', sql`${t.outcome} in (${oneOf(ROW_OUTCOMES)})`),
  ],
).enableRLS();

/**
 * Accounts that an import made, whose users have agreed to nothing yet: they are asked when they first sign in.
 */
export const imported_account = pgTable(
  'imported_account',
  {
    user_id: uuid('user_id')
      .primaryKey()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    imported_at: instant('imported_at').notNull(),
  },
  () => [ownRows(`user_id = ${ACTOR}`)],
);
