import { and, asc, eq, gt, isNotNull, lte, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { nextDaytime, type PushMessage } from '../../domain/push/push-message.ts';
import type { Db, Tx } from '../db/client.ts';
import { push_device, push_message } from '../db/schema.ts';
import { isDue, retryAfter } from '../mail/retry.ts';
import { type PushServiceDeps, sendPush } from './push-service.ts';

export interface PushOutboxDeps extends PushServiceDeps {
  db: Db;
  now(): Date;
  newId(): string;
  log: Logger;
  timeZone: string;
}

interface PushNews {
  user_id: string;
  /** What happened, and to what: the same cause is shown once. */
  cause: string;
  message: PushMessage;
  /** After that it is of no interest. */
  expires_at: Date;
}

/** The one way to send notifications: stored in the transaction of its cause, sent after the commit, in the daytime. */
export interface PushOutbox {
  /** Our public key, with which browsers subscribe. Base64url. */
  publicKey: string;
  /** Stores the message for each device of the user; none for a cause that was used before. Returns for how many. */
  enqueue(tx: Db | Tx, news: PushNews): Promise<number>;
  /** Sends what is due, oldest first. Failures are retried at growing intervals until the message expires. */
  deliver(): Promise<{ sent: number; failed: number }>;
}

const BATCH = 50;
/** Over the night; a retry waits for less. */
const LONGEST_WAIT_MS = 13 * 3_600_000;
/** Longer than any cause comes again. */
const KEPT_MS = 92 * 24 * 3_600_000;

/** Stores and sends notifications: docs/rules/emails.md, "Notifications on a device". */
export function createPushOutbox(deps: PushOutboxDeps): PushOutbox {
  let running: Promise<{ sent: number; failed: number }> | null = null;
  return {
    publicKey: deps.keys.publicKey,
    enqueue: (tx, news) => enqueue(deps, tx, news),
    deliver() {
      running ??= sendDue(deps).finally(() => {
        running = null;
      });
      return running;
    },
  };
}

async function enqueue(
  { now, newId, timeZone }: PushOutboxDeps,
  tx: Db | Tx,
  { user_id, cause, message, expires_at }: PushNews,
): Promise<number> {
  const devices = await tx
    .select({ id: push_device.id })
    .from(push_device)
    .where(eq(push_device.user_id, user_id));
  if (devices.length === 0) return 0;
  const sameCause = and(eq(push_message.user_id, user_id), eq(push_message.cause, cause));
  if ((await tx.$count(push_message, sameCause)) > 0) return 0;
  const at = now();
  const common = {
    cause,
    user_id,
    payload: JSON.stringify(message),
    created_at: at,
    expires_at,
    next_attempt_at: nextDaytime(at, timeZone),
  };
  const stored = await tx
    .insert(push_message)
    .values(devices.map(({ id }) => ({ id: newId(), device_id: id, ...common })))
    .onConflictDoNothing()
    .returning({ id: push_message.id });
  return stored.length;
}

async function sendDue(deps: PushOutboxDeps): Promise<{ sent: number; failed: number }> {
  const { db, now } = deps;
  await db.delete(push_message).where(lte(push_message.created_at, new Date(now().getTime() - KEPT_MS)));
  const due = await db
    .select({ id: push_message.id })
    .from(push_message)
    .where(whichIsDue(now()))
    .orderBy(asc(push_message.next_attempt_at), asc(push_message.id))
    .limit(BATCH);
  const delivery = { sent: 0, failed: 0 };
  for (const { id } of due) {
    const claimed = await claim(deps, id);
    if (claimed) delivery[(await send(deps, claimed)) ? 'sent' : 'failed'] += 1;
  }
  return delivery;
}

const whichIsDue = (at: Date) =>
  and(
    isDue(push_message, at, LONGEST_WAIT_MS),
    isNotNull(push_message.device_id),
    gt(push_message.expires_at, at),
  );

/** Claims a message for this process by postponing its next attempt; null when another process was faster. */
async function claim({ db, now, timeZone }: PushOutboxDeps, id: string) {
  return db.transaction(async (tx) => {
    const [row] = await tx
      .select({ message: push_message, device: push_device })
      .from(push_message)
      .innerJoin(push_device, eq(push_device.id, push_message.device_id))
      .where(and(eq(push_message.id, id), whichIsDue(now())))
      .for('update', { of: push_message, skipLocked: true });
    if (!row) return null;
    const attempts = row.message.attempts + 1;
    const retry = new Date(now().getTime() + retryAfter(attempts));
    await tx
      .update(push_message)
      .set({ attempts, next_attempt_at: nextDaytime(retry, timeZone) })
      .where(eq(push_message.id, id));
    return { ...row, attempts };
  });
}

interface Claimed {
  message: typeof push_message.$inferSelect;
  device: typeof push_device.$inferSelect;
  attempts: number;
}

/** False when the push service did not take it. A device that it does not know any more is deleted. */
async function send(deps: PushOutboxDeps, { message, device, attempts }: Claimed): Promise<boolean> {
  const { db, now, log, keys } = deps;
  const { id, payload, expires_at } = message;
  const { endpoint, p256dh, auth } = device;
  const outcome =
    device.server_key === keys.publicKey
      ? await sendPush(deps, {
          device: { endpoint, keys: { p256dh, auth } },
          payload: payload ?? '',
          ttl: Math.max(0, Math.floor((expires_at.getTime() - now().getTime()) / 1000)),
          topic: (JSON.parse(payload ?? '{}') as PushMessage).tag,
        })
      : 'gone';
  if (outcome === 'gone') await db.delete(push_device).where(eq(push_device.id, device.id));
  if (outcome === 'taken') {
    await db.update(push_message).set({ sent_at: now(), payload: null }).where(eq(push_message.id, id));
    return true;
  }
  if (outcome === 'impossible') {
    await db
      .update(push_message)
      .set({ expires_at: sql`created_at`, payload: null })
      .where(eq(push_message.id, id));
  }
  log.warn({ push_id: id, attempts, outcome, host: new URL(endpoint).hostname }, 'notification not sent');
  return false;
}
