import { createHash } from 'node:crypto';
import { ownMigrations } from './migrate.ts';
import { sql } from './orm.ts';
import { rowsOf } from './results.ts';
import { readSqlFunctions } from './sql-functions.ts';
import type { Db } from './transaction.ts';

interface Expected {
  migrations: number;
  lastMigration: string | undefined;
  /** 'name sha256' of each file of db/functions. */
  functions: string[];
}

// Read once: the files of a running version do not change.
let expected: Expected | undefined;

function expectedState(): Expected {
  if (expected) return expected;
  const files = ownMigrations();
  const functions = readSqlFunctions().map(
    ({ name, text }) => `${name} ${createHash('sha256').update(text).digest('hex')}`,
  );
  expected = { migrations: files.length, lastMigration: files.at(-1)?.hash, functions };
  return expected;
}

/**
 * Whether the database is exactly at this version: neither older, nor already migrated by a newer version started beside
 * this one. One round trip.
 */
export async function isOwnVersion(db: Db): Promise<boolean> {
  const { migrations, lastMigration, functions } = expectedState();
  const [state] = await rowsOf<{ migrations: number; last: string; functions: string[] | null }>(
    db,
    sql`select count(*)::integer as migrations,
               (array_agg(hash order by created_at desc, id desc))[1] as last,
               (select array_agg(name || ' ' || sha256) from schema_functions) as functions
        from drizzle.__drizzle_migrations`,
  );
  const names = new Set(state?.functions);
  return (
    state?.migrations === migrations && state.last === lastMigration && functions.every((it) => names.has(it))
  );
}
