import type { Db } from '../db/client.ts';
import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';

export interface EmailBacklog {
  /** Unsent emails. */
  waiting: number;
  /** How many of them the mail server refused, or could not be reached for, at least once. */
  retrying: number;
  /** When the oldest of them was written. */
  oldest_at: Date | null;
  /** The earliest due time among them; in the future if none is due. */
  due_at: Date | null;
  /** When an email was last sent; null if none was. */
  sent_at: Date | null;
}

interface Row {
  waiting: number;
  retrying: number;
  oldest_at: number | null;
  due_at: number | null;
  sent_at: number | null;
}

const instant = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1000));

/** The emails that are not sent yet, and when one last was, each from an index. */
export async function readEmailBacklog(db: Db): Promise<EmailBacklog> {
  const [row] = await rowsOf<Row>(
    db,
    sql`select count(*)::integer as waiting, count(*) filter (where attempts > 0)::integer as retrying,
               extract(epoch from min(created_at))::float8 as oldest_at,
               extract(epoch from min(due_at))::float8 as due_at,
               (select extract(epoch from max(s.finished_at))::float8 from deliveries s
                 where s.kind = 'email' and s.outcome = 'sent') as sent_at
        from deliveries where kind = 'email' and outcome is null`,
  );
  if (!row) throw new Error('A count returned no row');
  const { waiting, retrying, ...at } = row;
  return {
    waiting,
    retrying,
    oldest_at: instant(at.oldest_at),
    due_at: instant(at.due_at),
    sent_at: instant(at.sent_at),
  };
}
