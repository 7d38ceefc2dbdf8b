import { sql } from 'drizzle-orm';
import { Refusal } from '../../domain/refusal.ts';
import type { Db } from '../db/client.ts';
import { rate_limits } from '../db/schema.ts';

/**
 * Counts a request under a key, in the database, so that all processes share the count.
 * Throws Refusal TOO_MANY_ATTEMPTS when more than max fell into the window (seconds).
 */
export async function consumeRateLimit(
  { db, now, newId }: { db: Db; now(): Date; newId(): string },
  key: string,
  { max, window }: { max: number; window: number },
): Promise<void> {
  const at = now().getTime();
  const opened = at - window * 1000;
  const isOver = sql`${rate_limits.lastRequest} <= ${opened}`;
  const [row] = await db
    .insert(rate_limits)
    .values({ id: newId(), key, count: 1, lastRequest: at })
    .onConflictDoUpdate({
      target: rate_limits.key,
      set: {
        count: sql`case when ${isOver} then 1 else ${rate_limits.count} + 1 end`,
        lastRequest: sql`case when ${isOver} then excluded.last_request else ${rate_limits.lastRequest} end`,
      },
    })
    .returning({ count: rate_limits.count, lastRequest: rate_limits.lastRequest });
  if (!row || row.count <= max) return;
  const retryAfter = Math.ceil((row.lastRequest + window * 1000 - at) / 1000);
  throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds: Math.max(1, retryAfter) });
}
