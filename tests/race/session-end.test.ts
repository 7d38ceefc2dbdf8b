import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { removeStaff } from '../../src/server/auth/staff-accounts.ts';
import {
  accounts,
  api_clients,
  customers,
  guest_glass,
  pour_voids,
  pours,
  profiles,
  sessions,
  staff_pin,
} from '../../src/server/db/schema.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { appSessionOf, fromApp } from '../support/fixtures/app-session.ts';
import { shareWith } from '../support/fixtures/household.ts';
import { aRequestId, pour, venueMember } from '../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../support/harness/app.ts';
import type { Caller } from '../support/harness/caller.ts';
import { createDatabase } from '../support/harness/postgres.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let manager: Caller;
beforeAll(async () => {
  database = await createDatabase();
  app = await createTestApp({ databaseUrl: database.url });
  manager = await app.staff();
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

const PIN = '8042';

/** Locks the member's row, makes the call, ends the session while the call waits, and returns the call's response. */
async function endedWhileWaiting<A>(
  customer_id: string,
  call: () => Promise<A>,
  end: () => Promise<unknown>,
) {
  const { db } = app.services;
  const answer = await db.transaction(async (tx) => {
    await tx.select().from(customers).where(eq(customers.id, customer_id)).for('update');
    const waits = call();
    await untilBlocked(db);
    await end();
    return { waits };
  });
  return answer.waits;
}

const SIGNED_OUT = { status: 401, body: { code: 'NOT_SIGNED_IN' } };
const endSessions = (user_id: string) => () =>
  app.services.db.delete(sessions).where(eq(sessions.userId, user_id));

it('a glass that waits for the member is not poured by a bartender who was signed out meanwhile', async () => {
  const staff = await app.staff();
  const { caller, customer_id } = await venueMember(app, staff);
  expect((await pour(staff, customer_id)).status).toBe(201);
  const answer = await endedWhileWaiting(customer_id, () => pour(staff, customer_id), endSessions(staff.id));
  expect(answer).toMatchObject(SIGNED_OUT);
  expect(await caller.must('GET', '/api/pours/own')).toHaveLength(1);
});

it('a glass that waits is not poured on a tablet after the PIN was removed, in an app signed out, or by a removed API client', async () => {
  const { db } = app.services;
  const staff = await app.staff();
  const { caller, customer_id } = await venueMember(app, staff);
  const tablet = await app.staff();
  await manager.must('PUT', `/api/team/${tablet.id}/permissions/manage_staff`, {
    given: true,
    password: PASSWORD,
  });
  await tablet.must('POST', '/api/bar-devices', { name: 'Bar', idle_minutes: 5, password: PASSWORD });
  await staff.must('PUT', '/api/staff-pin', { pin: PIN, password: PASSWORD });
  await tablet.must('POST', '/api/bar-device/person', { user_id: staff.id, pin: PIN });
  const removePin = () => db.delete(staff_pin).where(eq(staff_pin.user_id, staff.id));
  expect(await endedWhileWaiting(customer_id, () => pour(tablet, customer_id), removePin)).toMatchObject(
    SIGNED_OUT,
  );

  const draft = { customer_id, quantity: 1, location: 'bar' };
  const byToken = (token: string) => () =>
    fromApp(app, 'POST', '/api/pours', { token, body: { ...draft, request_id: aRequestId() } });
  const { access_token } = await appSessionOf(app, staff);
  expect(await endedWhileWaiting(customer_id, byToken(access_token), endSessions(staff.id))).toMatchObject(
    SIGNED_OUT,
  );

  const owner = await app.staff();
  const client = await owner.must<Record<string, string>>('POST', '/api/api-clients', {
    name: 'Till',
    password: PASSWORD,
  });
  const granted = await fetch(`${app.url}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', ...client }),
  });
  const token = ((await granted.json()) as { access_token: string }).access_token;
  const removeClients = () => db.delete(api_clients).where(eq(api_clients.user_id, owner.id));
  expect(await endedWhileWaiting(customer_id, byToken(token), removeClients)).toMatchObject(SIGNED_OUT);
  expect(await caller.must('GET', '/api/pours/own')).toEqual([]);
});

it.each(['the member', 'the partner who had it'])(
  'a void that waits for %s is not made by a bartender who was signed out meanwhile',
  async (whose) => {
    const staff = await app.staff();
    const holder = await venueMember(app, staff, 'household');
    const { customer_id } = whose === 'the member' ? holder : await shareWith(app, holder);
    const { id } = (await pour(staff, customer_id)).body.pour as { id: string };
    const undo = () => staff.call('POST', `/api/pours/${id}/void`, { reason: 'spilled' });
    expect(await endedWhileWaiting(customer_id, undo, endSessions(staff.id))).toMatchObject(SIGNED_OUT);
    expect(await app.services.db.$count(pour_voids, eq(pour_voids.pour_id, id))).toBe(0);
  },
);

it.each<[string, (it: { staff: Caller; owner: Caller; email: string }) => Promise<unknown>]>([
  ['they sign out', ({ staff }) => staff.must('POST', '/api/auth/sign-out', {})],
  [
    'a manager signs them out',
    ({ staff, owner }) => owner.must('POST', `/api/team/${staff.id}/sign-out`, {}),
  ],
  ['their role is removed', ({ email }) => removeStaff(app.services, email)],
])("a guest's glass that waits is poured before the answer when %s, never after it", async (_, end) => {
  const { db } = app.services;
  const [owner, staff] = [manager, await app.staff()];
  const { user } = await staff.must<{ user: { email: string } }>('GET', '/api/session');
  const { caller, customer_id } = await venueMember(app, owner);
  const { id, url } = await caller.must<{ id: string; url: string }>('POST', '/api/guest-glasses', {});
  await app.visitor().must('POST', '/api/guest-glasses/state-age', { token: url.split('#')[1], age: 21 });
  // Read once, so that the pour's own statement checks the session.
  await staff.must('GET', '/api/customers');
  const { waits, ends } = await db.transaction(async (tx) => {
    await tx.select().from(guest_glass).where(eq(guest_glass.id, id)).for('update');
    const waits = pour(staff, customer_id, { guest_glass_id: id });
    await untilBlocked(db);
    const ends = end({ staff, owner, email: user.email }).then(() =>
      db.$count(pours, eq(pours.customer_id, customer_id)),
    );
    await Promise.race([untilBlocked(db, 2), ends]);
    return { waits, ends };
  });
  expect(await ends).toBe(1);
  expect((await waits).status).toBe(201);
});

it('a first password that waits while the account is taken from its maker is not kept', async () => {
  const stranger = app.visitor();
  const person = { first_name: 'Eve', last_name: 'Other', email: 'someone-else@example.test' };
  await stranger.must('POST', '/api/auth/join', person);
  await stranger.remember();
  const { db } = app.services;
  const { waits } = await db.transaction(async (tx) => {
    await tx.select().from(profiles).where(eq(profiles.id, stranger.id)).for('no key update');
    const choosing = stranger.call('POST', '/api/auth/choose-password', { password: PASSWORD });
    await untilBlocked(db);
    await endSessions(stranger.id)();
    return { waits: choosing };
  });
  expect(await waits).toMatchObject(SIGNED_OUT);
  expect(await db.$count(accounts, eq(accounts.userId, stranger.id))).toBe(0);
});
