import { createHmac } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAuth } from '../../../src/server/auth/better-auth.ts';
import { createFindSession } from '../../../src/server/auth/sessions/find-session.ts';
import { profiles, sessions, user_roles } from '../../../src/server/db/schema.ts';
import { ageSessions } from '../../support/fixtures/age-sessions.ts';
import { enrollFactor } from '../../support/fixtures/second-factor.ts';
import { createTestApp, PASSWORD, TEST_SECRET, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/decisions/sessions.md.

const TOKEN = 'cellar-door.session_token';
const STAFF_CALL = '/api/applications';
const MEMBER_CALL = '/api/customers/own';

let app: TestApp;
/** Statements that read a session, in order of execution. */
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
afterEach(() => {
  asked.length = 0;
});

const rowsOf = (userId: string) => app.services.db.select().from(sessions).where(eq(sessions.userId, userId));
const call = async (caller: Caller) => {
  const { status, headers } = await caller.call('GET', STAFF_CALL);
  return { status, set: headers.getSetCookie().map((line) => line.split('=', 1)[0]) };
};

describe('requests that arrive together', () => {
  it('are one statement, and each gets its own session, or none', async () => {
    const [one, other, ended] = [await app.staff(), await app.staff(), await app.staff()];
    await app.services.db.delete(sessions).where(eq(sessions.userId, ended.id));
    asked.length = 0;
    const { find } = createFindSession({ db: app.services.db, secret: TEST_SECRET, publicUrl: app.url });
    const found = await Promise.all([one, ended, other, one].map(({ cookie }) => find(cookie)));
    expect(found.map((it) => it?.signedIn?.user.id ?? null)).toEqual([one.id, null, other.id, one.id]);
    expect(asked).toHaveLength(1);
  });
});

describe('beside the auth library, on rows that it wrote', () => {
  const library = () =>
    createAuth({
      ...app.services,
      secret: TEST_SECRET,
      publicUrl: app.url,
      captcha: null,
      providers: [],
      verifyEmail: 'off',
      limitAttempts: false,
    });

  it.each<[string, () => Promise<Caller>]>([
    ['a member who signed up', () => app.customer()],
    ['staff who signed in', () => app.staff()],
    [
      'a member who passed the second step',
      async () => {
        const member = await app.customer();
        await enrollFactor(member, PASSWORD);
        return member;
      },
    ],
  ])('%s is the same to both, and nothing in their session is unknown to us', async (_, signIn) => {
    const auth = library();
    const { cookie, id } = await signIn();
    const read = await auth.api.getSession({ headers: new Headers({ cookie }) });
    if (!read) throw new Error('The library finds no session');
    const { user, session } = read;
    expect((await auth.sessions.find(cookie))?.signedIn).toEqual({
      session_id: session.id,
      user: {
        id: user.id,
        email: user.email,
        email_verified: user.emailVerified,
        first_name: user.first_name,
        last_name: user.last_name,
        phone: user.phone ?? null,
        role: session.role,
        two_factor: user.twoFactorEnabled === true,
      },
    });
    // A column used by a new version of the library would have to be read here, too.
    expect(Object.keys(session).sort()).toEqual([
      'createdAt',
      'expiresAt',
      'id',
      'ipAddress',
      'role',
      'token',
      'updatedAt',
      'userAgent',
      'userId',
    ]);
    await app.services.db.delete(sessions).where(eq(sessions.userId, id));
    expect(await auth.api.getSession({ headers: new Headers({ cookie }) })).toBeNull();
    expect((await auth.sessions.find(cookie))?.signedIn ?? null).toBeNull();
  });
});

it.each([
  ['staff', STAFF_CALL],
  ['a member', MEMBER_CALL],
])('a call by %s asks for the session once, by one statement, and sets no cookie', async (who, path) => {
  const caller = await (who === 'staff' ? app.staff() : app.customer());
  asked.length = 0;
  const { headers } = await caller.call('GET', path);
  expect(headers.getSetCookie()).toEqual([]);
  expect(asked).toHaveLength(1);
});

describe('at once', () => {
  it('a deleted session is refused', async () => {
    const staff = await app.staff();
    expect((await call(staff)).status).toBe(200);
    await app.services.db.delete(sessions).where(eq(sessions.userId, staff.id));
    expect((await call(staff)).status).toBe(401);
  });

  it('a removed role is refused', async () => {
    const staff = await app.staff();
    await app.services.db
      .update(user_roles)
      .set({ role: 'customer' })
      .where(eq(user_roles.user_id, staff.id));
    expect((await call(staff)).status).toBe(401);
  });

  it('an expired session is refused', async () => {
    const staff = await app.staff();
    await app.services.db
      .update(sessions)
      .set({ expiresAt: sql`now() - interval '1 second'` })
      .where(eq(sessions.userId, staff.id));
    expect((await call(staff)).status).toBe(401);
  });

  it('a second factor that staff must have is required', async () => {
    const strict = await createTestApp({ staffNeedTwoFactor: true });
    const staff = await strict.staff();
    const { db } = strict.services;
    const refused = { status: 403, body: { code: 'TWO_FACTOR_REQUIRED' } };
    expect(await staff.call('GET', STAFF_CALL)).toMatchObject(refused);
    await db.update(profiles).set({ twoFactorEnabled: true }).where(eq(profiles.id, staff.id));
    expect((await staff.call('GET', STAFF_CALL)).status).toBe(200);
    await db.update(profiles).set({ twoFactorEnabled: false }).where(eq(profiles.id, staff.id));
    expect(await staff.call('GET', STAFF_CALL)).toMatchObject(refused);
    await strict.close();
  });
});

describe('a token', () => {
  it.each<[string, (signed: string) => string]>([
    ['without its signature', (signed) => signed.split('.')[0] ?? ''],
    ['with an empty one', (signed) => `${signed.split('.')[0]}.`],
    ['with one of another token', (signed) => `x${signed}`],
    [
      'with one by another secret',
      (signed) => {
        const token = decodeURIComponent(signed).split('.')[0] ?? '';
        const mac = createHmac('sha256', 'another secret').update(token).digest('base64');
        return encodeURIComponent(`${token}.${mac}`);
      },
    ],
    ['with one that is cut', (signed) => `${signed.slice(0, -8)}`],
    ['that is no URL encoding', () => '%E0%A4%A'],
  ])('%s signs nobody in', async (_, forge) => {
    const staff = await app.staff();
    const forger = app.visitor();
    forger.jar.set(TOKEN, forge(staff.jar.get(TOKEN) ?? ''));
    expect((await call(forger)).status).toBe(401);
    expect((await call(staff)).status).toBe(200);
  });

  it('prolongs its session after an hour of use', async () => {
    const staff = await app.staff();
    await ageSessions(app.services.db, staff.id, 61 * 60);
    const [before] = await rowsOf(staff.id);
    expect(await call(staff)).toEqual({ status: 200, set: [TOKEN] });
    const [after] = await rowsOf(staff.id);
    expect(after!.expiresAt.getTime() - before!.expiresAt.getTime()).toBeGreaterThan(60 * 60_000);
    expect(await call(staff)).toEqual({ status: 200, set: [] });
  });

  it('of a session that cannot be prolonged any more has its use recorded once an hour, not at each call', async () => {
    const staff = await app.staff();
    await ageSessions(app.services.db, staff.id, 80 * 86_400);
    await app.services.db
      .update(sessions)
      .set({ expiresAt: sql`now() + interval '14 days'` })
      .where(eq(sessions.userId, staff.id));
    expect((await call(staff)).status).toBe(200);
    const [used] = await rowsOf(staff.id);
    expect(Date.now() - used!.updatedAt.getTime()).toBeLessThan(60_000);
    asked.length = 0;
    expect(await call(staff)).toEqual({ status: 200, set: [] });
    expect(asked).toHaveLength(1);
    expect(await rowsOf(staff.id)).toEqual([used]);
  });
});
