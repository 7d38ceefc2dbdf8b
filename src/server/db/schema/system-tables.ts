import { STRIPE_MODES } from '../../config/stripe-mode.ts';
import { boolean, check, integer, pgTable, sql, text, uuid } from '../orm.ts';
import { instant } from './columns.ts';

/** The version of each file in db/functions that this database has, so that a changed one is applied again. */
export const schema_functions = pgTable('schema_functions', {
  name: text('name').primaryKey(),
  /** SHA-256 of the file's text, in hexadecimal. */
  sha256: text('sha256').notNull(),
  applied_at: instant('applied_at').notNull().defaultNow(),
});

/**
 * The last start of a recurring task, on any server, so that the servers share its turns; and the instant through which
 * Stripe's events were read (billing/upkeep/missed-events.ts).
 */
export const scheduled_task = pgTable('scheduled_task', {
  name: text('name').primaryKey(),
  /** The database clock's time. */
  began_at: instant('began_at').notNull(),
});

/** A cause that the owners are emailed about; one row for all servers, so that an hour lies between two emails. */
export const system_alert = pgTable('system_alert', {
  cause: text('cause').primaryKey(),
  began_at: instant('began_at').notNull(),
  seen_at: instant('seen_at').notNull(),
  sent_at: instant('sent_at'),
});

/**
 * The origin of the ids in this database, in one row; none before the first start with payments on. A trigger refuses every
 * row with an id from Stripe that a connection of another mode writes (db/functions/stripe-mode.sql).
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

/**
 * This installation's other objects at Stripe, besides customers and prices, one row each; and the outcome of the last
 * try-out.
 */
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
