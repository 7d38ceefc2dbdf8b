import { index, pgTable, text, uuid } from '../orm.ts';
import { profiles } from './auth-tables.ts';
import { instant } from './columns.ts';
import { ACTOR, ownRows } from './row-policies.ts';

/** Browsers that show notifications, each for its latest subscriber. */
export const push_device = pgTable(
  'push_device',
  {
    id: uuid('id').primaryKey(),
    user_id: uuid('user_id')
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    /** The subscribing session. Ending it removes the device; expiry does not. */
    session_id: uuid('session_id').notNull(),
    /** The browser's URL at its push service. */
    endpoint: text('endpoint').notNull().unique(),
    /** The browser's public key and shared secret, base64url: only it can read the messages. */
    p256dh: text('p256dh').notNull(),
    auth: text('auth').notNull(),
    /** Our public key that it subscribed with; useless after a change of AUTH_SECRET. */
    server_key: text('server_key').notNull(),
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    index('push_device_user').on(t.user_id),
    index('push_device_session').on(t.session_id),
    ownRows(`user_id = ${ACTOR}`),
  ],
);
