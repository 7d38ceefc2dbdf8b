import { createHmac } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createReadFresh } from '../../../src/server/auth/sessions/fresh-session.ts';
import { profiles, sessions, user_roles } from '../../../src/server/db/schema.ts';
import { createTestApp, TEST_SECRET, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/decisions/0007-sessions.md: calls that ask the database, and what they do with the copy in the cookie.

const TOKEN = 'cellar-door.session_token';
const COPY = 'cellar-door.session_data';
const STAFF_CALL = '/api/applications';

let app: TestApp;
/** Statements that asked for a session, in the order they ran. */
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

const call = async (caller: Caller) => {
  const { status, headers } = await caller.call('GET', STAFF_CALL);
  return { status, set: headers.getSetCookie().map((line) => line.split('=', 1)[0]) };
};

/** The copy as it is some seconds later, with the signature it would have had. */
function aged(copy: string, seconds: number): string {
  const { session, expiresAt } = JSON.parse(Buffer.from(copy, 'base64url').toString());
  const older = expiresAt - seconds * 1000;
  const signed = JSON.stringify({ ...session, expiresAt: older });
  const signature = createHmac('sha256', TEST_SECRET).update(signed).digest('base64url');
  return Buffer.from(JSON.stringify({ session, expiresAt: older, signature })).toString('base64url');
}

describe('requests that arrive together', () => {
  it('are one statement, and each gets its own session, or none', async () => {
    const [one, other, ended] = [await app.staff(), await app.staff(), await app.staff()];
    await app.services.db.delete(sessions).where(eq(sessions.userId, ended.id));
    asked.length = 0;
    const read = createReadFresh({ db: app.services.db, secret: TEST_SECRET, publicUrl: app.url });
    const found = await Promise.all([one, ended, other, one].map(({ cookie }) => read(cookie)));
    expect(found.map((it) => it?.signedIn?.user.id ?? null)).toEqual([one.id, null, other.id, one.id]);
    expect(asked).toHaveLength(1);
  });
});

describe('the copy in the cookie', () => {
  it('is kept while it is fresh, and reading the session is one statement', async () => {
    const staff = await app.staff();
    await call(staff);
    asked.length = 0;
    expect(await call(staff)).toEqual({ status: 200, set: [] });
    expect(asked).toHaveLength(1);
  });

  it.each([
    [20, []],
    [40, [COPY]],
  ])('after %i seconds of its minute: %j are renewed', async (seconds, renewed) => {
    const staff = await app.staff();
    staff.jar.set(COPY, aged(staff.jar.get(COPY) ?? '', seconds));
    expect(await call(staff)).toEqual({ status: 200, set: renewed });
  });

  it.each([
    ['missing', ''],
    ['not readable', 'x.y.z'],
    ['of another shape', Buffer.from('{"session":null}').toString('base64url')],
  ])('is made again when it is %s', async (_, copy) => {
    const staff = await app.staff();
    if (copy) staff.jar.set(COPY, copy);
    else staff.jar.delete(COPY);
    expect(await call(staff)).toEqual({ status: 200, set: [COPY] });
    expect(await call(staff)).toEqual({ status: 200, set: [] });
  });

  it('is made again when it differs from the database, or belongs to another session', async () => {
    const [staff, colleague] = [await app.staff(), await app.staff()];
    await app.services.db.update(profiles).set({ first_name: 'Renamed' }).where(eq(profiles.id, staff.id));
    expect((await call(staff)).set).toEqual([COPY]);
    staff.jar.set(COPY, colleague.jar.get(COPY) ?? '');
    expect(await call(staff)).toEqual({ status: 200, set: [COPY] });
    const { user } = await staff.must<{ user: { id: string } }>('GET', '/api/session');
    expect(user.id).toBe(staff.id);
  });
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
      .set({ expiresAt: sql`now() - interval '1 second'` as never })
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
    forger.jar.set(COPY, staff.jar.get(COPY) ?? '');
    expect((await call(forger)).status).toBe(401);
    expect((await call(staff)).status).toBe(200);
  });

  it('prolongs its session after an hour of use', async () => {
    const staff = await app.staff();
    const { db } = app.services;
    const expires = async () =>
      (await db.select({ at: sessions.expiresAt }).from(sessions).where(eq(sessions.userId, staff.id)))[0]
        ?.at;
    const anHour = sql`${sessions.expiresAt} - interval '61 minutes'` as never;
    await db.update(sessions).set({ expiresAt: anHour }).where(eq(sessions.userId, staff.id));
    const before = (await expires())!.getTime();
    expect(await call(staff)).toEqual({ status: 200, set: [TOKEN, COPY] });
    expect((await expires())!.getTime() - before).toBeGreaterThan(60 * 60_000);
  });
});
