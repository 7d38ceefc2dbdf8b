import { z } from 'zod';
import { isWebhookUrl, WEBHOOK_EVENTS, WEBHOOK_OFF_REASONS } from '../../domain/staff/webhook.ts';
import { cursor, DELETE, GET, id, PATCH, POST, timestamp } from '../base.ts';
import { NOT_A_URL, webhookFields } from '../forms/staff-fields.ts';
import { refusals } from '../refusals.ts';

const endpoint = z.object({
  id,
  url: z.string(),
  description: z.string(),
  events: z.array(z.enum(WEBHOOK_EVENTS)),
  created_at: timestamp,
  off: z.object({ at: timestamp, why: z.enum(WEBHOOK_OFF_REASONS) }).nullable(),
  last_success_at: timestamp.nullable(),
  waiting: z.number().int(),
  /** The end of the time in which the previous secret also signs; null without one. */
  previous_secret_until: timestamp.nullable(),
});
export type WebhookEndpoint = z.infer<typeof endpoint>;

const draft = {
  ...webhookFields,
  events: z
    .array(z.enum(WEBHOOK_EVENTS))
    .min(1, 'Choose at least one event')
    .max(WEBHOOK_EVENTS.length)
    .refine((it) => new Set(it).size === it.length, 'Name each event once'),
};

const hasUrl = ({ url }: { url?: string | undefined }) => url === undefined || isWebhookUrl(url);
const WRONG_URL = { path: ['url'], message: NOT_A_URL };

const attempt = z.object({
  at: timestamp,
  /** The HTTP status; null without a response. */
  status: z.number().int().nullable(),
  duration_ms: z.number().int(),
  error: z.string().nullable(),
  answer: z.string().nullable(),
});

const delivery = z.object({
  id,
  /** The webhook-id that the receiver gets; the same for every attempt and replay. */
  event_id: id,
  type: z.string(),
  happened_at: timestamp,
  delivered_at: timestamp.nullable(),
  given_up_at: timestamp.nullable(),
  next_attempt_at: timestamp.nullable(),
  /** The latest ten, newest first. */
  tries: z.array(attempt),
});
export type WebhookDelivery = z.infer<typeof delivery>;

const secret = z.object({ secret: z.string() });
const idField = { id };
const refusedUrl = refusals('WEBHOOK_URL_REFUSED');
const notFound = refusals('NOT_FOUND');

export const webhooks = {
  list: GET('/webhooks', { summary: 'List webhook endpoints' }).output(z.array(endpoint)),
  create: POST('/webhooks', {
    successStatus: 201,
    summary: 'Add a webhook endpoint',
    description: 'The answer holds the secret that signs; it cannot be read again.',
  })
    .input(z.strictObject(draft).refine(hasUrl, WRONG_URL))
    .errors({ ...refusedUrl, ...refusals('TOO_MANY_WEBHOOKS') })
    .output(secret.extend({ endpoint })),
  update: PATCH('/webhooks/{id}', {
    summary: 'Change a webhook endpoint',
    description: 'Changes the fields that are sent. Turning it on again sends the waiting messages.',
  })
    .input(
      z
        .strictObject({ ...idField, ...z.object(draft).partial().shape, on: z.boolean().optional() })
        .refine(hasUrl, WRONG_URL),
    )
    .errors({ ...notFound, ...refusedUrl })
    .output(endpoint),
  delete: DELETE('/webhooks/{id}', {
    summary: 'Remove a webhook endpoint',
    description: 'Messages still waiting for it are not sent.',
  })
    .input(z.strictObject(idField))
    .errors(notFound)
    .output(z.object({ ended: id })),
  rotateSecret: POST('/webhooks/{id}/secret', {
    summary: "Replace a webhook endpoint's secret",
    description: 'For 24 hours both sign, so that the receiver can change over.',
  })
    .input(z.strictObject(idField))
    .errors(notFound)
    .output(secret.extend({ endpoint })),
  sendTest: POST('/webhooks/{id}/test', {
    summary: 'Send a test to a webhook endpoint',
    description: 'A message of the type `test`, delivered like every other.',
  })
    .input(z.strictObject(idField))
    .errors({ ...notFound, ...refusals('WEBHOOK_OFF') })
    .output(z.object({ delivery_id: id })),
  listDeliveries: GET('/webhooks/{id}/deliveries', {
    summary: 'List what a webhook endpoint was sent',
    description: 'Newest first, 20 on a page, of the last 30 days.',
  })
    .input(z.strictObject({ ...idField, cursor }))
    .errors(notFound)
    .output(z.object({ deliveries: z.array(delivery), next_cursor: z.string().nullable() })),
  replay: POST('/webhook-deliveries/{id}/replay', {
    summary: 'Send a message again',
    description: 'With the same webhook-id.',
  })
    .input(z.strictObject(idField))
    .errors({ ...notFound, ...refusals('WEBHOOK_OFF') })
    .output(z.object({ replayed: z.number().int() })),
  replaySince: POST('/webhooks/{id}/replay', {
    summary: 'Send again what happened since a time',
    description: 'Every message to this endpoint, delivered or not, each with the same webhook-id.',
  })
    .input(z.strictObject({ ...idField, since: timestamp }))
    .errors({ ...notFound, ...refusals('WEBHOOK_OFF') })
    .output(z.object({ replayed: z.number().int() })),
};
