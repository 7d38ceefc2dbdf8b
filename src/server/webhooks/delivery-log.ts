import { Refusal } from '../../contract/refusals.ts';
import type { WebhookDelivery } from '../../contract/staff/webhooks.ts';
import { WEBHOOK_KEPT_DAYS, WEBHOOK_TEST } from '../../domain/staff/webhook.ts';
import { isUuid } from '../../domain/uuid.ts';
import type { Db } from '../db/client.ts';
import { and, desc, eq, gte, inArray, lt, sql } from '../db/orm.ts';
import { refusing } from '../db/results.ts';
import { deliveries, webhook_endpoint, webhook_event, webhook_try } from '../db/schema.ts';
import { AS_NEW, type Delivery, enqueue } from '../deliveries/deliveries.ts';
import { decodeCursor, encodeCursor, isInstant } from '../platform/cursor.ts';
import { exactInstant } from '../platform/sql-text.ts';
import type { WebhookContext } from './webhook-context.ts';

const PAGE = 20;
const SHOWN_TRIES = 10;
const DAY_MS = 24 * 3_600_000;

type Try = typeof webhook_try.$inferSelect;

/** Throws Refusal NOT_FOUND, or WEBHOOK_OFF if `on` is required. */
async function findEndpoint({ db }: { db: Db }, id: string, { on }: { on: boolean }): Promise<void> {
  const [row] = await db
    .select({ off_at: webhook_endpoint.off_at })
    .from(webhook_endpoint)
    .where(eq(webhook_endpoint.id, id));
  if (!row) throw new Refusal('NOT_FOUND', { what: 'webhook' });
  if (on && row.off_at) throw new Refusal('WEBHOOK_OFF');
}

/** An endpoint's messages, sent or waiting, newest first, with their latest tries. Throws Refusal NOT_FOUND. */
export async function listDeliveries(
  ctx: WebhookContext,
  { id, cursor }: { id: string; cursor?: string | undefined },
): Promise<{ deliveries: WebhookDelivery[]; next_cursor: string | null }> {
  await findEndpoint(ctx, id, { on: false });
  const { created_at, id: key, endpoint_id, event_id } = deliveries;
  const [at, last] = decodeCursor(cursor, isInstant, isUuid) ?? [];
  const after = at && last ? sql`(${created_at}, ${key}) < (${at}::timestamptz, ${last}::uuid)` : undefined;
  const rows = await ctx.db
    .select({ delivery: deliveries, type: webhook_event.type, exact: exactInstant(created_at) })
    .from(deliveries)
    .innerJoin(webhook_event, eq(webhook_event.id, event_id))
    .where(and(eq(endpoint_id, id), after))
    .orderBy(desc(created_at), desc(key))
    .limit(PAGE + 1);
  const page = rows.slice(0, PAGE);
  const tries = await triesOf(
    ctx,
    page.map(({ delivery }) => delivery.id),
  );
  const end = rows.length > PAGE ? page.at(-1) : undefined;
  return {
    deliveries: page.map(({ delivery, type }) => toDelivery(delivery, type, tries.get(delivery.id) ?? [])),
    next_cursor: end ? encodeCursor(end.exact, end.delivery.id) : null,
  };
}

async function triesOf({ db }: WebhookContext, ids: string[]): Promise<Map<string, Try[]>> {
  const groups = new Map<string, Try[]>();
  if (ids.length === 0) return groups;
  const rows = await db
    .select()
    .from(webhook_try)
    .where(inArray(webhook_try.delivery_id, ids))
    .orderBy(desc(webhook_try.at), desc(webhook_try.id));
  for (const row of rows) groups.set(row.delivery_id, [...(groups.get(row.delivery_id) ?? []), row]);
  return groups;
}

function toDelivery(row: Delivery, type: string, tries: Try[]): WebhookDelivery {
  const { id, event_id, created_at, outcome, finished_at, due_at } = row;
  const finish = finished_at?.toISOString() ?? null;
  return {
    id,
    event_id: event_id ?? '',
    type,
    happened_at: created_at.toISOString(),
    delivered_at: outcome === 'sent' ? finish : null,
    given_up_at: outcome === 'given_up' ? finish : null,
    next_attempt_at: outcome ? null : (due_at?.toISOString() ?? null),
    tries: tries.slice(0, SHOWN_TRIES).map(({ at, status, duration_ms, error, answer }) => ({
      at: at.toISOString(),
      status,
      duration_ms,
      error,
      answer,
    })),
  };
}

/** Sends a message again, with the same webhook-id. Throws Refusal NOT_FOUND and WEBHOOK_OFF. */
export async function replay(ctx: WebhookContext, { id }: { id: string }): Promise<{ replayed: number }> {
  const [row] = await ctx.db
    .select({ endpoint_id: deliveries.endpoint_id })
    .from(deliveries)
    .where(eq(deliveries.id, id));
  // Deliveries to people are no webhooks.
  if (!row?.endpoint_id) throw new Refusal('NOT_FOUND', { what: 'delivery' });
  await findEndpoint(ctx, row.endpoint_id, { on: true });
  await ctx.db.update(deliveries).set(AS_NEW).where(eq(deliveries.id, id));
  return { replayed: 1 };
}

/** Sends an endpoint everything since that time again. Throws Refusal NOT_FOUND and WEBHOOK_OFF. */
export async function replaySince(
  ctx: WebhookContext,
  { id, since }: { id: string; since: string },
): Promise<{ replayed: number }> {
  await findEndpoint(ctx, id, { on: true });
  const { endpoint_id, created_at } = deliveries;
  const rows = await ctx.db
    .update(deliveries)
    .set(AS_NEW)
    .where(and(eq(endpoint_id, id), gte(created_at, new Date(since))))
    .returning({ id: deliveries.id });
  return { replayed: rows.length };
}

/** Sends one endpoint a message of the type 'test', delivered like any other. Throws Refusal NOT_FOUND and WEBHOOK_OFF. */
export async function sendTest(
  ctx: WebhookContext,
  { id }: { id: string },
): Promise<{ delivery_id: string }> {
  await findEndpoint(ctx, id, { on: true });
  const { db, now, newId } = ctx;
  const event_id = newId();
  const delivery_id = newId();
  // The endpoint may be removed at the same moment.
  const refusal = new Refusal('NOT_FOUND', { what: 'webhook' });
  await refusing({ deliveries_endpoint_id_webhook_endpoint_id_fk: refusal }, () =>
    db.transaction(async (tx) => {
      const happened_at = now();
      await tx.insert(webhook_event).values({ id: event_id, type: WEBHOOK_TEST, data: {}, happened_at });
      const row = { id: delivery_id, kind: 'webhook' as const, cause: `${event_id}:${id}`, event_id };
      await enqueue(tx, [{ ...row, endpoint_id: id, created_at: happened_at }]);
    }),
  );
  return { delivery_id };
}

/** Deletes events older than 30 days, delivered or not, with their tries, and previous secrets that no longer sign. */
export async function deleteOldWebhookEvents({ db, now }: { db: Db; now(): Date }): Promise<void> {
  const cutoff = new Date(now().getTime() - WEBHOOK_KEPT_DAYS * DAY_MS);
  await db.delete(webhook_event).where(lt(webhook_event.happened_at, cutoff));
  await db
    .update(webhook_endpoint)
    .set({ previous_secret: null, previous_until: null })
    .where(sql`${webhook_endpoint.previous_until} < ${now().toISOString()}::timestamptz`);
}
