import {
  WEBHOOK_EVENTS,
  WEBHOOK_OFF_REASONS,
  WEBHOOK_TEST,
  type WebhookEvent,
} from '../../../domain/staff/webhook.ts';
import { check, index, jsonb, pgTable, sql, text, uuid } from '../orm.ts';
import { instant } from './columns.ts';
import { customers } from './membership-tables.ts';

/** Other systems of the venue that hear what happens. */
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
