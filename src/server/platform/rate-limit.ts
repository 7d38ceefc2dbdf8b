import { sql } from 'drizzle-orm';
import { Refusal } from '../../domain/refusal.ts';
import type { Db } from '../db/client.ts';
import { rowsOf } from '../db/results.ts';

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
  const [row] = await rowsOf<{ count: number; last_request: string }>(
    db,
    sql`insert into rate_limits as r (id, key, count, last_request) values (${newId()}, ${key}, 1, ${at})
        on conflict (key) do update set
          count = case when r.last_request <= ${opened} then 1 else r.count + 1 end,
          last_request = case when r.last_request <= ${opened} then excluded.last_request else r.last_request end
        returning count, last_request`,
  );
  if (!row || row.count <= max) return;
  const retryAfter = Math.ceil((Number(row.last_request) + window * 1000 - at) / 1000);
  throw new Refusal('TOO_MANY_ATTEMPTS', { retry_after_seconds: Math.max(1, retryAfter) });
}
