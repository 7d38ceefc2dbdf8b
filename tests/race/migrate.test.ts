import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/server/db/client.ts';
import { DatabaseTooNewError, DatabaseTooOldError } from '../../src/server/db/migrate.ts';
import { schema_functions } from '../../src/server/db/schema.ts';
import { readSqlFunctions } from '../../src/server/db/sql-functions.ts';
import { createTestApp, PASSWORD } from '../support/harness/app.ts';
import { testClock } from '../support/harness/clock.ts';
import { createDatabase, createEmptyDatabase } from '../support/harness/postgres.ts';
import { command } from '../support/harness/postgres-server.ts';
import { readHeld, readReleases } from '../support/upgrades/releases.ts';

// The data of each release; tests/server/db/upgrade.test.ts checks that none is missing.
describe.each(readReleases())('a dump of $version on a Postgres server', (release) => {
  it('opens, migrates, and has the same members, with their standing, balance and ledger', async () => {
    const database = await createEmptyDatabase();
    await command(database.url, release.dump());
    const app = await createTestApp({ databaseUrl: database.url, clock: testClock(release.now) });
    const staff = app.visitor();
    await staff.must('POST', '/api/auth/sign-in', { email: release.staff_email, password: PASSWORD });
    expect(await readHeld(staff, release.customers)).toEqual(release.holds);
    await app.close();
    await database.drop();
  });
});

describe('processes that start at once', () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
  beforeAll(async () => {
    database = await createEmptyDatabase();
  });
  afterAll(() => database.drop());

  const start = () => Promise.all(Array.from({ length: 4 }, () => openPostgres(database.url)));
  const names = readSqlFunctions().map(({ name }) => name);

  it.each(['an empty database', 'one whose functions all changed'])('all find %s ready', async () => {
    const started = await start();
    const applied = await started[0]?.db.select({ name: schema_functions.name }).from(schema_functions);
    expect(applied?.map(({ name }) => name).sort()).toEqual(names);
    await started[0]?.db.update(schema_functions).set({ sha256: 'of an earlier text' });
    await Promise.all(started.map((it) => it.close()));
  });
});

it('a database of an earlier version is refused, and left as it was', async () => {
  const database = await createEmptyDatabase();
  await command(
    database.url,
    `create schema drizzle;
     create table drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint);
     insert into drizzle.__drizzle_migrations (hash, created_at) values ('of another baseline', 1);
     create table machine_clients (id uuid)`,
  );
  const opening = openPostgres(database.url);
  await expect(opening).rejects.toBeInstanceOf(DatabaseTooOldError);
  await expect(opening).rejects.toThrow(/^.*before 1\.0\.0.*Export.*start over.*DATABASE_URL.*$/);
  // Would fail if a table of this version existed.
  await command(database.url, 'create table profiles (id uuid)');
  await database.drop();
});

it('a database of a newer version is refused, and left as it was', async () => {
  const database = await createDatabase();
  await command(
    database.url,
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later version', 9000000000000);
     delete from schema_functions`,
  );
  await expect(openPostgres(database.url)).rejects.toBeInstanceOf(DatabaseTooNewError);
  // Would fail if the start applied them again.
  await command(
    database.url,
    `do $$ begin if exists (select from schema_functions) then raise exception 'changed'; end if; end $$`,
  );
  await database.drop();
});
