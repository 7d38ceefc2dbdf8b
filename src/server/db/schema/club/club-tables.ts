import { sql } from 'drizzle-orm';
import { boolean, check, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { Scheme } from '../../../../domain/club/colors.ts';
import { bytes, instant } from '../columns.ts';

/** What the club has set differently from its configuration, in one row; none before the first change. */
export const club_settings = pgTable(
  'club_settings',
  {
    only_row: boolean('only_row').primaryKey().default(true),
    /** By the names of ClubSettings (domain/club/club-settings.ts); what is absent is as configured. */
    overrides: jsonb('overrides').$type<Record<string, unknown>>().notNull(),
    /** Grows by one with every change, so that nobody overwrites what they have not seen. */
    version: integer('version').notNull(),
    changed_at: instant('changed_at').notNull(),
  },
  (t) => [check('club_settings_only_row', sql`${t.only_row}`)],
);

/** The club's logo, as the server made it of what staff uploaded; no row without one. */
export const club_logo = pgTable(
  'club_logo',
  {
    only_row: boolean('only_row').primaryKey().default(true),
    /** LogoFacts (domain/club/logo.ts). */
    version: text('version').notNull(),
    width: integer('width').notNull(),
    height: integer('height').notNull(),
    plate: text('plate').$type<Scheme>(),
    /** PNG of LOGO_SHAPE. */
    content: bytes('content').notNull(),
    /** The same on its plate; null where it needs none. */
    plated: bytes('plated'),
  },
  (t) => [
    check('club_logo_only_row', sql`${t.only_row}`),
    check('club_logo_size', sql`octet_length(${t.content}) <= 131072`),
    check('club_logo_plated_size', sql`octet_length(${t.plated}) <= 196608`),
    check('club_logo_plate', sql`(${t.plate} IS NULL) = (${t.plated} IS NULL)`),
  ],
);

/** What the venue writes into one kind of email; no row for one that nobody ever changed. */
export const email_wording = pgTable('email_wording', {
  /** A key of EMAIL_KINDS (domain/club/emails.ts). */
  letter: text('letter').primaryKey(),
  /** The fields of EmailWording. Read by the current rules, so that a bad one never counts. */
  wording: jsonb('wording').$type<unknown>().notNull(),
  /** Grows by one with every change, a reset too. */
  version: integer('version').notNull(),
  changed_at: instant('changed_at').notNull(),
});
