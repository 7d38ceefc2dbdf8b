import { sql } from 'drizzle-orm';
import type { Db } from '../db/client.ts';
import { rowsOf } from '../db/results.ts';

export interface OutboxBacklog {
  /** Not sent yet. */
  waiting: number;
  /** Of these, the mail server refused or was away at least once. */
  retrying: number;
  /** When the oldest of them was written. */
  oldest_at: Date | null;
  /** When the one that is overdue longest should have been tried; in the future when none is due. */
  due_at: Date | null;
}

interface Row {
  waiting: number;
  retrying: number;
  oldest_at: number | null;
  due_at: number | null;
}

const instant = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000));

/** The emails that are not sent yet: the index of unsent emails answers it. */
export async function readOutboxBacklog(db: Db): Promise<OutboxBacklog> {
  const [row] = await rowsOf<Row>(
    db,
    sql`select count(*)::integer as waiting, count(*) filter (where attempts > 0)::integer as retrying,
               extract(epoch from min(created_at))::float8 as oldest_at,
               extract(epoch from min(next_attempt_at))::float8 as due_at
        from outbox_email where sent_at is null`,
  );
  if (!row) throw new Error('A count returned no row');
  return { ...row, oldest_at: instant(row.oldest_at), due_at: instant(row.due_at) };
}
