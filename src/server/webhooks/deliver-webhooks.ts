import { and, asc, eq, isNull, lte, or, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import {
  afterFailedTry,
  isTaken,
  WEBHOOK_VERSION,
  type WebhookOffReason,
} from '../../domain/staff/webhook.ts';
import type { Db, Tx } from '../db/client.ts';
import { webhook_delivery, webhook_endpoint, webhook_event, webhook_try } from '../db/schema.ts';
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
  /** Of the product, for the User-Agent. */
  version: string;
  webhookKey: Buffer;
  webhookNetwork: WebhookNetwork;
}

interface Sent {
  sent: number;
  failed: number;
}

/** Sends what waits for other systems of the venue: at least once, to each endpoint one after the other. */
export interface WebhookSender {
  /** Sends what is due. An endpoint that is still being sent to is left out, so a slow one delays no other. */
  deliver(): Promise<Sent>;
}

/** For one endpoint in one turn; the rest comes with the next. */
const BATCH = 50;
/** A claimed message is tried again after that, should this process die: longer than a try can take. */
const CLAIM_MS = 60_000;

type Endpoint = typeof webhook_endpoint.$inferSelect;
type Delivery = typeof webhook_delivery.$inferSelect;

/** The sender of this process. docs/run/connect.md, "Other systems". */
export function createWebhookSender(deps: WebhookSenderDeps): WebhookSender {
  const busy = new Set<string>();
  return {
    async deliver() {
      const due = await deps.db
        .selectDistinct({ id: webhook_delivery.endpoint_id })
        .from(webhook_delivery)
        .innerJoin(webhook_endpoint, eq(webhook_endpoint.id, webhook_delivery.endpoint_id))
        .where(and(isNull(webhook_endpoint.off_at), whichIsDue(deps.now())));
      const free = due.filter(({ id }) => !busy.has(id));
      const results = await Promise.all(
        free.map(async ({ id }) => {
          busy.add(id);
          try {
            return await sendTo(deps, id);
          } finally {
            busy.delete(id);
          }
        }),
      );
      return {
        sent: results.reduce((sum, it) => sum + it.sent, 0),
        failed: results.reduce((sum, it) => sum + it.failed, 0),
      };
    },
  };
}

const whichIsDue = (at: Date) => {
  const { next_attempt_at, sent_at, given_up_at } = webhook_delivery;
  return and(isNull(sent_at), isNull(given_up_at), or(isNull(next_attempt_at), lte(next_attempt_at, at)));
};

async function sendTo(deps: WebhookSenderDeps, endpoint_id: string): Promise<Sent> {
  const result = { sent: 0, failed: 0 };
  for (let turn = 0; turn < BATCH; turn += 1) {
    const claimed = await claim(deps, endpoint_id);
    if (!claimed) break;
    result[(await send(deps, claimed)) ? 'sent' : 'failed'] += 1;
  }
  return result;
}

interface Claimed {
  delivery: Delivery;
  endpoint: Endpoint;
  event: typeof webhook_event.$inferSelect;
}

/** Claims the next message for this process by postponing its next try; null when there is none. */
async function claim({ db, now }: WebhookSenderDeps, endpoint_id: string): Promise<Claimed | null> {
  return db.transaction(async (tx) => {
    const { next_attempt_at, happened_at, id } = webhook_delivery;
    const [row] = await tx
      .select({ delivery: webhook_delivery, endpoint: webhook_endpoint, event: webhook_event })
      .from(webhook_delivery)
      .innerJoin(webhook_endpoint, eq(webhook_endpoint.id, webhook_delivery.endpoint_id))
      .innerJoin(webhook_event, eq(webhook_event.id, webhook_delivery.event_id))
      .where(and(eq(webhook_endpoint.id, endpoint_id), isNull(webhook_endpoint.off_at), whichIsDue(now())))
      .orderBy(sql`${next_attempt_at} asc nulls first`, asc(happened_at), asc(id))
      .limit(1)
      .for('update', { of: webhook_delivery, skipLocked: true });
    if (!row) return null;
    const claim = {
      attempts: row.delivery.attempts + 1,
      first_attempt_at: row.delivery.first_attempt_at ?? now(),
      next_attempt_at: new Date(now().getTime() + CLAIM_MS),
    };
    await tx.update(webhook_delivery).set(claim).where(eq(id, row.delivery.id));
    return { ...row, delivery: { ...row.delivery, ...claim } };
  });
}

/** The payload: the same bytes at every try, so that only the time and the signature differ. */
const bodyOf = ({ type, happened_at, data }: Claimed['event']): string =>
  JSON.stringify({ type, version: WEBHOOK_VERSION, timestamp: happened_at.toISOString(), data });

/** Tries once, and keeps how it went. True when the receiver took it. */
async function send(deps: WebhookSenderDeps, { delivery, endpoint, event }: Claimed): Promise<boolean> {
  const { now, version, webhookKey, webhookNetwork, log } = deps;
  const at = now();
  const current = openSecret(webhookKey, endpoint.secret, endpoint.id);
  if (current === null) {
    await deps.db.transaction((tx) => turnOff(deps, tx, endpoint, 'secret_lost'));
    return false;
  }
  const previous =
    endpoint.previous_secret && endpoint.previous_until && endpoint.previous_until > at
      ? openSecret(webhookKey, endpoint.previous_secret, endpoint.id)
      : null;
  const body = bodyOf(event);
  const secrets = previous === null ? [current] : [current, previous];
  const answer = await postWebhook(webhookNetwork, {
    url: endpoint.url,
    body,
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'user-agent': `CellarDoor/${version}`,
      ...signedHeaders(secrets, { id: event.id, at: Math.floor(at.getTime() / 1000), body }),
    },
  });
  const taken = isTaken(answer.status);
  await keepTry(deps, { delivery, endpoint }, answer, at);
  if (!taken) {
    const { status, error } = answer;
    log.warn({ webhook: endpoint.id, attempts: delivery.attempts, status, error }, 'webhook not taken');
  }
  return taken;
}

/** Writes the try down, and what follows from it, unless the message was asked for again meanwhile. */
async function keepTry(
  deps: WebhookSenderDeps,
  { delivery, endpoint }: Pick<Claimed, 'delivery' | 'endpoint'>,
  answer: Answer,
  at: Date,
): Promise<void> {
  const { db, now, newId } = deps;
  await db.transaction(async (tx) => {
    const isOurs = and(
      eq(webhook_delivery.id, delivery.id),
      eq(webhook_delivery.attempts, delivery.attempts),
    );
    const next = isTaken(answer.status) ? 'taken' : await nextOf(tx, { delivery, endpoint }, answer);
    const [kept] = await tx
      .update(webhook_delivery)
      .set(changeOf(next, now()))
      .where(isOurs)
      .returning({ id: webhook_delivery.id });
    // Not there any more when the endpoint was removed meanwhile.
    const isThere = kept ?? (await tx.$count(webhook_delivery, eq(webhook_delivery.id, delivery.id))) > 0;
    if (!isThere) return;
    await tx.insert(webhook_try).values({ id: newId(), delivery_id: delivery.id, at, ...answer });
    if (next === 'taken') await noteSuccess(tx, endpoint.id, now());
    else if (kept && typeof next === 'object' && 'off' in next) await turnOff(deps, tx, endpoint, next.off);
  });
}

type Next = 'taken' | ReturnType<typeof afterFailedTry>;

async function nextOf(
  tx: Tx,
  { delivery, endpoint }: Pick<Claimed, 'delivery' | 'endpoint'>,
  { status }: Answer,
): Promise<Next> {
  const [latest] = await tx
    .select({ last_success_at: webhook_endpoint.last_success_at })
    .from(webhook_endpoint)
    .where(eq(webhook_endpoint.id, endpoint.id));
  return afterFailedTry({
    attempts: delivery.attempts,
    status,
    first_attempt_at: delivery.first_attempt_at ?? delivery.happened_at,
    last_success_at: latest?.last_success_at ?? null,
  });
}

function changeOf(next: Next, at: Date): Partial<Delivery> {
  if (next === 'taken') return { sent_at: at, next_attempt_at: null };
  if (next === 'give up') return { given_up_at: at, next_attempt_at: null };
  if ('off' in next) return { next_attempt_at: null };
  return { next_attempt_at: new Date(at.getTime() + next.retry * 1000) };
}

/** To the minute: a busy evening does not write the endpoint's row with every pour. */
async function noteSuccess(tx: Tx, id: string, at: Date): Promise<void> {
  const { last_success_at } = webhook_endpoint;
  const old = or(isNull(last_success_at), lte(last_success_at, new Date(at.getTime() - 60_000)));
  await tx
    .update(webhook_endpoint)
    .set({ last_success_at: at })
    .where(and(eq(webhook_endpoint.id, id), old));
}

/** Turns an endpoint off and tells staff, once. What waits for it stays. */
async function turnOff(
  { now }: Pick<WebhookSenderDeps, 'now'>,
  tx: Tx,
  { id, url }: Pick<Endpoint, 'id' | 'url'>,
  why: Exclude<WebhookOffReason, 'staff'>,
): Promise<void> {
  const at = now();
  const [turned] = await tx
    .update(webhook_endpoint)
    .set({ off_at: at, off_reason: why })
    .where(and(eq(webhook_endpoint.id, id), isNull(webhook_endpoint.off_at)))
    .returning({ id: webhook_endpoint.id });
  if (!turned) return;
  await postStaffNotice(tx, {
    kind: 'webhook_off',
    cause: `webhook_off:${id}:${at.getTime()}`,
    user_id: null,
    facts: { endpoint_id: id, host: new URL(url).host, why },
    at,
  });
}
