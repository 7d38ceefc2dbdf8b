import { sql } from 'drizzle-orm';
import { rowsOf } from '../../../src/server/db/results.ts';
import type { Db } from '../../../src/server/db/transaction.ts';

/** Every row of every table as sorted text, by table name: equal results mean equal data. */
export async function everyRow(db: Db): Promise<Map<string, string[]>> {
  const tables = await rowsOf<{ name: string }>(
    db,
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  );
  const content = new Map<string, string[]>();
  for (const { name } of tables) {
    const rows = await rowsOf<{ row: string }>(
      db,
      sql`select to_jsonb(it)::text as row from ${sql.identifier(name)} it order by 1`,
    );
    content.set(
      name,
      rows.map(({ row }) => row),
    );
  }
  return content;
}
