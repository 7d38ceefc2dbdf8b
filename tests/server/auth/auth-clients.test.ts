import { afterAll, beforeAll, expect, it, test } from 'vitest';
import type { TokenSession } from '../../../src/contract/auth/auth-user.ts';
import { totpCode } from '../../support/fakes/authenticator-app.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';

/**
 * What other clients of Supabase Auth send, from their sources of 2026: auth-js itself runs in auth-js.test.ts. Each leaves
 * out, sends empty, or sends as null what its app did not set.
 */
interface Wire {
  /** Undefined without a body. */
  body?: object;
  query?: string;
}

interface Client {
  headers: Record<string, string>;
  signUp(person: { email: string; password: string; data: object }): Wire;
  signIn(credentials: { email: string; password: string }): Wire;
  recover(email: string): Wire;
  enroll: Wire;
  challenge: Wire;
  verify(sent: { factor_id: string; challenge_id: string; code: string }): Wire;
  signOut: Wire;
}

const VERSION = { 'x-supabase-api-version': '2024-01-01' };
const NO_CAPTCHA = { gotrue_meta_security: { captcha_token: null } };
const PKCE = { code_challenge: 'c'.repeat(43), code_challenge_method: 's256' };
const BACK = 'redirect_to=app%3A%2F%2Fback';

const CLIENTS: Record<string, Client> = {
  'supabase-py': {
    headers: { ...VERSION, 'content-type': 'application/json;charset=UTF-8' },
    signUp: (person) => ({ body: { ...person, ...NO_CAPTCHA } }),
    signIn: (credentials) => ({ body: { ...credentials, data: {}, ...NO_CAPTCHA } }),
    recover: (email) => ({ body: { email, ...NO_CAPTCHA } }),
    enroll: { body: { friendly_name: null, factor_type: 'totp', issuer: null } },
    challenge: { body: { channel: null } },
    verify: (sent) => ({ body: sent }),
    signOut: { query: 'scope=global' },
  },
  'supabase-flutter': {
    headers: { ...VERSION, 'content-type': 'application/json; charset=utf-8' },
    signUp: (person) => ({ query: BACK, body: { ...person, ...NO_CAPTCHA, ...PKCE } }),
    signIn: (credentials) => ({ body: { ...credentials, ...NO_CAPTCHA } }),
    recover: (email) => ({ query: BACK, body: { email, ...NO_CAPTCHA, ...PKCE } }),
    enroll: { body: { friendly_name: null, factor_type: 'totp' } },
    challenge: { body: {} },
    verify: ({ challenge_id, code }) => ({ body: { challenge_id, code } }),
    signOut: { query: 'scope=local', body: {} },
  },
  'supabase-swift': {
    headers: VERSION,
    signUp: (person) => ({ query: BACK, body: { ...person, ...PKCE } }),
    signIn: (credentials) => ({ body: credentials }),
    recover: (email) => ({ query: BACK, body: { email, ...PKCE } }),
    enroll: { body: { factor_type: 'totp', friendly_name: 'Phone' } },
    challenge: {},
    verify: (sent) => ({ body: sent }),
    signOut: { query: 'scope=global' },
  },
  'supabase-kt': {
    headers: {},
    signUp: (person) => ({ query: BACK, body: { ...person, ...PKCE } }),
    signIn: (credentials) => ({ query: BACK, body: credentials }),
    recover: (email) => ({ query: BACK, body: { email, ...PKCE } }),
    enroll: { body: { factor_type: 'totp', issuer: 'App', friendly_name: 'Phone' } },
    challenge: { body: {} },
    verify: ({ challenge_id, code }) => ({ body: { challenge_id, code } }),
    signOut: { query: 'scope=global' },
  },
};

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

/** Sends what a client sends. A request without a body has no type either, unless the client always names one. */
async function send<Body>(client: Client, path: string, { body, query }: Wire, token?: string) {
  const answer = await fetch(
    `${app.url}/api/auth/${path}${query ? `${path.includes('?') ? '&' : '?'}${query}` : ''}`,
    {
      method: 'POST',
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...client.headers,
        ...(token && { authorization: `Bearer ${token}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
    },
  );
  const answered = (await answer.json()) as Body;
  expect(answer.status, `${path}: ${JSON.stringify(answered)}`).toBe(200);
  return answered;
}

test.each(Object.entries(CLIENTS))(
  '%s signs up, signs in, adds a factor, recovers and signs out',
  async (name, client) => {
    const person = { email: `${name}@example.test`, password: PASSWORD };
    await send(client, 'signup', client.signUp({ ...person, data: { first_name: 'Ada', last_name: 'App' } }));
    const session = await send<TokenSession>(client, 'token?grant_type=password', client.signIn(person));
    const { access_token: token } = session;
    const factor = await send<{ id: string; friendly_name: string; totp: { uri: string } }>(
      client,
      'factors',
      client.enroll,
      token,
    );
    expect(factor.friendly_name).toBeTypeOf('string');
    const { id: factor_id, totp } = factor;
    const challenge = await send<{ id: string }>(
      client,
      `factors/${factor_id}/challenge`,
      client.challenge,
      token,
    );
    const code = totpCode(totp.uri);
    const verified = await send<TokenSession>(
      client,
      `factors/${factor_id}/verify`,
      client.verify({ factor_id, challenge_id: challenge.id, code }),
      token,
    );
    await send(client, 'recover', client.recover(person.email));
    await send(client, 'logout', client.signOut, verified.access_token);
  },
);

const errorOf = async (headers: Record<string, string>, token?: string) => {
  const answer = await fetch(`${app.url}/api/auth/${token ? 'user' : 'token?grant_type=password'}`, {
    method: token ? 'GET' : 'POST',
    headers: {
      'content-type': 'application/json',
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
    },
    ...(!token && { body: JSON.stringify({ email: 'nobody@example.test', password: 'wrong' }) }),
  });
  const { code, error_code } = (await answer.json()) as Record<string, string>;
  return { code, error_code, version: answer.headers.get('x-supabase-api-version') };
};

it('an error has our code, and theirs in error_code; with their version or a later one, theirs in both', async () => {
  const error_code = 'invalid_credentials';
  const ours = { code: 'INVALID_CREDENTIALS', error_code, version: null };
  expect(await errorOf({})).toEqual(ours);
  for (const version of ['2023-01-01', 'zzz']) {
    expect(await errorOf({ 'x-supabase-api-version': version })).toEqual(ours);
  }
  for (const version of ['2024-01-01', '2025-02-03']) {
    const theirs = { code: error_code, error_code, version: '2024-01-01' };
    expect(await errorOf({ 'x-supabase-api-version': version })).toEqual(theirs);
  }
});

it('a token that is not ours is a bad one, and one of an ended session names that', async () => {
  expect(await errorOf(VERSION, 'wrong')).toMatchObject({ code: 'bad_jwt' });
  const email = 'ended@example.test';
  const client = CLIENTS['supabase-kt'] as Client;
  const data = { first_name: 'Ada', last_name: 'App' };
  const { access_token } = await send<TokenSession>(
    client,
    'signup',
    client.signUp({ email, password: PASSWORD, data }),
  );
  await send(client, 'logout', { query: 'scope=global' }, access_token);
  expect(await errorOf({}, access_token)).toMatchObject({
    code: 'NOT_SIGNED_IN',
    error_code: 'session_not_found',
  });
});

it('what an app wants to store with its user is refused, not dropped, if we cannot', async () => {
  const data = { first_name: 'Ada', last_name: 'App', favorite: 'Riesling' };
  const answer = await fetch(`${app.url}/api/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'favorite@example.test', password: PASSWORD, data }),
  });
  expect(answer.status).toBe(400);
});
