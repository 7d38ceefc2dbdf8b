import {
  WEBHOOK_EVENTS,
  WEBHOOK_OFF_REASONS,
  WEBHOOK_TEST,
  type WebhookEvent,
} from '../../../domain/staff/webhook.ts';
import {
  check,
  index,
  integer,
  isNotNull,
  isNull,
  jsonb,
  pgTable,
  sql,
  text,
  uniqueIndex,
  uuid,
} from '../orm.ts';
import { ownedBy, profiles } from './auth-tables.ts';
import { instant } from './columns.ts';
import { customers } from './membership-tables.ts';
import { ACTOR, ownRows } from './row-policies.ts';
import { wallet_pass } from './wallet-tables.ts';

/**
 * What is sent later, once, with retries, each row written in the transaction of its cause: src/server/deliveries.
 * A row of kind 'wallet' stands for a pass as long as the pass exists, and is never finished.
 */
export const deliveries = pgTable(
  'deliveries',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    kind: text('kind', { enum: ['email', 'push', 'webhook', 'wallet'] }).notNull(),
    /** What happened, and to what, such as 'receipt:in_123': the same kind and cause is sent once. */
    cause: text('cause').notNull(),
    /** The reader; null for webhooks, and for emails to people without an account. */
    user_id: uuid('user_id').references(() => profiles.id, { onDelete: 'cascade' }),
    /** The address of an email. Without an account it is deleted with the text. */
    recipient: text('recipient'),
    /** The browser of a notification. Null once the browser is gone. */
    device_id: uuid('device_id').references(() => push_device.id, { onDelete: 'set null' }),
    endpoint_id: uuid('endpoint_id').references(() => webhook_endpoint.id, { onDelete: 'cascade' }),
    event_id: uuid('event_id').references(() => webhook_event.id, { onDelete: 'cascade' }),
    pass_id: uuid('pass_id').references(() => wallet_pass.id, { onDelete: 'cascade' }),
    /** The subject of an email that can name nobody but its reader; null for every other email. */
    subject: text('subject'),
    /** An Email or a PushMessage; null once finished, as it may hold a link that opens an account. */
    payload: jsonb('payload'),
    created_at: instant('created_at').notNull(),
    /** Not sent after this. */
    expires_at: instant('expires_at'),
    /** When to try next; null for as soon as possible. */
    due_at: instant('due_at'),
    attempts: integer('attempts').notNull().default(0),
    first_attempt_at: instant('first_attempt_at'),
    /** The try that is running, or that ran last; null if the row was made due since. */
    claim: uuid('claim'),
    outcome: text('outcome', { enum: ['sent', 'given_up'] }),
    reason: text('reason'),
    finished_at: instant('finished_at'),
  },
  (t) => [
    check('deliveries_finished', sql`num_nulls(${t.outcome}, ${t.finished_at}) in (0, 2)`),
    check(
      'deliveries_target',
      sql`case ${t.kind} when 'webhook' then ${t.endpoint_id} is not null and ${t.event_id} is not null
           when 'wallet' then ${t.pass_id} is not null else ${t.finished_at} is not null or ${t.payload} is not null end`,
    ),
    uniqueIndex('deliveries_once').on(t.kind, t.cause),
    index('deliveries_due')
      .on(t.kind, t.due_at.asc().nullsFirst(), t.created_at, t.id)
      .where(isNull(t.outcome)),
    index('deliveries_due_to_endpoint')
      .on(t.endpoint_id, t.due_at.asc().nullsFirst(), t.created_at, t.id)
      .where(sql`${t.outcome} is null and ${t.endpoint_id} is not null`),
    index('deliveries_of_endpoint')
      .on(t.endpoint_id, t.created_at.desc(), t.id.desc())
      .where(isNotNull(t.endpoint_id)),
    index('deliveries_of_user').on(t.user_id, t.kind, t.finished_at),
    index('deliveries_of_device').on(t.device_id).where(isNotNull(t.device_id)),
    index('deliveries_of_event').on(t.event_id).where(isNotNull(t.event_id)),
    index('deliveries_of_pass').on(t.pass_id).where(isNotNull(t.pass_id)),
    index('deliveries_email_sent')
      .on(t.finished_at)
      .where(sql`${t.kind} = 'email' and ${t.outcome} = 'sent'`),
    index('deliveries_push_created').on(t.created_at).where(sql`${t.kind} = 'push'`),
  ],
);

export const webhook_try = pgTable(
  'webhook_try',
  {
    id: uuid('id').primaryKey(),
    delivery_id: uuid('delivery_id')
      .notNull()
      .references(() => deliveries.id, { onDelete: 'cascade' }),
    at: instant('at').notNull(),
    /** Null without an answer. */
    status: integer('status'),
    duration_ms: integer('duration_ms').notNull(),
    error: text('error'),
    answer: text('answer'),
  },
  (t) => [index('webhook_try_delivery').on(t.delivery_id, t.at.desc())],
);

/** The venue's other systems that receive events. */
export const webhook_endpoint = pgTable(
  'webhook_endpoint',
  {
    id: uuid('id').primaryKey(),
    url: text('url').notNull(),
    description: text('description').notNull(),
    events: text('events').array().$type<WebhookEvent[]>().notNull(),
    /** The signing secret, sealed: src/server/webhooks/endpoint-secret.ts. */
    secret: text('secret').notNull(),
    /** The previous secret, which also signs until `previous_until`. */
    previous_secret: text('previous_secret'),
    previous_until: instant('previous_until'),
    created_at: instant('created_at').notNull(),
    /** Null while it is on. */
    off_at: instant('off_at'),
    off_reason: text('off_reason', { enum: WEBHOOK_OFF_REASONS }),
    last_success_at: instant('last_success_at'),
  },
  (t) => [
    check('webhook_endpoint_off', sql`num_nulls(${t.off_at}, ${t.off_reason}) in (0, 2)`),
    check('webhook_endpoint_previous', sql`num_nulls(${t.previous_secret}, ${t.previous_until}) in (0, 2)`),
  ],
);

/** An event, written in the transaction of its cause if an endpoint subscribes to it. */
export const webhook_event = pgTable(
  'webhook_event',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    type: text('type', { enum: [...WEBHOOK_EVENTS, WEBHOOK_TEST] }).notNull(),
    /** Null for a test. */
    customer_id: uuid('customer_id').references(() => customers.id),
    /** Ids, numbers and the names of tiers: never a name of a person. */
    data: jsonb('data').$type<Record<string, unknown>>().notNull(),
    happened_at: instant('happened_at').notNull(),
  },
  (t) => [
    index('webhook_event_happened').on(t.happened_at),
    index('webhook_event_customer').on(t.customer_id),
  ],
);

/** Browsers that show notifications, each for its latest subscriber. */
export const push_device = pgTable(
  'push_device',
  {
    id: uuid('id').primaryKey(),
    user_id: ownedBy('user_id'),
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
