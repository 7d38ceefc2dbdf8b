/**
 * Recording a pour over HTTP, with a staff session and as a browser sends it, compared with calling the SQL function
 * directly on the same Postgres, by Node's driver and, if installed, by pgbench; in turns in one run; and
 * the server's processor time for each. Only Linux shows that of another process. Run `npm run build` first.
 * Prints a markdown table:
 *
 *     npm run bench -- pour-http [pours in each round] [rounds]
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { Pool } from 'pg';
import { v7 } from 'uuid';
import { type Db, openPostgres } from '../src/server/db/client.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { Connections } from './parts/connections.ts';
import { createMembers } from './parts/members.ts';
import { createStaff, inTurn, pourOver, processorTime, rate, startServer } from './parts/server.ts';
import { median, short } from './parts/timing.ts';

const POURS = Number(process.argv[2] ?? 2_000);
const ROUNDS = Number(process.argv[3] ?? 5);
const CLIENTS = [16, 4, 1];
/** Enough that nobody has more than a few glasses in the month: the function counts them. */
const MEMBERS = 10_000;
/** Staff accounts; each may record 3,000 a minute. */
const BARTENDERS = 40;
/** Of pgbench: its sessions are new in each round, and what they prepare first must not count. */
const PGBENCH_SECONDS = 3;

const hasPgbench = spawnSync('pgbench', ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'cellar-door-bench-'));

/** Calls a second of record_pour by pgbench, each for a member drawn at random. Throws unless all succeeded. */
async function pgbenchRate(url: string, script: string, clients: number): Promise<number> {
  const options = {
    '-M': 'prepared',
    '-c': clients,
    '-j': Math.min(2, clients),
    '-T': PGBENCH_SECONDS,
    '-f': script,
  };
  const child = spawn('pgbench', ['-n', ...Object.entries(options).flat().map(String), url]);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  await new Promise((ended) => child.once('close', ended));
  const tps = Number(/tps = ([\d.]+)/.exec(output)?.[1]);
  if (!tps || !/failed transactions: 0 /.test(output)) throw new Error(`pgbench failed: ${output}`);
  return tps;
}

/**
 * A script for pgbench: one pour of a member, with ids made by the database. The members are in a table, because each session
 * would plan a list in the script by itself.
 */
async function pgbenchScript(db: Db, staff: string): Promise<string> {
  await db.execute(sql`
    create table bench_member as select (row_number() over ())::integer as nth, id as customer_id from customers`);
  await db.execute(sql`create unique index bench_member_nth on bench_member (nth) include (customer_id)`);
  await db.execute(sql`vacuum analyze bench_member`);
  const path = join(folder, 'pour.sql');
  const pour = `'id', gen_random_uuid(), 'request_id', gen_random_uuid(), 'customer_id', (select customer_id from bench_member where nth = :nth),
    'quantity', 1, 'location', 'main_bar', 'toast_reference_number', 'POUR-1', 'status', 'redeemed', 'created_at', now(),
    'recorded_by_staff_id', '${staff}'::uuid`;
  writeFileSync(
    path,
    `\\set nth random(1, ${MEMBERS})
select record_pour(jsonb_build_object('time_zone', 'UTC', 'pour', jsonb_build_object(${pour})));
`.replaceAll(/\n +/g, ' '),
  );
  return path;
}

const postgres = await startPostgres();
const server = await startServer(postgres.url);
const database = await openPostgres(postgres.url);
try {
  const { members } = await createMembers(database.db, MEMBERS, new Date());
  const staff = await createStaff(database.db, BARTENDERS);
  const script = await pgbenchScript(database.db, staff[0]?.id ?? '');
  console.log(`Pours per second, medians of ${ROUNDS} rounds of ${POURS}\n`);
  console.log(
    '| clients at once | SQL function by pgbench | by the driver | over HTTP | share of pgbench | of the driver | server, ms of processor for each |',
  );
  console.log('|---|---|---|---|---|---|---|');
  for (const clients of CLIENTS) {
    const pool = new Pool({ connectionString: postgres.url, max: clients });
    // If something else failed, show its own error.
    pool.on('error', () => undefined);
    const connections = new Connections(server.url);
    const direct = (turn: number) => {
      const now = new Date();
      const pour = {
        id: v7(),
        request_id: v7(),
        customer_id: inTurn(members, turn),
        quantity: 1,
        location: 'main_bar',
      };
      const rest = { toast_reference_number: 'POUR-1', status: 'redeemed', created_at: now };
      const input = {
        pour: { ...pour, ...rest, recorded_by_staff_id: inTurn(staff, turn).id },
        time_zone: 'UTC',
      };
      return pool.query('select record_pour($1::jsonb)', [JSON.stringify(input)]);
    };
    const overHttp = (turn: number) => pourOver(connections, inTurn(staff, turn), inTurn(members, turn));
    const [bench, driver, http, ofBench, ofDriver, costs]: number[][] = [[], [], [], [], [], []];
    await rate(clients, POURS, direct);
    await rate(clients, POURS, overHttp);
    for (let round = 0; round < ROUNDS; round++) {
      const called = await rate(clients, POURS, direct);
      const before = processorTime(server.pid);
      const answered = await rate(clients, POURS, overHttp);
      costs?.push((processorTime(server.pid) - before) / POURS);
      driver?.push(called);
      http?.push(answered);
      ofDriver?.push(answered / called);
      if (!hasPgbench) continue;
      const tps = await pgbenchRate(postgres.url, script, clients);
      bench?.push(tps);
      ofBench?.push(answered / tps);
    }
    const cells = [
      clients,
      hasPgbench ? short(median(bench ?? [])) : '',
      short(median(driver ?? [])),
      short(median(http ?? [])),
      hasPgbench ? median(ofBench ?? []).toFixed(2) : '',
      median(ofDriver ?? []).toFixed(2),
      median(costs ?? []).toFixed(2),
    ];
    console.log(`| ${cells.join(' | ')} |`);
    connections.close();
    await pool.end();
  }
} finally {
  await database.close();
  await server.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
