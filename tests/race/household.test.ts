import { sql } from 'drizzle-orm';
import { afterEach, expect, it } from 'vitest';
import type { Tx } from '../../src/server/db/client.ts';
import { rowsOf } from '../../src/server/db/results.ts';
import { household_seat } from '../../src/server/db/schema.ts';
import { brokenInvariants } from '../../torture/invariants.ts';
import {
  acceptShare,
  confirmedCustomer,
  customerIdOf,
  householdLink,
  shareWith,
} from '../support/fixtures/household.ts';
import { cardMember, type Member, pour, venueMember } from '../support/fixtures/members.ts';
import type { Caller } from '../support/harness/caller.ts';
import { openRaceApp } from '../support/harness/race-app.ts';

const { app, staff } = await openRaceApp();
afterEach(async () => {
  const broken = await brokenInvariants(
    (text) => rowsOf(app.services.db, sql.raw(text)),
    app.services.venue.time_zone,
  );
  // The test server claims no Stripe mode.
  expect(broken.filter((line) => !line.includes('mode of the database'))).toEqual([]);
});

const ROUNDS = 4;
const left = async ({ caller }: Member) =>
  (await caller.must<{ pours: { available_pours: number } }>('GET', '/api/customers/own')).pours
    .available_pours;
const ok = (answers: { status: number }[]) => answers.filter((it) => it.status < 300).length;

it('of 20 pours of the last two glasses, by both at once, exactly two succeed', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const holder = await venueMember(app, staff, 'household');
    const partner = await shareWith(app, holder);
    await pour(staff, partner.customer_id, { quantity: 18 });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => pour(staff, (n % 2 ? holder : partner).customer_id)),
    );
    expect(ok(answers)).toBe(2);
    expect([await left(holder), await left(partner)]).toEqual([0, 0]);
  }
});

it('of pours during a removal, each counts or is refused, and none counts afterwards', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const holder = await venueMember(app, staff, 'household');
    const partner = await shareWith(app, holder);
    const who = round % 2 ? holder : partner;
    const [ended, ...answers] = await Promise.all([
      who.caller.call('DELETE', '/api/household'),
      ...Array.from({ length: 6 }, () => pour(staff, partner.customer_id)),
      ...Array.from({ length: 6 }, () => pour(staff, holder.customer_id)),
    ]);
    expect(ended.status).toBe(200);
    const byPartner = answers.slice(0, 6);
    expect(byPartner.every(({ status, body }) => status === 201 || body.code === 'CUSTOMER_NOT_ACTIVE')).toBe(
      true,
    );
    expect(ok(answers.slice(6))).toBe(6);
    expect(await left(holder)).toBe(20 - ok(answers));
    expect((await pour(staff, partner.customer_id)).body.code).toBe('CUSTOMER_NOT_ACTIVE');
  }
});

it('leaving never waits for a change of the membership, so the two cannot deadlock', async () => {
  const holder = await venueMember(app, staff, 'household');
  const partner = await shareWith(app, holder);
  await app.services.db.transaction(async (tx) => {
    // A renewal or a change of tier does this, and then locks the partner's row.
    await tx.execute(sql`select from customers where id = ${holder.customer_id} for update`);
    expect((await partner.caller.call('DELETE', '/api/household')).status).toBe(200);
  });
});

it('when both end sharing at once, one of them does', async () => {
  const holder = await venueMember(app, staff, 'household');
  const partner = await shareWith(app, holder);
  const answers = await Promise.all(
    [holder, partner].map(({ caller }) => caller.call('DELETE', '/api/household')),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
});

it('a link accepted ten times at once, by two people, makes one household', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const holder = await venueMember(app, staff, 'household');
    const token = await householdLink(holder.caller);
    const people = [await confirmedCustomer(app), await confirmedCustomer(app)];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => acceptShare(app, people[n % 2] as Caller, token)),
    );
    expect(ok(answers)).toBe(1);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  }
});

it('two invitations accepted by one person at once make one household', async () => {
  const holders = [await venueMember(app, staff, 'household'), await venueMember(app, staff, 'household')];
  const tokens = await Promise.all(holders.map(({ caller }) => householdLink(caller)));
  const person = await confirmedCustomer(app);
  const answers = await Promise.all(tokens.map((token) => acceptShare(app, person, token)));
  expect(ok(answers)).toBe(1);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
});

it('while the holder cancels, no glass is poured afterwards, and none twice', async () => {
  const holder = await cardMember(app, 'household');
  const partner = await shareWith(app, holder);
  const [canceled, ...answers] = await Promise.all([
    holder.caller.call('POST', '/api/functions/cancel-subscription', {}),
    ...Array.from({ length: 8 }, (_, n) => pour(staff, (n % 2 ? holder : partner).customer_id)),
  ]);
  expect(canceled.status).toBe(200);
  expect(ok(answers)).toBe(8);
  expect([await left(holder), await left(partner)]).toEqual([12, 12]);
});

it('a pour for a partner who is just joining comes from the pool, or is refused', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const holder = await venueMember(app, staff, 'household');
    const before = await shareWith(app, holder);
    await before.caller.must('DELETE', '/api/household');
    const token = await householdLink(holder.caller);
    const [joined, ...answers] = await Promise.all([
      acceptShare(app, before.caller, token),
      ...Array.from({ length: 6 }, (_, n) => pour(staff, (n % 2 ? holder : before).customer_id)),
    ]);
    expect(joined.status).toBe(200);
    expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await left(holder)).toBe(20 - ok(answers));
    expect(await customerIdOf(before.caller)).toBe(before.customer_id);
  }
});

it('a pour that waited while the partner joined then waits for the holder’s pour, and the last glass is poured once', async () => {
  const holder = await venueMember(app, staff, 'household');
  const partner = await shareWith(app, holder);
  await partner.caller.must('DELETE', '/api/household');
  await pour(staff, holder.customer_id, { quantity: 19 });
  const { db, newId, now } = app.services;
  const backend = async (tx: Tx) =>
    (await rowsOf<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`))[0]?.pid;
  const isBlocking = async (pid: number | undefined) =>
    (await rowsOf(db, sql`select 1 from pg_stat_activity where ${pid}::integer = any(pg_blocking_pids(pid))`))
      .length > 0;
  let poured: ReturnType<typeof pour> | undefined;
  let isOver = false;
  await db.transaction(async (ofHolder) => {
    const lastGlass = {
      ...{
        id: newId(),
        request_id: newId(),
        customer_id: holder.customer_id,
        quantity: 1,
        location: 'main_bar',
      },
      ...{ toast_reference_number: 'POUR-1', status: 'redeemed', recorded_by_staff_id: staff.id },
      created_at: now(),
    };
    const input = JSON.stringify({ pour: lastGlass, time_zone: app.services.venue.time_zone });
    await ofHolder.execute(sql`select record_pour(${input}::jsonb)`);
    await db.transaction(async (joining) => {
      await joining.execute(sql`select 1 from customers where id = ${partner.customer_id} for no key update`);
      const pid = await backend(joining);
      poured = pour(staff, partner.customer_id);
      void poured.then(() => {
        isOver = true;
      });
      await expect.poll(() => isBlocking(pid)).toBe(true);
      await joining.insert(household_seat).values({
        id: newId(),
        holder_id: holder.customer_id,
        customer_id: partner.customer_id,
        joined_at: now(),
      });
    });
    const pid = await backend(ofHolder);
    await expect.poll(async () => isOver || (await isBlocking(pid))).toBe(true);
  });
  expect((await poured)?.body.code).toBe('POURS_EXCEEDED');
  expect([await left(holder), await left(partner)]).toEqual([0, 0]);
});
