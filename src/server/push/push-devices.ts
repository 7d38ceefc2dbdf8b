import type { PushDevices, PushSubscriptionInput } from '../../contract/auth/push-devices.ts';
import { Refusal } from '../../contract/refusals.ts';
import { MAX_PUSH_DEVICES } from '../../domain/push/push-endpoint.ts';
import type { Db } from '../db/client.ts';
import { and, desc, eq, inArray, ne } from '../db/orm.ts';
import { push_device } from '../db/schema.ts';
import type { Actor } from '../platform/actor.ts';
import type { PushOutbox } from './push-outbox.ts';

interface PushContext {
  db: Db;
  push: PushOutbox;
  now(): Date;
  newId(): string;
  actor: Actor & { session_id: string };
}

/** The actor's devices, newest first, and the key for subscribing a browser. */
export async function listPushDevices({
  db,
  push,
  actor,
}: Pick<PushContext, 'db' | 'push' | 'actor'>): Promise<PushDevices> {
  const { id, endpoint, created_at } = push_device;
  const rows = await db
    .select({ id, endpoint, created_at })
    .from(push_device)
    .where(eq(push_device.user_id, actor.user_id))
    .orderBy(desc(created_at), desc(id));
  const devices = rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
  return { server_key: push.publicKey, devices };
}

/**
 * Subscribes the actor's browser: its notifications go to the actor, and to no other user any longer. Beyond
 * MAX_PUSH_DEVICES, the oldest is forgotten.
 */
export async function createPushDevice(
  { db, push, now, newId, actor }: PushContext,
  { endpoint, keys }: PushSubscriptionInput,
): Promise<{ id: string }> {
  const { user_id, session_id } = actor;
  const facts = { user_id, session_id, ...keys, server_key: push.publicKey, created_at: now() };
  return db.transaction(async (tx) => {
    // A browser has one subscription, so it replaces this session's earlier one.
    const before = and(eq(push_device.user_id, user_id), eq(push_device.session_id, session_id));
    await tx.delete(push_device).where(and(before, ne(push_device.endpoint, endpoint)));
    const [row] = await tx
      .insert(push_device)
      .values({ id: newId(), endpoint, ...facts })
      .onConflictDoUpdate({ target: push_device.endpoint, set: facts })
      .returning({ id: push_device.id });
    if (!row) throw new Error('An insert returned no row');
    const surplus = await tx
      .select({ id: push_device.id })
      .from(push_device)
      .where(eq(push_device.user_id, user_id))
      .orderBy(desc(push_device.created_at), desc(push_device.id))
      .offset(MAX_PUSH_DEVICES);
    const ids = surplus.map((it) => it.id);
    if (ids.length > 0) await tx.delete(push_device).where(inArray(push_device.id, ids));
    return row;
  });
}

/** Throws Refusal NOT_FOUND. */
export async function deletePushDevice(
  { db, actor }: Pick<PushContext, 'db' | 'actor'>,
  { id }: { id: string },
): Promise<{ removed: true }> {
  const filter = and(eq(push_device.id, id), eq(push_device.user_id, actor.user_id));
  const rows = await db.delete(push_device).where(filter).returning({ id: push_device.id });
  if (rows.length === 0) throw new Refusal('NOT_FOUND', { what: 'device' });
  return { removed: true };
}
