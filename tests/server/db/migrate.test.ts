import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { dataDir } from '@electric-sql/pglite-prepopulatedfs';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unpackEngineFiles } from '../../../scripts/engine-files.ts';
import { type EmbeddedDatabase, openEmbedded, openInMemory } from '../../../src/server/db/client.ts';
import { DatabaseTooNewError, DatabaseTooOldError, migrateDatabase } from '../../../src/server/db/migrate.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import * as schema from '../../../src/server/db/schema.ts';
import { applySqlFunctions, readSqlFunctions, type SqlFile } from '../../../src/server/db/sql-functions.ts';
import type { Db } from '../../../src/server/db/transaction.ts';
import { dataFolder } from '../../support/harness/installation.ts';

describe('SQL functions', () => {
  let client: PGlite;
  let db: Db;
  beforeAll(async () => {
    client = await PGlite.create({ loadDataDir: await dataDir() });
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

describe('a database that this version made', () => {
  let database: EmbeddedDatabase;
  let db: Db;
  beforeAll(async () => {
    database = await openInMemory(await dataDir());
    ({ db } = database);
  });
  afterAll(() => database.close());

  /** What a start does with a database that it has opened. */
  const start = () =>
    migrateDatabase({
      db,
      transaction: (work) => db.transaction((tx) => work(tx, (script) => database.engine.exec(script))),
      location: 'The database',
    });

  it('leaves drizzle’s own migrator nothing to do', async () => {
    const recorded = () => rowsOf(db, sql`select * from drizzle.__drizzle_migrations order by id`);
    const before = await recorded();
    expect(before.length).toBeGreaterThan(0);
    await migrate(drizzle({ client: database.engine, schema }), {
      migrationsFolder: 'src/server/db/migrations',
    });
    expect(await recorded()).toEqual(before);
  });

  it('can have all functions applied again at a start while it is in use', async () => {
    await db.insert(schema.profiles).values({
      id: '0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e0f',
      name: 'Zoë',
      email: 'zoe@example.test',
      first_name: 'Zoë',
      last_name: 'Ångström',
    });
    const stored = () => db.select().from(schema.profile_search);
    const applied = () => db.select({ name: schema.schema_functions.name }).from(schema.schema_functions);
    const [searched, files] = [await stored(), await applied()];
    expect(searched).toMatchObject([{ search_text: 'zoe angstrom zoe@example.test' }]);
    expect(files.map(({ name }) => name)).toEqual(readSqlFunctions().map(({ name }) => name));
    await db.delete(schema.schema_functions);
    await start();
    expect(await applied()).toEqual(files);
    expect(await stored()).toEqual(searched);
  });

  it("gives the members' role at a start the rights it should have, whatever was taken, added or closed", async () => {
    const rights = async () => ({
      tables: await rowsOf(
        db,
        sql`select relname, relacl::text from pg_class where relnamespace = 'public'::regnamespace
              and relacl::text like '%cellar_door_member%' order by 1`,
      ),
      columns: await rowsOf(
        db,
        sql`select attrelid::regclass::text as name, attname, attacl::text from pg_attribute
              where attacl::text like '%cellar_door_member%' order by 1, 2`,
      ),
      schema: await rowsOf(
        db,
        sql`select has_schema_privilege('cellar_door_member', 'public', 'usage') as it`,
      ),
    });
    const right = await rights();
    let before = right;
    for (const change of [
      'revoke select on pours from cellar_door_member',
      'revoke update (name) on passkeys from cellar_door_member',
      'grant select on accounts to cellar_door_member',
      'grant select (token) on sessions to cellar_door_member',
      'revoke usage on schema public from public, cellar_door_member',
    ]) {
      await db.execute(sql.raw(change));
      const after = await rights();
      expect(after, change).not.toEqual(before);
      before = after;
    }
    await start();
    expect(await rights()).toEqual(right);
  });

  it('is refused once a newer version has had it, with a message that says how to go back', async () => {
    await db.execute(
      sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', 9000000000000)`,
    );
    const starting = start();
    await expect(starting).rejects.toBeInstanceOf(DatabaseTooNewError);
    await expect(starting).rejects.toThrow(/newer version .*Nothing was changed.*restore the backup/s);
  });
});

describe('a data folder of an earlier version', () => {
  const { path: folder, remove } = dataFolder();
  afterAll(remove);
  const open = () => PGlite.create({ dataDir: join(folder, 'db') });
  const stateOf = async (client: PGlite) => {
    const { rows } = await client.query(
      `select table_schema, table_name from information_schema.tables
        where table_schema in ('public', 'drizzle') order by 1, 2`,
    );
    const { rows: entries } = await client.query('select * from drizzle.__drizzle_migrations');
    return { rows, entries };
  };

  it('is refused with one line that says how to export or start over, and is left as it was', async () => {
    await unpackEngineFiles(join(folder, 'db'));
    const client = await open();
    await client.exec(`create schema drizzle;
      create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
      insert into drizzle.__drizzle_migrations (hash, created_at) values ('of another baseline', 1);
      create table machine_clients (id uuid)`);
    const before = await stateOf(client);
    await client.close();

    const opening = openEmbedded(folder);
    await expect(opening).rejects.toBeInstanceOf(DatabaseTooOldError);
    // Without the flag s: a single line.
    await expect(opening).rejects.toThrow(
      /^.*before 1\.0\.0.*nothing was changed.*Export.*start over.*DATA_DIR.*$/,
    );
    await expect(opening).rejects.toThrow(folder);
    const after = await open();
    expect(await stateOf(after)).toEqual(before);
    await after.close();
  });
});
