import type { Db } from '../db/client.ts';
import { and, eq, isNull, lte, or } from '../db/orm.ts';
import { deliveries } from '../db/schema.ts';

const DAY_MS = 24 * 3_600_000;
/** How long an email to someone without an account is stored, sent or not. */
const WITHOUT_ACCOUNT_MS = 7 * DAY_MS;
/** Longer than any cause of a notification comes again. */
const NOTIFICATIONS_MS = 92 * DAY_MS;

/**
 * Deletes old notifications, and old emails to people without an account. Deliveries of webhooks are deleted with their
 * event: webhooks/delivery-log.ts.
 */
export async function deleteOldDeliveries({ db, now }: { db: Db; now(): Date }): Promise<void> {
  const { kind, user_id, created_at } = deliveries;
  const olderThan = (ms: number) => lte(created_at, new Date(now().getTime() - ms));
  await db
    .delete(deliveries)
    .where(
      or(
        and(eq(kind, 'email'), isNull(user_id), olderThan(WITHOUT_ACCOUNT_MS)),
        and(eq(kind, 'push'), olderThan(NOTIFICATIONS_MS)),
      ),
    );
}
