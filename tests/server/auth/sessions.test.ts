import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Session } from '../../../src/contract/auth/sessions.ts';
import {
  SESSION_ABSOLUTE_SECONDS,
  SESSION_IDLE_SECONDS,
} from '../../../src/server/auth/sessions/session-lifetime.ts';
import { sessions } from '../../../src/server/db/schema.ts';
import { ageSessions } from '../../support/fixtures/age-sessions.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

const TOKEN = 'cellar-door.session_token';
const DAY = 86_400;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const age = ({ id }: Caller, seconds: number) => ageSessions(app.services.db, id, seconds);

async function signedIn(email: string, from: Caller = app.visitor()): Promise<Caller> {
  await from.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  return from;
}

const list = (caller: Caller) => caller.must<Session[]>('GET', '/api/sessions');
const isSignedIn = async (caller: Caller) =>
  (await caller.must<{ user: unknown }>('GET', '/api/session')).user !== null;

describe('signing in', () => {
  it('gives a new session every time, and ends the one it replaces in that browser', async () => {
    const email = 'again@example.test';
    const phone = await app.customer({ email });
    const first = phone.jar.get(TOKEN);
    await signedIn(email, phone);
    expect(phone.jar.get(TOKEN)).not.toBe(first);
    expect(await list(phone)).toHaveLength(1);
    const stolen = app.visitor();
    stolen.jar.set(TOKEN, first ?? '');
    expect(await isSignedIn(stolen)).toBe(false);
  });

  it('never adopts a session id planted beforehand', async () => {
    const email = 'planted@example.test';
    await app.customer({ email });
    const victim = app.visitor();
    victim.jar.set(TOKEN, 'planted.c2lnbmF0dXJl');
    await signedIn(email, victim);
    expect(victim.jar.get(TOKEN)).not.toContain('planted');
  });
});

describe('the list', () => {
  it('shows each device, when it was used, and which one is this; never a token', async () => {
    const email = 'list@example.test';
    const phone = await app.customer({ email });
    const till = await signedIn(email);
    const seen = await till.call<Session[]>('GET', '/api/sessions');
    expect(seen.body.map(({ current }) => current).sort()).toEqual([false, true]);
    expect(Object.keys(seen.body[0]!).sort()).toEqual(
      ['app', 'current', 'id', 'last_used_at', 'signed_in_at', 'tablet', 'user_agent'].sort(),
    );
    const [mine] = seen.body.filter(({ current }) => current);
    expect((await list(phone)).find(({ id }) => id === mine!.id)?.current).toBe(false);
  });

  it('has those in use, the one used last first', async () => {
    const email = 'order@example.test';
    const [first, second, over] = [
      await app.customer({ email }),
      await signedIn(email),
      await signedIn(email),
    ];
    const idOf = async (caller: Caller) => (await list(caller)).find(({ current }) => current)?.id ?? '';
    const ids = [await idOf(first), await idOf(second)];
    const { db } = app.services;
    const set = (id: string, values: Partial<typeof sessions.$inferInsert>) =>
      db.update(sessions).set(values).where(eq(sessions.id, id));
    const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    await set(await idOf(over), { expiresAt: ago(1) });
    for (const order of [ids, ids.toReversed()]) {
      for (const [minutes, id] of order.entries()) await set(id, { updatedAt: ago(minutes) });
      expect((await list(first)).map(({ id }) => id)).toEqual(order);
    }
  });

  it('an ended device is signed out', async () => {
    const email = 'one@example.test';
    const [phone, till] = [await app.customer({ email }), await signedIn(email)];
    const other = (await list(phone)).find(({ current }) => !current);
    await phone.must('DELETE', `/api/sessions/${other!.id}`);
    expect(await till.call('GET', '/api/sessions')).toMatchObject({ status: 401 });
    expect(await isSignedIn(till)).toBe(false);
    expect(await isSignedIn(phone)).toBe(true);
  });

  it('another user’s session, and the current one, cannot be ended by id', async () => {
    const [ada, grace] = [await app.customer(), await app.customer()];
    const [[foreign], [own]] = [await list(grace), await list(ada)];
    for (const { id } of [foreign!, own!]) {
      expect(await ada.call('DELETE', `/api/sessions/${id}`)).toMatchObject({ status: 404 });
    }
    // Row security limits members alone.
    const staff = await app.staff();
    expect(await staff.call('DELETE', `/api/sessions/${foreign!.id}`)).toMatchObject({ status: 404 });
    expect(await list(grace)).toHaveLength(1);
  });

  it('all other sessions of this user end together', async () => {
    const email = 'everywhere@example.test';
    const [phone, bystander] = [await app.customer({ email }), await app.customer()];
    const others = [await signedIn(email), await signedIn(email)];
    expect(await phone.must('POST', '/api/sessions/delete-others', {})).toEqual({ ended: 2 });
    for (const other of others) expect((await other.call('GET', '/api/sessions')).status).toBe(401);
    expect(await list(phone)).toHaveLength(1);
    expect(await list(bystander)).toHaveLength(1);
  });
});

describe('a session that was ended elsewhere', () => {
  const endAll = (id: string) => app.services.db.delete(sessions).where(eq(sessions.userId, id));

  it.each([
    ['GET', '/api/customers', undefined],
    ['POST', '/api/functions/verify-qr-token', { token: 'x' }],
  ])('of staff is refused at once: %s %s', async (method, path, body) => {
    const staff = await app.staff();
    await endAll(staff.id);
    expect(await staff.call(method, path, body)).toMatchObject({
      status: 401,
      body: { code: 'NOT_SIGNED_IN' },
    });
    expect(await isSignedIn(staff)).toBe(false);
  });

  it.each([
    ['cancel-subscription', {}],
    ['create-checkout', { tierName: 'select' }],
  ])('moves no money: %s', async (name, body) => {
    const member = await app.customer();
    await endAll(member.id);
    expect(await member.call('POST', `/api/functions/${name}`, body)).toMatchObject({ status: 401 });
  });

  it('of a member is refused everywhere at once', async () => {
    const [member, other] = [await app.customer(), await app.customer()];
    expect((await member.call('GET', '/api/customers/own')).status).toBe(200);
    await endAll(member.id);
    expect((await member.call('GET', '/api/customers/own')).status).toBe(401);
    expect((await member.call('PATCH', '/api/profile', { phone: '+1 555 0100' })).status).toBe(401);
    expect((await other.call('GET', '/api/customers/own')).status).toBe(200);
  });
});

describe('the lifetime of a session', () => {
  it('ends after 14 days without use', async () => {
    expect(SESSION_IDLE_SECONDS).toBe(14 * DAY);
    const member = await app.customer();
    await age(member, SESSION_IDLE_SECONDS - 60);
    expect(await isSignedIn(member)).toBe(true);
    const idle = await app.customer();
    await age(idle, SESSION_IDLE_SECONDS + 60);
    expect(await isSignedIn(idle)).toBe(false);
  });

  it('is extended by use, but ends 90 days after the sign-in', async () => {
    expect(SESSION_ABSOLUTE_SECONDS).toBe(90 * DAY);
    const member = await app.customer();
    for (let days = 0; days < 80; days += 10) {
      await age(member, 10 * DAY);
      expect(await isSignedIn(member)).toBe(true);
    }
    await age(member, 10 * DAY - 60);
    expect(await isSignedIn(member)).toBe(true);
    await age(member, 120);
    expect(await isSignedIn(member)).toBe(false);
  });

  it('expired sessions are deleted at the user’s next sign-in', async () => {
    const email = 'swept@example.test';
    const { id } = await app.customer({ email });
    const { db } = app.services;
    await db
      .update(sessions)
      .set({ expiresAt: new Date('2020-01-01') })
      .where(eq(sessions.userId, id));
    const again = await signedIn(email);
    expect(await db.select().from(sessions).where(eq(sessions.userId, id))).toHaveLength(1);
    expect(await list(again)).toHaveLength(1);
  });
});
