import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type OpenDatabase, openPostgres } from '../../src/server/db/client.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { createDatabase } from '../support/harness/postgres.ts';
import { command } from '../support/harness/postgres-server.ts';

let server: Awaited<ReturnType<typeof createDatabase>>;
let database: OpenDatabase;
beforeAll(async () => {
  server = await createDatabase();
  database = await openPostgres(server.url);
});
afterAll(async () => {
  await database.close();
  await server.drop();
});

const unavailable = { name: 'DatabaseUnavailableError' };

it('a connection that breaks between two statements of a transaction fails that transaction, not the process', async () => {
  const lost = database.db.transaction(async (tx) => {
    const [own] = await rowsOf<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`);
    await command(server.url, `select pg_terminate_backend(${own?.pid})`);
    // Resolves once this process has noticed.
    await expect
      .poll(() => rowsOf(database.db, sql`select 1 from pg_stat_activity where pid = ${own?.pid}`))
      .toEqual([]);
    await rowsOf(tx, sql`select 1`);
  });
  await expect(lost).rejects.toMatchObject({ cause: unavailable });
  expect(await rowsOf(database.db, sql`select 1 as one`)).toEqual([{ one: 1 }]);
});

describe('what the database cannot do at the moment can be retried', () => {
  it.each([
    ['its disk is full', '53100'],
    ['it has no memory', '53200'],
    ['a statement took too long', '57014'],
    ['its disk fails', '58030'],
    ['it became a standby', '25006'],
  ])('%s', async (_, code) => {
    const failing = database.db.execute(
      sql.raw(`do $$ begin raise exception 'no' using errcode = '${code}'; end $$`),
    );
    await expect(failing).rejects.toMatchObject({ cause: unavailable });
  });

  it('an invalid statement stays an error', async () => {
    await expect(database.db.execute(sql`select 1 / 0`)).rejects.not.toMatchObject({ cause: unavailable });
  });
});
