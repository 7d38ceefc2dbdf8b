import { sql } from 'drizzle-orm';
import { boolean, check, integer, jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from '../columns.ts';

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

/** What the venue writes into one kind of email; no row for one that nobody ever changed. */
export const letter_wording = pgTable('letter_wording', {
  /** A key of LETTERS (domain/club/letters.ts). */
  letter: text('letter').primaryKey(),
  /** By the names of LetterWording; read by the rules of today, so that a bad one never counts. */
  wording: jsonb('wording').$type<unknown>().notNull(),
  /** Grows by one with every change, a reset too. */
  version: integer('version').notNull(),
  changed_at: instant('changed_at').notNull(),
});
