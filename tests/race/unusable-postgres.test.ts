import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { explain } from '../../scripts/serve/explain.ts';
import { databaseCheck } from '../../src/domain/monitoring/machine-checks.ts';
import { openPostgres } from '../../src/server/db/client.ts';
import { freePort } from '../support/harness/free-port.ts';
import { dataFolder } from '../support/harness/installation.ts';
import { type PostgresServer, startPostgres } from '../support/harness/postgres-server.ts';
import { runHere } from '../support/harness/program.ts';

// Roles belong to a whole server, so these tests use a separate one.
let server: PostgresServer;
let admin: pg.Client;
const folder = dataFolder();
beforeAll(async () => {
  server = await startPostgres();
  admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  for (const role of ['owner', 'stranger']) await admin.query(`create role ${role} login`);
});
afterAll(async () => {
  await admin.end();
  await server.stop();
  folder.remove();
});

function urlOf(name: string, user = 'postgres'): string {
  const url = new URL(server.url);
  url.username = user;
  url.pathname = `/${name}`;
  return url.href;
}

async function run(name: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(name) });
  await client.connect();
  await client.query(statement);
  await client.end();
}

const make = (name: string, options = '') =>
  admin.query(`create database ${name} template template0 ${options}`);

it.each([
  ['latin1', 'postgres', `encoding 'LATIN1'`, '', 'has the encoding LATIN1'],
  ['sql_ascii', 'postgres', `encoding 'SQL_ASCII'`, '', 'has the encoding SQL_ASCII'],
  ['theirs', 'stranger', 'owner owner', '', 'belongs to "owner": connect as that user'],
  [
    'without_schema',
    'stranger',
    'owner owner',
    'grant create on database without_schema to stranger',
    'may not create tables in "without_schema"',
  ],
  [
    'without_database',
    'stranger',
    'owner owner',
    'grant create on schema public to stranger',
    'may not create tables in "without_database"',
  ],
  [
    'tables_of_another',
    'stranger',
    'owner stranger',
    'create table t (id integer); alter table t owner to owner',
    '(t): name an empty database',
  ],
  [
    'another_program',
    'postgres',
    '',
    'create table wp_posts (id integer)',
    'tables of something else (wp_posts)',
  ],
  [
    'reads_only',
    'postgres',
    '',
    'alter database reads_only set default_transaction_read_only = on',
    'only reads',
  ],
])(
  'start and doctor refuse the database %s in the same sentence',
  async (name, user, options, statement, words) => {
    await make(name, options);
    if (statement) await run(name, statement);
    const error = await openPostgres(urlOf(name, user)).catch((caught: Error) => caught);
    const text = explain(error);
    expect(text).toContain(words);
    expect(text).toMatch(/^[^\n]+ Nothing was changed\.$/);
    const { output } = await runHere('doctor', [], {
      DATABASE_URL: urlOf(name, user),
      DATA_DIR: folder.path,
      PORT: String(await freePort()),
    });
    expect(output).toContain(text);
  },
);

it('doctor judges the database as System does: a newer version’s is wrong', async () => {
  await make('club');
  await (await openPostgres(urlOf('club'))).close();
  const lineOf = async () => {
    const env = { DATABASE_URL: urlOf('club'), DATA_DIR: folder.path, PORT: String(await freePort()) };
    return /^ {2}(ok|wrong): +Database +(.*)$/m.exec((await runHere('doctor', [], env)).output)?.slice(1);
  };
  expect(await lineOf()).toEqual([
    'ok',
    expect.stringMatching(/^Postgres answers in \d+ ms\. \(version \d+.*\)$/),
  ]);
  await run('club', `insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9e12)`);
  const { text, next } = databaseCheck({ kind: 'postgres', members: 0, answered_ms: 1, own_version: false });
  expect(await lineOf()).toEqual(['wrong', expect.stringMatching(`^${text} .*${next}$`)]);
});

it('an extension’s tables are nobody’s', async () => {
  await make('extended');
  await run(
    'extended',
    'create extension pg_trgm; create table kept (id integer); alter extension pg_trgm add table kept',
  );
  await (await openPostgres(urlOf('extended'))).close();
});

it('a user without the rights of the owner is told so, without a stack', async () => {
  await make('moved');
  await (await openPostgres(urlOf('moved'))).close();
  await run('moved', 'grant create on database moved to stranger; grant create on schema public to stranger');
  const error = await openPostgres(urlOf('moved', 'stranger')).catch((caught: Error) => caught);
  expect(explain(error)).toMatch(
    /^The tables do not belong to the database's user "stranger": connect as their owner/,
  );
});
