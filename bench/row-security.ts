/**
 * The cost of confining members' verbs to their own rows: the same verb with the plain database, in a
 * transaction, and in asMember(), on the embedded database and on Postgres, in turn and in one run. Prints a
 * markdown table:
 *
 *     npm run bench -- row-security [calls in each round]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { writeLedger } from '../scripts/demo/write-ledger.ts';
import type { Ctx } from '../src/server/context.ts';
import { type Db, openEmbedded, openPostgres } from '../src/server/db/client.ts';
import { asMember } from '../src/server/db/row-security.ts';
import { getOwnMembership } from '../src/server/membership/members.ts';
import { listOwnPours } from '../src/server/pours/pour-lists.ts';
import { startPostgres } from '../tests/support/harness/postgres-server.ts';
import { median, short, took } from './parts/timing.ts';

const CALLS = Number(process.argv[2] ?? 200);
const ROUNDS = 7;
const MEMBERS = 1_000;
const NOW = new Date('2026-06-15T20:00:00Z');

type Verb = (ctx: Ctx) => Promise<unknown>;

/** Members billed at the venue, each with 30 pours over the last weeks. Returns their user ids. */
async function seed(db: Db): Promise<string[]> {
  const users = Array.from({ length: MEMBERS }, () => v7());
  await db.execute(sql`
    with profile as (
      insert into profiles (id, name, email, first_name, last_name)
      select u, 'Member', u || '@example.test', 'Member', 'Member'
        from unnest(${sql.raw(`array['${users.join("','")}']::uuid[]`)}) u returning id
    ), member as (
      insert into customers (id, user_id, tier, status, member_since, created_at)
      select gen_random_uuid(), id, 'select', 'active', '2026-01-31', now() from profile returning id, user_id
    ), joined as (
      insert into memberships (id, customer_id, tier, start_date, status, monthly_price_cents)
      select gen_random_uuid(), id, 'select', '2026-01-31', 'active', 3900 from member
    )
    insert into pours (id, request_id, customer_id, quantity, location, toast_reference_number, status,
                       recorded_by_staff_id, created_at)
    select gen_random_uuid(), gen_random_uuid(), m.id, 1, 'main_bar', 'T-1', 'redeemed', m.user_id,
           ${NOW.toISOString()}::timestamptz - make_interval(days => n)
      from member m, generate_series(1, 30) n`);
  await db.transaction((tx) => writeLedger(tx, { now: NOW, timeZone: 'UTC' }));
  await db.execute(sql`analyze`);
  return users;
}

const context = (db: Db, user_id: string) =>
  ({ db, actor: { user_id, role: 'customer' }, now: () => NOW, timeZone: 'UTC' }) as Ctx;

type Method = (db: Db, user: string, verb: Verb) => Promise<unknown>;

const METHODS: Method[] = [
  (db, user, verb) => verb(context(db, user)),
  (db, user, verb) => db.transaction((tx) => verb(context(tx, user))),
  (db, user, verb) => asMember(db, user, (own) => verb(context(own, user))),
];

/** Milliseconds a call, with that many members at once. */
async function time(
  db: Db,
  users: string[],
  concurrency: number,
  verb: Verb,
  method: Method,
): Promise<number> {
  let next = 0;
  const member = async () => {
    for (let i = next++; i < CALLS; i = next++) await method(db, users[(i * 7) % users.length] ?? '', verb);
  };
  return (await took(() => Promise.all(Array.from({ length: concurrency }, member)))) / CALLS;
}

async function measure(name: string, db: Db, users: string[], concurrency: number): Promise<void> {
  for (const [what, verb] of Object.entries({
    'members.getOwn': getOwnMembership,
    'pours.list': listOwnPours,
  })) {
    const times: number[][] = METHODS.map(() => []);
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [n, method] of METHODS.entries()) {
        const ms = await time(db, users, concurrency, verb, method);
        // The first round warms up.
        if (round > 0) times[n]?.push(ms);
      }
    }
    const [plain = 0, transaction = 0, limited = 0] = times.map(median);
    const cells = [
      what,
      name,
      concurrency,
      ...[plain, transaction, limited, limited - plain, limited / plain].map(short),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'cellar-door-bench-'));
const server = await startPostgres();
const embedded = await openEmbedded(folder);
const postgres = await openPostgres(server.url);
try {
  console.log(
    `Milliseconds a call, medians of ${ROUNDS} rounds of ${CALLS}; ${MEMBERS} members with 30 pours each\n`,
  );
  console.log('| verb | database | members at once | plain | transaction | confined | more | ratio |');
  console.log('|---|---|---|---|---|---|---|---|');
  for (const [name, { db }] of Object.entries({ embedded, Postgres: postgres })) {
    const users = await seed(db);
    await measure(name, db, users, 1);
    await measure(name, db, users, 8);
  }
} finally {
  await embedded.close();
  await postgres.close();
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
