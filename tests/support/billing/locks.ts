import { sql } from 'drizzle-orm';
import type { Db } from '../../../src/server/db/client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';

/** Resolves when a session of this database waits for a lock of another. Real Postgres only. */
export async function untilBlocked(db: Db): Promise<void> {
  for (;;) {
    const blocked = await rowsOf(
      db,
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (blocked.length > 0) return;
  }
}
