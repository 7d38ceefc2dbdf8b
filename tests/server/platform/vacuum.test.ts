import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { rowsOf } from '../../../src/server/db/results.ts';
import { vacuumChanged, vacuumTask } from '../../../src/server/platform/vacuum.ts';
import { createTestDatabase } from '../../support/harness/database.ts';

test('a table is vacuumed and analyzed once a tenth of it has changed, while the bar is quiet', async () => {
  const database = await createTestDatabase();
  const { db } = database;
  const counted = async (statement: string) => {
    await db.execute(sql.raw(statement));
    // The engine counts a statement's rows a moment after it.
    await db.execute(sql`select pg_stat_force_next_flush()`);
  };
  try {
    await counted('select 1');
    await vacuumChanged(db);
    // Other tests of this worker may have left changes of this table, too few to be found.
    await db.execute(sql`vacuum (analyze) rate_limits`);

    await counted(`insert into rate_limits (id, key, count, last_request)
                     select gen_random_uuid(), 'key' || n, 1, n from generate_series(1, 40) n`);
    expect(await vacuumChanged(db)).toEqual([]);

    await counted(`insert into rate_limits (id, key, count, last_request)
                     select gen_random_uuid(), 'key' || n, 1, n from generate_series(41, 1000) n`);
    expect(await vacuumTask(db, async () => false).run()).toEqual([]);
    expect(await vacuumTask(db, async () => true).run()).toEqual(['rate_limits']);
    expect(await rowsOf(db, sql`select reltuples from pg_class where relname = 'rate_limits'`)).toEqual([
      { reltuples: 1000 },
    ]);
    expect(await vacuumChanged(db)).toEqual([]);

    await counted('delete from rate_limits where last_request <= 150');
    expect(await vacuumChanged(db)).toEqual([]);
    await counted('delete from rate_limits where last_request = 151');
    expect(await vacuumChanged(db)).toEqual(['rate_limits']);
    const dead = sql`select n_dead_tup::integer as dead from pg_stat_user_tables where relname = 'rate_limits'`;
    expect(await rowsOf(db, dead)).toEqual([{ dead: 0 }]);
  } finally {
    await database.close();
  }
});
