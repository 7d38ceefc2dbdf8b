import { type SQL, sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Db, type OpenDatabase, openPostgres } from '../../src/server/db/client.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { closed_day } from '../../src/server/db/schema.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { createDatabase } from '../support/harness/postgres.ts';

// docs/decisions/reports.md: in any order of commits, a late void is in the report once both the void and the task that
// closes its day are done. Everything happened in 2024.

const ZONE = 'America/New_York';
/** The day of all pours. The month of their glasses ended on June 1. */
const EVENING = '2024-05-17';
const DAYS = { first: EVENING, last: '2024-06-01' };

let database: Awaited<ReturnType<typeof createDatabase>>;
let open: OpenDatabase;
let db: Db;
let staff_id: string;
beforeAll(async () => {
  database = await createDatabase();
  open = await openPostgres(database.url);
  db = open.db;
  staff_id = await newUser();
});
afterAll(async () => {
  await open.close();
  await database.drop();
});
beforeEach(() => db.execute(sql`truncate closed_day, pour_summary, unused_summary`));

async function newUser(): Promise<string> {
  const id = v7();
  await db.execute(sql`insert into profiles (id, name, email, first_name, last_name)
    values (${id}, 'Ada', ${`${id}@venue.test`}, 'Ada', '')`);
  return id;
}

/** Starts at once; otherwise a statement starts only when awaited. */
const begin = async (on: Pick<Db, 'execute'>, statement: SQL) => void (await on.execute(statement));
const call = (on: Pick<Db, 'execute'>, name: 'record_pour' | 'void_pour', input: object) =>
  begin(on, sql`select ${sql.identifier(name)}(${JSON.stringify({ ...input, time_zone: ZONE })}::jsonb)`);

/** A member since May 1 who poured one glass on the evening. Returns the pour's id. */
async function newPour(): Promise<string> {
  const [customer_id, id] = [v7(), v7()];
  await db.execute(sql`insert into customers (id, user_id, tier, status, member_since, created_at)
    values (${customer_id}, ${await newUser()}, 'select', 'active', '2024-05-01', '2024-05-01')`);
  await db.execute(sql`insert into memberships (id, customer_id, tier, start_date, status, monthly_price_cents)
    values (${v7()}, ${customer_id}, 'select', '2024-05-01', 'active', 100)`);
  await call(db, 'record_pour', {
    pour: {
      ...{ id, request_id: v7(), customer_id, quantity: 1, location: 'main_bar', place: 'main_bar' },
      ...{ toast_reference_number: 'POUR-1', status: 'redeemed', recorded_by_staff_id: staff_id },
      created_at: `${EVENING}T22:00:00Z`,
    },
  });
  return id;
}

const voidPour = (on: Pick<Db, 'execute'>, pour_id: string) =>
  call(on, 'void_pour', {
    void: { pour_id, reason: 'mistake', voided_by_staff_id: staff_id, created_at: new Date().toISOString() },
  });
const close = (on: Pick<Db, 'execute'>, day: string) =>
  begin(on, sql`select close_report_day(${day}::date, ${ZONE})`);
const closeBoth = async () => {
  for (const day of Object.values(DAYS)) await close(db, day);
};

/** Begins a transaction with this work. Resolves when the work is done; `commit` commits it. */
async function uncommitted(work: (on: Pick<Db, 'execute'>) => Promise<unknown>) {
  const worked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const committed = db.transaction(async (tx) => {
    await work(tx);
    worked.resolve();
    await released.promise;
  });
  await Promise.race([worked.promise, committed]);
  return {
    commit: () => {
      released.resolve();
      return committed;
    },
  };
}

const all = (statement: SQL) => rowsOf<Record<string, unknown>>(db, statement);
/** Checks that reports equal a direct count, and the number of closed days. */
async function expectRight({ closed }: { closed: number }): Promise<void> {
  const { first, last } = DAYS;
  expect(await all(sql`select * from poured_between(${first}, ${last}, ${ZONE}) order by 1, 2`)).toEqual(
    await all(sql`select * from poured_on(${first}, ${last}, ${ZONE}) order by 1, 2`),
  );
  expect(
    await all(
      sql`select sum(given) as given, sum(unused) as unused from unused_between('2024-05-01', '2024-06-01', now(), ${ZONE})`,
    ),
  ).toEqual(
    await all(
      sql`select sum(given) as given, sum(unused) as unused from unused_on('2024-05-01', '2024-06-30', now(), ${ZONE})`,
    ),
  );
  expect(await db.$count(closed_day)).toBe(closed);
}

it('a void that is not committed when the task closes its days is counted by it', async () => {
  const id = await newPour();
  const voiding = await uncommitted((tx) => voidPour(tx, id));
  const closing = closeBoth();
  await untilBlocked(db);
  await voiding.commit();
  await closing;
  await expectRight({ closed: 2 });
});

it.each(Object.values(DAYS))(
  'a void that comes while the task closes %s writes that day again',
  async (day) => {
    const id = await newPour();
    const closing = await uncommitted((tx) => close(tx, day));
    const voiding = voidPour(db, id);
    await untilBlocked(db);
    await closing.commit();
    await voiding;
    await expectRight({ closed: 1 });
  },
);

it('two voids of a closed day at once are both counted', async () => {
  const [one, other] = [await newPour(), await newPour()];
  await closeBoth();
  const first = await uncommitted((tx) => voidPour(tx, one));
  const second = voidPour(db, other);
  await untilBlocked(db);
  await first.commit();
  await second;
  await expectRight({ closed: 2 });
});

it('two voids of a day that is not closed do not wait for each other', async () => {
  const [one, other] = [await newPour(), await newPour()];
  const first = await uncommitted((tx) => voidPour(tx, one));
  await voidPour(db, other);
  await first.commit();
  await expectRight({ closed: 0 });
});

it('pours and voids that come while days are closed and closed again are all counted', async () => {
  const ids = await Promise.all(Array.from({ length: 8 }, newPour));
  await Promise.all([
    ...ids.map((id) => voidPour(db, id)),
    ...Array.from({ length: 4 }, newPour),
    closeBoth(),
    closeBoth(),
  ]);
  await expectRight({ closed: 2 });
});
