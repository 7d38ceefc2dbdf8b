import { sql } from 'drizzle-orm';
import type { Db } from '../../../src/server/db/client.ts';
import { rowsOf } from '../../../src/server/db/results.ts';

/** Resolves when that many sessions of this database wait for locks of others. Real Postgres only. */
export async function untilBlocked(db: Db, count = 1): Promise<void> {
  for (;;) {
    const blocked = await rowsOf(
      db,
      sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    if (blocked.length >= count) return;
  }
}
