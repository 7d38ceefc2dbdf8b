import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { BarDevice } from '../../../src/contract/staff/bar-devices.ts';
import type { TeamMember } from '../../../src/contract/staff/team.ts';
import { removeStaff } from '../../../src/server/auth/staff-accounts.ts';
import {
  audit_entry,
  bar_device,
  pours,
  rate_limits,
  sessions,
  staff_pin,
} from '../../../src/server/db/schema.ts';
import { appSessionOf, fromApp } from '../../support/fixtures/app-session.ts';
import { type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { openWine } from '../../support/fixtures/wines.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

const PIN = '8042';
const WRONG = '7391';
const refused = (status: number, code: string) => ({ status, body: { code } });

let app: TestApp;
let owner: Caller;
let member: Member;
beforeAll(async () => {
  app = await createTestApp();
  owner = await app.staff();
  member = await venueMember(app, owner, 'household');
});
afterAll(() => app.close());
beforeEach(() => app.services.db.delete(rate_limits));

const emailOf = async (caller: Caller) =>
  (await caller.must<{ user: { email: string } }>('GET', '/api/session')).user.email;

/** A browser in which the owner signed in and opened a shared tablet. */
async function tablet(idle_minutes = 5): Promise<Caller & { device_id: string }> {
  const browser = app.visitor();
  await browser.must('POST', '/api/auth/sign-in', { email: await emailOf(owner), password: PASSWORD });
  const { id } = await browser.must<{ id: string }>('POST', '/api/bar-devices', {
    name: 'Bar left',
    idle_minutes,
    password: PASSWORD,
  });
  return Object.assign(browser, { device_id: id });
}

async function bartender(): Promise<Caller> {
  const caller = await app.staff();
  await caller.must('PUT', '/api/staff-pin', { pin: PIN, password: PASSWORD });
  return caller;
}

const switchIn = (on: Caller, { id: user_id }: { id: string }, pin = PIN) =>
  on.call<{ code?: string }>('POST', '/api/bar-device/person', { user_id, pin });
const who = async (on: Caller) =>
  (await on.must<{ user: { id: string } | null }>('GET', '/api/session')).user?.id ?? null;

describe('a shared tablet', () => {
  it('is set up by someone who manages staff, with the password, which signs them out there', async () => {
    const other = await app.staff();
    const input = { name: 'Bar', idle_minutes: 5, password: PASSWORD };
    expect(await other.call('POST', '/api/bar-devices', input)).toMatchObject(refused(403, 'NOT_ALLOWED'));
    expect(
      await owner.call('POST', '/api/bar-devices', { ...input, password: 'not the password' }),
    ).toMatchObject(refused(403, 'WRONG_PASSWORD'));
    const on = await tablet();
    expect(await on.must('GET', '/api/session')).toEqual({
      user: null,
      tablet: { name: 'Bar left', idle_minutes: 5 },
    });
    expect((await on.call('GET', '/api/customers')).status).toBe(401);
    const list = await owner.must<BarDevice[]>('GET', '/api/bar-devices');
    expect(list.find((it) => it.id === on.device_id)).toMatchObject({ name: 'Bar left', used_by: null });
    const [row] = await app.services.db.select().from(bar_device).where(eq(bar_device.id, on.device_id));
    expect([...on.jar.values()]).not.toContain(row?.token_hash);
  });

  it("opens and finishes bottles under the name of the person working there; only the office changes a wine's details", async () => {
    const [on, ann] = [await tablet(), await bartender()];
    const wine = await openWine(owner);
    await switchIn(on, ann);
    const path = `/api/wines/${wine.id}`;
    const instead_of = wine.bottle?.id ?? null;
    expect(await on.must('POST', `${path}/bottles`, { instead_of })).toMatchObject({ state: 'open' });
    expect(await on.must('POST', `${path}/put-away`, { state: 'gone' })).toMatchObject({ bottle: null });
    const acts = await app.services.db
      .select()
      .from(audit_entry)
      .where(sql`${audit_entry.actor_id} = ${ann.id} and ${audit_entry.facts}->>'wine_id' = ${wine.id}`);
    expect(acts.map(({ act }) => act).sort()).toEqual([
      'bottle_finished',
      'bottle_finished',
      'bottle_opened',
      'wine_put_away',
    ]);
    expect(acts.every(({ device }) => device === 'Bar left (tablet)')).toBe(true);
    const order = await on.call('PUT', '/api/wines/order', { ids: [wine.id] });
    expect(order).toMatchObject(refused(403, 'NOT_ALLOWED'));
  });

  it('never shows what a bottle costs, whoever works there; staff who signed in themselves see it', async () => {
    const [on, ann] = [await tablet(), await bartender()];
    const wine = await openWine(owner, { cost_cents: 7345 });
    await switchIn(on, ann);
    const read = [
      await on.must('GET', '/api/wines'),
      await on.must('POST', `/api/wines/${wine.id}/bottles`, { instead_of: wine.bottle?.id ?? null }),
      await on.must('POST', `/api/wines/${wine.id}/put-away`, { state: 'gone' }),
    ];
    expect(JSON.stringify(read)).toContain(wine.id);
    expect(JSON.stringify(read)).not.toMatch(/cost|7345/);
    const listed = await ann.must<{ id: string; cost_cents?: number }[]>('GET', '/api/wines');
    expect(listed.find(({ id }) => id === wine.id)?.cost_cents).toBe(7345);
  });

  it('shows who has a PIN, and lets them work in their own name and as that tablet', async () => {
    const [on, ann, ben] = [await tablet(), await bartender(), await bartender()];
    const { device } = await on.must<{ device: { people: { user_id: string }[] } }>('GET', '/api/bar-device');
    expect(device.people.map((it) => it.user_id)).toEqual(expect.arrayContaining([ann.id, ben.id]));
    expect((await switchIn(on, ann)).status).toBe(200);
    expect(await who(on)).toBe(ann.id);
    const first = await pour(on, member.customer_id);
    expect((await switchIn(on, ben)).status).toBe(200);
    const second = await pour(on, member.customer_id);
    const rows = await app.services.db.select().from(pours).where(eq(pours.bar_device_id, on.device_id));
    expect(rows.map((it) => it.recorded_by_staff_id)).toEqual([ann.id, ben.id]);
    // Only the person who poured may undo.
    const undo = ({ body }: typeof first) =>
      on.call('POST', `/api/pours/${(body.pour as { id: string }).id}/void`, { reason: 'spilled' });
    expect(await undo(first)).toMatchObject(refused(403, 'NOT_ALLOWED'));
    expect((await undo(second)).status).toBe(200);
    const history = () => on.must('GET', `/api/customers/${member.customer_id}/pours`);
    expect(await history()).toMatchObject([
      { tablet: 'Bar left', own: true },
      { tablet: 'Bar left', own: false },
    ]);
    expect(await ben.must('GET', '/api/sessions')).toMatchObject([{ tablet: 'Bar left' }, { tablet: null }]);
  });

  it('is for the bar only: no office, account or export, whatever the person may do elsewhere', async () => {
    const on = await tablet();
    await owner.must('PUT', '/api/staff-pin', { pin: PIN, password: PASSWORD });
    await switchIn(on, owner);
    expect(await on.must('GET', '/api/session')).toMatchObject({ user: { id: owner.id, permissions: [] } });
    for (const path of [
      '/api/team',
      '/api/sessions',
      '/api/applications',
      '/api/audit',
      '/api/privacy/export',
      '/api/staff-pin',
    ]) {
      expect(await on.call('GET', path), path).toMatchObject(refused(403, 'NOT_ALLOWED'));
    }
    expect((await on.call('GET', `/api/customers/${member.customer_id}`)).status).toBe(200);
    expect((await on.call('POST', '/api/customers/search', { search: 'a' })).status).toBe(200);
  });

  it('returns to the PIN page by a button, and after its minutes without use', async () => {
    const [on, ann] = [await tablet(1), await bartender()];
    await switchIn(on, ann);
    await on.must('DELETE', '/api/bar-device/person', {});
    expect(await who(on)).toBeNull();
    await switchIn(on, ann);
    const { db } = app.services;
    const aged = (seconds: number) =>
      db
        .update(sessions)
        .set({ expiresAt: sql`now() + make_interval(secs => ${seconds})` })
        .where(eq(sessions.bar_device_id, on.device_id));
    const left = async () => {
      const [row] = await db
        .select({ seconds: sql<number>`extract(epoch from ${sessions.expiresAt} - now())::float8` })
        .from(sessions)
        .where(eq(sessions.bar_device_id, on.device_id));
      return row?.seconds ?? 0;
    };
    await aged(30);
    // Automatic requests of a page do not extend the session; a person's acts do.
    await on.must('GET', `/api/customers/${member.customer_id}`);
    expect(await left()).toBeLessThan(31);
    await pour(on, member.customer_id);
    expect(await left()).toBeGreaterThan(55);
    await aged(30);
    await on.must('PUT', '/api/bar-device/person', {});
    expect(await left()).toBeGreaterThan(55);
    await aged(-1);
    await on.must('PUT', '/api/bar-device/person', {});
    expect(await who(on)).toBeNull();
    expect((await pour(on, member.customer_id)).status).toBe(401);
  });

  it('is signed out at once when removed, with whoever works there', async () => {
    const [on, ann] = [await tablet(), await bartender()];
    await switchIn(on, ann);
    await owner.must('DELETE', `/api/bar-devices/${on.device_id}`, {});
    expect((await on.call('GET', '/api/customers')).status).toBe(401);
    expect(await on.must('GET', '/api/session')).toEqual({ user: null });
    expect(await switchIn(on, ann)).toMatchObject(refused(401, 'NOT_SIGNED_IN'));
    expect(await owner.call('DELETE', `/api/bar-devices/${on.device_id}`, {})).toMatchObject(
      refused(404, 'NOT_FOUND'),
    );
  });

  it('signs out at once whoever is removed from the staff or signed out everywhere', async () => {
    const [on, ann, ben] = [await tablet(), await bartender(), await bartender()];
    await switchIn(on, ann);
    await owner.must('POST', `/api/team/${ann.id}/sign-out`, {});
    expect(await who(on)).toBeNull();
    const email = await emailOf(ben);
    await switchIn(on, ben);
    await removeStaff(app.services, email);
    expect(await who(on)).toBeNull();
    expect(await switchIn(on, ben)).toMatchObject(refused(403, 'WRONG_PIN'));
  });
});

describe('a PIN', () => {
  it('does not work without a tablet', async () => {
    const ann = await bartender();
    expect(await switchIn(app.visitor(), ann)).toMatchObject(refused(401, 'NOT_SIGNED_IN'));
    expect(await switchIn(owner, ann)).toMatchObject(refused(401, 'NOT_SIGNED_IN'));
    const [row] = await app.services.db.select().from(staff_pin).where(eq(staff_pin.user_id, ann.id));
    expect(row?.failed).toBe(0);
  });

  it('is set with one’s own password, and is not easy to guess', async () => {
    const ann = await app.staff();
    const set = (pin: string, password = PASSWORD) => ann.call('PUT', '/api/staff-pin', { pin, password });
    expect(await set('1234')).toMatchObject(refused(422, 'PIN_EASY'));
    expect(await set(PIN, 'not the password')).toMatchObject(refused(403, 'WRONG_PASSWORD'));
    expect(await set('80425')).toMatchObject({ status: 400 });
    expect(await member.caller.call('PUT', '/api/staff-pin', { pin: PIN, password: PASSWORD })).toMatchObject(
      refused(403, 'NOT_ALLOWED'),
    );
    expect((await set(PIN)).status).toBe(200);
    expect(await ann.must('GET', '/api/staff-pin')).toEqual({ set: true, locked: false });
  });

  it('stops working after five wrong tries, until its owner or a manager acts', async () => {
    const [on, ann] = [await tablet(), await bartender()];
    const stateOf = async () =>
      (await owner.must<TeamMember[]>('GET', '/api/team')).find((it) => it.user_id === ann.id)?.pin;
    expect(await stateOf()).toBe('set');
    for (const tries_left of [4, 3, 2, 1]) {
      expect(await switchIn(on, ann, WRONG)).toMatchObject({
        status: 403,
        body: { code: 'WRONG_PIN', data: { tries_left } },
      });
    }
    expect((await switchIn(on, ann)).status).toBe(200);
    expect(await switchIn(on, ann, WRONG)).toMatchObject({
      body: { code: 'WRONG_PIN', data: { tries_left: 4 } },
    });
    for (let i = 0; i < 3; i++) await switchIn(on, ann, WRONG);
    expect(await switchIn(on, ann, WRONG)).toMatchObject(refused(403, 'PIN_LOCKED'));
    expect(await switchIn(on, ann)).toMatchObject(refused(403, 'PIN_LOCKED'));
    expect(await ann.must('GET', '/api/staff-pin')).toEqual({ set: true, locked: true });
    expect(await stateOf()).toBe('locked');
    await owner.must('DELETE', `/api/team/${ann.id}/pin`, {});
    expect(await stateOf()).toBe('none');
    expect(await switchIn(on, ann)).toMatchObject(refused(403, 'WRONG_PIN'));
    await ann.must('PUT', '/api/staff-pin', { pin: PIN, password: PASSWORD });
    expect((await switchIn(on, ann)).status).toBe(200);
  });

  it('that its owner chooses after five wrong tries ends the lock, and has five tries again', async () => {
    const [on, ann] = [await tablet(), await bartender()];
    for (let i = 0; i < 5; i++) await switchIn(on, ann, WRONG);
    expect(await switchIn(on, ann)).toMatchObject(refused(403, 'PIN_LOCKED'));
    await ann.must('PUT', '/api/staff-pin', { pin: '5913', password: PASSWORD });
    expect(await ann.must('GET', '/api/staff-pin')).toEqual({ set: true, locked: false });
    expect(await switchIn(on, ann)).toMatchObject({ body: { code: 'WRONG_PIN', data: { tries_left: 4 } } });
    expect((await switchIn(on, ann, '5913')).status).toBe(200);
  });

  it('cannot be tried endlessly for everyone on one tablet', async () => {
    const [on, ann] = [await tablet(), await bartender()];
    await app.services.db
      .update(rate_limits)
      .set({ count: 60 })
      .where(eq(rate_limits.key, `bar-pin|${on.device_id}`));
    await switchIn(on, ann, WRONG);
    await app.services.db
      .update(rate_limits)
      .set({ count: 60 })
      .where(eq(rate_limits.key, `bar-pin|${on.device_id}`));
    expect(await switchIn(on, ann)).toMatchObject(refused(429, 'TOO_MANY_ATTEMPTS'));
  });

  it('that is right counts for nothing, however often people change on one tablet', async () => {
    const [on, ann] = [await tablet(), await bartender()];
    const tries = eq(rate_limits.key, `bar-pin|${on.device_id}`);
    await switchIn(on, ann, WRONG);
    for (let i = 0; i < 3; i++) expect((await switchIn(on, ann)).status).toBe(200);
    const [counted] = await app.services.db
      .select({ count: rate_limits.count })
      .from(rate_limits)
      .where(tries);
    expect(counted).toEqual({ count: 1 });
    await app.services.db.update(rate_limits).set({ count: 59 }).where(tries);
    for (let i = 0; i < 3; i++) expect((await switchIn(on, ann)).status).toBe(200);
  });

  it('ends what is done under it, at once, when it is removed or changed', async () => {
    const [on, ann] = [await tablet(), await bartender()];
    const elsewhere = await appSessionOf(app, ann);
    await switchIn(on, ann);
    await owner.must('DELETE', `/api/team/${ann.id}/pin`, {});
    expect(await who(on)).toBeNull();
    expect((await pour(on, member.customer_id)).status).toBe(401);
    await ann.must('PUT', '/api/staff-pin', { pin: PIN, password: PASSWORD });
    await switchIn(on, ann);
    await ann.must('PUT', '/api/staff-pin', { pin: '5913', password: PASSWORD });
    expect(await who(on)).toBeNull();
    expect((await pour(on, member.customer_id)).status).toBe(401);
    // Sessions without a PIN continue.
    expect((await pour(ann, member.customer_id)).status).toBe(201);
    expect((await fromApp(app, 'GET', '/api/customers', { token: elsewhere.access_token })).status).toBe(200);
  });

  it('has a different hash for everyone, and is in no log', async () => {
    const [ann, ben] = [await bartender(), await bartender()];
    const rows = await app.services.db.select().from(staff_pin);
    const hashes = rows.filter((it) => [ann.id, ben.id].includes(it.user_id)).map((it) => it.pin_hash);
    expect(new Set(hashes).size).toBe(2);
    expect(app.logged.filter((line) => line.includes(`"${PIN}"`))).toEqual([]);
  });
});
