import type { Scheme } from '../../../domain/club/colors.ts';
import { boolean, check, integer, jsonb, pgTable, sql, text } from '../orm.ts';
import { bytes, instant } from './columns.ts';

/** The club's settings that differ from its configuration, in one row; none before the first change. */
export const club_settings = pgTable(
  'club_settings',
  {
    only_row: boolean('only_row').primaryKey().default(true),
    /** Values by the fields of ClubSettings (domain/club/club-settings.ts); an absent one is as configured. */
    overrides: jsonb('overrides').$type<Record<string, unknown>>().notNull(),
    /** Incremented by each change, so that no one overwrites a version they have not seen. */
    version: integer('version').notNull(),
    changed_at: instant('changed_at').notNull(),
  },
  (t) => [check('club_settings_only_row', sql`${t.only_row}`)],
);

/** The club's logo, as converted from the staff's upload; no row without one. */
export const club_logo = pgTable(
  'club_logo',
  {
    only_row: boolean('only_row').primaryKey().default(true),
    version: text('version').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    plate: text('plate').$type<Scheme>(),
    content: bytes('content').notNull(),
    /** The logo on its plate; null if it needs none. */
    plated: bytes('plated'),
  },
  (t) => [
    check('club_logo_only_row', sql`${t.only_row}`),
    check('club_logo_size', sql`octet_length(${t.content}) <= 131072`),
    check('club_logo_plated_size', sql`octet_length(${t.plated}) <= 196608`),
    check('club_logo_plate', sql`(${t.plate} IS NULL) = (${t.plated} IS NULL)`),
  ],
);

/** The picture of the club's page, as converted from the staff's upload; no row without one. */
export const club_picture = pgTable(
  'club_picture',
  {
    only_row: boolean('only_row').primaryKey().default(true),
    version: text('version').notNull(),
    content: bytes('content').notNull(),
  },
  (t) => [
    check('club_picture_only_row', sql`${t.only_row}`),
    check('club_picture_size', sql`octet_length(${t.content}) <= 524288`),
  ],
);

/** The venue's wording for one kind of email; no row if it was never changed. */
export const email_wording = pgTable('email_wording', {
  /** A key of EMAIL_KINDS (domain/club/emails.ts). */
  kind: text('kind').primaryKey(),
  /** The fields of EmailWording. Validated by the current rules on reading, so that a bad one is ignored. */
  wording: jsonb('wording').$type<unknown>().notNull(),
  /** Incremented by each change, including a reset. */
  version: integer('version').notNull(),
  changed_at: instant('changed_at').notNull(),
});
