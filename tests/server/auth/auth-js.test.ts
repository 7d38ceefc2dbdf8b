import { AuthClient } from '@supabase/auth-js';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { accounts } from '../../../src/server/db/schema.ts';
import { totpCode } from '../../support/fakes/authenticator-app.ts';
import { mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';

/**
 * An unchanged client library of a hosted auth service, against our API. docs/decisions/apps-and-clients.md lists the
 * requests that are not supported.
 */
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const KEY = 'session';

type Client = InstanceType<typeof AuthClient>;

/** A client as in an app: it stores the session itself, and asks its user for the password to unlink. */
function newClient() {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const sent: string[] = [];
  const client = new AuthClient({
    url: `${app.url}/api/auth`,
    storageKey: KEY,
    storage,
    autoRefreshToken: false,
    fetch: (input, init) => {
      sent.push(`${init?.method} ${new URL(String(input)).pathname}`);
      const headers = new Headers(init?.headers);
      const unlinks = init?.method === 'DELETE' && String(input).includes('/identities/');
      if (unlinks) headers.set('x-password', encodeURIComponent(PASSWORD));
      return fetch(input, { ...init, headers });
    },
  });
  /** Makes the access token look about to expire. */
  const expireSoon = () => {
    const session = JSON.parse(kept.get(KEY) ?? '{}');
    kept.set(KEY, JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) + 60 }));
  };
  return { client, kept, sent, expireSoon };
}

const person = (email: string) => ({
  email,
  password: PASSWORD,
  options: { data: { first_name: 'Ada', last_name: 'App', phone: '+43 1 234567', role: 'customer' } },
});

/** The data of a call without an error. */
type Answer<Reply> = NonNullable<Extract<Reply, { error: null }> extends { data: infer Data } ? Data : never>;

/** Returns the data of a call, which must not be an error. */
async function must<Reply extends { data: unknown; error: unknown }>(
  call: Promise<Reply>,
): Promise<Answer<Reply>> {
  const { data, error } = await call;
  expect(error).toBeNull();
  if (data === null || data === undefined) throw new Error('no data');
  return data as Answer<Reply>;
}

it('signs up, reads the user, signs out and signs in', async () => {
  const email = 'app-person@example.test';
  const { client, kept } = newClient();
  const { user, session } = await must(client.signUp(person(email)));
  expect(user).toMatchObject({
    email,
    aud: 'authenticated',
    role: 'customer',
    user_metadata: { first_name: 'Ada', last_name: 'App', phone: '+43 1 234567' },
    app_metadata: { provider: 'email', providers: ['email'] },
  });
  expect(session).toMatchObject({ token_type: 'bearer', expires_in: 600 });
  expect((session?.expires_at ?? 0) * 1000 - Date.now()).toBeGreaterThan(590_000);
  expect((await must(client.getUser())).user.id).toBe(user?.id);

  expect((await client.signOut()).error).toBeNull();
  expect(kept.size).toBe(0);
  expect((await client.getUser()).error?.name).toBe('AuthSessionMissingError');

  const again = await must(client.signInWithPassword({ email, password: PASSWORD }));
  expect(again.user?.id).toBe(user?.id);
  const { error } = await client.signInWithPassword({ email, password: 'not the password' });
  expect(error).toMatchObject({ status: 401, message: 'Invalid email or password' });
});

it('tells errors by the codes that the library knows', async () => {
  const email = 'codes@example.test';
  const { client } = newClient();
  await must(client.signUp(person(email)));
  const codeOf = async (reply: Promise<{ error: { code?: string | undefined } | null }>) =>
    (await reply).error?.code;
  expect(await codeOf(client.signInWithPassword({ email, password: 'not the password' }))).toBe(
    'invalid_credentials',
  );
  expect(await codeOf(newClient().client.signUp(person(email)))).toBe('user_already_exists');
  expect(await codeOf(client.mfa.enroll({ factorType: 'phone', phone: '+431234567' }))).toBe(
    'validation_failed',
  );
  for (const [password, reason] of [
    ['short', 'length'],
    ['password123', 'pwned'],
  ] as const) {
    const { error } = await newClient().client.signUp({ ...person('weak@example.test'), password });
    expect(error).toMatchObject({ name: 'AuthWeakPasswordError', code: 'weak_password', reasons: [reason] });
  }
});

it('a session ended elsewhere leaves the app', async () => {
  const { client, kept } = newClient();
  const { user } = await must(client.signUp(person('ended-elsewhere@example.test')));
  const events: string[] = [];
  client.onAuthStateChange((event) => void events.push(event));
  await app.services.db.execute(sql`delete from sessions where user_id = ${user?.id}`);
  expect((await client.getUser()).error?.name).toBe('AuthSessionMissingError');
  expect(kept.size).toBe(0);
  expect(events).toContain('SIGNED_OUT');
});

it('the user and the token have the fields that apps read', async () => {
  const email = 'fields@example.test';
  const { client } = newClient();
  const { user } = await must(client.signUp(person(email)));
  expect(user).toMatchObject({
    email_confirmed_at: expect.any(String),
    last_sign_in_at: expect.any(String),
    identities: [
      { provider: 'email', identity_data: { sub: user?.id, email }, last_sign_in_at: expect.any(String) },
    ],
  });
  const { claims, header } = await must(client.getClaims());
  expect(header).toMatchObject({ typ: 'JWT', alg: 'ES256' });
  expect(claims).toMatchObject({
    email,
    is_anonymous: false,
    amr: [{ method: 'password', timestamp: expect.any(Number) }],
  });
});

it('a club that asks for confirmation has no confirmed email before, and the sign-up returns the user', async () => {
  const strict = await createTestApp({ verifyEmail: 'required' });
  const client = new AuthClient({
    url: `${strict.url}/api/auth`,
    autoRefreshToken: false,
    persistSession: false,
  });
  const { user, session } = await must(client.signUp(person('unconfirmed@example.test')));
  expect(session).toBeNull();
  expect(user).toMatchObject({ email: 'unconfirmed@example.test', identities: [] });
  expect(user?.email_confirmed_at).toBeUndefined();
  const refused = await client.signInWithPassword({ email: 'unconfirmed@example.test', password: PASSWORD });
  expect(refused.error?.code).toBe('email_not_confirmed');
  await strict.close();
});

it('refreshes by itself shortly before the access token expires, in the background too', async () => {
  const { client, kept, sent, expireSoon } = newClient();
  const { session: first } = await must(client.signUp(person('refreshing@example.test')));
  expireSoon();
  const { session: second } = await must(client.getSession());
  expect(second?.refresh_token).not.toBe(first?.refresh_token);
  expect(second?.access_token).not.toBe(first?.access_token);
  expect((await must(client.getUser())).user.email).toBe('refreshing@example.test');

  expireSoon();
  const refreshed = new Promise((done) => {
    client.onAuthStateChange((event) => event === 'TOKEN_REFRESHED' && done(event));
  });
  await client.startAutoRefresh();
  await refreshed;
  await client.stopAutoRefresh();
  expect(JSON.parse(kept.get(KEY) ?? '{}').refresh_token).not.toBe(second?.refresh_token);
  expect(sent.filter((it) => it === 'POST /api/auth/token')).toHaveLength(2);
});

it('a refresh that fails for good removes the session', async () => {
  const { client, kept } = newClient();
  const { user } = await must(client.signUp(person('signed-out@example.test')));
  await app.services.db.execute(sql`delete from sessions where user_id = ${user?.id}`);
  kept.set(KEY, JSON.stringify({ ...JSON.parse(kept.get(KEY) ?? '{}'), expires_at: 1 }));
  const { data, error } = await client.getSession();
  expect(data.session).toBeNull();
  expect(error).toMatchObject({ status: 400, message: 'This session has ended. Please sign in again.' });
  expect(kept.size).toBe(0);
});

it('verifies an access token by the published keys, without asking us', async () => {
  const { client, sent } = newClient();
  const { user } = await must(client.signUp(person('claims@example.test')));
  const { claims } = await must(client.getClaims());
  expect(claims).toMatchObject({ sub: user?.id, aud: 'authenticated', iss: app.url, role: 'customer' });
  // The library keeps the keys for all its clients, so only the first asks for them.
  expect(sent.filter((it) => it !== 'GET /api/auth/.well-known/jwks.json')).toEqual([
    'POST /api/auth/signup',
  ]);
});

it('asks for recovery: the link leads to our page, and the new password signs in', async () => {
  const email = 'forgetful@example.test';
  const { client } = newClient();
  await must(client.signUp(person(email)));
  await must(client.resetPasswordForEmail(email));
  const token = tokenIn(await mailTo(app, email), '/reset-password#');
  const password = 'another long password';
  await app.visitor().must('POST', '/api/auth/reset-password', { token, password });
  expect((await client.getUser()).error?.name).toBe('AuthSessionMissingError');
  await must(client.signInWithPassword({ email, password }));
});

it('enrolls, challenges, verifies and removes a second factor', async () => {
  const email = 'two-steps@example.test';
  const { client } = newClient();
  await must(client.signUp(person(email)));
  const { id, totp } = await must(client.mfa.enroll({ factorType: 'totp' }));
  expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg/);
  expect(new URL(totp.uri).searchParams.get('secret')).toBe(totp.secret);

  const challenge = await must(client.mfa.challenge({ factorId: id }));
  expect(challenge).toMatchObject({ type: 'totp', expires_at: expect.any(Number) });
  const wrong = await client.mfa.verify({ factorId: id, challengeId: id, code: totpCode(totp.uri, -1) });
  expect(wrong.error).toMatchObject({ status: 400 });
  const code = totpCode(totp.uri, -1);
  await must(client.mfa.verify({ factorId: id, challengeId: challenge.id, code }));
  expect(await must(client.mfa.getAuthenticatorAssuranceLevel())).toMatchObject({ currentLevel: 'aal2' });
  await must(client.getUser());

  // Another sign-in stops halfway and requires a code.
  await client.signOut();
  const { user } = await must(client.signInWithPassword({ email, password: PASSWORD }));
  expect(user).toMatchObject({ email, user_metadata: {}, identities: [] });
  expect(await must(client.mfa.getAuthenticatorAssuranceLevel())).toMatchObject({
    currentLevel: 'aal1',
    nextLevel: 'aal2',
  });
  const { totp: factors } = await must(client.mfa.listFactors());
  expect(factors).toMatchObject([{ id, factor_type: 'totp', status: 'verified' }]);
  expect((await client.refreshSession()).error).toMatchObject({ status: 400 });
  await must(client.signInWithPassword({ email, password: PASSWORD }));
  await must(client.mfa.challengeAndVerify({ factorId: id, code: totpCode(totp.uri, 0) }));
  expect((await must(client.getUser())).user.user_metadata).toMatchObject({ first_name: 'Ada' });

  expect(await must(client.mfa.unenroll({ factorId: id }))).toMatchObject({ id });
  expect((await must(client.mfa.listFactors())).all).toEqual([]);
  await must(client.refreshSession());
  expect(await must(client.mfa.getAuthenticatorAssuranceLevel())).toMatchObject({ currentLevel: 'aal1' });
});

it('lists identities and unlinks one', async () => {
  const { client } = newClient();
  const { user } = await must(client.signUp(person('linked@example.test')));
  const at = app.clock.now();
  await app.services.db.insert(accounts).values({
    id: app.services.newId(),
    userId: user?.id ?? '',
    providerId: 'vineyard',
    accountId: 'of the vineyard',
    createdAt: at,
    updatedAt: at,
  });
  const { identities } = await must(client.getUserIdentities());
  expect(identities.map(({ provider }) => provider).sort()).toEqual(['email', 'vineyard']);
  const linked = identities.find(({ provider }) => provider === 'vineyard');
  if (!linked) throw new Error('not linked');
  await must(client.unlinkIdentity(linked));
  expect((await must(client.getUserIdentities())).identities).toMatchObject([{ provider: 'email' }]);
});

it('signs out by scope: this session, the others, or all', async () => {
  const email = 'scopes@example.test';
  const [one, two, three] = [newClient().client, newClient().client, newClient().client];
  await must(one.signUp(person(email)));
  await must(two.signInWithPassword({ email, password: PASSWORD }));
  await must(three.signInWithPassword({ email, password: PASSWORD }));
  const isIn = async (client: Client) => (await client.getUser()).data.user !== null;

  await one.signOut({ scope: 'local' });
  expect([await isIn(one), await isIn(two), await isIn(three)]).toEqual([false, true, true]);
  await two.signOut({ scope: 'others' });
  expect([await isIn(two), await isIn(three)]).toEqual([true, false]);
  await must(three.signInWithPassword({ email, password: PASSWORD }));
  await two.signOut({ scope: 'global' });
  expect([await isIn(two), await isIn(three)]).toEqual([false, false]);
});
