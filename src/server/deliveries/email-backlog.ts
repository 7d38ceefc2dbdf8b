import type { Db } from '../db/client.ts';
import { and, count, eq, isNull, max, min, sql } from '../db/orm.ts';
import { deliveries } from '../db/schema.ts';

export type EmailBacklog = Awaited<ReturnType<typeof readEmailBacklog>>;

/**
 * The emails that are not sent yet, and when one last was, each from an index. `retrying`: tried at least once. `due_at`:
 * the earliest due time; in the future if none is due.
 */
export async function readEmailBacklog(db: Db) {
  const { kind, outcome, attempts, created_at, due_at, finished_at } = deliveries;
  const lastSent = db
    .select({ at: max(finished_at) })
    .from(deliveries)
    .where(and(eq(kind, 'email'), eq(outcome, 'sent')));
  const [backlog] = await db
    .select({
      waiting: count(),
      retrying: sql<number>`count(*) filter (where ${attempts} > 0)::integer`,
      oldest_at: min(created_at),
      due_at: min(due_at),
      sent_at: sql<Date | null>`(${lastSent})`.mapWith(finished_at),
    })
    .from(deliveries)
    .where(and(eq(kind, 'email'), isNull(outcome)));
  if (!backlog) throw new Error('A count returned no row');
  return backlog;
}
