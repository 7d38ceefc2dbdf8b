import { sql } from 'drizzle-orm';
import { rowsOf } from './results.ts';
import type { Db } from './transaction.ts';

/** Two servers' timers do not tick at the same moment; a turn may come this much early. */
const EARLY = 0.1;

/**
 * Takes the next turn of a task that all servers share; false when one of them had it less than `everyMs`
 * ago. A server that dies during its turn holds up nobody: another takes the next turn. Only the database's
 * clock counts, and one that was set back does not stop the turns. It is read when a caller's statement has
 * waited for the other callers: by the time at which its transaction began, the turn just taken would lie
 * ahead.
 */
export async function takeTurn(db: Db, name: string, everyMs: number): Promise<boolean> {
  const seconds = (everyMs * (1 - EARLY)) / 1000;
  const taken = await rowsOf(
    db,
    sql`insert into scheduled_task (name, began_at) values (${name}, clock_timestamp())
        on conflict (name) do update set began_at = excluded.began_at
          where scheduled_task.began_at <= clock_timestamp() - make_interval(secs => ${seconds})
             or scheduled_task.began_at > clock_timestamp()
        returning name`,
  );
  return taken.length > 0;
}
