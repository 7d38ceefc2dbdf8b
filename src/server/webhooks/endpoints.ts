import type { InputOf } from '../../contract/base.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { WebhookEndpoint, webhooks } from '../../contract/staff/webhooks.ts';
import { MAX_WEBHOOK_ENDPOINTS, WEBHOOK_SECRET_OVERLAP_HOURS } from '../../domain/staff/webhook.ts';
import { recordAudit } from '../audit/record-audit.ts';
import type { Tx } from '../db/client.ts';
import { and, asc, count, eq, isNull, sql } from '../db/orm.ts';
import { deliveries, webhook_endpoint } from '../db/schema.ts';
import { AS_NEW } from '../deliveries/deliveries.ts';
import { sealSecret } from '../platform/sealed-secret.ts';
import { signingSecret } from './endpoint-secret.ts';
import type { WebhookContext } from './webhook-context.ts';

const HOUR_MS = 3_600_000;

type Row = typeof webhook_endpoint.$inferSelect;

function toEndpoint(row: Row, backlog: number, now: Date): WebhookEndpoint {
  const { id, url, description, events, created_at, off_at, off_reason, last_success_at, previous_until } =
    row;
  return {
    id,
    url,
    description,
    events,
    created_at: created_at.toISOString(),
    off: off_at && off_reason && { at: off_at.toISOString(), why: off_reason },
    last_success_at: last_success_at?.toISOString() ?? null,
    waiting: backlog,
    previous_secret_until: previous_until && previous_until > now ? previous_until.toISOString() : null,
  };
}

async function readEndpoints({ db, now }: WebhookContext, id?: string): Promise<WebhookEndpoint[]> {
  const waits = and(eq(deliveries.endpoint_id, webhook_endpoint.id), isNull(deliveries.outcome));
  const rows = await db
    .select({ endpoint: webhook_endpoint, waiting: count(deliveries.id) })
    .from(webhook_endpoint)
    .leftJoin(deliveries, waits)
    .where(id === undefined ? undefined : eq(webhook_endpoint.id, id))
    .groupBy(webhook_endpoint.id)
    .orderBy(asc(webhook_endpoint.created_at), asc(webhook_endpoint.id));
  return rows.map(({ endpoint, waiting }) => toEndpoint(endpoint, waiting, now()));
}

/** Every endpoint, oldest first. */
export const listEndpoints = (ctx: WebhookContext): Promise<WebhookEndpoint[]> => readEndpoints(ctx);

async function getEndpoint(ctx: WebhookContext, id: string): Promise<WebhookEndpoint> {
  const [endpoint] = await readEndpoints(ctx, id);
  if (!endpoint) throw new Refusal('NOT_FOUND', { what: 'webhook' });
  return endpoint;
}

/** Throws Refusal WEBHOOK_URL_REFUSED for a URL in a private network, or without an address. */
async function assertReachable({ webhookNetwork }: WebhookContext, url: string): Promise<void> {
  const reach = await webhookNetwork.reach(new URL(url).hostname);
  if (reach !== 'allowed') throw new Refusal('WEBHOOK_URL_REFUSED', { reason: reach });
}

/** Adds an endpoint. Its secret is only returned here. Throws Refusal WEBHOOK_URL_REFUSED and TOO_MANY_WEBHOOKS. */
export async function createEndpoint(
  ctx: WebhookContext,
  draft: InputOf<typeof webhooks.create>,
): Promise<{ secret: string; endpoint: WebhookEndpoint }> {
  await assertReachable(ctx, draft.url);
  const { db, now, newId, newSecret, webhookKey } = ctx;
  const id = newId();
  const secret = signingSecret(newSecret());
  await db.transaction(async (tx) => {
    // The lock makes the second of two simultaneous calls count the first.
    await tx.execute(sql`lock table webhook_endpoint in share row exclusive mode`);
    if ((await tx.$count(webhook_endpoint)) >= MAX_WEBHOOK_ENDPOINTS) throw new Refusal('TOO_MANY_WEBHOOKS');
    const ciphertext = sealSecret(webhookKey, secret, { of: id, random: newSecret() });
    await tx.insert(webhook_endpoint).values({ id, ...draft, secret: ciphertext, created_at: now() });
    const facts = { endpoint_id: id, events: draft.events.join(' ') };
    await recordAudit(tx, ctx, { act: 'webhook_added', subject_id: null, facts });
  });
  return { secret, endpoint: await getEndpoint(ctx, id) };
}

async function lockEndpoint(tx: Tx, id: string): Promise<Row> {
  const [row] = await tx
    .select()
    .from(webhook_endpoint)
    .where(eq(webhook_endpoint.id, id))
    .for('no key update');
  if (!row) throw new Refusal('NOT_FOUND', { what: 'webhook' });
  return row;
}

/**
 * Changes an endpoint. Turning it on again sends its waiting messages, from the first try on. Throws Refusal NOT_FOUND and
 * WEBHOOK_URL_REFUSED.
 */
export async function updateEndpoint(
  ctx: WebhookContext,
  { id, on, ...changes }: InputOf<typeof webhooks.update>,
): Promise<WebhookEndpoint> {
  if (changes.url !== undefined) await assertReachable(ctx, changes.url);
  await ctx.db.transaction(async (tx) => {
    const row = await lockEndpoint(tx, id);
    const { url, description, events } = { ...row, ...definedOf(changes) };
    const fields = [
      url === row.url ? null : 'address',
      description === row.description ? null : 'description',
      String(events) === String(row.events) ? null : 'events',
      on === undefined || on === (row.off_at === null) ? null : on ? 'on' : 'off',
    ].filter((it) => it !== null);
    if (fields.length === 0) return;
    const turnOn = fields.includes('on') ? { off_at: null, off_reason: null } : null;
    const turnOff = fields.includes('off') ? { off_at: ctx.now(), off_reason: 'staff' as const } : null;
    await tx
      .update(webhook_endpoint)
      .set({ url, description, events, ...turnOn, ...turnOff })
      .where(eq(webhook_endpoint.id, id));
    if (turnOn) await startOver(tx, id);
    const facts = { endpoint_id: id, fields: fields.join(' ') };
    await recordAudit(tx, ctx, { act: 'webhook_changed', subject_id: null, facts });
  });
  return getEndpoint(ctx, id);
}

const definedOf = <T extends object>(changes: T) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

async function startOver(tx: Tx, endpoint_id: string): Promise<void> {
  await tx
    .update(deliveries)
    .set(AS_NEW)
    .where(and(eq(deliveries.endpoint_id, endpoint_id), isNull(deliveries.outcome)));
}

/** Removes an endpoint with all its data. Throws Refusal NOT_FOUND. */
export async function deleteEndpoint(
  ctx: WebhookContext,
  { id }: { id: string },
): Promise<{ ended: string }> {
  await ctx.db.transaction(async (tx) => {
    await lockEndpoint(tx, id);
    await tx.delete(webhook_endpoint).where(eq(webhook_endpoint.id, id));
    await recordAudit(tx, ctx, { act: 'webhook_removed', subject_id: null, facts: { endpoint_id: id } });
  });
  return { ended: id };
}

/** Gives an endpoint a new secret, only returned here; the previous one also signs for a day. Throws Refusal NOT_FOUND. */
export async function rotateSecret(
  ctx: WebhookContext,
  { id }: { id: string },
): Promise<{ secret: string; endpoint: WebhookEndpoint }> {
  const { now, newSecret, webhookKey } = ctx;
  const secret = signingSecret(newSecret());
  await ctx.db.transaction(async (tx) => {
    const row = await lockEndpoint(tx, id);
    await tx
      .update(webhook_endpoint)
      .set({
        secret: sealSecret(webhookKey, secret, { of: id, random: newSecret() }),
        previous_secret: row.secret,
        previous_until: new Date(now().getTime() + WEBHOOK_SECRET_OVERLAP_HOURS * HOUR_MS),
      })
      .where(eq(webhook_endpoint.id, id));
    await recordAudit(tx, ctx, {
      act: 'webhook_secret_replaced',
      subject_id: null,
      facts: { endpoint_id: id },
    });
  });
  return { secret, endpoint: await getEndpoint(ctx, id) };
}
