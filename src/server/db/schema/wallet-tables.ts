import { index, pgTable, primaryKey, text, uniqueIndex, uuid } from '../orm.ts';
import { userId } from './auth-tables.ts';
import { instant } from './columns.ts';
import { customerId } from './membership-tables.ts';
import { ACTOR, ownRows } from './row-policies.ts';

/** A member's wallet pass. Its content is made on request; the row describes what the wallet last got. */
export const wallet_pass = pgTable(
  'wallet_pass',
  {
    /** Apple's serial number; the end of Google's object id. */
    id: uuid('id').primaryKey(),
    user_id: userId('user_id'),
    customer_id: customerId('customer_id'),
    platform: text('platform', { enum: ['apple', 'google'] }).notNull(),
    /** The hash of the pass's content, in hexadecimal. */
    content_hash: text('content_hash').notNull(),
    updated_at: instant('updated_at').notNull(),
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    uniqueIndex('wallet_pass_one_per_platform').on(t.user_id, t.platform),
    ownRows(`user_id = ${ACTOR}`),
  ],
);

/** A device with an Apple Wallet pass that subscribes to changes. */
export const wallet_device = pgTable(
  'wallet_device',
  {
    pass_id: uuid('pass_id')
      .notNull()
      .references(() => wallet_pass.id, { onDelete: 'cascade' }),
    /** Chosen by the device, the same for all its passes from us. */
    device_id: text('device_id').notNull(),
    push_token: text('push_token').notNull(),
    registered_at: instant('registered_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.pass_id, t.device_id] }), index('wallet_device_passes').on(t.device_id)],
);
