import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import type { LinkedAccount } from '../../../src/contract/auth/linked-accounts.ts';
import { accounts, profiles, sessions } from '../../../src/server/db/schema.ts';
import { totpCode } from '../../support/fakes/authenticator-app.ts';
import { type OidcServer, startOidcServer } from '../../support/fakes/oidc-server.ts';
import { mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import { startLinking } from '../../support/fixtures/linked-account.ts';
import { enrollFactor, passCode } from '../../support/fixtures/second-factor.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

const TOKEN = 'cellar-door.session_token';

let app: TestApp;
let elsewhere: OidcServer;
let silent: OidcServer;
let people = 0;
beforeAll(async () => {
  elsewhere = await startOidcServer();
  // Configured, but stopped before it is needed.
  silent = await startOidcServer('silent', 'Silent ID');
  await silent.close();
  app = await createTestApp({ providers: [elsewhere.config, silent.config] });
  elsewhere.allow(app.url);
});
afterAll(async () => {
  await app.close();
  await elsewhere.close();
});
beforeEach(() => {
  elsewhere.person = { sub: `there-${++people}`, email: `there-${people}@elsewhere.test` };
  elsewhere.declines = false;
});

const newEmail = () => `identity-${++people}@example.test`;

const start = async (
  caller: Caller,
  { password = PASSWORD, provider = 'vineyard' }: { password?: string; provider?: string } = {},
) => startLinking(caller, { provider, password });

/** Returns from the provider; resolves to the URL that our server redirects to. */
async function comeBack(caller: Caller, address: string): Promise<string | null> {
  const { pathname, search } = new URL(address);
  const answer = await caller.raw('GET', pathname + search);
  expect(answer.status).toBe(302);
  return answer.headers.get('location');
}

async function link(caller: Caller): Promise<string | null> {
  const { status, body } = await start(caller);
  expect(status).toBe(200);
  return comeBack(caller, await elsewhere.visit(body.url));
}

async function signIn(caller: Caller, redirect?: string): Promise<string | null> {
  const { url } = await caller.must<{ url: string }>('POST', '/api/auth/sign-in/provider', {
    provider: 'vineyard',
    ...(redirect ? { redirect } : {}),
  });
  return comeBack(caller, await elsewhere.visit(url));
}

/** The path of the caller's linked account there, or of their password. */
async function pathOf(caller: Caller, providerId: string): Promise<string> {
  const own = and(eq(accounts.userId, caller.id), eq(accounts.providerId, providerId));
  const [row] = await app.services.db.select({ id: accounts.id }).from(accounts).where(own);
  return `/api/auth/user/identities/${row?.id}`;
}

const linkedTo = async (caller: Caller) =>
  (await caller.must<LinkedAccount[]>('GET', '/api/auth/user/identities')).filter(
    (it) => it.linked_at !== null,
  );
const userOf = async (caller: Caller) =>
  (await caller.must<{ user: Record<string, unknown> | null }>('GET', '/api/session')).user;

describe('linking', () => {
  it('takes the password and a sign-in at the provider, and is announced by email', async () => {
    const email = newEmail();
    const caller = await app.customer({ email });
    expect(await caller.must('GET', '/api/auth/user/identities')).toEqual([
      { id: null, provider: 'vineyard', label: 'Vineyard ID', linked_at: null },
      { id: null, provider: 'silent', label: 'Silent ID', linked_at: null },
    ]);
    expect(await start(caller, { password: 'not the password' })).toMatchObject({
      status: 403,
      body: { code: 'WRONG_PASSWORD' },
    });
    expect(await link(caller)).toBe('/account/security?linked=vineyard');
    expect(await linkedTo(caller)).toMatchObject([{ provider: 'vineyard' }]);
    expect((await mailTo(app, email))?.subject).toContain('Vineyard ID was linked to your account');
    expect(await start(caller)).toMatchObject({ status: 409, body: { code: 'ALREADY_LINKED' } });
  });

  it('requests no name or email, and uses PKCE, state and nonce', async () => {
    const { body } = await start(await app.customer({ email: newEmail() }));
    const asked = new URL(body.url).searchParams;
    expect(asked.get('scope')).toBe('openid');
    expect(asked.get('code_challenge_method')).toBe('S256');
    for (const name of ['state', 'nonce', 'code_challenge']) expect(asked.get(name)).toMatch(/^[\w-]{20,}$/);
    expect(asked.get('redirect_uri')).toBe(`${app.url}/api/auth/callback/vineyard`);
  });

  it('stores the identity, and no token of the provider', async () => {
    const caller = await app.customer({ email: newEmail() });
    await link(caller);
    const [row] = await app.services.db
      .select()
      .from(accounts)
      .where(and(eq(accounts.userId, caller.id), eq(accounts.providerId, 'vineyard')));
    expect(row).toMatchObject({
      accountId: elsewhere.person.sub,
      accessToken: null,
      refreshToken: null,
      idToken: null,
      scope: null,
    });
  });

  it('needs a session, on the return too', async () => {
    expect(await start(app.visitor())).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } });
    const caller = await app.customer({ email: newEmail() });
    const { body } = await start(caller);
    const address = await elsewhere.visit(body.url);
    await app.services.db.delete(sessions).where(eq(sessions.userId, caller.id));
    expect(await comeBack(caller, address)).toBe('/account/security?problem=failed');
    expect(await app.services.db.select().from(accounts).where(eq(accounts.userId, caller.id))).toHaveLength(
      1,
    );
  });

  it('an identity belongs to one person', async () => {
    const [first, second] = [
      await app.customer({ email: newEmail() }),
      await app.customer({ email: newEmail() }),
    ];
    await link(first);
    expect(await link(second)).toBe('/account/security?problem=taken');
    expect(await linkedTo(second)).toEqual([]);
  });

  it('a user who declines is back where they were', async () => {
    elsewhere.declines = true;
    expect(await link(await app.customer({ email: newEmail() }))).toBe('/account/security?problem=cancelled');
  });

  it('is blocked for a while after ten wrong passwords', async () => {
    const caller = await app.customer({ email: newEmail() });
    for (let times = 0; times < 10; times += 1) await start(caller, { password: 'not the password' });
    expect(await start(caller)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
  });
});

describe('the return from the provider', () => {
  it('works only in the browser that started', async () => {
    const [caller, other] = [
      await app.customer({ email: newEmail() }),
      await app.customer({ email: newEmail() }),
    ];
    const { body } = await start(caller);
    const address = await elsewhere.visit(body.url);
    expect(await comeBack(other, address)).toBe('/account/security?problem=expired');
    expect(await linkedTo(other)).toEqual([]);
    expect(await linkedTo(caller)).toEqual([]);
  });

  it('works once', async () => {
    const caller = await app.customer({ email: newEmail() });
    const { body } = await start(caller);
    const address = await elsewhere.visit(body.url);
    expect(await comeBack(caller, address)).toBe('/account/security?linked=vineyard');
    expect(await comeBack(caller, address)).toBe('/login?problem=expired');
  });

  it('must come from the provider that was asked', async () => {
    const caller = await app.customer({ email: newEmail() });
    const { body } = await start(caller);
    const address = (await elsewhere.visit(body.url)).replace('/callback/vineyard', '/callback/silent');
    expect(await comeBack(caller, address)).toBe('/account/security?problem=failed');
    const { body: again } = await start(caller);
    const foreign = new URL(await elsewhere.visit(again.url));
    foreign.searchParams.set('iss', 'https://evil.example');
    expect(await comeBack(caller, foreign.href)).toBe('/account/security?problem=failed');
    expect(await linkedTo(caller)).toEqual([]);
  });

  test.each([
    ['nothing', ''],
    ['an invented state', '?state=invented&code=x'],
    ['a state too long', `?state=${'x'.repeat(300)}&code=x`],
    ['an error alone', '?error=server_error'],
    ['a script', '?state=a&error=%3Cscript%3E&error_description=%3Cscript%3E'],
  ])('%s leads to the sign-in page, whatever was sent', async (_, query) => {
    const location = await comeBack(app.visitor(), `${app.url}/api/auth/callback/vineyard${query}`);
    expect(location).toMatch(/^\/login\?problem=(expired|failed)$/);
  });

  it('leads to our own pages alone', async () => {
    for (const redirect of ['https://evil.example', '//evil.example', '/\\evil.example', 'pours']) {
      const answer = await app.visitor().call('POST', '/api/auth/sign-in/provider', {
        provider: 'vineyard',
        redirect,
      });
      expect(answer.status).toBe(400);
    }
    const fields = { provider: 'vineyard', callbackURL: 'https://evil.example' };
    expect((await app.visitor().call('POST', '/api/auth/sign-in/provider', fields)).status).toBe(400);
    const posted = await app.visitor().raw('POST', '/api/auth/callback/vineyard', { body: 'state=x' });
    expect(posted.status).toBe(404);
  });
});

describe('signing in', () => {
  it('works with what was linked, with a new session, and ends the one it replaces', async () => {
    const email = newEmail();
    const caller = await app.customer({ email });
    await link(caller);
    const visitor = app.visitor();
    expect(await signIn(visitor, '/pours?from=card')).toBe('/login?redirect=%2Fpours%3Ffrom%3Dcard');
    expect(await userOf(visitor)).toMatchObject({ email });

    const before = visitor.jar.get(TOKEN);
    await signIn(visitor);
    expect(visitor.jar.get(TOKEN)).not.toBe(before);
    const old = app.visitor();
    old.jar.set(TOKEN, before ?? '');
    expect(await userOf(old)).toBeNull();
  });

  it('creates no account, and gives access to none with the same email', async () => {
    const visitor = app.visitor();
    expect(await signIn(visitor)).toBe('/login?problem=not-linked');
    const { db } = app.services;
    const rows = await db.select().from(profiles).where(eq(profiles.email, elsewhere.person.email));
    expect(rows).toEqual([]);

    const victim = await app.customer({ email: newEmail() });
    const [profile] = await db.select().from(profiles).where(eq(profiles.id, victim.id));
    elsewhere.person = { sub: 'attacker', email: profile?.email ?? '' };
    expect(await signIn(visitor)).toBe('/login?problem=not-linked');
    expect(await userOf(visitor)).toBeNull();
    expect(await linkedTo(victim)).toEqual([]);
  });

  it('still asks for the second factor, and gives nothing before it', async () => {
    const email = newEmail();
    const caller = await app.customer({ email });
    await link(caller);
    const { totp_uri } = await enrollFactor(caller, PASSWORD, -1);

    const visitor = app.visitor();
    const { url } = await visitor.must<{ url: string }>('POST', '/api/auth/sign-in/provider', {
      provider: 'vineyard',
      redirect: '/pours',
    });
    const { pathname, search } = new URL(await elsewhere.visit(url));
    const answer = await visitor.raw('GET', pathname + search);
    expect(answer.headers.get('location')).toBe('/two-factor?redirect=%2Fpours');
    // Not even in a header line that a later one overrides.
    for (const line of answer.headers.getSetCookie()) {
      if (line.startsWith('cellar-door.session')) expect(line).toMatch(/^[^=]+=;.*Max-Age=0/i);
    }
    expect(await userOf(visitor)).toBeNull();
    await passCode(visitor, totpCode(totp_uri));
    expect(await userOf(visitor)).toMatchObject({ email });
  });
});

describe('unlinking', () => {
  it('removes that way to sign in, and is announced by email', async () => {
    const email = newEmail();
    const caller = await app.customer({ email });
    await link(caller);
    const path = await pathOf(caller, 'vineyard');
    const credential = await pathOf(caller, 'credential');
    await caller.must('DELETE', path, { password: PASSWORD });
    expect(await linkedTo(caller)).toEqual([]);
    expect(await signIn(app.visitor())).toBe('/login?problem=not-linked');
    expect((await mailTo(app, email))?.subject).toContain('Vineyard ID is no longer linked');
    expect((await caller.call('DELETE', path, { password: PASSWORD })).status).toBe(404);
    expect((await caller.call('DELETE', credential, { password: PASSWORD })).status).toBe(404);
  });

  it('takes the password, so that the account can still be reached', async () => {
    const caller = await app.customer({ email: newEmail() });
    await link(caller);
    const path = await pathOf(caller, 'vineyard');
    const wrong = await caller.call('DELETE', path, { password: 'not the password' });
    expect(wrong).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } });
    expect((await caller.call('DELETE', path)).status).toBe(400);
    const password = and(eq(accounts.userId, caller.id), eq(accounts.providerId, 'credential'));
    await app.services.db.delete(accounts).where(password);
    const none = await caller.call('DELETE', path, { password: PASSWORD });
    expect(none).toMatchObject({ status: 409, body: { code: 'NO_PASSWORD' } });
    expect(await linkedTo(caller)).toHaveLength(1);
  });

  it('comes with a recovered password', async () => {
    const email = newEmail();
    const caller = await app.customer({ email });
    await link(caller);
    await caller.must('POST', '/api/auth/recover', { email });
    const token = tokenIn(await mailTo(app, email), '/reset-password#');
    await caller.must('POST', '/api/auth/reset-password', { token, password: PASSWORD });
    expect(await signIn(app.visitor())).toBe('/login?problem=not-linked');
  });
});

describe('a provider that does not answer', () => {
  it('is reported, and everything else works', async () => {
    const caller = await app.customer({ email: newEmail() });
    const refused = {
      status: 503,
      body: {
        code: 'PROVIDER_UNREACHABLE',
        message: expect.stringContaining('isn’t responding'),
        data: { provider: 'Silent ID' },
      },
    };
    expect(await start(caller, { provider: 'silent' })).toMatchObject(refused);
    const visitor = app.visitor();
    expect(await visitor.call('POST', '/api/auth/sign-in/provider', { provider: 'silent' })).toMatchObject(
      refused,
    );
    expect((await caller.call('GET', '/api/customers/own')).status).toBe(200);
    expect(await link(caller)).toBe('/account/security?linked=vineyard');
  });

  it('that connects but never answers times out, and holds up nobody else', async () => {
    const hung = createServer().listen(0, '127.0.0.1');
    await once(hung, 'listening');
    const issuer = `http://127.0.0.1:${(hung.address() as AddressInfo).port}`;
    const other = await createTestApp({ providers: [{ ...elsewhere.config, issuer }] });
    const waiting = other.visitor().call('POST', '/api/auth/sign-in/provider', { provider: 'vineyard' });
    await other.customer({ email: newEmail() });
    expect(await waiting).toMatchObject({ status: 503, body: { code: 'PROVIDER_UNREACHABLE' } });
    await other.close();
    hung.close();
  });

  it('with the discovery document of another issuer is refused', async () => {
    const issuer = elsewhere.config.issuer.replace('127.0.0.1', 'localhost');
    const other = await createTestApp({ providers: [{ ...elsewhere.config, issuer }] });
    const answer = await other.visitor().call('POST', '/api/auth/sign-in/provider', { provider: 'vineyard' });
    expect(answer.status).toBe(503);
    await other.close();
  });

  it('that is not configured is not found', async () => {
    const caller = await app.customer({ email: newEmail() });
    expect((await start(caller, { provider: 'unknown' })).status).toBe(404);
    expect(await comeBack(caller, `${app.url}/api/auth/callback/unknown?state=x&code=y`)).toMatch(
      /^\/login\?problem=/,
    );
  });
});

describe('where staff must have a second factor', () => {
  it('they cannot link before setting it up', async () => {
    const strict = await createTestApp({ staffNeedTwoFactor: true, providers: [elsewhere.config] });
    const staff = await strict.staff();
    expect(await start(staff)).toMatchObject({ status: 403, body: { code: 'TWO_FACTOR_REQUIRED' } });
    expect(await staff.call('GET', '/api/auth/user/identities')).toMatchObject({ status: 403 });
    await strict.close();
  });
});

describe('where emails must be confirmed', () => {
  it('a linked identity does not confirm the email', async () => {
    const strict = await createTestApp({ verifyEmail: 'required', providers: [elsewhere.config] });
    elsewhere.allow(strict.url);
    const staff = await strict.staff();
    expect(await link(staff)).toBe('/account/security?linked=vineyard');
    expect(await signIn(strict.visitor())).toBe('/login');
    const { db } = strict.services;
    await db.update(profiles).set({ emailVerified: false }).where(eq(profiles.id, staff.id));
    const visitor = strict.visitor();
    expect(await signIn(visitor)).toBe('/login?problem=unconfirmed');
    expect(await userOf(visitor)).toBeNull();
    await strict.close();
  });
});
