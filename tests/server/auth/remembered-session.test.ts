import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CALLS } from '../../../src/server/api/calls/index.ts';
import { POLICIES } from '../../../src/server/api/policies.ts';
import { createSessionMemory } from '../../../src/server/auth/sessions/session-memory.ts';
import { pours, profiles, sessions, user_roles } from '../../../src/server/db/schema.ts';
import type { RememberedSession } from '../../../src/server/platform/actor.ts';
import { recordPour } from '../../../src/server/pours/pours.ts';
import { ageSessions } from '../../support/fixtures/age-sessions.ts';
import { aRequestId, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/decisions/sessions.md.

const TOKEN = 'cellar-door.session_token';
const SIGNED_OUT = { status: 401, body: { code: 'NOT_SIGNED_IN' } };

let app: TestApp;
/** Statements that read a session separately, in order of execution. */
const asked: string[] = [];
beforeAll(async () => {
  const statements = {
    run<T>(text: string, work: () => Promise<T>): Promise<T> {
      if (/\bsessions\b/.test(text)) asked.push(text);
      return work();
    },
  };
  app = await createTestApp({ staffNeedTwoFactor: false, instruments: { statements } });
});
afterAll(() => app.close());

let staff: Caller;
let member: Awaited<ReturnType<typeof venueMember>>;
/** A staff member with a session cached by the server, since they have poured. */
beforeEach(async () => {
  staff = await app.staff();
  member = await venueMember(app, await app.staff());
  expect((await pour(staff, member.customer_id)).status).toBe(201);
  asked.length = 0;
});

const poured = () => app.services.db.$count(pours, eq(pours.recorded_by_staff_id, staff.id));
const setSessions = (values: object) =>
  app.services.db.update(sessions).set(values).where(eq(sessions.userId, staff.id));

describe('whoever has poured a glass', () => {
  it('pours the next one without their session being read first', async () => {
    expect((await pour(staff, member.customer_id)).status).toBe(201);
    expect(asked).toEqual([]);
    expect(await poured()).toBe(2);
  });

  it('is refused what is refused, once, with their session read to see that it is theirs to know', async () => {
    const answer = await pour(staff, member.customer_id, { quantity: 9 });
    expect(answer).toMatchObject({ status: 409, body: { code: 'POURS_EXCEEDED' } });
    expect(asked).toHaveLength(1);
  });

  it.each<[string, () => unknown]>([
    ['was deleted', () => app.services.db.delete(sessions).where(eq(sessions.userId, staff.id))],
    ['has expired', () => setSessions({ expiresAt: sql`now() - interval '1 second'` })],
    [
      'ended with their role',
      () =>
        app.services.db.update(user_roles).set({ role: 'customer' }).where(eq(user_roles.user_id, staff.id)),
    ],
  ])('pours nothing once their session %s', async (_, end) => {
    await end();
    expect(await pour(staff, member.customer_id)).toMatchObject(SIGNED_OUT);
    expect(await poured()).toBe(1);
  });

  it.each([
    ['more glasses than are left', { quantity: 9 }],
    ['a quantity that is none', { quantity: -1 }],
    ['a place that the club has not', { location: 'nowhere' }],
    ['a member who does not exist', { customer_id: aRequestId() }],
  ])('learns nothing of %s once their session has ended', async (_, input) => {
    await app.services.db.delete(sessions).where(eq(sessions.userId, staff.id));
    expect(await pour(staff, member.customer_id, input)).toMatchObject(SIGNED_OUT);
  });

  it('pours nothing with a cookie that is not the one that was signed', async () => {
    staff.jar.set(TOKEN, `x${staff.jar.get(TOKEN)}`);
    expect((await pour(staff, member.customer_id)).status).toBe(401);
  });

  it('has the use of their session recorded once an hour, by the glass that is poured then', async () => {
    await ageSessions(app.services.db, staff.id, 61 * 60);
    const { status, headers } = await staff.call('POST', '/api/pours', {
      request_id: aRequestId(),
      customer_id: member.customer_id,
      quantity: 1,
      location: 'bar',
    });
    expect(status).toBe(201);
    expect(headers.getSetCookie().map((line) => line.split('=', 1)[0])).toEqual([TOKEN]);
    expect(await poured()).toBe(2);
    const [session] = await app.services.db.select().from(sessions).where(eq(sessions.userId, staff.id));
    expect(Date.now() - session!.updatedAt.getTime()).toBeLessThan(60_000);
  });
});

it('staff who must have a second factor pour nothing from the moment they have none', async () => {
  const strict = await createTestApp({ staffNeedTwoFactor: true });
  const { db } = strict.services;
  const factor = (id: string, twoFactorEnabled: boolean) =>
    db.update(profiles).set({ twoFactorEnabled }).where(eq(profiles.id, id));
  const [bartender, colleague] = [await strict.staff(), await strict.staff()];
  await factor(bartender.id, true);
  await factor(colleague.id, true);
  const { customer_id } = await venueMember(strict, colleague);
  expect((await pour(bartender, customer_id)).status).toBe(201);
  await factor(bartender.id, false);
  const refused = { status: 403, body: { code: 'TWO_FACTOR_REQUIRED' } };
  expect(await pour(bartender, customer_id)).toMatchObject(refused);
  expect((await pour(colleague, customer_id)).status).toBe(201);
  await strict.close();
});

it('no other call than a pour is made with a remembered session: its verb has to check it', () => {
  const policies = Object.entries(POLICIES).filter(([, policy]) => 'session' in policy);
  expect(policies.map(([name]) => name)).toEqual(['pour']);
  const pours = Object.entries(CALLS).filter(([, { policy }]) => policy === 'pour');
  expect(pours).toEqual([['pours.record', expect.objectContaining({ verb: recordPour })]]);
});

it('of more sessions than fit, those read longest ago are forgotten', () => {
  const memory = createSessionMemory(2);
  const session = (id: string) => ({ id }) as RememberedSession;
  memory.keep('a', session('1'));
  memory.keep('b', session('2'));
  memory.keep('a', session('3'));
  memory.keep('c', session('4'));
  expect(['a', 'b', 'c'].map((cookie) => memory.recall(cookie)?.id ?? null)).toEqual(['3', null, '4']);
  memory.forget('a');
  expect(memory.recall('a')).toBeNull();
});
