import { check, index, integer, isNotNull, pgTable, primaryKey, smallint, sql, text, uuid } from '../orm.ts';
import { profiles } from './auth-tables.ts';
import { instant } from './columns.ts';
import { customerId } from './membership-tables.ts';

const staff = (name: string) => uuid(name).references(() => profiles.id);

/** A staff note about a member. Its texts are in its versions. */
export const member_note = pgTable(
  'member_note',
  {
    id: uuid('id').primaryKey(),
    customer_id: customerId('customer_id'),
    created_at: instant('created_at').notNull(),
    removed_at: instant('removed_at'),
    removed_by_staff_id: staff('removed_by_staff_id'),
  },
  (t) => [
    index('member_note_removed_by').on(t.removed_by_staff_id).where(isNotNull(t.removed_by_staff_id)),
    index('member_note_customer').on(t.customer_id, t.created_at.desc()),
    check('member_note_removed', sql`num_nulls(${t.removed_at}, ${t.removed_by_staff_id}) in (0, 2)`),
  ],
);

/** A version for each edit; the highest number is current. */
export const member_note_version = pgTable(
  'member_note_version',
  {
    note_id: uuid('note_id')
      .notNull()
      .references(() => member_note.id, { onDelete: 'cascade' }),
    version: integer('version').notNull(),
    body: text('body').notNull(),
    written_by_staff_id: staff('written_by_staff_id').notNull(),
    written_at: instant('written_at').notNull(),
  },
  (t) => [
    index('member_note_version_written_by').on(t.written_by_staff_id),
    primaryKey({ columns: [t.note_id, t.version] }),
  ],
);

/** The venue's tags, created by typing one. */
export const tag = pgTable('tag', {
  id: uuid('id').primaryKey(),
  label: text('label').notNull(),
  /** The tag's normalized form: tagKey in domain/staff/member-record.ts. */
  key: text('key').notNull().unique(),
  created_at: instant('created_at').notNull(),
});

export const member_tag = pgTable(
  'member_tag',
  {
    customer_id: customerId('customer_id'),
    tag_id: uuid('tag_id')
      .notNull()
      .references(() => tag.id, { onDelete: 'cascade' }),
    added_by_staff_id: staff('added_by_staff_id').notNull(),
    added_at: instant('added_at').notNull(),
  },
  (t) => [
    index('member_tag_added_by').on(t.added_by_staff_id),
    primaryKey({ columns: [t.customer_id, t.tag_id] }),
    index('member_tag_of_tag').on(t.tag_id, t.customer_id),
  ],
);

/** Further information about a member. Allergies are health data: docs/security.md, "Data". */
export const member_about = pgTable(
  'member_about',
  {
    customer_id: customerId('customer_id').primaryKey(),
    allergies: text('allergies'),
    birth_month: smallint('birth_month'),
    birth_day: smallint('birth_day'),
    birth_year: smallint('birth_year'),
    changed_at: instant('changed_at').notNull(),
    changed_by_staff_id: staff('changed_by_staff_id').notNull(),
  },
  (t) => [
    index('member_about_changed_by').on(t.changed_by_staff_id),
    check('member_about_birthday', sql`num_nulls(${t.birth_month}, ${t.birth_day}) in (0, 2)`),
    check('member_about_month', sql`${t.birth_month} between 1 and 12`),
    check('member_about_day', sql`${t.birth_day} between 1 and 31`),
  ],
);
