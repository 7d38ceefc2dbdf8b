import { sql } from './orm.ts';
import { rowsOf } from './results.ts';
import type { Db } from './transaction.ts';

/** Two servers' timers tick at different moments; a turn may come this much early. */
const EARLY = 0.1;

/**
 * Takes the next turn of a task that all servers share; false if one had it less than `everyMs` ago. A server that dies
 * during its turn blocks no one: another takes the next turn. Only the database's clock counts, and setting it back does
 * not stop the turns. The clock is read after waiting for other callers: a transaction's start time could lie before the
 * turn just taken.
 */
export async function takeTurn(db: Db, name: string, everyMs: number): Promise<boolean> {
  const seconds = (everyMs * (1 - EARLY)) / 1000;
  const rows = await rowsOf(
    db,
    sql`insert into scheduled_task (name, began_at) values (${name}, clock_timestamp())
        on conflict (name) do update set began_at = excluded.began_at
          where scheduled_task.began_at <= clock_timestamp() - make_interval(secs => ${seconds})
             or scheduled_task.began_at > clock_timestamp()
        returning name`,
  );
  return rows.length > 0;
}
