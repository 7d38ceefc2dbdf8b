import { STRIPE_MODES } from '../../config/stripe-mode.ts';
import { boolean, check, integer, pgTable, sql, text, uuid } from '../orm.ts';
import { instant } from './columns.ts';

/**
 * The origin of the ids in this database, in one row; none before the first start. A trigger refuses every row with an id
 * from Stripe that a connection of another mode writes (db/functions/stripe-mode.sql).
 */
export const stripe_mode = pgTable(
  'stripe_mode',
  {
    only_row: boolean('only_row').primaryKey().default(true),
    mode: text('mode', { enum: STRIPE_MODES }).notNull(),
    since: instant('since').notNull(),
  },
  (t) => [
    check('stripe_mode_only_row', sql`${t.only_row}`),
    check('stripe_mode_known', sql`${t.mode} in ('live', 'test', 'demo')`),
  ],
);

/** Failed requests per idempotency key whose answer Stripe repeats (billing/idempotency-key.ts). */
export const stripe_key_failure = pgTable('stripe_key_failure', {
  /** A hash of its name, which may contain ids of a user and of Stripe. */
  key: text('key').primaryKey(),
  failures: integer('failures').notNull(),
  failed_at: instant('failed_at').notNull(),
});

/** This installation's other objects at Stripe, besides customers and prices: one row each. */
export const stripe_setup = pgTable(
  'stripe_setup',
  {
    kind: text('kind', { enum: ['webhook_endpoint', 'portal_configuration', 'trial'] }).primaryKey(),
    /** Committed before the request to Stripe, so that it can be the idempotency key. */
    request_id: uuid('request_id').notNull(),
    /** Null until Stripe has answered. */
    stripe_id: text('stripe_id'),
    /** The signing secret of the webhook endpoint, sealed: src/server/billing/setup/webhook-secrets.ts. */
    sealed_secret: text('sealed_secret'),
    /** Stripe's refusal in the last try-out, in its words. */
    refusal: text('refusal'),
    created_at: instant('created_at').notNull(),
  },
  (t) => [
    check('stripe_setup_kind_known', sql`${t.kind} in ('webhook_endpoint', 'portal_configuration', 'trial')`),
  ],
);
