/**
 * Pours by one bartender over HTTP, back to back, while a file of members is checked, imported and undone, and
 * while none is; and how long each step takes, also while nobody pours. With the server's own scheduler, on the embedded
 * database in a folder: server and bar share one connection. With a number of rows at the end, so many are imported while
 * nobody pours, and nothing else is measured: `npm run bench -- imports alone 50000`
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemberImport } from '../src/contract/staff/imports.ts';
import { openEmbedded } from '../src/server/db/client.ts';
import { importTasks } from '../src/server/imports/import-tasks.ts';
import { startScheduler } from '../src/server/platform/scheduler.ts';
import { createTaskRuns } from '../src/server/platform/task-runs.ts';
import { vacuumTask } from '../src/server/platform/vacuum.ts';
import { isBarQuiet } from '../src/server/pours/visits.ts';
import { readMemberFile, requestsOf } from '../src/web/staff/imports/read-file.ts';
import { type Member, pour, venueMember } from '../tests/support/fixtures/members.ts';
import { createTestApp } from '../tests/support/harness/app.ts';
import { quantile, took } from './parts/timing.ts';

const alone = process.argv[2] === 'alone';
const rows = Number(process.argv[alone ? 3 : 2] ?? 2_000);
const root = mkdtempSync(join(tmpdir(), 'cellar-door-bench-'));
const app = await createTestApp({ database: await openEmbedded(join(root, 'db'), { stripeMode: 'demo' }) });
const staff = await app.staff();

const head =
  'Email,First name,Last name,Phone,Birthday,Tier,Member since,Payment reference,Glasses left,Tags,Allergies,Notes';
/** A file of members that are in no other file. */
const fileOf = (name: string): string =>
  [
    head,
    ...Array.from(
      { length: rows },
      (_, n) =>
        `${name}${n}@moved.test,Ana,Ruiz ${n},+1 555 0100,7.4.1980,premier,2019-03-${(n % 28) + 1},T-${n},${n % 8},"Regular; Club ${n % 20}",,Likes the window table`,
    ),
  ].join('\n');

console.log('| while | seconds | rows a second | pours | pours a second | p50 ms | p95 ms | longest ms |');
console.log('|---|---:|---:|---:|---:|---:|---:|---:|');

/** Pours one after another until the work is done, for a member with glasses each time. */
async function beside(name: string, size: number, work: () => Promise<unknown>): Promise<void> {
  let working = true;
  const began = performance.now();
  const worked = work().finally(() => {
    working = false;
  });
  const times: number[] = [];
  while (working) {
    const { customer_id } = bar[times.length % bar.length] as (typeof bar)[number];
    const from = performance.now();
    const { status, body } = await pour(staff, customer_id);
    times.push(performance.now() - from);
    if (status !== 201) throw new Error(`A pour answered ${status} ${JSON.stringify(body)}`);
    if (times.length % (bar.length * 3) === 0) app.clock.advance({ days: 31 });
  }
  await worked;
  const seconds = (performance.now() - began) / 1000;
  const ms = [0.5, 0.95, 1].map((share) => quantile(times, share).toFixed(1));
  console.log(
    `| ${[name, seconds.toFixed(1), size ? (size / seconds).toFixed(0) : '', times.length, (times.length / seconds).toFixed(0), ...ms].join(' | ')} |`,
  );
}

const bar: Member[] = [];
const scheduler = startScheduler(
  [...importTasks(() => app.services), vacuumTask(app.services.db, () => isBarQuiet(app.services))],
  app.services.log,
  createTaskRuns(app.clock.now),
);
const until = async (id: string, status: string) => {
  for (;;) {
    const all = await staff.must<MemberImport[]>('GET', '/api/imports');
    if (all.find((it) => it.id === id)?.status === status) return;
    await new Promise((over) => setTimeout(over, 200));
  }
};
const quiet = () => beside('nothing', 0, () => new Promise((over) => setTimeout(over, 5_000)));

type During = (name: string, work: () => Promise<unknown>) => Promise<void>;

/** Each step of an import, measured by `during`. */
async function importAndUndo(name: string, during: During): Promise<void> {
  const { columns, rows: read } = readMemberFile(new TextEncoder().encode(fileOf(name)));
  const { id, mapping, date_order } = await staff.must<MemberImport>('POST', '/api/imports', {
    file_name: 'members.csv',
    columns,
  });
  await during('uploading', async () => {
    for (const piece of requestsOf(read)) await staff.must('POST', `/api/imports/${id}/rows`, piece);
  });
  await during('checking', async () => {
    await staff.must('PUT', `/api/imports/${id}/mapping`, { mapping, date_order });
    await until(id, 'checked');
  });
  await during('importing', async () => {
    await staff.must('POST', `/api/imports/${id}/start`, {});
    await until(id, 'imported');
  });
  await during('undoing', async () => {
    await staff.must('POST', `/api/imports/${id}/undo`, {});
    await until(id, 'undone');
  });
}

if (!alone) {
  for (let n = 0; n < 50; n++) bar.push(await venueMember(app, staff, 'household'));
  await quiet();
  await importAndUndo('bar', (name, work) => beside(name, rows, work));
  await quiet();
  app.clock.advance({ minutes: 5 });
}
await importAndUndo('office', async (name, work) => {
  const seconds = (await took(work)) / 1000;
  console.log(`| ${name}, nobody pours | ${seconds.toFixed(1)} | ${(rows / seconds).toFixed(0)} | | | | | |`);
});
scheduler.close();
await app.close();
rmSync(root, { recursive: true, force: true });
