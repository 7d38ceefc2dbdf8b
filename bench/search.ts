/**
 * Staff search among 10,000 and 1,000,000 members on a real Postgres, compared with the plain statement it replaced
 * (ILIKE over the joined tables), in one run. Prints a markdown table:
 *
 *     npm run bench -- search [members ...]
 */
import { sql } from 'drizzle-orm';
import { openPostgres } from '../src/server/db/client.ts';
import { listMembers } from '../src/server/membership/member-search.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { fillWithMembers, PATIENT } from './parts/crowd.ts';
import { median, short, took } from './parts/timing.ts';

const TERMS: [string, string][] = [
  ['a common first name', 'maria'],
  ['a first name with an accent', 'ines'],
  ['a rare first name', 'vasco'],
  ['a last name', 'lindalen'],
  ['first and last name', 'ines carv'],
  ['one member', 'quigglethorpe'],
  ['a whole email', 'xq@rare.test'],
  ['nobody', 'zzyzx'],
  ['one letter', 'm'],
  ['two common letters', 'ma'],
  ['two rare letters', 'xq'],
  ['two letters nobody has', 'qj'],
];
const ROUNDS = 7;

const sizes = process.argv.slice(2).map(Number).filter(Boolean);
const server = await startPostgres();
try {
  for (const size of sizes.length > 0 ? sizes : [10_000, 1_000_000]) await measure(size);
} finally {
  await server.stop();
}

async function measure(size: number): Promise<void> {
  const url = new URL(server.url);
  url.pathname = `/club_${size}`;
  const admin = await openAdmin();
  await admin.execute(sql.raw(`create database club_${size} template template0 encoding 'UTF8'`));
  await admin.close();
  const { db, close } = await openPostgres(url.href, { limits: PATIENT });
  try {
    const seconds = (await took(() => fillWithMembers(db, size))) / 1000;
    console.log(`\n${size.toLocaleString('en')} members (made in ${seconds.toFixed(0)} s)\n`);
    console.log('| typed | found on the first page | with the index, ms | plain ILIKE, ms | plain / index |');
    console.log('|---|---|---|---|---|');
    for (const [what, text] of TERMS) {
      const ctx = { db, now: () => new Date(), timeZone: 'America/New_York' };
      const ours: number[] = [];
      const plain: number[] = [];
      const { members } = await listMembers(ctx, { search: text });
      for (let round = 0; round < ROUNDS; round++) {
        ours.push(await took(() => listMembers(ctx, { search: text })));
        plain.push(await took(() => db.execute(plainSearch(text))));
      }
      const [a, b] = [median(ours), median(plain)];
      console.log(`| ${what}: ${text} | ${members.length} | ${short(a)} | ${short(b)} | ${short(b / a)} |`);
    }
  } finally {
    await close();
  }
}

/** The search before it was optimized: no column of its own, no index, the limit after the join. */
function plainSearch(text: string) {
  const words = text.split(' ').map((word) => {
    const pattern = `%${word}%`;
    return sql`(p.first_name ilike ${pattern} or p.last_name ilike ${pattern} or p.email ilike ${pattern})`;
  });
  return sql`select c.id, c.user_id, p.first_name, p.last_name, p.email, c.tier, c.status, c.member_since
               from customers c join profiles p on p.id = c.user_id
              where c.status = 'active' and ${sql.join(words, sql` and `)}
              order by c.member_since desc, c.id desc limit 31`;
}

async function openAdmin() {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  const { drizzle } = await import('drizzle-orm/node-postgres');
  return Object.assign(drizzle({ client }), { close: () => client.end() });
}
