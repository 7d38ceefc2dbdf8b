import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { customers, pour_voids, profiles } from '../../../src/server/db/schema.ts';
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

it('without notifications, looking again finds what changed for those who look, once', async () => {
  const { db } = app.services;
  const seen: string[] = [];
  const watched = [member.caller.id];
  const { look } = createLookingAgain(
    db,
    () => watched,
    (userId, what) => seen.push(userId === member.caller.id ? what : 'of another'),
  );
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
