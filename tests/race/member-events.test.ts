import { eq, sql } from 'drizzle-orm';
import pg from 'pg';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { rowsOf } from '../../src/server/db/results.ts';
import { pour_voids, pours, sessions, tier_definitions } from '../../src/server/db/schema.ts';
import { type Member, pour, venueMember } from '../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../support/harness/app.ts';
import { Caller } from '../support/harness/caller.ts';
import { createDatabase } from '../support/harness/postgres.ts';
import { openStream } from '../support/harness/stream.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
/** Two server processes that share only the database: staff use one, members the other. */
let staffApp: TestApp;
let memberApp: TestApp;
let staff: Caller;
let witness: Member;
beforeAll(async () => {
  database = await createDatabase();
  staffApp = await createTestApp({ databaseUrl: database.url });
  memberApp = await createTestApp({ databaseUrl: database.url });
  staff = await staffApp.staff();
  // Many tests pour a glass for the witness.
  await staffApp.services.db.update(tier_definitions).set({ monthly_pours: 100 });
  witness = await venueMember(staffApp, staff);
});

/** Resolves when the other process has received every earlier notification: they arrive in order. */
async function caughtUp(): Promise<void> {
  const stream = await openStream(onMemberApp(witness.caller));
  await pour(staff, witness.customer_id);
  for (let count = 1; !(await stream.until(count)).includes('pours'); count += 1);
  stream.close();
}

afterAll(async () => {
  await staffApp.close();
  await memberApp.close();
  await database.drop();
});

const rowOfPour = (customer_id: string): typeof pours.$inferInsert & { id: string; created_at: Date } => ({
  id: v7(),
  request_id: v7(),
  customer_id,
  quantity: 1,
  location: 'main_bar',
  toast_reference_number: 'POUR-1',
  status: 'redeemed',
  recorded_by_staff_id: staff.id,
  created_at: staffApp.clock.now(),
});

/** The caller's session, served by the members' process. */
function onMemberApp(caller: Caller): Caller {
  const same = new Caller(memberApp.url, memberApp.url);
  for (const [name, value] of caller.jar) same.jar.set(name, value);
  return same;
}

it('a pour recorded by one process reaches the member through another', async () => {
  const { caller, customer_id } = await venueMember(staffApp, staff);
  await caughtUp();
  const stream = await openStream(onMemberApp(caller));
  await pour(staff, customer_id);
  expect(await stream.until(1)).toEqual(['pours']);
  stream.close();
});

it('every line of a notification is an announcement of its own', async () => {
  const members = await Promise.all([1, 2, 3].map(() => venueMember(staffApp, staff)));
  await caughtUp();
  const streams = await Promise.all(members.map(({ caller }) => openStream(onMemberApp(caller))));
  // Nothing was poured, so reloading finds nothing.
  const lines = members.map(({ caller }) => `pours ${caller.id}`).join('\n');
  await staffApp.services.db.execute(sql`select pg_notify('member_changed', ${lines})`);
  for (const stream of streams) {
    expect(await stream.until(1)).toEqual(['pours']);
    stream.close();
  }
});

it('a pour voided by one process reaches the member through another', async () => {
  const { caller, customer_id } = await venueMember(staffApp, staff);
  const { body } = await pour(staff, customer_id);
  await caughtUp();
  const stream = await openStream(onMemberApp(caller));
  await staff.must('POST', `/api/pours/${(body.pour as { id: string }).id}/void`, { reason: 'spilled' });
  expect(await stream.until(1)).toEqual(['pours']);
  stream.close();
});

it('a pour recorded by any other statement is announced by its commit', async () => {
  const { caller, customer_id } = await venueMember(staffApp, staff);
  await caughtUp();
  const stream = await openStream(onMemberApp(caller));
  const { db } = staffApp.services;
  await db.insert(pours).values(rowOfPour(customer_id));
  expect(await stream.until(1)).toEqual(['pours']);
  // Also within a transaction that has already recorded one.
  await db.transaction(async (tx) => {
    const recorded = JSON.stringify({ pour: rowOfPour(customer_id), time_zone: 'UTC' });
    await tx.execute(sql`select record_pour(${recorded}::jsonb)`);
    await tx.insert(pours).values(rowOfPour(customer_id));
  });
  expect(await stream.until(2)).toEqual(['pours', 'pours']);
  stream.close();
});

it('recording and voiding send no notification in their commit, so that no other commit waits for it', async () => {
  const { customer_id } = await venueMember(staffApp, staff);
  await caughtUp();
  const heard: string[] = [];
  const listener = new pg.Client({ connectionString: database.url });
  await listener.connect();
  onTestFinished(() => listener.end());
  listener.on('notification', ({ payload = '' }) => void heard.push(payload));
  await listener.query('listen member_changed');
  const { db } = staffApp.services;
  const row = rowOfPour(customer_id);
  const call = (name: string, input: object) =>
    db.execute(sql`select ${sql.raw(name)}(${JSON.stringify({ ...input, time_zone: 'UTC' })}::jsonb)`);
  await call('record_pour', { pour: row });
  const by = { voided_by_staff_id: staff.id, created_at: row.created_at };
  await call('void_pour', { void: { pour_id: row.id, ...by }, undo_seconds: 10 });
  await db.execute(sql`select pg_notify('member_changed', 'the end')`);
  await expect.poll(() => heard).toEqual(['the end']);
  expect(await db.$count(pour_voids, eq(pour_voids.pour_id, row.id))).toBe(1);
});

it('a session that one process ends is refused by the other at once', async () => {
  const { caller } = await venueMember(staffApp, staff);
  const elsewhere = onMemberApp(caller);
  expect((await elsewhere.call('GET', '/api/customers/own')).status).toBe(200);
  await staffApp.services.db.delete(sessions).where(eq(sessions.userId, caller.id));
  expect((await elsewhere.call('GET', '/api/customers/own')).status).toBe(401);
});

it('of 20 simultaneous pours for 10 members, each member is notified of their own only', async () => {
  const members = await Promise.all(Array.from({ length: 10 }, () => venueMember(staffApp, staff)));
  const bystander = await venueMember(staffApp, staff);
  await caughtUp();
  const quiet = await openStream(onMemberApp(bystander.caller));
  const streams = await Promise.all(members.map(({ caller }) => openStream(onMemberApp(caller))));
  await Promise.all([...members, ...members].map(({ customer_id }) => pour(staff, customer_id)));
  for (const stream of streams) expect(new Set(await stream.until(1))).toEqual(new Set(['pours']));
  expect(quiet.received).toEqual([]);
  for (const stream of [quiet, ...streams]) stream.close();
});

it('after a lost database connection the server listens again, and members reload everything', async () => {
  const { caller, customer_id } = await venueMember(staffApp, staff);
  await caughtUp();
  const stream = await openStream(onMemberApp(caller));
  const cut = await rowsOf(
    memberApp.services.db,
    sql`select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and query ilike 'listen%'`,
  );
  expect(cut).toHaveLength(2);
  expect(new Set(await stream.until(2))).toEqual(new Set(['pours', 'membership']));
  await pour(staff, customer_id);
  expect((await stream.until(3))[2]).toBe('pours');
  stream.close();
});
