/**
 * Pages of the list of members among 1,000,000, on a real Postgres, as the server makes them: finding the rows, and
 * reading them with the glasses left. Each filter and order from its first page to the tenth, the slowest ones
 * included. Prints a markdown table:
 *
 *     npm run bench -- member-list [members]
 */
import { sql } from 'drizzle-orm';
import { type Db, openPostgres } from '../src/server/db/client.ts';
import { type DirectoryPage, listDirectory } from '../src/server/membership/directory/directory.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { fillWithMembers, PATIENT } from './parts/crowd.ts';
import { short, took } from './parts/timing.ts';

const ASKED: [string, DirectoryPage][] = [
  ['all, by name', {}],
  ['all, by name from Z', { order: 'name', direction: 'desc' }],
  ['all, newest first', { order: 'joined' }],
  ['all, last visit first', { order: 'visited' }],
  ['all, never came first', { order: 'visited', direction: 'asc' }],
  ['a tier of a quarter, by name', { tier: 'elite' }],
  ['payment due (1 in 1,000), by name', { standing: 'suspended' }],
  ['in grace (1 in 1,000), last visit first', { standing: 'grace', order: 'visited' }],
  ['not for 60 days, by name', { visited: 'over-60' }],
  ['joined in one month, by name', { joined_from: '2019-03-01', joined_to: '2019-03-31' }],
  ['typed: maria, by name', { search: 'maria' }],
  ['typed: quigglethorpe', { search: 'quigglethorpe' }],
  ['typed: m', { search: 'm' }],
  ['typed: xq', { search: 'xq' }],
  ['typed: maria, of a tier, by last visit', { search: 'maria', tier: 'elite', order: 'visited' }],
];
const PAGES = 10;
const ROUNDS = 3;

const size = Number(process.argv[2]) || 1_000_000;
const server = await startPostgres();
try {
  const { db, close } = await openPostgres(server.url, { limits: PATIENT });
  try {
    const seconds = (await took(() => fill(db))) / 1000;
    console.log(`\n${size.toLocaleString('en')} members (made in ${seconds.toFixed(0)} s)\n`);
    console.log('| list | p50, ms | p95, ms |');
    console.log('|---|---|---|');
    const all: number[] = [];
    for (const [what, page] of ASKED) {
      const times = await measure(db, page);
      all.push(...times);
      console.log(`| ${what} | ${short(quantile(times, 0.5))} | ${short(quantile(times, 0.95))} |`);
    }
    console.log(`| all of them | ${short(quantile(all, 0.5))} | ${short(quantile(all, 0.95))} |`);
  } finally {
    await close();
  }
} finally {
  await server.stop();
}

async function fill(db: Db): Promise<void> {
  await fillWithMembers(db, size);
  await db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(
      sql`update customers set tier = (array['select', 'premier', 'elite', 'household'])[1 + abs(hashtext(id::text)) % 4]`,
    );
    await tx.execute(
      sql`insert into member_directory select r.* from customers c cross join lateral directory_rows(c.id) r`,
    );
    await tx.execute(sql`
      update member_directory set stripe_status = case abs(hashtext(customer_id::text)) % 1000 when 0 then 'unpaid' when 1 then 'past_due' else 'active' end,
             grace_until = case abs(hashtext(customer_id::text)) % 1000 when 1 then now() + interval '3 days' end
       where abs(hashtext(user_id::text)) % 3 > 0`);
    await tx.execute(sql`
      insert into member_visit select id, case when abs(hashtext(id::text)) % 10 = 0 then '-infinity'::timestamptz
             else now() - random() * interval '300 days' end from customers`);
  });
  for (const table of ['customers', 'member_directory', 'member_visit']) {
    await db.execute(sql.raw(`vacuum analyze ${table}`));
  }
}

async function measure(db: Db, page: DirectoryPage): Promise<number[]> {
  const ctx = {
    db,
    now: () => new Date(),
    timeZone: 'America/New_York',
    readLagging: <T>(work: (from: Db) => Promise<T>) => work(db),
  };
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let cursor: string | null | undefined;
    for (let at = 0; at < PAGES && cursor !== null; at++) {
      times.push(
        await took(async () => {
          cursor = (await listDirectory(ctx, { ...page, ...(cursor && { cursor }) })).next_cursor;
        }),
      );
    }
  }
  return times;
}

function quantile(times: number[], part: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
