import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import type { Db } from '../db/transaction.ts';

/**
 * Vacuums and analyzes tables where more than 50 rows and a tenth of the table have changed since it was last analyzed, the
 * threshold of a Postgres server's autovacuum: the embedded database has no such process. Without statistics the planner
 * scans whole tables, and replaced rows are never freed. One statement per table, with others in between. Returns the
 * tables' names.
 */
export async function vacuumChanged(db: Db): Promise<string[]> {
  const tables = await rowsOf<{ name: string }>(
    db,
    sql`select s.relid::regclass::text as name
          from pg_stat_user_tables s
          join pg_class c on c.oid = s.relid
         where s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
         order by name`,
  );
  for (const { name } of tables) await db.execute(sql.raw(`vacuum (analyze) ${name}`));
  return tables.map(({ name }) => name);
}

/** Vacuums once a minute, if the bar is quiet: a pour would wait for the table being vacuumed. */
export const vacuumTask = (db: Db, isQuiet: () => Promise<boolean>) => ({
  name: 'vacuum',
  everyMs: 60_000,
  run: async () => ((await isQuiet()) ? vacuumChanged(db) : []),
});
