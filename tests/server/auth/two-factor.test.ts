import { isContractProcedure } from '@orpc/contract';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auth } from '../../../src/contract/auth/auth.ts';
import { tokens } from '../../../src/contract/auth/tokens.ts';
import { contract } from '../../../src/contract/index.ts';
import { resetTwoFactor } from '../../../src/server/auth/two-factor/two-factor-reset.ts';
import { profiles, staff_permission, two_factors, used_totp_codes } from '../../../src/server/db/schema.ts';
import { totpCode } from '../../support/fakes/authenticator-app.ts';
import { mailsTo, mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import {
  createFactor,
  deleteFactor,
  type Enrollment,
  enrollFactor,
  passCode,
  sendCode,
} from '../../support/fixtures/second-factor.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

const FACTORS = '/api/auth/factors';
const BACKUP_CODES = '/api/auth/backup-codes';
const TOKEN = 'cellar-door.session_token';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

let people = 0;
const newEmail = () => `second-${++people}@example.test`;

/** Enrolled with the previous code, so that the current one is still unused. */
const enroll = (caller: Caller) => enrollFactor(caller, PASSWORD, -1);

async function enrolled(): Promise<Enrollment & { email: string; caller: Caller }> {
  const email = newEmail();
  const caller = await app.customer({ email });
  return { ...(await enroll(caller)), email, caller };
}

/** After the password, before the second factor. */
async function challenged(email: string, from = app.visitor()): Promise<Caller> {
  const answer = await from.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  expect(answer).toEqual({ ok: true, two_factor: true });
  return from;
}

const userOf = async (caller: Caller) =>
  (await caller.must<{ user: Record<string, unknown> | null }>('GET', '/api/session')).user;

describe('setting up', () => {
  it('takes the password, and is on only after a first code', async () => {
    const email = newEmail();
    const caller = await app.customer({ email });
    const wrong = await caller.call('POST', FACTORS, { password: 'not the password' });
    expect(wrong).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } });
    const { totp_uri, backup_codes } = await createFactor(caller, PASSWORD);
    expect(totp_uri).toMatch(/^otpauth:\/\/totp\/Test%20Cellar:/);
    expect(new Set(backup_codes).size).toBe(10);
    expect(await userOf(caller)).toMatchObject({ two_factor: false });
    const unfinished = app.visitor();
    expect(await unfinished.must('POST', '/api/auth/sign-in', { email, password: PASSWORD })).toEqual({
      ok: true,
    });

    expect(await sendCode(caller, '000000')).toMatchObject({
      status: 401,
    });
    await passCode(caller, totpCode(totp_uri));
    expect(await userOf(caller)).toMatchObject({ two_factor: true });
    await challenged(email);
  });

  it('gives a new session, and nobody else can use the old one', async () => {
    const caller = await app.customer({ email: newEmail() });
    const before = caller.jar.get(TOKEN);
    await enroll(caller);
    expect(caller.jar.get(TOKEN)).not.toBe(before);
    const old = app.visitor();
    old.jar.set(TOKEN, before ?? '');
    expect(await userOf(old)).toBeNull();
  });

  it('neither secret nor backup codes are readable in the database', async () => {
    const { caller, totp_uri, backup_codes } = await enrolled();
    const { db } = app.services;
    const [row] = await db.select().from(two_factors).where(eq(two_factors.userId, caller.id));
    const stored = JSON.stringify(row);
    expect(stored).not.toContain(new URL(totp_uri).searchParams.get('secret'));
    for (const code of backup_codes) expect(stored).not.toContain(code);
  });

  it('needs a session', async () => {
    const { id } = await enrolled();
    for (const [method, path] of [
      ['POST', FACTORS],
      ['DELETE', `${FACTORS}/${id}`],
      ['POST', BACKUP_CODES],
    ] as const) {
      const answer = await app.visitor().call(method, path, { password: PASSWORD });
      expect(answer.status).toBe(401);
    }
  });
});

describe('signing in', () => {
  it('the password alone opens nothing', async () => {
    const { email } = await enrolled();
    const caller = await challenged(email);
    expect(caller.jar.has(TOKEN)).toBe(false);
    expect(await userOf(caller)).toBeNull();
    expect((await caller.call('GET', '/api/customers/own')).status).toBe(401);
  });

  it('the password alone leaves no session in the answer, not even in a cookie that is then deleted', async () => {
    const { email } = await enrolled();
    const answer = await app.visitor().raw('POST', '/api/auth/sign-in', {
      body: JSON.stringify({ email, password: PASSWORD }),
      headers: { 'content-type': 'application/json' },
    });
    const lines = answer.headers.getSetCookie().filter((line) => line.startsWith('cellar-door.session'));
    for (const line of lines) expect(line).toMatch(/^[^=]+=;.*Max-Age=0/i);
  });

  it('a code signs in once, and never again', async () => {
    const { email, totp_uri } = await enrolled();
    const code = totpCode(totp_uri);
    const first = await challenged(email);
    expect(await passCode(first, code)).toEqual({ ok: true });
    expect(await userOf(first)).toMatchObject({ email });
    const second = await challenged(email);
    expect(await sendCode(second, code)).toMatchObject({
      status: 401,
      body: { code: 'CODE_USED' },
    });
    expect(await userOf(second)).toBeNull();
    await passCode(second, totpCode(totp_uri, 1));
  });

  it('a used code is refused as long as its step and those beside it are accepted', async () => {
    const { email, totp_uri } = await enrolled();
    // A code of the next step: accepted from now until that step is over and one more, 90 seconds at most.
    const code = totpCode(totp_uri, 1);
    await passCode(await challenged(email), code);
    await app.services.db
      .update(used_totp_codes)
      .set({ used_at: sql`${used_totp_codes.used_at} - interval '90 seconds'` });
    expect(await sendCode(await challenged(email), code)).toMatchObject({
      status: 401,
      body: { code: 'CODE_USED' },
    });
  });

  it('of two with the same code at the same time, one gets in', async () => {
    const { email, totp_uri } = await enrolled();
    const callers = [await challenged(email), await challenged(email)];
    const code = totpCode(totp_uri);
    const answers = await Promise.all(callers.map((it) => sendCode(it, code)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  it.each(['', ' \u2013 ', '-\u200E'])('a backup code signs in with %j for its hyphen', async (hyphen) => {
    const { email, backup_codes } = await enrolled();
    const caller = await challenged(email);
    await caller.must('POST', `${BACKUP_CODES}/verify`, { code: backup_codes[0]?.replace('-', hyphen) });
    expect(await userOf(caller)).toMatchObject({ email });
  });

  it('a code of an app signs in with a hyphen in its middle, and then no more without', async () => {
    const { email, totp_uri } = await enrolled();
    const code = totpCode(totp_uri);
    const caller = await challenged(email);
    await passCode(caller, `\u200E${code.slice(0, 3)}-${code.slice(3)}`);
    expect(await userOf(caller)).toMatchObject({ email });
    expect(await sendCode(await challenged(email), code)).toMatchObject({ body: { code: 'CODE_USED' } });
  });

  it('a backup code signs in once', async () => {
    const { email, backup_codes } = await enrolled();
    const [code] = backup_codes;
    const first = await challenged(email);
    await first.must('POST', `${BACKUP_CODES}/verify`, { code: ` ${code} ` });
    expect(await userOf(first)).toMatchObject({ email });
    const second = await challenged(email);
    expect((await second.call('POST', `${BACKUP_CODES}/verify`, { code })).status).toBe(401);
    expect(await userOf(second)).toBeNull();
  });

  it('five wrong codes end the attempt', async () => {
    const { email, totp_uri } = await enrolled();
    const caller = await challenged(email);
    for (let times = 0; times < 5; times += 1) {
      const answer = await sendCode(caller, `00000${times}`);
      expect(answer.status).toBe(401);
    }
    expect((await sendCode(caller, totpCode(totp_uri))).status).toBe(400);
  });

  it('ten wrong codes lock the second factor for a while, however often one starts over', async () => {
    const { email, totp_uri } = await enrolled();
    for (let round = 0; round < 2; round += 1) {
      const caller = await challenged(email);
      for (let times = 0; times < 5; times += 1) {
        await sendCode(caller, `0000${round}${times}`);
      }
    }
    const caller = await challenged(email);
    const answer = await sendCode(caller, totpCode(totp_uri));
    expect(answer.status).toBe(429);
  });

  /** Ten wrong codes in two sign-ins. Returns how long the account is then locked, in seconds; 0 if it is not. */
  async function guessTen(email: string, totp_uri: string): Promise<number> {
    for (let round = 0; round < 2; round += 1) {
      const caller = await challenged(email);
      for (let times = 0; times < 5; times += 1) await sendCode(caller, `0000${round}${times}`);
    }
    const { body } = await sendCode(await challenged(email), totpCode(totp_uri, 1));
    return (body as { data?: { retry_after_seconds: number } }).data?.retry_after_seconds ?? 0;
  }

  it('locks for longer each time, and the owner is told of the first lock', async () => {
    const { email, totp_uri } = await enrolled();
    const locks: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const seconds = await guessTen(email, totp_uri);
      locks.push(seconds);
      app.clock.advance({ seconds: seconds + 1 });
    }
    expect(locks.map((seconds) => Math.round(seconds / 60))).toEqual([15, 60, 240, 720, 1440, 1440]);
    const told = (await mailsTo(app, email)).filter(({ subject }) => subject.includes('wrong codes'));
    expect(told).toHaveLength(1);
  });

  it('takes no code from a stranger after 100 wrong ones, until the owner chooses a new password', async () => {
    const { email, totp_uri, caller: owner } = await enrolled();
    await app.services.db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, owner.id));
    await app.services.db
      .update(two_factors)
      .set({ failedVerificationCount: 100 })
      .where(eq(two_factors.userId, owner.id));
    expect(await sendCode(await challenged(email), totpCode(totp_uri))).toMatchObject({ status: 429 });
    const next = 'another glass of wine';
    await app.visitor().must('POST', '/api/auth/recover', { email });
    const token = tokenIn(await mailTo(app, email), '/reset-password#');
    await app.visitor().must('POST', '/api/auth/reset-password', { token, password: next });
    const caller = app.visitor();
    await caller.must('POST', '/api/auth/sign-in', { email, password: next });
    await passCode(caller, totpCode(totp_uri), {});
  });

  const wrongCodes = (caller: Caller, first: number) =>
    Promise.all([0, 1, 2, 3, 4].map((n) => sendCode(caller, `00000${first + n}`)));

  async function choosePassword(email: string, password: string): Promise<Caller> {
    const browser = app.visitor();
    await browser.must('POST', '/api/auth/recover', { email });
    const token = tokenIn(await mailTo(app, email), '/reset-password#');
    await browser.must('POST', '/api/auth/reset-password', { token, password });
    await browser.must('POST', '/api/auth/sign-in', { email, password });
    return browser;
  }

  it('a second new password on a day opens no lock, and the browser that chose it is a stranger’s', async () => {
    const { email, totp_uri, caller: owner } = await enrolled();
    await app.services.db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, owner.id));
    await guessTen(email, totp_uri);
    const thief = await choosePassword(email, PASSWORD);
    await wrongCodes(thief, 0);
    await thief.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
    await wrongCodes(thief, 5);
    await thief.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
    const answer = await sendCode(thief, totpCode(totp_uri, 1));
    expect(answer).toMatchObject({ status: 429, body: { data: { retry_after_seconds: 3600 } } });
    const again = await choosePassword(email, PASSWORD);
    expect((await sendCode(again, totpCode(totp_uri, 1))).status).toBe(429);
    app.clock.advance({ minutes: 24 * 60 + 1 });
    await passCode(await choosePassword(email, PASSWORD), totpCode(totp_uri, 1), {});
  });

  it('a new password opens the lock, and the wrong codes before it still count', async () => {
    const { email, totp_uri, caller: owner } = await enrolled();
    await app.services.db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, owner.id));
    const seconds = await guessTen(email, totp_uri);
    app.clock.advance({ seconds: seconds + 1 });
    expect(await guessTen(email, totp_uri)).toBe(3600);
    await choosePassword(email, PASSWORD);
    expect(await guessTen(email, totp_uri), 'the third lock').toBe(4 * 3600);
  });

  it('stays open to its owner on a known device while strangers guess', async () => {
    const { email, totp_uri, caller } = await enrolled();
    await caller.must('POST', '/api/auth/sign-out', {});
    await passCode(await challenged(email, caller), totpCode(totp_uri), {});
    await caller.must('POST', '/api/auth/sign-out', {});
    app.clock.advance({ minutes: 3 });
    expect(await guessTen(email, totp_uri)).toBeGreaterThan(0);
    await challenged(email, caller);
    await passCode(caller, totpCode(totp_uri, 1), {});
    const seconds = await guessTen(email, totp_uri);
    expect(Math.round(seconds / 60), 'the right code cleared the count').toBe(15);
  });
});

describe('a trusted device', () => {
  it('is asked for no code, until all others are signed out', async () => {
    const { email, totp_uri, caller } = await enrolled();
    const home = await challenged(email);
    await passCode(home, totpCode(totp_uri), { trust_device: true });
    await home.must('POST', '/api/auth/sign-out', {});
    const again = await home.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
    expect(again).toEqual({ ok: true });
    expect(await userOf(home)).toMatchObject({ email });

    await home.must('POST', '/api/auth/sign-out', {});
    await caller.must('POST', '/api/sessions/delete-others', {});
    await challenged(email, home);
  });

  it('is trusted for its own account only', async () => {
    const [ada, grace] = [await enrolled(), await enrolled()];
    const home = await challenged(ada.email);
    await passCode(home, totpCode(ada.totp_uri), { trust_device: true });
    await home.must('POST', '/api/auth/sign-out', {});
    await challenged(grace.email, home);
  });

  it('is asked again after a password recovery', async () => {
    const { email, totp_uri } = await enrolled();
    const home = await challenged(email);
    await passCode(home, totpCode(totp_uri), { trust_device: true });
    // The address is confirmed: the first recovery of an unconfirmed one removes the factor (password-reset.test.ts).
    await app.services.db.update(profiles).set({ emailVerified: true }).where(eq(profiles.email, email));
    await home.must('POST', '/api/auth/recover', { email });
    const token = tokenIn(await mailTo(app, email), '/reset-password#');
    await home.must('POST', '/api/auth/reset-password', { token, password: PASSWORD });
    await challenged(email, home);
  });
});

describe('turning it off', () => {
  it('takes the password, and forgets every trusted device', async () => {
    const { email, caller, totp_uri } = await enrolled();
    const home = await challenged(email);
    await passCode(home, totpCode(totp_uri), { trust_device: true });
    await home.must('POST', '/api/auth/sign-out', {});
    expect((await deleteFactor(caller, 'wrong one')).status).toBe(403);
    expect((await deleteFactor(caller, PASSWORD)).status).toBe(200);
    expect(await userOf(caller)).toMatchObject({ two_factor: false });
    await enroll(caller);
    await challenged(email, home);
  });

  it('new backup codes end the old ones', async () => {
    const { email, caller, backup_codes } = await enrolled();
    const fresh = await caller.must<Enrollment>('POST', BACKUP_CODES, {
      password: PASSWORD,
    });
    const visitor = await challenged(email);
    const attempt = (code?: string) => visitor.call('POST', `${BACKUP_CODES}/verify`, { code });
    expect((await attempt(backup_codes[0])).status).toBe(401);
    expect((await attempt(fresh.backup_codes[0])).status).toBe(200);
  });
});

describe('lost, and taken away by the operator', () => {
  it('the password alone signs in, every device is signed out and untrusted, and an email says so', async () => {
    const { email, caller, totp_uri } = await enrolled();
    const home = await challenged(email);
    await passCode(home, totpCode(totp_uri), { trust_device: true });
    const bystander = await enrolled();
    expect(await resetTwoFactor(app.services, ` ${email.toUpperCase()} `)).toBe(true);
    for (const device of [caller, home]) expect((await device.call('GET', '/api/sessions')).status).toBe(401);
    const again = app.visitor();
    expect(await again.must('POST', '/api/auth/sign-in', { email, password: PASSWORD })).toEqual({
      ok: true,
    });
    expect(await userOf(again)).toMatchObject({ two_factor: false });
    const mail = await mailTo(app, email);
    expect(mail?.subject).toBe('Two-step sign-in was turned off · Test Cellar');
    expect(mail?.text).toContain(`${app.url}/account/security`);
    // A new factor: no device is trusted from before.
    await enroll(again);
    await challenged(email, home);
    await challenged(bystander.email);
  });

  it('works for staff too, whose email links to their own settings', async () => {
    const staff = await app.staff();
    const { email } = (await userOf(staff)) as { email: string };
    await enroll(staff);
    expect(await resetTwoFactor(app.services, email)).toBe(true);
    expect((await staff.call('GET', '/api/customers')).status).toBe(401);
    expect((await mailTo(app, email))?.text).toContain(`${app.url}/staff/account`);
  });

  it('signs nobody out if there was no second factor', async () => {
    const email = newEmail();
    const caller = await app.customer({ email });
    expect(await resetTwoFactor(app.services, email)).toBe(false);
    expect(await resetTwoFactor(app.services, 'nobody@example.test')).toBe(false);
    expect((await caller.call('GET', '/api/sessions')).status).toBe(200);
    expect(await mailTo(app, email)).toBeUndefined();
  });
});

describe('where staff must have two-step sign-in', () => {
  let strict: TestApp;
  beforeAll(async () => {
    strict = await createTestApp({ staffNeedTwoFactor: true });
  });
  afterAll(() => strict.close());

  it('staff without it can set it up, and nothing else', async () => {
    const [staff, member] = [await strict.staff(), await strict.customer()];
    expect(await userOf(staff)).toMatchObject({ must_enrol: true });
    expect(await userOf(member)).toMatchObject({ must_enrol: false });
    const routes = Object.values(contract)
      .flatMap((procedures) => Object.values(procedures))
      .flatMap((it) => (isContractProcedure(it) ? [it['~orpc'].route] : []));
    const open: string[] = [];
    for (const { method = 'POST', path = '' } of routes) {
      if (path === '/auth/sign-out' || path === '/auth/logout') continue;
      const address = `/api${path.replace(/\{\w+\}/g, staff.id)}`;
      const { status, body } = await staff.call(method, address, method === 'GET' ? undefined : {});
      if (body?.code === 'TWO_FACTOR_REQUIRED') expect(status).toBe(403);
      else if (body?.code !== 'NOT_ALLOWED') open.push(`${method} ${path}`);
    }
    const toSignIn = [...Object.values(auth), ...Object.values(tokens)].map((it) =>
      String(it['~orpc'].route.path),
    );
    const own = open.filter((it) => !toSignIn.includes(it.split(' ')[1] ?? ''));
    // Whether or not someone is signed in, a tablet asks for PINs; invitations, codes at the bar and the way out of emails
    // are opened by their link, and a new club by its code; visitors choose a tier.
    expect(own.sort()).toEqual([
      'DELETE /bar-device/person',
      'DELETE /sessions/{id}',
      'GET /bar-device',
      'GET /passkeys',
      'GET /sessions',
      'GET /tiers/{tier_name}/offer',
      'PATCH /passkeys/{id}',
      'POST /bar-device/person',
      'POST /guest-glasses/read',
      'POST /guest-glasses/state-age',
      'POST /household-invitations/read',
      'POST /passkeys/{id}/remove',
      'POST /payment-links/pay',
      'POST /payment-links/read',
      'POST /personal-emails/unsubscribe',
      'POST /sessions/delete-others',
      'POST /setup',
      'POST /setup/read',
      'POST /team-invitations/accept',
      'POST /team-invitations/read',
      'PUT /bar-device/person',
    ]);
    expect((await member.call('GET', '/api/tiers')).status).toBe(200);

    await enroll(staff);
    expect(await userOf(staff)).toMatchObject({ must_enrol: false });
    expect((await staff.call('GET', '/api/customers')).status).toBe(200);
    expect((await deleteFactor(staff, PASSWORD)).status).toBe(200);
    expect((await staff.call('GET', '/api/customers')).status).toBe(403);
  });

  it('an earlier PIN does not let them in on a shared tablet either', async () => {
    const [manager, ann] = [await strict.staff(), await strict.staff()];
    for (const one of [manager, ann]) await enroll(one);
    const given = { user_id: manager.id, permission: 'manage_staff' as const, given_at: strict.clock.now() };
    await strict.services.db.insert(staff_permission).values(given);
    await ann.must('PUT', '/api/staff-pin', { pin: '8042', password: PASSWORD });
    await manager.must('POST', '/api/bar-devices', { name: 'Bar', idle_minutes: 5, password: PASSWORD });
    const switchIn = () => manager.call('POST', '/api/bar-device/person', { user_id: ann.id, pin: '8042' });
    expect((await switchIn()).status).toBe(200);
    expect((await deleteFactor(ann, PASSWORD)).status).toBe(200);
    expect(await switchIn()).toMatchObject({ status: 403, body: { code: 'TWO_FACTOR_REQUIRED' } });
  });
});

describe('the owner', () => {
  it('is notified by email when it is turned on or off', async () => {
    const email = newEmail();
    const caller = await app.customer({ email });
    const { totp_uri } = await createFactor(caller, PASSWORD);
    await passCode(caller, totpCode(totp_uri));
    expect((await mailTo(app, email))?.subject).toContain('Two-step sign-in was turned on');
    expect((await deleteFactor(caller, PASSWORD)).status).toBe(200);
    expect((await mailTo(app, email))?.subject).toContain('Two-step sign-in was turned off');
  });

  it('is safe from password guessing by whoever has one of their sessions', async () => {
    const caller = await app.customer({ email: newEmail() });
    const { id } = await createFactor(caller, PASSWORD);
    const guesses = [
      ['POST', FACTORS],
      ['DELETE', `${FACTORS}/${id}`],
      ['POST', BACKUP_CODES],
      ['POST', FACTORS],
    ] as const;
    const statuses: number[] = [];
    for (const [method, path] of guesses) {
      for (let times = 0; times < 3; times++) {
        statuses.push((await caller.call(method, path, { password: 'not the password' })).status);
      }
    }
    expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 403));
    expect(statuses.slice(10)).toEqual([429, 429]);
    const right = await caller.call('POST', FACTORS, { password: PASSWORD });
    expect(right).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
  });
});
