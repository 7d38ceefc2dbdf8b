import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { v7 } from 'uuid';
import { restoreBackup } from '../src/server/db/backup/restore-backup.ts';
import { takeBackup } from '../src/server/db/backup/take-backup.ts';
import { type EmbeddedDatabase, openEmbedded } from '../src/server/db/client.ts';
import { sql } from '../src/server/db/orm.ts';

/**
 * Two questions about the embedded database, each on a club of `members` (20,000) with ten times as many pours:
 * how long does a pour wait while a backup is made, and what does it cost to wait for the disk? A pour here is the row
 * in the ledger and its commit. The second question is measured in pairs: the same pours with and without, in turns.
 */
const members = Number(process.argv[2] ?? 20_000);
const root = mkdtempSync(join(tmpdir(), 'cellar-door-bench-'));

async function club(folder: string, waitForDisk: boolean, size: number): Promise<EmbeddedDatabase> {
  const database = await openEmbedded(folder, { waitForDisk });
  await database.db.execute(sql`insert into profiles (id, name, email, first_name, last_name)
    select gen_random_uuid(), 'Ada Guest' || i, 'guest' || i || '@example.test', 'Ada', 'Guest' || i
      from generate_series(1, ${size}::integer) i`);
  await database.db.execute(sql`create table bench_pour (id uuid primary key, customer_id uuid not null,
    quantity integer not null, location text not null, recorded_at timestamptz not null default now())`);
  await database.db.execute(sql`insert into bench_pour (id, customer_id, quantity, location)
    select gen_random_uuid(), id, 1, 'bar' from profiles, generate_series(1, 10)`);
  return database;
}

/** Milliseconds until the row is committed. */
async function pour({ db }: EmbeddedDatabase): Promise<number> {
  const began = performance.now();
  await db.execute(sql`insert into bench_pour (id, customer_id, quantity, location)
    values (${v7()}, ${v7()}, 1, 'bar')`);
  return performance.now() - began;
}

const at = (values: number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;
const row = (name: string, values: number[]) =>
  console.log(
    `| ${name} | ${values.length} | ${at(values, 0.5).toFixed(1)} | ${at(values, 0.99).toFixed(1)} | ${Math.max(...values).toFixed(1)} |`,
  );

const PAUSE_MS = 20;

async function duringBackup(): Promise<void> {
  const database = await club(join(root, 'club'), true, members);
  const pours = async (until: () => boolean) => {
    const times: number[] = [];
    while (!until()) {
      times.push(await pour(database));
      await delay(PAUSE_MS);
    }
    return times;
  };
  let count = 0;
  const quiet = await pours(() => ++count > 200);
  let done = false;
  const began = performance.now();
  const taking = takeBackup(
    { dataDir: join(root, 'club'), onlineCopy: database.onlineCopy, withSecrets: false },
    join(root, 'backups'),
    new Date(),
  ).finally(() => {
    done = true;
  });
  const busy = await pours(() => done);
  const made = await taking;
  const took = (performance.now() - began) / 1000;
  await database.close();
  mkdirSync(join(root, 'restored'), { mode: 0o700 });
  const restoring = performance.now();
  await restoreBackup(made.path, join(root, 'restored'), { replace: false, now: new Date() });
  console.log(
    `${made.rows} rows: backup and check ${took.toFixed(1)} s, ${(made.bytes / 1e6).toFixed(1)} MB; restore ` +
      `${((performance.now() - restoring) / 1000).toFixed(1)} s\n`,
  );
  console.log('| pours | number | median, ms | 99 of 100, ms | longest, ms |\n|---|---:|---:|---:|---:|');
  row('before', quiet);
  row('while a backup is made', busy);
}

const PAIRS = 300;

async function waitingForDisk(): Promise<void> {
  const waits = await club(join(root, 'waits'), true, 1);
  const goesOn = await club(join(root, 'goes-on'), false, 1);
  const times: { waits: number[]; goesOn: number[] } = { waits: [], goesOn: [] };
  for (let pair = 0; pair < PAIRS; pair++) {
    times.waits.push(await pour(waits));
    times.goesOn.push(await pour(goesOn));
  }
  await Promise.all([waits.close(), goesOn.close()]);
  row('waiting for the disk', times.waits);
  row('not waiting', times.goesOn);
  const differences = times.waits.map((it, index) => it - (times.goesOn[index] ?? 0));
  console.log(`\nMedian of the ${PAIRS} differences: ${at(differences, 0.5).toFixed(2)} ms a commit.`);
}

try {
  await duringBackup();
  await waitingForDisk();
} finally {
  rmSync(root, { recursive: true, force: true });
}
