import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { v7 } from 'uuid';
import type { Db } from '../../src/server/db/client.ts';
import { sql } from '../../src/server/db/orm.ts';

const CONNECT_MS = 1_000;
/** Time for each of sixteen sessions to compile the function and plan, with a margin. */
const WARM_UP_MS = 4_000;
const SETTLE_MS = 50;

export const hasPgbench = spawnSync('pgbench', ['--version']).status === 0;

/** Members and staff in tables, because each session of pgbench would plan a list in its script by itself. */
export async function createPgbenchTables(db: Db, staff: string[]): Promise<void> {
  await db.execute(sql`
    create table bench_member as select (row_number() over ())::integer as nth, id from customers`);
  await db.execute(sql`
    create table bench_staff as select nth::integer, id::uuid
      from jsonb_array_elements_text(${JSON.stringify(staff)}::jsonb) with ordinality as one (id, nth)`);
  for (const table of [sql`bench_member`, sql`bench_staff`]) {
    await db.execute(sql`create unique index on ${table} (nth) include (id)`);
    await db.execute(sql`vacuum analyze ${table}`);
  }
}

/**
 * Starts pgbench, whose clients each pour for random members. Between turns it is stopped, not ended: new sessions would
 * have to plan again while the server's are warm.
 */
export async function startPgbench(
  db: Db,
  { url, clients, members }: { url: string; clients: number; members: number },
) {
  const path = join(tmpdir(), `cellar-door-bench-${v7()}.sql`);
  writeFileSync(path, script(members));
  const threads = Math.min(2, clients);
  const options = ['-n', '-M', 'prepared', '-T', '36000', '-c', `${clients}`, '-j', `${threads}`, '-f', path];
  const child = spawn('pgbench', [...options, url], { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => (errors += chunk));
  await wait(CONNECT_MS);
  child.kill('SIGSTOP');
  /** Pours per second. Throws if pgbench has ended. */
  const rate = async (milliseconds: number) => {
    await wait(SETTLE_MS);
    const before = await countPours(db);
    const startedAt = performance.now();
    child.kill('SIGCONT');
    await wait(milliseconds);
    child.kill('SIGSTOP');
    const seconds = (performance.now() - startedAt) / 1_000;
    await wait(SETTLE_MS);
    if (child.exitCode !== null) throw new Error(`pgbench ended: ${errors}`);
    return ((await countPours(db)) - before) / seconds;
  };
  return {
    rate,
    warmUp: () => rate(WARM_UP_MS),
    async close() {
      await ended(child);
      rmSync(path);
    },
  };
}

/** One pour, with ids made by the database. A pgbench command must be a single line. */
function script(members: number): string {
  const pour = `'id', gen_random_uuid(), 'request_id', gen_random_uuid(),
    'customer_id', (select id from bench_member where nth = :member),
    'quantity', 1, 'location', 'main_bar', 'toast_reference_number', 'POUR-1', 'status', 'redeemed', 'created_at', now(),
    'recorded_by_staff_id', (select id from bench_staff where nth = :client_id + 1)`;
  const call = `select record_pour(jsonb_build_object('time_zone', 'UTC', 'pour', jsonb_build_object(${pour})));`;
  return `\\set member random(1, ${members})\n${call.replaceAll(/\n +/g, ' ')}\n`;
}

async function countPours(db: Db): Promise<number> {
  const { rows } = (await db.execute(sql`select count(*)::integer as count from pours`)) as {
    rows: { count: number }[];
  };
  return rows[0]?.count ?? 0;
}

function ended(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null) return Promise.resolve();
  const exit = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  return exit;
}
