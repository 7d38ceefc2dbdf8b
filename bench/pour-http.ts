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
import { Pool } from 'pg';
import { v7 } from 'uuid';
import { openPostgres } from '../src/server/db/client.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { Connections } from './parts/connections.ts';
import { createMembers } from './parts/members.ts';
import { createStaff, inTurn, pourOver, processorTime, rate, startServer } from './parts/server.ts';
import { median, short } from './parts/timing.ts';

const POURS = Number(process.argv[2] ?? 400);
const ROUNDS = Number(process.argv[3] ?? 5);
const CLIENTS = [16, 4, 1];
/** Enough that nobody has more than a few glasses in the month: the function counts them. */
const MEMBERS = 2_000;
/** Staff accounts; each may record 3,000 a minute. */
const BARTENDERS = 40;

const hasPgbench = spawnSync('pgbench', ['--version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'cellar-door-bench-'));

/** Calls a second of record_pour by pgbench, each for a member drawn at random. Throws unless all succeeded. */
async function pgbenchRate(url: string, script: string, clients: number): Promise<number> {
  // Its sessions are new and prepare their plans first, so it takes more turns than the others.
  const each = Math.max(1, Math.round((5 * POURS) / clients));
  const child = spawn('pgbench', [
    '-n',
    '-M',
    'prepared',
    '-c',
    `${clients}`,
    '-j',
    `${Math.min(2, clients)}`,
    '-t',
    `${each}`,
    '-f',
    script,
    url,
  ]);
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  await new Promise((ended) => child.once('close', ended));
  const tps = Number(/tps = ([\d.]+)/.exec(output)?.[1]);
  if (!tps || !/failed transactions: 0 /.test(output)) throw new Error(`pgbench failed: ${output}`);
  return tps;
}

/** A script for pgbench: one pour of a member, with ids made by the database. */
function pgbenchScript(staff: string, members: string[]): string {
  const path = join(folder, 'pour.sql');
  const ids = members.map((id) => `'${id}'`).join(',');
  const pour = `'request_id', gen_random_uuid(), 'customer_id', (array[${ids}]::uuid[])[:nth], 'quantity', 1, 'location', 'main_bar',
    'toast_reference_number', 'POUR-1', 'status', 'redeemed', 'created_at', now(), 'recorded_by_staff_id', '${staff}'::uuid`;
  writeFileSync(
    path,
    `\\set nth random(1, ${members.length})
select record_pour(jsonb_build_object('time_zone', 'UTC', 'pour', jsonb_build_object('id', gen_random_uuid(), ${pour})));
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
  const script = pgbenchScript(staff[0]?.id ?? '', members);
  console.log(`Pours per second, medians of ${ROUNDS} rounds of ${POURS}\n`);
  console.log(
    '| clients at once | SQL function by pgbench | SQL function | over HTTP | median ratio | server, ms of processor for each |',
  );
  console.log('|---|---|---|---|---|---|');
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
    const [bench, sql, http, ratios, costs]: number[][] = [[], [], [], [], []];
    await rate(clients, POURS, direct);
    await rate(clients, POURS, overHttp);
    for (let round = 0; round < ROUNDS; round++) {
      if (hasPgbench) bench?.push(await pgbenchRate(postgres.url, script, clients));
      const a = await rate(clients, POURS, direct);
      const before = processorTime(server.pid);
      const b = await rate(clients, POURS, overHttp);
      costs?.push((processorTime(server.pid) - before) / POURS);
      sql?.push(a);
      http?.push(b);
      ratios?.push(b / a);
    }
    const cells = [
      clients,
      hasPgbench ? short(median(bench ?? [])) : '',
      short(median(sql ?? [])),
      short(median(http ?? [])),
      median(ratios ?? []).toFixed(2),
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
