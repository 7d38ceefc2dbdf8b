import { check, pgTable, sql, text, uniqueIndex, uuid } from '../orm.ts';
import { ownedBy } from './auth-tables.ts';
import { instant } from './columns.ts';

/**
 * Consents that users gave by pressing a button, in the words shown beside it. Rows are added in the transaction of the
 * act, never changed, and deleted only with the profile.
 */
export const consent = pgTable(
  'consent',
  {
    id: uuid('id').primaryKey(),
    user_id: ownedBy('user_id'),
    what: text('what', { enum: ['account', 'subscription', 'household', 'gift'] }).notNull(),
    /**
     * The user's id for an account, the checkout attempt for a subscription, the seat for a household, the gift for one
     * bought or redeemed.
     */
    act_id: uuid('act_id').notNull(),
    text_version: text('text_version').notNull(),
    text: text('text').notNull(),
    terms_url: text('terms_url'),
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    // Pressing the button again beside the same words adds no consent.
    uniqueIndex('consent_once').on(t.user_id, t.what, t.act_id, t.text_version),
    check('consent_what_known', sql`${t.what} in ('account', 'subscription', 'household', 'gift')`),
  ],
);
