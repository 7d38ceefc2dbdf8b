import { check, pgTable, sql, text, uuid } from '../orm.ts';
import { ownedBy, profiles } from './auth-tables.ts';
import { bytes, instant } from './columns.ts';
import { ACTOR, ownRows } from './row-policies.ts';
import { wine } from './wine-tables.ts';

/** A member's photo, as converted from the upload. The uploader confirmed the member's agreement. */
export const member_photo = pgTable(
  'member_photo',
  {
    user_id: ownedBy('user_id').primaryKey(),
    version: text('version').notNull(),
    content: bytes('content').notNull(),
    set_at: instant('set_at').notNull(),
    /** Null if the member set it. */
    set_by_staff_id: uuid('set_by_staff_id').references(() => profiles.id),
  },
  (t) => [
    check('member_photo_size', sql`octet_length(${t.content}) <= 65536`),
    ownRows(`user_id = ${ACTOR}`),
  ],
);

/** A wine's picture, as converted from the staff's upload. */
export const wine_picture = pgTable(
  'wine_picture',
  {
    wine_id: uuid('wine_id')
      .primaryKey()
      .references(() => wine.id),
    version: text('version').notNull(),
    content: bytes('content').notNull(),
  },
  (t) => [check('wine_picture_size', sql`octet_length(${t.content}) <= 65536`)],
);
