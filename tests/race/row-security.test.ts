import { sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgres } from '../../src/server/db/client.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { asMember, DatabaseUserError, MEMBER_ROLE } from '../../src/server/db/row-security.ts';
import { profiles } from '../../src/server/db/schema.ts';
import { ownRowsTests } from '../support/access/own-rows-tests.ts';
import { createTestApp } from '../support/harness/app.ts';
import { createDatabase } from '../support/harness/postgres.ts';
import { type PostgresServer, startPostgres } from '../support/harness/postgres-server.ts';

describe('on a Postgres server', () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  afterAll(() => database.drop());
  ownRowsTests(async () => {
    database = await createDatabase();
    return createTestApp({ databaseUrl: database.url });
  });
});

describe('the database role for members', () => {
  // Roles belong to a whole server, so these tests use a separate one.
  let server: PostgresServer;
  let admin: pg.Client;
  beforeAll(async () => {
    server = await startPostgres();
    admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
  });
  afterAll(async () => {
    await admin.end();
    await server.stop();
  });

  async function databaseOf(user: string, name = user): Promise<string> {
    await admin.query(`create database ${name} owner ${user}`);
    const url = new URL(server.url);
    url.username = user;
    url.pathname = `/${name}`;
    return url.href;
  }

  it('without the right to create it, the start fails and shows the missing statements', async () => {
    await admin.query('create role plain login');
    const url = await databaseOf('plain');
    const error = await openPostgres(url).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(DatabaseUserError);
    const { message } = error as Error;
    expect(message).toContain(`create role ${MEMBER_ROLE} nologin;`);
    expect(message).toContain(`grant ${MEMBER_ROLE} to "plain";`);

    await admin.query(`create role ${MEMBER_ROLE} nologin`);
    await expect(openPostgres(url)).rejects.toThrow(DatabaseUserError);
    await admin.query(`grant ${MEMBER_ROLE} to plain`);
    const database = await openPostgres(url);
    expect(await asMember(database.db, '', (own) => own.select().from(profiles))).toEqual([]);
    await database.close();

    await admin.query('drop database plain with (force)');
    await admin.query(`drop role ${MEMBER_ROLE}`);
  });

  it('is created once when several databases of one server start at the same time', async () => {
    await admin.query('create role maker login createrole');
    const urls: string[] = [];
    for (let n = 0; n < 4; n++) urls.push(await databaseOf('maker', `made_${n}`));
    const opened = await Promise.all(urls.map((url) => openPostgres(url)));
    for (const { db, close } of opened) {
      expect(await asMember(db, '', (own) => own.select().from(profiles))).toEqual([]);
      await close();
    }
  });

  it('gets back the rights that a restored backup lost, and loses those that were added', async () => {
    const url = new URL(server.url);
    url.username = 'maker';
    url.pathname = '/made_0';
    const first = await openPostgres(url.href);
    await first.db.execute(`revoke all on profiles from ${MEMBER_ROLE}`);
    await first.db.execute(`grant select on accounts to ${MEMBER_ROLE}`);
    await first.db.execute(`grant select (token) on sessions to ${MEMBER_ROLE}`);
    await first.close();
    const { db, close } = await openPostgres(url.href);
    const canRead = (table: string, column: string) =>
      rowsOf<{ may: boolean }>(
        db,
        sql`select has_column_privilege(${MEMBER_ROLE}, ${table}, ${column}, 'select') as may`,
      );
    expect(await canRead('profiles', 'email')).toEqual([{ may: true }]);
    expect(await canRead('accounts', 'password')).toEqual([{ may: false }]);
    expect(await canRead('sessions', 'token')).toEqual([{ may: false }]);
    await close();
  });

  it("the start fails when the tables do not belong to the database's user", async () => {
    const url = await databaseOf('maker', 'restored');
    await (await openPostgres(url)).close();
    // The state after a restore by another user.
    const restorer = new pg.Client({ connectionString: url.replace('maker', 'postgres') });
    await restorer.connect();
    await restorer.query('alter table customers owner to postgres; grant all on customers to maker');
    await restorer.end();
    await expect(openPostgres(url)).rejects.toThrow(`do not belong to the database's user "maker"`);
  });
});
