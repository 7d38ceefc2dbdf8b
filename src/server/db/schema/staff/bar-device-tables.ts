import { integer, pgTable, text, uuid } from '../../orm.ts';
import { profiles } from '../auth-tables.ts';
import { instant } from '../columns.ts';
import { ACTOR, ownRows } from '../row-policies.ts';

/**
 * A tablet at the bar that staff share. Its cookie alone grants nothing; a PIN on it begins a session, which ends like any
 * other. Rows stay, because the ledger references them.
 */
export const bar_device = pgTable(
  'bar_device',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    /** SHA-256 of the 32 random bytes in its cookie, base64url. */
    token_hash: text('token_hash').notNull().unique(),
    idle_minutes: integer('idle_minutes').notNull(),
    opened_by_staff_id: uuid('opened_by_staff_id')
      .notNull()
      .references(() => profiles.id),
    opened_at: instant('opened_at').notNull(),
    ended_at: instant('ended_at'),
    /** When a PIN was last used on it. */
    last_used_at: instant('last_used_at'),
  },
  () => [ownRows(`opened_by_staff_id = ${ACTOR}`)],
);

/** A staff member's PIN for shared tablets, valid nowhere else. */
export const staff_pin = pgTable('staff_pin', {
  user_id: uuid('user_id')
    .primaryKey()
    .references(() => profiles.id, { onDelete: 'cascade' }),
  /** Argon2id of an HMAC of the PIN, under a key from AUTH_SECRET. */
  pin_hash: text('pin_hash').notNull(),
  set_at: instant('set_at').notNull(),
  /** Wrong tries since the last right one. */
  failed: integer('failed').notNull().default(0),
}).enableRLS();
