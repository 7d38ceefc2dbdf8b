import { eq, sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { rowsOf } from '../../../src/server/db/results.ts';
import { customers, pour_voids, profiles, user_roles } from '../../../src/server/db/schema.ts';
import { createLookingAgain } from '../../../src/server/realtime/look-again.ts';
import { type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
let member: Member;
let other: Member;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
  member = await venueMember(app, staff);
  other = await venueMember(app, staff);
});
afterAll(() => app.close());

const NO_STAFF = { staff: () => [], notStaff: () => undefined };

it('without notifications, polling finds staff whose role ended', async () => {
  const [gone, still] = [await app.staff(), await app.staff()];
  const notStaff: string[] = [];
  const { look } = createLookingAgain(app.services.db, {
    watched: () => [],
    changed: () => undefined,
    staff: () => [gone.id, still.id],
    notStaff: (userId) => notStaff.push(userId),
  });
  await look();
  expect(notStaff).toEqual([]);
  await app.services.db.update(user_roles).set({ role: 'customer' }).where(eq(user_roles.user_id, gone.id));
  await look();
  expect(notStaff).toEqual([gone.id]);
});

it('without notifications, polling finds the changes for open pages, once', async () => {
  const { db } = app.services;
  const seen: string[] = [];
  const watched = [member.caller.id];
  const { look } = createLookingAgain(db, {
    ...NO_STAFF,
    watched: () => watched,
    changed: (userId, what) => seen.push(userId === member.caller.id ? what : 'of another'),
  });
  const found = async () => {
    seen.length = 0;
    await look();
    return [...seen];
  };
  // A page just opened may have missed anything.
  expect(await found()).toEqual(['pours', 'membership']);
  expect(await found()).toEqual([]);

  await pour(staff, other.customer_id);
  expect(await found()).toEqual([]);
  const { body } = await pour(staff, member.customer_id);
  expect(await found()).toEqual(['pours']);
  const { id: pour_id } = body.pour as { id: string };
  await staff.must('POST', `/api/pours/${pour_id}/void`, { reason: 'spilled' });
  expect(await found()).toEqual(['pours']);
  expect(await db.$count(pour_voids)).toBe(1);

  await db.update(customers).set({ status: 'inactive' }).where(eq(customers.id, member.customer_id));
  expect(await found()).toEqual(['membership']);
  await db.update(profiles).set({ erased_at: app.clock.now() }).where(eq(profiles.id, member.caller.id));
  expect(await found()).toEqual(['account']);
  expect(await found()).toEqual([]);

  watched.length = 0;
  expect(await found()).toEqual([]);
});

/** Commits a pour in a process that dies before announcing it. Returns the missing announcement. */
async function pourUnannounced(customer_id: string): Promise<string> {
  const pour = {
    id: v7(),
    request_id: v7(),
    customer_id,
    quantity: 1,
    location: 'main_bar',
    toast_reference_number: 'POUR-1',
    status: 'redeemed',
    recorded_by_staff_id: staff.id,
    created_at: app.clock.now(),
  };
  const [row] = await rowsOf<{ answer: { announcement: string } }>(
    app.services.db,
    sql`select record_pour(${JSON.stringify({ pour, time_zone: 'UTC' })}::jsonb) as answer`,
  );
  return row!.answer.announcement;
}

it('while announcements arrive, polling finds only the pours that were not announced', async () => {
  const { caller, customer_id } = await venueMember(app, staff);
  const seen: string[] = [];
  const again = createLookingAgain(app.services.db, {
    ...NO_STAFF,
    watched: () => [caller.id],
    changed: (_, what) => seen.push(what),
  });
  again.start(false);
  onTestFinished(again.stop);
  const found = async () => {
    seen.length = 0;
    await again.look();
    return [...seen];
  };
  // A newly opened page loads everything.
  again.open(caller.id);
  await app.services.db.execute(sql`select 1`);
  expect(await found()).toEqual([]);

  await pourUnannounced(customer_id);
  expect(await found()).toEqual(['pours']);
  expect(await found()).toEqual([]);

  const [what, userId = '', ledger = ''] = (await pourUnannounced(customer_id)).split(' ');
  expect([what, userId]).toEqual(['pours', caller.id]);
  again.announced(userId, ledger);
  expect(await found()).toEqual([]);
  // Two pours: the announcement of the first says nothing about the second.
  const first = await pourUnannounced(customer_id);
  await pourUnannounced(customer_id);
  again.announced(userId, first.split(' ')[2] ?? '');
  expect(await found()).toEqual(['pours']);

  // Everything else is announced with its commit.
  await app.services.db.update(customers).set({ status: 'inactive' }).where(eq(customers.id, customer_id));
  expect(await found()).toEqual([]);
});

it('a page whose state could not be read when it opened is asked once to reload', async () => {
  const { caller } = await venueMember(app, staff);
  const seen: string[] = [];
  const again = createLookingAgain(app.services.db, {
    ...NO_STAFF,
    watched: () => [caller.id],
    changed: (_, what) => seen.push(what),
  });
  again.start(false);
  onTestFinished(again.stop);
  await again.look();
  await again.look();
  expect(seen).toEqual(['pours']);
});
