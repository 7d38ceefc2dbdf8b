import type { Logger } from 'pino';
import { nextDaytime, type PushMessage } from '../../domain/push/push-message.ts';
import type { Db, Tx } from '../db/client.ts';
import { and, eq, sql } from '../db/orm.ts';
import { deliveries, push_device } from '../db/schema.ts';
import { DOUBLING_SECONDS, enqueue, type Sender } from '../deliveries/deliveries.ts';
import { type PushServiceDeps, sendPush } from './push-service.ts';

export interface PushOutboxDeps extends PushServiceDeps {
  db: Db;
  now(): Date;
  newId(): string;
  log: Logger;
  venue: { time_zone: string };
}

interface PushNews {
  user_id: string;
  /** The event and its object: the same cause is shown once. */
  cause: string;
  message: PushMessage;
  /** Not shown after this instant. */
  expires_at: Date;
}

/** Sends all notifications: stored in the transaction of their cause, sent after the commit, in the daytime. */
export interface PushOutbox {
  /** Our public key for subscribing browsers. Base64url. */
  publicKey: string;
  /** Stores the message for each device of the user; does nothing for a used cause. Returns how many. */
  enqueue(tx: Db | Tx, news: PushNews): Promise<number>;
}

/** Stores notifications: docs/rules/emails.md, "Notifications on a device". */
export function createPushOutbox(deps: Pick<PushOutboxDeps, 'keys' | 'now' | 'newId' | 'venue'>): PushOutbox {
  const { keys, now, newId } = deps;
  return {
    publicKey: keys.publicKey,
    async enqueue(tx, { user_id, cause, message: payload, expires_at }) {
      if ((await tx.$count(deliveries, isOfCause(user_id, cause))) > 0) return 0;
      const devices = await tx
        .select({ id: push_device.id })
        .from(push_device)
        .where(eq(push_device.user_id, user_id));
      if (devices.length === 0) return 0;
      const created_at = now();
      const due_at = nextDaytime(created_at, deps.venue.time_zone);
      const base = { kind: 'push' as const, user_id, payload, created_at, expires_at, due_at };
      return enqueue(
        tx,
        devices.map(({ id: device_id }) => ({
          ...base,
          id: newId(),
          cause: `${cause}@${device_id}`,
          device_id,
        })),
      );
    },
  };
}

/** In SQL: the notifications to a user of that cause, one for each device. Both may be columns of a query. */
export const isOfCause = (user_id: unknown, cause: unknown) =>
  and(
    eq(deliveries.kind, 'push'),
    sql`${deliveries.user_id} = ${user_id}`,
    sql`starts_with(${deliveries.cause}, ${cause} || '@')`,
  );

/** Sends notifications to browsers' push services, in the daytime. */
export function pushSender(deps: PushOutboxDeps): Sender {
  const { db, now, log, keys } = deps;
  return {
    retrySeconds: DOUBLING_SECONDS,
    // The longest wait is one night.
    longestWaitMs: 13 * 3_600_000,
    batch: 50,
    notBefore: (at) => nextDaytime(at, deps.venue.time_zone),
    async send({ id, device_id, user_id, payload, expires_at, attempts }) {
      const [device] = device_id
        ? await db.select().from(push_device).where(eq(push_device.id, device_id))
        : [];
      // Another user may have taken the browser over.
      if (!device || device.user_id !== user_id) return { givenUp: 'gone' };
      const { endpoint, p256dh, auth, server_key } = device;
      const message = payload as PushMessage;
      const request = {
        device: { endpoint, keys: { p256dh, auth } },
        payload: JSON.stringify(message),
        ttl: expires_at ? Math.max(0, Math.floor((expires_at.getTime() - now().getTime()) / 1000)) : 0,
        topic: message.tag,
      };
      const outcome = server_key === keys.publicKey ? await sendPush(deps, request) : 'gone';
      if (outcome === 'taken') return 'sent';
      log.warn(
        { delivery_id: id, attempts, outcome, host: new URL(endpoint).hostname },
        'notification not sent',
      );
      if (outcome === 'gone') await db.delete(push_device).where(eq(push_device.id, device.id));
      return outcome === 'failed' ? 'failed' : { givenUp: outcome };
    },
  };
}
