import { spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { openPostgres } from '../src/server/db/client.ts';
import { freePort } from '../tests/support/harness/free-port.ts';

/** Shows once for real what docs/run/back-up.md, "Back up and restore" says of Postgres. */
const BIN = process.env.POSTGRES_BIN ?? '/usr/lib/postgresql/15/bin';
const STANZA = 'cellar-door';

if (!existsSync(join(BIN, 'postgres')) || spawnSync('pgbackrest', ['version']).status !== 0) {
  console.error(
    'Needs PostgreSQL 15 and pgBackRest: apt-get install postgresql-15 pgbackrest. POSTGRES_BIN names another folder.',
  );
  process.exit(1);
}

const folder = mkdtempSync(join(tmpdir(), 'cellar-door-point-in-time-'));
const data = join(folder, 'data');
const port = await freePort();
const url = `postgres://cellardoor@127.0.0.1:${port}/cellardoor`;
// Postgres refuses to run as root.
const owner = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
if (owner.uid) chownSync(folder, owner.uid, owner.gid);

function idOf(flag: string): number {
  return Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
}

function run(program: string, ...args: string[]): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...owner,
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}\n${error?.message ?? stdout + stderr}`);
}

const backrest = (...args: string[]) =>
  run('pgbackrest', `--config=${join(folder, 'pgbackrest.conf')}`, `--stanza=${STANZA}`, ...args);

const settings = `
listen_addresses = '127.0.0.1'
port = ${port}
unix_socket_directories = '${folder}'
archive_mode = on
archive_command = 'pgbackrest --config=${folder}/pgbackrest.conf --stanza=${STANZA} archive-push %p'
`;

function setUp(): void {
  for (const name of ['repository', 'log', 'spool', 'lock']) {
    mkdirSync(join(folder, name));
    if (owner.uid) chownSync(join(folder, name), owner.uid, owner.gid);
  }
  writeFileSync(
    join(folder, 'pgbackrest.conf'),
    `[global]
repo1-path=${folder}/repository
repo1-retention-full=2
log-path=${folder}/log
spool-path=${folder}/spool
lock-path=${folder}/lock
start-fast=y
[${STANZA}]
pg1-path=${data}
pg1-port=${port}
pg1-socket-path=${folder}
pg1-user=postgres
`,
  );
  run(join(BIN, 'initdb'), '-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C');
  writeFileSync(join(data, 'postgresql.auto.conf'), settings);
}

const start = () =>
  run(join(BIN, 'pg_ctl'), '-D', data, '-l', join(folder, 'log/postgres.log'), '-w', 'start');
const stop = () => run(join(BIN, 'pg_ctl'), '-D', data, '-m', 'immediate', '-w', 'stop');

async function query<Row extends pg.QueryResultRow>(
  text: string,
  values: unknown[] = [],
  at = url,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: at });
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}

async function contents(): Promise<string> {
  const tables = await query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const lines: string[] = [];
  for (const { name } of tables) {
    const [sum] = await query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(it::text, ',' order by it::text)), '') as sum from "${name}" it`,
    );
    lines.push(`${name} ${sum?.sum}`);
  }
  return lines.join('\n');
}

const joinMembers = (count: number, from: number) =>
  query(
    `insert into profiles (id, name, email, first_name, last_name)
       select gen_random_uuid(), 'Ada', 'ada' || i || '@example.test', 'Ada', 'Guest'
         from generate_series($1::integer, $2::integer) i`,
    [from, from + count - 1],
  );

function timed(label: string, startedAt: number): void {
  console.log(`| ${label} | ${((performance.now() - startedAt) / 1000).toFixed(1)} |`);
}

let isRunning = false;
try {
  setUp();
  start();
  isRunning = true;
  const admin = `postgres://postgres@127.0.0.1:${port}/postgres`;
  await query('create role cellardoor login createrole', [], admin);
  await query('create database cellardoor owner cellardoor', [], admin);
  await (await openPostgres(url)).close();
  await joinMembers(20_000, 0);
  console.log('| step | seconds |\n|---|---|');
  let startedAt = performance.now();
  backrest('stanza-create');
  backrest('check');
  backrest('--type=full', 'backup');
  timed('full backup', startedAt);

  await joinMembers(500, 20_000);
  const before = await contents();
  const [moment] = await query<{ at: string }>('select now()::text as at');
  // Changes that must not come back.
  await query('drop table pours cascade');
  const [log] = await query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name', [], admin);
  // A restore can only reach what was archived.
  for (;;) {
    const [row] = await query<{ last: string | null }>(
      'select last_archived_wal as last from pg_stat_archiver',
    );
    if ((row?.last ?? '') >= (log?.name ?? '')) break;
    await delay(100);
  }

  stop();
  isRunning = false;
  startedAt = performance.now();
  backrest('--delta', '--type=time', `--target=${moment?.at}`, '--target-action=promote', 'restore');
  start();
  isRunning = true;
  timed('restore to the moment before, and start', startedAt);
  for (;;) {
    const [state] = await query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering');
    if (state?.recovering === false) break;
    await delay(100);
  }
  if ((await contents()) !== before) throw new Error('The restored database differs from what it held then');
  await (await openPostgres(url)).close();
  console.log(
    '\nEvery table holds what it held at that moment, the dropped one too, and a server starts on it.',
  );
} finally {
  if (isRunning) stop();
  rmSync(folder, { recursive: true, force: true });
}
