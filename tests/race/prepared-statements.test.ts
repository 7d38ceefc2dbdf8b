import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type OpenDatabase, openPostgres } from '../../src/server/db/client.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { preparedStatement } from '../../src/server/db/statements/prepared-statements.ts';
import type { Tx } from '../../src/server/db/transaction.ts';
import { createDatabase } from '../support/harness/postgres.ts';

let created: Awaited<ReturnType<typeof createDatabase>>;
beforeAll(async () => {
  created = await createDatabase();
});
afterAll(() => created.drop());

let database: OpenDatabase;
beforeEach(async () => {
  database = await openPostgres(created.url);
  return () => database.close();
});

const double = preparedStatement<{ n: number }, { n: number }>(
  sql`select ${sql.placeholder('n')}::integer * ${2} as n`,
);
/** A single connection serves these, as it is idle again before each next statement. */
const doubled = async (n: number, db: OpenDatabase['db'] | Tx = database.db) =>
  (await double(db, { n }))[0]?.n;
const prepared = async () =>
  (
    await rowsOf<{ count: number }>(
      database.db,
      sql`select count(*)::integer as count from pg_prepared_statements`,
    )
  )[0]?.count;

it('a statement is prepared once per connection, with varying values', async () => {
  expect(await doubled(2)).toBe(4);
  expect(await doubled(3)).toBe(6);
  expect(await prepared()).toBe(1);
});

it('in a transaction a statement runs unprepared, so no pooler can refuse it', async () => {
  expect(await database.db.transaction((tx) => doubled(2, tx))).toBe(4);
  expect(await prepared()).toBe(0);
});

it('a statement still runs on a connection where it is not prepared, as behind a transaction pooler', async () => {
  await doubled(2);
  await database.db.execute(sql`deallocate all`);
  expect(await doubled(3)).toBe(6);
  // Prepared statements are off now.
  expect(await doubled(4)).toBe(8);
  expect(await prepared()).toBe(0);
});

it('a statement still runs on a connection where another client of the pooler prepared it', async () => {
  await doubled(2);
  const [known] = await rowsOf<{ name: string }>(database.db, sql`select name from pg_prepared_statements`);
  const other = await openPostgres(created.url);
  await other.db.execute(sql.raw(`prepare ${known!.name}(integer) as select $1 * 2 as n`));
  database = await database.close().then(() => other);
  expect(await doubled(5)).toBe(10);
});

it('a statement still runs after its table has changed', async () => {
  await database.db.execute(sql`create table thing as select 1 as a`);
  const readThings = preparedStatement(sql`select * from thing`);
  const things = () => readThings(database.db, {});
  expect(await things()).toEqual([{ a: 1 }]);
  await database.db.execute(sql`alter table thing add column b integer default 2`);
  expect(await things()).toEqual([{ a: 1, b: 2 }]);
});

it('a mistake in a statement fails like any other', async () => {
  await expect(preparedStatement(sql`select 1 / 0`)(database.db, {})).rejects.toThrow();
  await expect(preparedStatement(sql`select nothing`)(database.db, {})).rejects.toThrow();
});
