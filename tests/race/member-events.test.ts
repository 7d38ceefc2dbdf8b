import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsOf } from '../../src/server/db/results.ts';
import { type Member, pour, venueMember } from '../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../support/harness/app.ts';
import { Caller } from '../support/harness/caller.ts';
import { createDatabase } from '../support/harness/postgres.ts';
import { openStream } from '../support/harness/stream.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
/** Two processes of one venue, as far as they know of each other: only the database is shared. */
let bar: TestApp;
let home: TestApp;
let staff: Caller;
let witness: Member;
beforeAll(async () => {
  database = await createDatabase();
  bar = await createTestApp({ databaseUrl: database.url });
  home = await createTestApp({ databaseUrl: database.url });
  staff = await bar.staff();
  witness = await venueMember(bar, staff);
});

/** Resolves when the other process has heard all that was announced before: announcements keep their order. */
async function caughtUp(): Promise<void> {
  const stream = await openStream(atHome(witness.caller));
  await pour(staff, witness.customer_id);
  for (let heard = 1; !(await stream.until(heard)).includes('pours'); heard += 1);
  stream.close();
}

afterAll(async () => {
  await bar.close();
  await home.close();
  await database.drop();
});

/** The same person's browser, served by the other process. */
function atHome(caller: Caller): Caller {
  const same = new Caller(home.url, home.url);
  for (const [name, value] of caller.jar) same.jar.set(name, value);
  return same;
}

it('a glass recorded by one process is heard through another', async () => {
  const { caller, customer_id } = await venueMember(bar, staff);
  await caughtUp();
  const stream = await openStream(atHome(caller));
  await pour(staff, customer_id);
  expect(await stream.until(1)).toEqual(['pours']);
  stream.close();
});

it('20 glasses at once for 10 members: each hears of theirs, and of no others', async () => {
  const members = await Promise.all(Array.from({ length: 10 }, () => venueMember(bar, staff)));
  const guest = await venueMember(bar, staff);
  await caughtUp();
  const quiet = await openStream(atHome(guest.caller));
  const streams = await Promise.all(members.map(({ caller }) => openStream(atHome(caller))));
  await Promise.all([...members, ...members].map(({ customer_id }) => pour(staff, customer_id)));
  for (const stream of streams) expect(new Set(await stream.until(1))).toEqual(new Set(['pours']));
  expect(quiet.heard).toEqual([]);
  for (const stream of [quiet, ...streams]) stream.close();
});

it('a listening connection that breaks is made anew, and screens look at everything again', async () => {
  const { caller, customer_id } = await venueMember(bar, staff);
  await caughtUp();
  const stream = await openStream(atHome(caller));
  const cut = await rowsOf(
    home.services.db,
    sql`select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query ilike 'listen%'`,
  );
  expect(cut).toHaveLength(2);
  expect(new Set(await stream.until(2))).toEqual(new Set(['pours', 'membership']));
  await pour(staff, customer_id);
  expect((await stream.until(3))[2]).toBe('pours');
  stream.close();
});
