import { sql } from 'drizzle-orm';
import { index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
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

/** Notifications to send, each written in the transaction of its cause; one for each device and cause. */
export const push_message = pgTable(
  'push_message',
  {
    id: uuid('id').primaryKey(),
    cause: text('cause').notNull(),
    user_id: uuid('user_id')
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    /** Null once the device is gone; the row stays, so that its cause is not reported again. */
    device_id: uuid('device_id').references(() => push_device.id, { onDelete: 'set null' }),
    /** PushMessage as JSON; null once it was sent. */
    payload: text('payload'),
    created_at: instant('created_at').notNull(),
    /** After that it is of no interest. */
    expires_at: instant('expires_at').notNull(),
    sent_at: instant('sent_at'),
    attempts: integer('attempts').notNull().default(0),
    next_attempt_at: instant('next_attempt_at').notNull(),
  },
  (t) => [
    uniqueIndex('push_message_once').on(t.user_id, t.cause, t.device_id),
    index('push_message_device').on(t.device_id),
    index('push_message_created').on(t.created_at),
    index('push_message_due').on(t.next_attempt_at).where(sql`${t.sent_at} is null`),
  ],
);
