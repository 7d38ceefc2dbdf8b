import { sql } from 'drizzle-orm';
import { check, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { profiles } from '../auth-tables.ts';
import { bytes, instant } from '../columns.ts';
import { ACTOR, ownRows } from '../row-policies.ts';
import { wine } from '../wine/wine-tables.ts';

/** A member's photo, as the server made it of what was uploaded. Whoever set it said that the member agreed. */
export const member_photo = pgTable(
  'member_photo',
  {
    user_id: uuid('user_id')
      .primaryKey()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    /** Of the content: pictureVersion. */
    version: text('version').notNull(),
    /** WebP of PHOTO_SHAPE. */
    content: bytes('content').notNull(),
    set_at: instant('set_at').notNull(),
    /** Null: the member did. */
    set_by_staff_id: uuid('set_by_staff_id').references(() => profiles.id),
  },
  (t) => [
    check('member_photo_size', sql`octet_length(${t.content}) <= 65536`),
    ownRows(`user_id = ${ACTOR}`),
  ],
);

/** The picture of a wine, as the server made it of what staff uploaded. */
export const wine_picture = pgTable(
  'wine_picture',
  {
    wine_id: uuid('wine_id')
      .primaryKey()
      .references(() => wine.id),
    version: text('version').notNull(),
    /** WebP of WINE_PICTURE_SHAPE. */
    content: bytes('content').notNull(),
  },
  (t) => [check('wine_picture_size', sql`octet_length(${t.content}) <= 65536`)],
);
