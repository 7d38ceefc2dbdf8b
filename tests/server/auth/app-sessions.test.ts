import { createHmac, createPublicKey } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { TokenSession } from '../../../src/contract/auth/auth-user.ts';
import { signOutEverywhere } from '../../../src/server/auth/revoke-access.ts';
import { removeStaff } from '../../../src/server/auth/staff-accounts.ts';
import { resetTwoFactor } from '../../../src/server/auth/two-factor/two-factor-reset.ts';
import {
  known_devices,
  rate_limits,
  refresh_tokens,
  sessions,
  verifications,
} from '../../../src/server/db/schema.ts';
import { tokenOf } from '../../support/access/cast.ts';
import { totpCode } from '../../support/fakes/authenticator-app.ts';
import {
  appSessionOf,
  claimsOf,
  fromApp,
  passwordGrant,
  refreshGrant,
  tokensOf,
} from '../../support/fixtures/app-session.ts';
import { mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import { createFactor, deleteFactor, enrollFactor, passCode } from '../../support/fixtures/second-factor.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ staffNeedTwoFactor: false });
});
afterAll(() => app.close());

let people = 0;
/** A member who is signed in at a browser and in an app. */
async function memberWithApp() {
  people += 1;
  const email = `app${people}@example.test`;
  const browser = await app.customer({ email });
  return { email, browser, tokens: await appSessionOf(app, browser) };
}

const isIn = async ({ access_token }: Pick<TokenSession, 'access_token'>) =>
  (await fromApp(app, 'GET', '/api/auth/user', { token: access_token })).status === 200;
const refresh = (sent: Pick<TokenSession, 'refresh_token'>) =>
  tokensOf(refreshGrant(app, sent.refresh_token));
const refused = async ({ refresh_token }: Pick<TokenSession, 'refresh_token'>) => {
  expect(await refreshGrant(app, refresh_token)).toMatchObject({
    status: 400,
    body: { code: 'SESSION_ENDED' },
  });
};
/** Sets the time of the last refresh. */
const refreshedAgo = (interval: string) =>
  app.services.db.update(refresh_tokens).set({ rotated_at: sql`now() - ${interval}::interval` });
/** Sets the time of the app's proofs. */
const proved = (tokens: TokenSession, interval: string) => {
  const { first_factor_at, second_factor_at, session_id } = refresh_tokens;
  const ago = (column: AnyPgColumn) =>
    sql`case when ${column} is not null then now() - ${interval}::interval end`;
  return app.services.db
    .update(refresh_tokens)
    .set({ first_factor_at: ago(first_factor_at), second_factor_at: ago(second_factor_at) })
    .where(eq(session_id, sessionOf(tokens)));
};
const sessionOf = ({ access_token }: TokenSession) => String(claimsOf(access_token).session_id);

describe('an access token', () => {
  it('lasts ten minutes and names the user and session, without name or phone', async () => {
    const { browser, tokens } = await memberWithApp();
    const { iat, exp, ...claims } = claimsOf(tokens.access_token);
    expect(Number(exp) - Number(iat)).toBe(600);
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 600, expires_at: exp });
    expect(claims).toEqual({
      sub: browser.id,
      session_id: expect.any(String),
      role: 'customer',
      email: expect.stringContaining('@'),
      is_anonymous: false,
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      aud: 'authenticated',
      iss: app.url,
      jti: expect.any(String),
    });
    expect(app.logged.join()).not.toContain(tokens.access_token);
    expect(app.logged.join()).not.toContain(tokens.refresh_token);
  });

  it('is used alone: cookies sent with it are ignored, and none is set', async () => {
    const [one, two] = [await memberWithApp(), await memberWithApp()];
    const { cookie } = two.browser;
    const withoutDevice = cookie.split('; ').filter((it) => !it.startsWith('cellar-door.device='));
    for (const beside of [cookie, withoutDevice.join('; ')]) {
      const asked = (token: string, path = '/api/session') =>
        fromApp(app, 'GET', path, { token, headers: { cookie: beside } });
      const { body, headers } = await asked(one.tokens.access_token);
      expect(body).toMatchObject({ user: { id: one.browser.id } });
      expect(headers.getSetCookie()).toEqual([]);
      expect((await asked('wrong')).body).toEqual({ user: null });
      expect((await asked('wrong', '/api/auth/factors')).status).toBe(401);
    }
  });

  it('is not sent by browsers on their own, so no origin is checked; with a cookie it is', async () => {
    const { browser, tokens } = await memberWithApp();
    const headers = { origin: 'https://elsewhere.example' };
    const change = { body: { phone: '+43 1 111' }, headers };
    expect(
      (await fromApp(app, 'PATCH', '/api/profile', { ...change, token: tokens.access_token })).status,
    ).toBe(200);
    const cookie = { ...headers, cookie: browser.cookie };
    for (const token of [undefined, 'wrong']) {
      const sent = { ...change, headers: cookie, ...(token && { token }) };
      expect((await fromApp(app, 'PATCH', '/api/profile', sent)).body).toMatchObject({
        code: 'FOREIGN_ORIGIN',
      });
    }
  });

  it('adds no passkey and links no account: both need the cookies of a browser', async () => {
    const { access_token: token } = (await memberWithApp()).tokens;
    const passkey = { token, body: { password: PASSWORD } };
    const browserNeeded = { status: 409, body: { code: 'BROWSER_NEEDED' } };
    expect(await fromApp(app, 'POST', '/api/auth/passkeys/options', passkey)).toMatchObject(browserNeeded);
    const link = '/api/auth/user/identities/authorize?provider=google&return_to=/account/security';
    const headers = { 'x-password': encodeURIComponent(PASSWORD) };
    expect(await fromApp(app, 'GET', link, { token, headers })).toMatchObject(browserNeeded);
    // The query sent by `@supabase/auth-js`.
    const sent =
      'provider=google&redirect_to=https%3A%2F%2Fapp.example&scopes=openid&prompt=none&skip_http_redirect=true';
    const asked = await fromApp(app, 'GET', `/api/auth/user/identities/authorize?${sent}`, { token });
    expect(asked).toMatchObject(browserNeeded);
  });

  it('takes the password where a browser must give it, in a header too', async () => {
    const { tokens } = await memberWithApp();
    const { access_token: token } = tokens;
    await proved(tokens, '1 hour');
    const enroll = (headers: Record<string, string>) =>
      fromApp(app, 'POST', '/api/auth/factors', { token, body: { factor_type: 'totp' }, headers });
    const wrong = { status: 403, body: { code: 'WRONG_PASSWORD' } };
    expect(await enroll({})).toMatchObject({ status: 400, body: { code: 'PASSWORD_REQUIRED' } });
    expect(await enroll({ 'x-password': '%E0%A4%A' })).toMatchObject(wrong);
    expect(await enroll({ 'x-password': 'not%20it' })).toMatchObject(wrong);
    expect((await enroll({ 'x-password': encodeURIComponent(PASSWORD) })).status).toBe(200);
  });

  it('stays valid after changing the password, while the others end', async () => {
    const { email, browser, tokens } = await memberWithApp();
    const other = await appSessionOf(app, browser);
    const body = { current_password: PASSWORD, password: 'another long password' };
    const changed = await fromApp(app, 'POST', '/api/auth/change-password', {
      token: tokens.access_token,
      body,
    });
    expect(changed.status).toBe(200);
    expect([await isIn(tokens), await isIn(other)]).toEqual([true, false]);
    expect((await passwordGrant(app, email)).status).toBe(401);
  });
});

describe('what ends the tokens of an app, at once', () => {
  /** Each act gets a person's signed-in browser and app, and their email. */
  const ENDS: Record<
    string,
    (it: { browser: Caller; email: string; tokens: TokenSession }) => Promise<unknown>
  > = {
    'the app signs out': ({ tokens }) =>
      fromApp(app, 'POST', '/api/auth/logout?scope=local', { token: tokens.access_token, body: {} }),
    'the app signs out at the browser’s address': ({ tokens }) =>
      fromApp(app, 'POST', '/api/auth/sign-out', { token: tokens.access_token, body: {} }),
    'another device ends it in the list': ({ browser, tokens }) =>
      browser.must('DELETE', `/api/sessions/${sessionOf(tokens)}`),
    'another device signs out everywhere': ({ browser }) =>
      browser.must('POST', '/api/sessions/delete-others', {}),
    'the operator signs the user out': ({ email }) => signOutEverywhere(app.services, email),
    'the password is changed': ({ browser }) =>
      browser.must('POST', '/api/auth/change-password', {
        current_password: PASSWORD,
        password: 'another long password',
      }),
    'the password is reset': async ({ browser, email }) => {
      await browser.must('POST', '/api/auth/recover', { email });
      const token = tokenIn(await mailTo(app, email), '/reset-password#');
      await browser.must('POST', '/api/auth/reset-password', { token, password: 'another long password' });
    },
    'the role changes': async ({ browser }) => {
      const role = (to: string) =>
        app.services.db.execute(sql`update user_roles set role = ${to} where user_id = ${browser.id}`);
      await role('staff');
      // The token does not return with the role.
      await role('customer');
    },
    'two-step sign-in is turned on': async ({ browser }) => void (await enrollFactor(browser, PASSWORD)),
    'the account is deleted': ({ browser }) =>
      browser.must('POST', '/api/privacy/delete-account', { password: PASSWORD, confirmation: 'DELETE' }),
    'the session expires': ({ tokens }) =>
      app.services.db
        .update(sessions)
        .set({ expiresAt: sql`now() - interval '1 second'` })
        .where(eq(sessions.id, sessionOf(tokens))),
    'its refresh token is used a second time': async ({ tokens }) => {
      await refresh(tokens);
      await refreshedAgo('31 seconds');
      await refused(tokens);
    },
  };

  test.each(Object.keys(ENDS))('%s', async (cause) => {
    const [person, bystander] = [await memberWithApp(), await memberWithApp()];
    expect(await isIn(person.tokens)).toBe(true);
    await ENDS[cause]?.(person);
    expect(
      await fromApp(app, 'GET', '/api/customers/own', { token: person.tokens.access_token }),
    ).toMatchObject({
      status: 401,
      body: { code: 'NOT_SIGNED_IN' },
    });
    expect(await isIn(person.tokens)).toBe(false);
    await refused(person.tokens);
    expect(await isIn(bystander.tokens)).toBe(true);
  });

  it('removing a staff role ends its tokens', async () => {
    const staff = await app.staff();
    const email = 'dismissed-app@example.test';
    await app.services.db.execute(sql`update profiles set email = ${email} where id = ${staff.id}`);
    const tokens = await tokensOf(passwordGrant(app, email));
    const list = () => fromApp(app, 'GET', '/api/customers', { token: tokens.access_token });
    expect((await list()).status).toBe(200);
    await removeStaff(app.services, email);
    expect((await list()).status).toBe(401);
    await refused(tokens);
  });

  it('removing a second factor, by the operator, ends the tokens', async () => {
    const { email, browser } = await memberWithApp();
    const { backup_codes } = await enrollFactor(browser, PASSWORD);
    const tokens = await appSessionOf(app, browser, backup_codes[0]);
    expect(claimsOf(tokens.access_token)).toMatchObject({ aal: 'aal2' });
    await resetTwoFactor(app.services, email);
    expect(await isIn(tokens)).toBe(false);
  });

  it('turning on two-step sign-in signs out apps, but no browser; turning it off signs out nothing', async () => {
    const { browser, email, tokens } = await memberWithApp();
    const other = app.visitor();
    await other.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
    const { backup_codes } = await enrollFactor(browser, PASSWORD);
    expect(await isIn(tokens)).toBe(false);
    await other.must('GET', '/api/sessions');
    const passed = await appSessionOf(app, browser, backup_codes[0]);
    expect((await deleteFactor(browser, PASSWORD)).status).toBe(200);
    expect(await isIn(passed)).toBe(true);
    expect(claimsOf((await refresh(passed)).access_token)).toMatchObject({ aal: 'aal1' });
  });

  it('signing out globally ends every session, and leaves API clients and known devices', async () => {
    const { browser, tokens } = await memberWithApp();
    const client = await browser.must<Record<string, string>>('POST', '/api/api-clients', {
      name: 'Till',
      password: PASSWORD,
    });
    const { authorization } = await tokenOf(app, client);
    await fromApp(app, 'POST', '/api/auth/logout', { token: tokens.access_token, body: {} });
    expect((await browser.call('GET', '/api/sessions')).status).toBe(401);
    const own = await fromApp(app, 'GET', '/api/customers/own', { headers: { authorization } });
    expect(own.status).toBe(200);
    const devices = eq(known_devices.user_id, browser.id);
    expect(await app.services.db.$count(known_devices, devices)).toBeGreaterThan(0);
  });

  it('an app is in the list of sessions, as an app', async () => {
    const { browser, tokens } = await memberWithApp();
    const list = await browser.must<{ id: string; app: boolean; current: boolean }[]>('GET', '/api/sessions');
    expect(list.map(({ app: isApp, current }) => ({ isApp, current }))).toEqual(
      expect.arrayContaining([
        { isApp: true, current: false },
        { isApp: false, current: true },
      ]),
    );
    expect(list.find((it) => it.app)?.id).toBe(sessionOf(tokens));
  });
});

describe('a refresh token', () => {
  it('can be used once; the database has a hash, and the session is extended', async () => {
    const { tokens } = await memberWithApp();
    const own = eq(sessions.id, sessionOf(tokens));
    const soon = sql`now() + interval '1 hour'`;
    await app.services.db.update(sessions).set({ expiresAt: soon }).where(own);
    const next = await refresh(tokens);
    expect(next.refresh_token).not.toBe(tokens.refresh_token);
    expect([await isIn(tokens), await isIn(next)]).toEqual([true, true]);
    const [session] = await app.services.db.select().from(sessions).where(own);
    expect((session?.expiresAt.getTime() ?? 0) - Date.now()).toBeGreaterThan(13 * 86_400_000);
    const stored = JSON.stringify(await app.services.db.select().from(refresh_tokens));
    for (const { refresh_token } of [tokens, next]) expect(stored).not.toContain(refresh_token.split('.')[2]);
  });

  it('is not extended beyond 90 days after the sign-in', async () => {
    const { tokens } = await memberWithApp();
    const own = eq(sessions.id, sessionOf(tokens));
    const long = sql`now() - interval '89 days'`;
    await app.services.db.update(sessions).set({ createdAt: long }).where(own);
    await refresh(tokens);
    const [session] = await app.services.db.select().from(sessions).where(own);
    expect((session?.expiresAt.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(86_400_000);
  });

  it('gives a client that missed the answer the same next token, for 30 seconds', async () => {
    const { tokens } = await memberWithApp();
    const lost = await refresh(tokens);
    await refreshedAgo('29 seconds');
    const again = await refresh(tokens);
    expect(again.refresh_token).toBe(lost.refresh_token);
    expect(await isIn(again)).toBe(true);
    await refreshedAgo('31 seconds');
    await refused(tokens);
    expect(await isIn(again)).toBe(false);
    await refused(again);
  });

  it('older than the last one ends its session, even within 30 seconds', async () => {
    const { tokens } = await memberWithApp();
    const second = await refresh(tokens);
    const third = await refresh(second);
    await refused(tokens);
    expect(await isIn(third)).toBe(false);
    await refused(third);
    expect(app.logged.join()).toContain('refresh token used again');
  });

  it('used while the clock was ahead is not valid until that time', async () => {
    const { tokens } = await memberWithApp();
    await refresh(tokens);
    await refreshedAgo('-2 hours');
    await refused(tokens);
  });

  it('that we did not issue ends nothing, even with the id of a session', async () => {
    const { tokens } = await memberWithApp();
    const [id, , , seal] = tokens.refresh_token.split('.');
    for (const forged of ['x', tokens.access_token, `${id}.0.${'x'.repeat(43)}.${seal}`]) {
      await refused({ refresh_token: forged });
    }
    await refresh(tokens);
  });

  it('of one session does not refresh another, and a browser’s session has none', async () => {
    const [one, two] = [await memberWithApp(), await memberWithApp()];
    const [, ...rest] = one.tokens.refresh_token.split('.');
    await refused({ refresh_token: [sessionOf(two.tokens), ...rest].join('.') });
    const kept = await app.services.db.$count(refresh_tokens);
    await app.services.db.execute(
      sql`delete from refresh_tokens where session_id = ${sessionOf(one.tokens)}`,
    );
    expect(await isIn(one.tokens)).toBe(false);
    await refused(one.tokens);
    expect(await app.services.db.$count(refresh_tokens)).toBe(kept - 1);
  });
});

describe('a sign-in that waits for its second step', () => {
  async function waiting() {
    const { email, browser } = await memberWithApp();
    const enrollment = await createFactor(browser, PASSWORD);
    await passCode(browser, totpCode(enrollment.totp_uri, -1));
    const tokens = await tokensOf(passwordGrant(app, email));
    const path = `/api/auth/factors/${enrollment.id}`;
    const send = (code: string, more = {}) =>
      fromApp(app, 'POST', `${path}/verify`, { token: tokens.access_token, body: { code, ...more } });
    return { email, browser, enrollment, tokens, path, send };
  }

  it('reaches its factors and nothing else', async () => {
    const { email, tokens, path, enrollment } = await waiting();
    const token = tokens.access_token;
    expect(claimsOf(token)).toMatchObject({ aud: 'second-step', aal: 'aal1' });
    expect(tokens.user).toMatchObject({ email, user_metadata: {}, identities: [] });
    expect(tokens.expires_in).toBeLessThanOrEqual(600);
    expect((await fromApp(app, 'GET', '/api/auth/factors', { token })).body).toEqual([
      { id: enrollment.id, type: 'totp', status: 'verified' },
    ]);
    expect((await fromApp(app, 'POST', `${path}/challenge`, { token, body: {} })).status).toBe(200);
    for (const at of ['/api/customers/own', '/api/sessions', '/api/auth/user/identities', '/api/tiers']) {
      expect((await fromApp(app, 'GET', at, { token })).status, at).toBe(401);
    }
    expect((await fromApp(app, 'GET', '/api/session', { token })).body).toEqual({ user: null });
    await refused(tokens);
  });

  it('ends with a code that is right, once', async () => {
    const { tokens, send, enrollment } = await waiting();
    const done = await tokensOf(send(totpCode(enrollment.totp_uri, 0)));
    expect(claimsOf(done.access_token)).toMatchObject({ aal: 'aal2', aud: 'authenticated' });
    expect(await isIn(done)).toBe(true);
    expect(await isIn(tokens)).toBe(false);
    expect((await send(totpCode(enrollment.totp_uri, 1))).status).toBe(401);
    await refresh(done);
  });

  it('takes five wrong codes, as in a browser, and then no right one', async () => {
    const { send, enrollment } = await waiting();
    for (let times = 0; times < 5; times += 1) {
      expect((await send(`00000${times}`)).body).toMatchObject({ code: 'CODE_INVALID' });
    }
    expect((await send(totpCode(enrollment.totp_uri, 0))).body).toMatchObject({ code: 'TOO_MANY_CODES' });
    expect((await send(totpCode(enrollment.totp_uri, 0))).status).toBe(401);
  });

  it('a code in an open session renews its tokens, and the earlier refresh token no longer works', async () => {
    const { path, send, enrollment } = await waiting();
    const before = await tokensOf(send(totpCode(enrollment.totp_uri, 0)));
    const verify = { token: before.access_token, body: { code: totpCode(enrollment.totp_uri, 1) } };
    const after = await tokensOf(fromApp(app, 'POST', `${path}/verify`, verify));
    expect(sessionOf(after)).toBe(sessionOf(before));
    expect((await refresh(before)).refresh_token).toBe(after.refresh_token);
    await refresh(after);
    await refused(before);
  });

  it('trusts no device', async () => {
    const { email, browser, send, enrollment } = await waiting();
    await tokensOf(send(totpCode(enrollment.totp_uri, 0), { trust_device: true }));
    const trusted = eq(verifications.value, browser.id);
    expect(await app.services.db.$count(verifications, trusted)).toBe(0);
    expect(claimsOf((await tokensOf(passwordGrant(app, email))).access_token)).toMatchObject({
      aud: 'second-step',
    });
  });

  it('names the challenge that its code answers', async () => {
    const { send, enrollment } = await waiting();
    const challenge_id = app.services.newId();
    expect((await send(totpCode(enrollment.totp_uri, 0), { challenge_id })).body).toMatchObject({
      code: 'CHALLENGE_NOT_FOUND',
    });
  });
});

describe('a change of the second factor', () => {
  const FACTORS = '/api/auth/factors';
  const enroll = ({ access_token: token }: TokenSession) =>
    fromApp(app, 'POST', FACTORS, {
      token,
      body: { factor_type: 'totp', friendly_name: 'My phone', issuer: 'My app' },
    });
  const remove = ({ access_token: token }: TokenSession, id: string, body?: object) =>
    fromApp(app, 'DELETE', `${FACTORS}/${id}`, { token, ...(body && { body }) });
  const verify = async ({ access_token: token }: TokenSession, id: string, code: string) =>
    tokensOf(fromApp(app, 'POST', `${FACTORS}/${id}/verify`, { token, body: { code } }));
  const required = { status: 400, body: { code: 'PASSWORD_REQUIRED' } };
  const isOn = async ({ access_token: token }: TokenSession) =>
    JSON.stringify((await fromApp(app, 'GET', FACTORS, { token })).body).includes('"verified"');

  /** A member who has just turned on two-step sign-in in an app. */
  async function twoSteps() {
    const { browser, tokens: before } = await memberWithApp();
    const { id, totp_uri } = (await enroll(before)).body as { id: string; totp_uri: string };
    const tokens = await verify(before, id, totpCode(totp_uri, -1));
    return { browser, tokens, id, totp_uri };
  }

  it.each([
    ['9 minutes', 200],
    ['11 minutes', 400],
    ['-1 hour', 400],
  ])('a factor is added without the password if the session proved it %s ago: %i', async (ago, status) => {
    const { tokens } = await memberWithApp();
    await proved(tokens, ago);
    expect((await enroll(tokens)).status).toBe(status);
    const again = await refresh(tokens);
    expect((await enroll(again)).status).toBe(status);
  });

  it.each([
    ['9 minutes', 200],
    ['11 minutes', 400],
    ['-1 hour', 400],
  ])('one is removed without a code if the session proved one %s ago: %i', async (ago, status) => {
    const { tokens, id } = await twoSteps();
    await proved(tokens, ago);
    const again = await refresh(tokens);
    expect((await remove(again, id)).status).toBe(status);
    expect(await isOn(again)).toBe(status !== 200);
  });

  it('a code in an open session proves it again, and so does one that comes with the removal', async () => {
    for (const how of ['before', 'with it'] as const) {
      const { tokens, id, totp_uri } = await twoSteps();
      await proved(tokens, '1 hour');
      expect(await remove(tokens, id)).toMatchObject(required);
      const code = totpCode(totp_uri, 0);
      const after = how === 'before' ? await verify(tokens, id, code) : tokens;
      expect((await remove(after, id, how === 'before' ? undefined : { code })).status).toBe(200);
      expect(await isOn(after)).toBe(false);
    }
  });

  it('a factor that was never confirmed is removed as one is added', async () => {
    const { tokens } = await memberWithApp();
    const { id } = (await enroll(tokens)).body as { id: string };
    await proved(tokens, '1 hour');
    expect(await remove(tokens, id)).toMatchObject(required);
    await proved(tokens, '0 seconds');
    expect((await remove(tokens, id)).status).toBe(200);
  });

  it('codes guessed with a copied token are counted, wherever they are tried, and right ones come too late', async () => {
    const { tokens, id, totp_uri } = await twoSteps();
    await proved(tokens, '1 hour');
    const { access_token: token } = tokens;
    for (let i = 0; i < 9; i += 1) {
      const code = `00000${i}`;
      const path = `${FACTORS}/${id}`;
      const tried =
        i % 2
          ? remove(tokens, id, { code })
          : fromApp(app, 'POST', `${path}/verify`, { token, body: { code } });
      expect((await tried).body).toMatchObject({ code: 'CODE_INVALID' });
    }
    expect(await remove(tokens, id, { code: totpCode(totp_uri, 0) })).toMatchObject({ status: 429 });
    expect(await isOn(tokens)).toBe(true);
  });

  it('needs the password in a browser, in another app, and for everything else', async () => {
    const { browser, tokens } = await memberWithApp();
    expect(await browser.call('POST', FACTORS, {})).toMatchObject(required);
    const other = await appSessionOf(app, browser);
    await proved(other, '1 hour');
    expect(await enroll(other)).toMatchObject(required);
    const { access_token: token } = tokens;
    for (const [method, path, body] of [
      ['POST', '/api/api-clients', { name: 'Till' }],
      ['POST', '/api/auth/change-password', { password: 'another long password' }],
      ['POST', '/api/auth/backup-codes', {}],
    ] as const) {
      expect((await fromApp(app, method, path, { token, body })).status, path).toBe(400);
    }
  });
});

describe('kinds of tokens', () => {
  it('are not accepted for one another, nor with another algorithm', async () => {
    const { browser, tokens } = await memberWithApp();
    const client = await browser.must<Record<string, string>>('POST', '/api/api-clients', {
      name: 'Till',
      password: PASSWORD,
    });
    const ofClient = (await tokenOf(app, client)).authorization.replace('Bearer ', '');
    // An API client has no control over the account, and is no session.
    expect((await fromApp(app, 'GET', '/api/auth/user', { token: ofClient })).status).toBe(403);
    expect((await fromApp(app, 'GET', '/api/sessions', { token: ofClient })).status).toBe(403);
    await refused({ refresh_token: ofClient });
    // A session's token is not a client's, so it has that control.
    expect((await fromApp(app, 'GET', '/api/sessions', { token: tokens.access_token })).status).toBe(200);

    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const header = JSON.parse(Buffer.from(tokens.access_token.split('.')[0] ?? '', 'base64url').toString());
    const claims = claimsOf(tokens.access_token);
    const [, , signature] = tokens.access_token.split('.');
    const { keys } = await app.visitor().must<{ keys: Record<string, unknown>[] }>('GET', '/api/auth/jwks');
    const jwk = keys.find(({ kid }) => kid === header.kid) ?? {};
    const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ format: 'pem', type: 'spki' });
    const hmac = `${part({ ...header, alg: 'HS256' })}.${part(claims)}`;
    const forged = {
      'with our public key as the secret': `${hmac}.${createHmac('sha256', pem).update(hmac).digest('base64url')}`,
      'with no signature': `${part({ ...header, alg: 'none' })}.${part(claims)}.`,
      'of another audience': `${part(header)}.${part({ ...claims, aud: `${app.url}/api` })}.${signature}`,
      'of another user': `${part(header)}.${part({ ...claims, sub: app.services.newId() })}.${signature}`,
      'without a header': `..${signature}`,
      'with a key that is no text': `${part({ alg: 'ES256', kid: { toString: 1 } })}.${part(claims)}.${signature}`,
      'with a key of SQL': `${part({ alg: 'ES256', kid: "' or 1=1 --" })}.${part(claims)}.${signature}`,
      'far too long': `${tokens.access_token}${'a'.repeat(5000)}`,
      'the refresh token': tokens.refresh_token,
      'the API client’s secret': client.client_secret ?? '',
    };
    for (const [name, token] of Object.entries(forged)) {
      expect((await fromApp(app, 'GET', '/api/auth/user', { token })).status, name).toBe(401);
    }
  });
});

describe('getting tokens', () => {
  it('answers only requests of the right form, in JSON', async () => {
    const at = '/api/auth/token';
    const refusedWith = async (path: string, body: unknown, headers?: Record<string, string>) => {
      const { status, body: answer } = await fromApp(app, 'POST', path, {
        body,
        ...(headers && { headers }),
      });
      return `${status} ${answer.code}`;
    };
    const password = { email: 'nobody@example.test', password: PASSWORD };
    expect(await refusedWith(at, password)).toBe('400 UNSUPPORTED_GRANT_TYPE');
    expect(await refusedWith(`${at}?grant_type=pkce`, password)).toBe('400 BAD_REQUEST');
    expect(await refusedWith(`${at}?grant_type=refresh_token`, password)).toBe('400 BAD_REQUEST');
    expect(await refusedWith(`${at}?grant_type=password`, { refresh_token: 'x' })).toBe('400 BAD_REQUEST');
    expect(await refusedWith(`${at}?grant_type=password`, password)).toBe('401 INVALID_CREDENTIALS');
    const text = { 'content-type': 'text/plain' };
    expect(await refusedWith(`${at}?grant_type=password`, password, text)).toBe('415 UNSUPPORTED_MEDIA_TYPE');
  });

  it('never signs anyone up as staff', async () => {
    const data = { first_name: 'Eve', last_name: 'Other', role: 'staff' };
    const body = { email: 'eve-app@example.test', password: PASSWORD, data };
    expect((await fromApp(app, 'POST', '/api/auth/signup', { body })).status).toBe(400);
  });

  it('where emails must be confirmed, no session begins before, and the answer is the same for a known email', async () => {
    const strict = await createTestApp({ verifyEmail: 'required' });
    const signUp = (email: string) =>
      fromApp(strict, 'POST', '/api/auth/signup', {
        body: { email, password: PASSWORD, data: { first_name: 'Ada', last_name: 'New' } },
      });
    const first = await signUp('unconfirmed@example.test');
    expect(first).toMatchObject({ status: 200, body: { email: 'unconfirmed@example.test', identities: [] } });
    const again = await signUp('unconfirmed@example.test');
    const { id } = again.body;
    expect(id).not.toBe(first.body.id);
    expect(again).toMatchObject({ status: 200, body: { ...first.body, id } });
    expect(await passwordGrant(strict, 'unconfirmed@example.test')).toMatchObject({
      status: 403,
      body: { code: 'EMAIL_NOT_VERIFIED' },
    });
    await strict.close();
  });

  it('has the same limits as a browser’s sign-in, counted together, and knows its device by a cookie', async () => {
    const limited = await createTestApp({ limitAttempts: true });
    const email = 'guessed@example.test';
    const browser = await limited.customer({ email });
    const own = await passwordGrant(limited, email);
    const device = own.headers.getSetCookie();
    expect(device.map((line) => line.split('=')[0])).toEqual(['cellar-door.device']);
    expect(device[0]).toContain('HttpOnly');
    for (let times = 0; times < 20; times += 1) {
      const guess = { email, password: 'not the password' };
      const status =
        times % 2 === 0
          ? (await limited.visitor().call('POST', '/api/auth/sign-in', guess)).status
          : (await passwordGrant(limited, email, guess.password)).status;
      expect(status, `guess ${times}`).toBe(401);
    }
    expect(await passwordGrant(limited, email)).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_ATTEMPTS' },
    });
    expect(
      (await limited.visitor().call('POST', '/api/auth/sign-in', { email, password: PASSWORD })).status,
    ).toBe(429);
    const cookie = device[0]?.split(';')[0] ?? '';
    const known = await fromApp(limited, 'POST', '/api/auth/token?grant_type=password', {
      body: { email, password: PASSWORD },
      headers: { cookie: `${browser.cookie}; ${cookie}` },
    });
    expect(known.status).toBe(200);
    expect(await limited.services.db.$count(rate_limits)).toBeGreaterThan(0);
    await limited.close();
  });
});
