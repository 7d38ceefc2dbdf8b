/**
 * Pours by one bartender over HTTP while a file of members is checked, imported and undone, and while nothing is; and how
 * long each step takes. On the embedded database in a folder, waiting for its disk: server and bar share one connection.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MemberImport } from '../src/contract/staff/imports.ts';
import { openEmbedded } from '../src/server/db/client.ts';
import { runImports } from '../src/server/imports/import-steps.ts';
import { readMemberFile, requestsOf } from '../src/web/staff/imports/read-file.ts';
import { type Member, pour, venueMember } from '../tests/support/fixtures/members.ts';
import { createTestApp } from '../tests/support/harness/app.ts';
import { quantile } from './parts/timing.ts';

const rows = Number(process.argv[2] ?? 2_000);
const root = mkdtempSync(join(tmpdir(), 'cellar-door-bench-'));
const app = await createTestApp({ database: await openEmbedded(join(root, 'db'), { stripeMode: 'demo' }) });
const staff = await app.staff();

const head =
  'Email,First name,Last name,Phone,Birthday,Tier,Member since,Payment reference,Glasses left,Tags,Allergies,Notes';
const file = [
  head,
  ...Array.from(
    { length: rows },
    (_, n) =>
      `member${n}@moved.test,Ana,Ruiz ${n},+1 555 0100,7.4.1980,premier,2019-03-${(n % 28) + 1},T-${n},${n % 8},"Regular; Club ${n % 20}",,Likes the window table`,
  ),
].join('\n');

console.log('| while | seconds | rows a second | pours | pours a second | p50 ms | p95 ms | longest ms |');
console.log('|---|---:|---:|---:|---:|---:|---:|---:|');

/** Pours one after another until the work is done, a member with glasses each time. */
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
for (let n = 0; n < 50; n++) bar.push(await venueMember(app, staff, 'household'));
const until = async (id: string, status: string) => {
  for (;;) {
    const all = await staff.must<MemberImport[]>('GET', '/api/imports');
    if (all.find((it) => it.id === id)?.status === status) return;
    await runImports(app.services);
  }
};
const quiet = () => beside('nothing', 0, () => new Promise((over) => setTimeout(over, 5_000)));

await quiet();
const { columns, rows: read } = readMemberFile(new TextEncoder().encode(file));
const { id, mapping, date_order } = await staff.must<MemberImport>('POST', '/api/imports', {
  file_name: 'members.csv',
  columns,
});
await beside('uploading', rows, async () => {
  for (const piece of requestsOf(read)) await staff.must('POST', `/api/imports/${id}/rows`, piece);
});
await beside('checking', rows, async () => {
  await staff.must('PUT', `/api/imports/${id}/mapping`, { mapping, date_order });
  await until(id, 'checked');
});
await beside('importing', rows, async () => {
  await staff.must('POST', `/api/imports/${id}/start`, {});
  await until(id, 'imported');
});
await quiet();
await beside('undoing', rows, async () => {
  await staff.must('POST', `/api/imports/${id}/undo`, {});
  await until(id, 'undone');
});
await quiet();
await app.close();
rmSync(root, { recursive: true, force: true });
