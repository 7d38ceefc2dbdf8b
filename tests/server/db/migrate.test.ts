import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openEmbedded, openInMemory } from '../../../src/server/db/client.ts';
import { DatabaseTooNewError, DatabaseTooOldError } from '../../../src/server/db/migrate.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import * as schema from '../../../src/server/db/schema.ts';
import { applySqlFunctions, readSqlFunctions, type SqlFile } from '../../../src/server/db/sql-functions.ts';
import type { Db } from '../../../src/server/db/transaction.ts';
import { createTestDatabase } from '../../support/harness/database.ts';

describe('SQL functions', () => {
  let client: PGlite;
  let db: Db;
  beforeAll(async () => {
    client = await PGlite.create();
    db = drizzle({ client, schema });
    await client.exec(`create table schema_functions (name text primary key, sha256 text not null,
      applied_at timestamptz not null default now()); create table glasses (size integer)`);
  });
  afterAll(() => client.close());

  const apply = (...files: SqlFile[]) => applySqlFunctions(db, (script) => client.exec(script), files);
  const answer = async (call: string) =>
    (await rowsOf<{ answer: unknown }>(db, sql.raw(`select ${call} as answer`)))[0]?.answer;
  const file = (name: string, type: string, value: string): SqlFile => ({
    name: `${name}.sql`,
    text: `drop function if exists ${name};
      create function ${name}() returns ${type} language sql as $$ select ${value} $$;`,
  });
  const one = file('one', 'integer', '1');
  const two = file('two', 'integer', '2');

  it('applies each file once, and again when its text changed', async () => {
    expect(await apply(one, two)).toEqual(['one.sql', 'two.sql']);
    expect(await apply(one, two)).toEqual([]);
    expect(await apply(one, file('two', 'text', `'zwei'`))).toEqual(['two.sql']);
    expect(await answer('two()')).toBe('zwei');
  });

  it('applies all of the changed files or none, and tries again at the next start', async () => {
    const broken = file('two', 'integer', 'no_such_column');
    await expect(apply(file('one', 'integer', '11'), broken)).rejects.toThrow('no_such_column');
    expect(await answer('one()')).toBe(1);
    expect(await apply(file('one', 'integer', '11'), two)).toEqual(['one.sql', 'two.sql']);
    expect(await answer('one() + two()')).toBe(13);
  });

  it('replaces a function with other arguments instead of adding a second one', async () => {
    const text = `drop function if exists one;
      create function one(more integer) returns integer language sql as $$ select 1 + more $$;`;
    await apply({ name: 'one.sql', text });
    expect(await answer('one(2)')).toBe(3);
    await expect(answer('one()')).rejects.toThrow();
  });
});

describe('the functions of the product', () => {
  it('can all be applied again at a start, to a database in use', async () => {
    const used = await createTestDatabase();
    await used.db.insert(schema.profiles).values({
      id: '0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e0f',
      name: 'Zoë',
      email: 'zoe@example.test',
      first_name: 'Zoë',
      last_name: 'Ångström',
    });
    const stored = (of: Db) => of.select().from(schema.profile_search);
    const applied = (of: Db) =>
      of.select({ name: schema.schema_functions.name }).from(schema.schema_functions);
    const [searched, files] = [await stored(used.db), await applied(used.db)];
    expect(searched).toMatchObject([{ search_text: 'zoe angstrom zoe@example.test' }]);
    expect(files.map(({ name }) => name)).toEqual(readSqlFunctions().map(({ name }) => name));
    await used.db.delete(schema.schema_functions);
    const copy = await used.archive();
    await used.close();

    const started = await openInMemory(copy);
    expect(await applied(started.db)).toEqual(files);
    expect(await stored(started.db)).toEqual(searched);
    await started.close();
  });
});

it("after a start the members' role has the rights it should have, whatever was taken, added or closed", async () => {
  const rightsOf = async (of: Db) => ({
    tables: await rowsOf(
      of,
      sql`select relname, relacl::text from pg_class where relnamespace = 'public'::regnamespace
            and relacl::text like '%cellar_door_member%' order by 1`,
    ),
    columns: await rowsOf(
      of,
      sql`select attrelid::regclass::text as name, attname, attacl::text from pg_attribute
            where attacl::text like '%cellar_door_member%' order by 1, 2`,
    ),
    schema: await rowsOf(of, sql`select has_schema_privilege('cellar_door_member', 'public', 'usage') as it`),
  });
  const shared = await createTestDatabase();
  // A copy: the next file in this worker needs the shared one unchanged.
  const used = await openInMemory(await shared.archive());
  await shared.close();
  const right = await rightsOf(used.db);
  let before = right;
  for (const change of [
    'revoke select on pours from cellar_door_member',
    'revoke update (name) on passkeys from cellar_door_member',
    'grant select on accounts to cellar_door_member',
    'grant select (token) on sessions to cellar_door_member',
    'revoke usage on schema public from public, cellar_door_member',
  ]) {
    await used.db.execute(sql.raw(change));
    const after = await rightsOf(used.db);
    expect(after, change).not.toEqual(before);
    before = after;
  }
  const copy = await used.archive();
  await used.close();

  const started = await openInMemory(copy);
  expect(await rightsOf(started.db)).toEqual(right);
  await started.close();
});

describe('a data folder of an earlier version', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cellar-door-old-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const state = async () => {
    const client = await PGlite.create({ dataDir: join(folder, 'db') });
    const { rows } = await client.query(
      `select table_schema, table_name from information_schema.tables
        where table_schema in ('public', 'drizzle') order by 1, 2`,
    );
    const { rows: entries } = await client.query('select * from drizzle.__drizzle_migrations');
    await client.close();
    return { rows, entries };
  };

  it('is refused with one line that says how to export or start over, and is left as it was', async () => {
    const client = await PGlite.create({ dataDir: join(folder, 'db') });
    await client.exec(`create schema drizzle;
      create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
      insert into drizzle.__drizzle_migrations (hash, created_at) values ('of another baseline', 1);
      create table machine_clients (id uuid)`);
    await client.close();
    const before = await state();

    const opening = openEmbedded(folder);
    await expect(opening).rejects.toBeInstanceOf(DatabaseTooOldError);
    // Without the flag s: a single line.
    await expect(opening).rejects.toThrow(
      /^.*before 1\.0\.0.*nothing was changed.*Export.*start over.*DATA_DIR.*$/,
    );
    await expect(opening).rejects.toThrow(folder);
    expect(await state()).toEqual(before);
  });
});

it('a database of a newer version is refused with a message that says how to go back', async () => {
  const used = await createTestDatabase();
  await used.db.execute(
    sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', 9000000000000)`,
  );
  const copy = await used.archive();
  await used.db.execute(sql`delete from drizzle.__drizzle_migrations where hash = 'of a later version'`);
  await used.close();
  const opening = openInMemory(copy);
  await expect(opening).rejects.toBeInstanceOf(DatabaseTooNewError);
  await expect(opening).rejects.toThrow(/newer version .*Nothing was changed.*restore the backup/s);
});

it('drizzle’s own migrator finds nothing left to do in a database that this version made', async () => {
  const database = await openInMemory();
  const recorded = () => rowsOf(database.db, sql`select * from drizzle.__drizzle_migrations order by id`);
  const before = await recorded();
  expect(before.length).toBeGreaterThan(0);
  await migrate(drizzle({ client: database.engine, schema }), {
    migrationsFolder: 'src/server/db/migrations',
  });
  expect(await recorded()).toEqual(before);
  await database.close();
});
