import { Refusal } from '../../contract/refusals.ts';
import { CLOCK_SKEW_MS } from '../../domain/calendar.ts';
import type { Db, Tx } from '../db/client.ts';
import { eq, gt, lt, or, sql } from '../db/orm.ts';
import { rate_limits } from '../db/schema.ts';

interface RateLimitContext {
  db: Db | Tx;
  now(): Date;
  newId(): string;
}

/** `window`: seconds, at most LONGEST_WINDOW_SECONDS. */
interface RateLimit {
  max: number;
  window: number;
}

const LONGEST_WINDOW_SECONDS = 86_400;

/**
 * Counts a request under a key, in the database, so that all processes share the count. Returns 0, or the seconds to wait
 * when more than max fell into the window. A count dated ahead of now, by a clock that has been corrected since, starts
 * over.
 */
export async function countRequest(
  { db, now, newId }: RateLimitContext,
  key: string,
  { max, window }: RateLimit,
): Promise<number> {
  const at = now().getTime();
  const start = at - window * 1000;
  const isOver = sql`(${rate_limits.lastRequest} <= ${start} or ${rate_limits.lastRequest} > ${at + CLOCK_SKEW_MS})`;
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
  if (!row || row.count <= max) return 0;
  return Math.max(1, Math.ceil((row.lastRequest + window * 1000 - at) / 1000));
}

/** Counts a request, and throws Refusal TOO_MANY_ATTEMPTS over the limit. */
export async function consumeRateLimit(ctx: RateLimitContext, key: string, limit: RateLimit): Promise<void> {
  const retry_after_seconds = await countRequest(ctx, key, limit);
  if (retry_after_seconds > 0) throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds });
}

export async function uncountRequest({ db }: Pick<RateLimitContext, 'db'>, key: string): Promise<void> {
  await db
    .update(rate_limits)
    .set({ count: sql`greatest(0, ${rate_limits.count} - 1)` })
    .where(eq(rate_limits.key, key));
}

/** Deletes counts older than any window, and those of a wrong clock. */
export async function deleteOldCounts({ db, now }: Pick<RateLimitContext, 'db' | 'now'>): Promise<void> {
  const at = now().getTime();
  const { lastRequest } = rate_limits;
  await db
    .delete(rate_limits)
    .where(or(lt(lastRequest, at - LONGEST_WINDOW_SECONDS * 1000), gt(lastRequest, at + CLOCK_SKEW_MS)));
}
