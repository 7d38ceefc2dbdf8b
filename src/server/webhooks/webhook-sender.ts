import type { Logger } from 'pino';
import { unixSeconds } from '../../domain/calendar.ts';
import {
  afterFailedTry,
  isTaken,
  WEBHOOK_RETRY_SECONDS,
  WEBHOOK_VERSION,
  type WebhookOffReason,
} from '../../domain/staff/webhook.ts';
import type { Db, Tx } from '../db/client.ts';
import { and, eq, inArray, isNotNull, isNull, lte, or } from '../db/orm.ts';
import { deliveries, webhook_endpoint, webhook_event, webhook_try } from '../db/schema.ts';
import type { Claimed, Outcome, Sender } from '../deliveries/deliveries.ts';
import { postStaffNotice } from '../membership/staff-notices.ts';
import { openSecret } from '../platform/sealed-secret.ts';
import { signedHeaders } from './endpoint-secret.ts';
import { type Answer, postWebhook } from './post-webhook.ts';
import type { WebhookNetwork } from './webhook-network.ts';

export interface WebhookSenderDeps {
  db: Db;
  now(): Date;
  newId(): string;
  log: Logger;
  /** The product's version, for the User-Agent. */
  version: string;
  webhookKey: Buffer;
  webhookNetwork: WebhookNetwork;
}

type Endpoint = typeof webhook_endpoint.$inferSelect;

/** Delivers at least once; messages to one endpoint go one after the other. docs/run/connect.md, "Other systems". */
export function webhookSender(deps: WebhookSenderDeps): Sender {
  const { db, now, log } = deps;
  const idleEndpoints = db
    .select({ id: webhook_endpoint.id })
    .from(webhook_endpoint)
    .where(isNotNull(webhook_endpoint.off_at));
  return {
    retrySeconds: WEBHOOK_RETRY_SECONDS,
    longestWaitMs: 24 * 3_600_000,
    lane: deliveries.endpoint_id,
    batch: 50,
    paused: inArray(deliveries.endpoint_id, idleEndpoints),
    async send(row) {
      const [match] = await db
        .select({ endpoint: webhook_endpoint, event: webhook_event })
        .from(deliveries)
        .innerJoin(webhook_endpoint, eq(webhook_endpoint.id, deliveries.endpoint_id))
        .innerJoin(webhook_event, eq(webhook_event.id, deliveries.event_id))
        .where(eq(deliveries.id, row.id));
      // The endpoint was removed meanwhile, and the delivery with it.
      if (!match) return { givenUp: 'removed' };
      const { endpoint, event } = match;
      const at = now();
      const answer = await post(deps, endpoint, event, at);
      if (!answer) {
        await db.transaction((tx) => turnOff(deps, tx, endpoint, 'secret_lost'));
        return 'held';
      }
      const outcome = await recordTry(deps, row, endpoint, answer, at);
      if (outcome !== 'sent') {
        const { status, error } = answer;
        log.warn({ webhook: endpoint.id, attempts: row.attempts, status, error }, 'webhook not taken');
      }
      return outcome;
    },
  };
}

/** The payload, with the same bytes at every try: only the headers' time and signature differ. */
const bodyOf = ({ type, happened_at, data }: typeof webhook_event.$inferSelect): string =>
  JSON.stringify({ type, version: WEBHOOK_VERSION, timestamp: happened_at.toISOString(), data });

/** Signs an event and posts it; null if the endpoint's secret cannot be opened any more. */
async function post(
  { version, webhookKey, webhookNetwork }: WebhookSenderDeps,
  endpoint: Endpoint,
  event: typeof webhook_event.$inferSelect,
  at: Date,
): Promise<Answer | null> {
  const current = openSecret(webhookKey, endpoint.secret, endpoint.id);
  if (current === null) return null;
  const previous =
    endpoint.previous_secret && endpoint.previous_until && endpoint.previous_until > at
      ? openSecret(webhookKey, endpoint.previous_secret, endpoint.id)
      : null;
  const body = bodyOf(event);
  const secrets = previous === null ? [current] : [current, previous];
  return postWebhook(webhookNetwork, {
    url: endpoint.url,
    body,
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': `CellarDoor/${version}`,
      ...signedHeaders(secrets, { id: event.id, at: unixSeconds(at), body }),
    },
  });
}

async function recordTry(
  deps: WebhookSenderDeps,
  row: Claimed,
  endpoint: Endpoint,
  answer: Answer,
  at: Date,
): Promise<Outcome> {
  const { db, now, newId } = deps;
  return db.transaction(async (tx) => {
    const [deliveryRow] = await tx
      .select({ claim: deliveries.claim })
      .from(deliveries)
      .where(eq(deliveries.id, row.id))
      .for('update');
    if (!deliveryRow) return { givenUp: 'removed' };
    await tx.insert(webhook_try).values({ id: newId(), delivery_id: row.id, at, ...answer });
    if (isTaken(answer.status)) {
      await noteSuccess(tx, endpoint.id, now());
      return 'sent';
    }
    const next = await nextOf(tx, row, endpoint.id, answer);
    if (next === 'give up') return { givenUp: 'every try failed' };
    if (!('off' in next)) return 'failed';
    // A message that was asked for again during the try gets all its tries.
    if (deliveryRow.claim === row.claim) await turnOff(deps, tx, endpoint, next.off);
    return 'held';
  });
}

async function nextOf(tx: Tx, row: Claimed, endpoint_id: string, { status }: Answer) {
  const [success] = await tx
    .select({ last_success_at: webhook_endpoint.last_success_at })
    .from(webhook_endpoint)
    .where(eq(webhook_endpoint.id, endpoint_id));
  return afterFailedTry({
    attempts: row.attempts,
    status,
    first_attempt_at: row.first_attempt_at ?? row.created_at,
    last_success_at: success?.last_success_at ?? null,
  });
}

/** Notes a success to the minute, so that a busy evening does not write the endpoint's row with every pour. */
async function noteSuccess(tx: Tx, id: string, at: Date): Promise<void> {
  const { last_success_at } = webhook_endpoint;
  const isOld = or(isNull(last_success_at), lte(last_success_at, new Date(at.getTime() - 60_000)));
  await tx
    .update(webhook_endpoint)
    .set({ last_success_at: at })
    .where(and(eq(webhook_endpoint.id, id), isOld));
}

/** Turns an endpoint off and notifies staff, once. What waits for it stays. */
async function turnOff(
  { now }: Pick<WebhookSenderDeps, 'now'>,
  tx: Tx,
  { id, url }: Pick<Endpoint, 'id' | 'url'>,
  reason: Exclude<WebhookOffReason, 'staff'>,
): Promise<void> {
  const at = now();
  const [row] = await tx
    .update(webhook_endpoint)
    .set({ off_at: at, off_reason: reason })
    .where(and(eq(webhook_endpoint.id, id), isNull(webhook_endpoint.off_at)))
    .returning({ id: webhook_endpoint.id });
  if (!row) return;
  await postStaffNotice(tx, {
    kind: 'webhook_off',
    cause: `webhook_off:${id}:${at.getTime()}`,
    user_id: null,
    facts: { endpoint_id: id, host: new URL(url).host, why: reason },
    at,
  });
}
