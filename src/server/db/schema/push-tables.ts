import { index, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { profiles } from './auth-tables.ts';
import { instant } from './columns.ts';
import { ACTOR, ownRows } from './row-policies.ts';

/** Browsers that show notifications, each for the one user who asked for them last. */
export const push_device = pgTable(
  'push_device',
  {
    id: uuid('id').primaryKey(),
    user_id: uuid('user_id')
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    /** The session that asked. One that is ended takes the device with it, one that merely expires does not. */
    session_id: uuid('session_id').notNull(),
    /** Where the browser's push service takes messages for it. */
    endpoint: text('endpoint').notNull().unique(),
    /** The browser's public key and shared secret, base64url: only it can read the messages. */
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    /** The public key of ours that it was subscribed with; after another AUTH_SECRET it is of no use. */
    server_key: text('server_key').notNull(),
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    index('push_device_user').on(t.user_id),
    index('push_device_session').on(t.session_id),
    ownRows(`user_id = ${ACTOR}`),
  ],
);
