import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { API_SCOPES, type ApiScope, STAFF_SCOPES } from '../../../src/domain/staff/api-scope.ts';
import { removeStaff } from '../../../src/server/auth/staff-accounts.ts';
import { api_clients, jwks, staff_permission } from '../../../src/server/db/schema.ts';
import { mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import { aRequestId, pour, venueMember } from '../../support/fixtures/members.ts';
import { deleteFactor, enrollFactor } from '../../support/fixtures/second-factor.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

interface Credentials {
  client_id: string;
  client_secret: string;
}
type Json = Record<string, unknown>;

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const newMachine = (owner: Caller, name = 'Till') =>
  owner.must<Credentials>('POST', '/api/api-clients', { name, password: PASSWORD });

/** Sent like a machine does: no cookie, no origin. */
const exchange = (fields: Record<string, string>, headers: Record<string, string> = {}, at = app) =>
  fetch(`${at.url}/api/auth/token`, { method: 'POST', body: new URLSearchParams(fields), headers });

async function tokenFor(machine: Credentials, at = app): Promise<string> {
  const answer = await exchange({ grant_type: 'client_credentials', ...machine }, {}, at);
  const body = (await answer.json()) as { access_token: string };
  expect(answer.status, JSON.stringify(body)).toBe(200);
  return body.access_token;
}

async function ask(token: string, path = '/api/customers', init: RequestInit = {}) {
  const answer = await fetch(app.url + path, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Json };
}

const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url');
const read = (token: string, index: number): Json =>
  JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString());

function forge(header: Json, payload: Json, key?: KeyObject): string {
  const text = `${part(header)}.${part(payload)}`;
  const signed = key && sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return `${text}.${signed?.toString('base64url') ?? ''}`;
}

describe('creating an API client', () => {
  it('takes the password, shows the secret once, keeps only its hash, and is announced by email', async () => {
    const email = 'owner@example.test';
    const owner = await app.customer({ email });
    const wrong = { name: 'Till', password: 'not the password' };
    expect(await owner.call('POST', '/api/api-clients', wrong)).toMatchObject({
      status: 403,
      body: { code: 'WRONG_PASSWORD' },
    });
    const { client_id, client_secret } = await newMachine(owner, ' Till at the bar ');
    expect(client_secret).toMatch(/^[\w-]{43}$/);
    expect(await owner.must('GET', '/api/api-clients')).toEqual([
      {
        id: client_id,
        name: 'Till at the bar',
        scopes: API_SCOPES,
        created_at: expect.any(String),
        last_used_at: null,
      },
    ]);
    const [row] = await app.services.db.select().from(api_clients).where(eq(api_clients.id, client_id));
    expect(JSON.stringify(row)).not.toContain(client_secret);
    expect((await mailTo(app, email))?.text).toContain('Till at the bar');
    expect(app.logged.join()).not.toContain(client_secret);
  });

  it('is limited to ten wrong passwords for a while, and ten API clients in all', async () => {
    const owner = await app.customer();
    const add = (password: string) => owner.call('POST', '/api/api-clients', { name: 'Till', password });
    for (let times = 0; times < 10; times += 1) await newMachine(owner);
    expect(await add(PASSWORD)).toMatchObject({ status: 409, body: { code: 'TOO_MANY_API_CLIENTS' } });
    for (let times = 0; times < 10; times += 1) await add('not the password');
    expect(await add(PASSWORD)).toMatchObject({ status: 429 });
    await app.services.db.execute(sql`delete from rate_limits`);
  });

  it('is listed above the earlier ones', async () => {
    const owner = await app.customer();
    const ids: string[] = [];
    for (const name of ['Till', 'Report', 'Board']) {
      ids.unshift((await newMachine(owner, name)).client_id);
      app.clock.advance({ seconds: 1 });
    }
    const listed = await owner.must<{ id: string }[]>('GET', '/api/api-clients');
    expect(listed.map(({ id }) => id)).toEqual(ids);
  });

  it('nobody can remove another user’s API client', async () => {
    const [owner, other] = [await app.customer(), await app.customer()];
    const { client_id } = await newMachine(owner);
    expect((await other.call('DELETE', `/api/api-clients/${client_id}`)).status).toBe(404);
    expect(await other.must('GET', '/api/api-clients')).toEqual([]);
  });
});

describe('the exchange', () => {
  it('gives a token for 15 minutes that names user, client, role, issuer and audience', async () => {
    const staff = await app.staff();
    const machine = await newMachine(staff);
    const answer = await exchange({ grant_type: 'client_credentials', ...machine });
    const body = (await answer.json()) as { access_token: string };
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: API_SCOPES.join(' '),
    });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const claims = read(body.access_token, 1);
    expect(claims).toMatchObject({
      sub: staff.id,
      client_id: machine.client_id,
      role: 'staff',
      scope: API_SCOPES.join(' '),
      iss: app.url,
      aud: `${app.url}/api`,
    });
    expect(Number(claims.exp) - Number(claims.iat)).toBe(900);
    const [listed] = await staff.must<{ last_used_at: string | null }[]>('GET', '/api/api-clients');
    expect(listed?.last_used_at).not.toBeNull();
  });

  it.each(['Basic ', 'basic ', 'BASIC  '])(
    'takes id and secret in the Authorization header after %j, too',
    async (scheme) => {
      const { client_id, client_secret } = await newMachine(await app.staff());
      const authorization = `${scheme}${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`;
      const answer = await exchange({ grant_type: 'client_credentials' }, { authorization });
      expect(answer.status).toBe(200);
    },
  );

  it('takes them form-encoded, as RFC 6749 says', async () => {
    const { client_id, client_secret } = await newMachine(await app.staff());
    const encoded = (text: string) =>
      [...text].map((it) => `%${it.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');
    const sent = `${encoded(client_id)}:${encoded(client_secret)}`;
    const authorization = `Basic ${Buffer.from(sent).toString('base64')}`;
    const answer = await exchange({ grant_type: 'client_credentials' }, { authorization });
    expect(answer.status).toBe(200);
  });

  it('refuses everything else in words that an OAuth client reads', async () => {
    const [one, two] = [await newMachine(await app.staff()), await newMachine(await app.staff())];
    const grant = { grant_type: 'client_credentials' };
    const refusalOf = async (fields: Record<string, string>) => {
      const answer = await exchange(fields);
      return { status: answer.status, error: ((await answer.json()) as Json).error };
    };
    const invalid = { status: 401, error: 'invalid_client' };
    expect(await refusalOf({ ...grant, ...one, client_secret: two.client_secret })).toEqual(invalid);
    expect(await refusalOf({ ...grant, ...one, client_id: app.services.newId() })).toEqual(invalid);
    expect(await refusalOf({ ...grant, client_id: "x' or 1=1", client_secret: 'y'.repeat(43) })).toEqual(
      invalid,
    );
    expect(await refusalOf(grant)).toEqual(invalid);
    expect(await refusalOf({ grant_type: 'password', ...one })).toEqual({
      status: 400,
      error: 'unsupported_grant_type',
    });
    const json = await fetch(`${app.url}/api/auth/token`, { method: 'POST', body: JSON.stringify(one) });
    expect(json.status).toBe(415);
  });

  const basic = ({ client_id, client_secret }: Credentials) => ({
    authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`,
  });
  const form = 'application/x-www-form-urlencoded';
  const grant_type = 'client_credentials';
  /** How OAuth clients ask: ignoring what a server does not know is a rule of RFC 6749, 3.2. */
  const requests: Record<string, (of: Credentials) => { body: object; headers?: object; path?: string }> = {
    'a form with its charset': (of) => ({
      body: { grant_type, ...of },
      headers: { 'content-type': `${form};charset=UTF-8` },
    }),
    'a form whose type is in capitals': (of) => ({
      body: { grant_type, ...of },
      headers: { 'content-type': 'Application/X-WWW-Form-URLEncoded' },
    }),
    'parameters that mean something elsewhere': (of) => ({
      body: { grant_type, ...of, audience: 'https://club.example', resource: 'x', response_type: 'token' },
    }),
    'an empty scope': (of) => ({ body: { grant_type, ...of, scope: '' } }),
    'Basic, with the id in the body too': (of) => ({
      body: { grant_type, client_id: of.client_id },
      headers: basic(of),
    }),
    'Basic, with an empty id and secret in the body': (of) => ({
      body: { grant_type, client_id: '', client_secret: '', scope: '' },
      headers: basic(of),
    }),
    JSON: (of) => ({
      body: { grant_type, ...of, scope: null, audience: { any: 1 } },
      headers: { 'content-type': 'application/json; charset=utf-8' },
    }),
    'a URL that ends with a slash': (of) => ({ body: { grant_type, ...of }, path: '/api/auth/token/' }),
  };

  it.each(Object.entries(requests))('takes %s', async (_, requestOf) => {
    const { body, headers = {}, path = '/api/auth/token' } = requestOf(await newMachine(await app.staff()));
    const isJson = JSON.stringify(headers).includes('json');
    const answer = await fetch(app.url + path, {
      method: 'POST',
      headers: { 'content-type': form, ...headers },
      body: isJson ? JSON.stringify(body) : new URLSearchParams(body as Record<string, string>).toString(),
    });
    expect(await answer.json()).toMatchObject({ token_type: 'Bearer', expires_in: 900 });
    expect([answer.headers.get('cache-control'), answer.headers.get('pragma')]).toEqual([
      'no-store',
      'no-cache',
    ]);
  });

  it.each(['[]', 'null', '"x"', '{', '', '{"grant_type":"password"}', '{"grant_type":{}}'])(
    'refuses the JSON %s as an OAuth client reads it',
    async (body) => {
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${app.url}/api/auth/token`, { method: 'POST', headers, body });
      expect({ status: answer.status, body: await answer.json() }).toMatchObject({
        status: 400,
        body: { error: 'unsupported_grant_type', error_description: expect.any(String) },
      });
    },
  );

  it('gives a token that user calls refuse as not allowed, so that no client asks for another', async () => {
    const token = await tokenFor(await newMachine(await app.staff()));
    for (const path of ['/api/auth/user', '/api/auth/factors', '/api/sessions']) {
      expect(await ask(token, path)).toMatchObject({ status: 403, body: { code: 'NOT_ALLOWED' } });
    }
  });

  it('is limited per client IP', async () => {
    const own = await createTestApp();
    const wrong = {
      grant_type: 'client_credentials',
      client_id: own.services.newId(),
      client_secret: 'x'.repeat(43),
    };
    for (let times = 0; times < 120; times += 1) expect((await exchange(wrong, {}, own)).status).toBe(401);
    const refused = await exchange(wrong, {}, own);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    await own.close();
  });
});

describe('a token', () => {
  it('of staff does what staff may, in their name', async () => {
    const staff = await app.staff();
    const token = await tokenFor(await newMachine(staff));
    expect((await ask(token)).status).toBe(200);
    const pour = await ask(token, '/api/pours', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        request_id: app.services.newId(),
        customer_id: app.services.newId(),
        quantity: 1,
        location: 'bar',
      }),
    });
    expect(pour).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('of a customer does what that customer may', async () => {
    const customer = await app.customer();
    const token = await tokenFor(await newMachine(customer));
    expect(await ask(token)).toMatchObject({ status: 403, body: { code: 'NOT_ALLOWED' } });
    expect(await ask(token, '/api/customers/own')).toMatchObject({
      status: 200,
      body: { profile: { id: customer.id } },
    });
  });

  it('cannot manage the account: no sessions, API clients or linked accounts', async () => {
    const token = await tokenFor(await newMachine(await app.staff()));
    for (const path of ['/api/sessions', '/api/api-clients', '/api/auth/user/identities']) {
      expect(await ask(token, path)).toMatchObject({ status: 403, body: { code: 'NOT_ALLOWED' } });
    }
    const another = { body: JSON.stringify({ name: 'x', password: PASSWORD }), method: 'POST' };
    const headers = { 'content-type': 'application/json' };
    expect((await ask(token, '/api/api-clients', { ...another, headers })).status).toBe(403);
  });

  it('is used alone: a cookie sent with it is ignored, and another site’s page is still refused', async () => {
    const [staff, customer] = [await app.staff(), await app.customer()];
    const token = await tokenFor(await newMachine(customer));
    const both = { headers: { cookie: staff.cookie } };
    expect((await ask(token, '/api/customers', both)).status).toBe(403);
    expect(await ask('wrong', '/api/customers', both)).toMatchObject({
      status: 401,
      body: { code: 'NOT_SIGNED_IN' },
    });
    const foreign = await ask(token, '/api/profile', {
      method: 'PATCH',
      body: '{}',
      headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
    });
    expect(foreign).toMatchObject({ status: 403, body: { code: 'FOREIGN_ORIGIN' } });
  });

  it('is subject to the rule that staff have a second factor', async () => {
    const strict = await createTestApp({ staffNeedTwoFactor: true });
    const staff = await strict.staff();
    expect((await staff.call('POST', '/api/api-clients', { name: 'Till', password: PASSWORD })).status).toBe(
      403,
    );
    await enrollFactor(staff, PASSWORD);
    const authorization = `Bearer ${await tokenFor(await newMachine(staff), strict)}`;
    const list = () => fetch(`${strict.url}/api/customers`, { headers: { authorization } });
    expect((await list()).status).toBe(200);
    await deleteFactor(staff, PASSWORD);
    expect((await list()).status).toBe(403);
    await strict.close();
  });
});

describe('a token ends at once', () => {
  const started = async (email: string) => {
    const staff = await app.staff();
    await app.services.db.execute(sql`update profiles set email = ${email} where id = ${staff.id}`);
    const machine = await newMachine(staff);
    const token = await tokenFor(machine);
    expect((await ask(token)).status).toBe(200);
    const over = async () => {
      expect((await ask(token)).status).toBe(401);
      expect((await exchange({ grant_type: 'client_credentials', ...machine })).status).toBe(401);
    };
    return { staff, machine, over };
  };

  it('with its API client', async () => {
    const { staff, machine, over } = await started('revoked@example.test');
    await staff.must('DELETE', `/api/api-clients/${machine.client_id}`);
    await over();
  });

  it('with a role that changes, and does not come back with it', async () => {
    const { staff, over } = await started('dismissed@example.test');
    await removeStaff(app.services, 'dismissed@example.test');
    await over();
    await app.services.db.execute(sql`update user_roles set role = 'staff' where user_id = ${staff.id}`);
    await over();
  });

  it('when its owner signs out everywhere', async () => {
    const { staff, over } = await started('everywhere@example.test');
    await staff.must('POST', '/api/sessions/delete-others', {});
    await over();
  });

  it('when its user resets the password', async () => {
    const email = 'recovered@example.test';
    const { staff, over } = await started(email);
    await staff.must('POST', '/api/auth/recover', { email });
    const token = tokenIn(await mailTo(app, email), '/reset-password#');
    await staff.must('POST', '/api/auth/reset-password', { token, password: PASSWORD });
    await over();
  });
});

describe('what is not our token is refused', () => {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  let good: string;
  let header: Json;
  let claims: Json;
  let publicKey: string;
  beforeAll(async () => {
    good = await tokenFor(await newMachine(await app.staff()));
    header = read(good, 0);
    claims = read(good, 1);
    const { keys } = await app.visitor().must<{ keys: Json[] }>('GET', '/api/auth/jwks');
    const jwk = keys.find(({ kid }) => kid === header.kid) ?? {};
    publicKey = createPublicKey({ key: jwk, format: 'jwk' })
      .export({ format: 'pem', type: 'spki' })
      .toString();
  });

  test.each<[string, () => string]>([
    ['signed by a key of somebody else', () => forge(header, claims, own)],
    ['signed by a key that names itself', () => forge({ ...header, kid: 'other' }, claims, own)],
    [
      'signed by a key that it brings along',
      () => forge({ ...header, jwk: createPublicKey(own).export({ format: 'jwk' }) }, claims, own),
    ],
    ['not signed at all', () => forge({ ...header, alg: 'none' }, claims)],
    [
      'signed with the public key as a secret',
      () => {
        const text = `${part({ ...header, alg: 'HS256' })}.${part(claims)}`;
        return `${text}.${createHmac('sha256', publicKey).update(text).digest('base64url')}`;
      },
    ],
    ['changed in its role', () => good.replace(/\.[^.]+\./, `.${part({ ...claims, role: 'customer' })}.`)],
    ['cut short', () => good.slice(0, -4)],
    ['no token', () => 'x'.repeat(50)],
    ['nothing', () => ''],
    ['far too long', () => `${good}${'a'.repeat(5000)}`],
  ])('%s', async (_, token) => {
    const answer = await ask(token());
    expect(answer).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect((await ask(good)).status).toBe(200);
  });

  test.each<[string, () => Json]>([
    ['expired', () => ({ ...claims, exp: Number(claims.iat) - 1 })],
    ['for another audience', () => ({ ...claims, aud: 'https://other.example/api' })],
    ['for the site and not the API', () => ({ ...claims, aud: claims.iss })],
    ['of another issuer', () => ({ ...claims, iss: 'https://other.example' })],
    ['without a machine', () => ({ ...claims, client_id: undefined })],
    ['of another role than the person has', () => ({ ...claims, role: 'customer' })],
    ['of another person than the machine’s', () => ({ ...claims, sub: app.services.newId() })],
  ])('signed by us, and %s', async (_, payload) => {
    // A server key with a private part known to the test: the claim is refused, not the signature.
    const { publicKey: known, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const kid = app.services.newId();
    await app.services.db.insert(jwks).values({
      id: kid,
      publicKey: JSON.stringify(known.export({ format: 'jwk' })),
      privateKey: '"not used for signing"',
      createdAt: new Date(0),
      expiresAt: new Date(Date.now() + 60_000),
      alg: 'ES256',
      crv: 'P-256',
    });
    expect((await ask(forge({ alg: 'ES256', kid }, claims, privateKey))).status).toBe(200);
    expect((await ask(forge({ alg: 'ES256', kid }, payload(), privateKey))).status).toBe(401);
    await app.services.db.delete(jwks).where(eq(jwks.id, kid));
  });
});

describe('the signing keys', () => {
  let keyed: TestApp;
  let machine: Credentials;
  beforeAll(async () => {
    keyed = await createTestApp();
    machine = await newMachine(await keyed.staff());
  });
  afterAll(() => keyed.close());

  const published = async () => (await keyed.visitor().must<{ keys: Json[] }>('GET', '/api/auth/jwks')).keys;
  const list = (token: string) =>
    fetch(`${keyed.url}/api/customers`, { headers: { authorization: `Bearer ${token}` } });
  /** Sets how long ago the newest key stopped signing. */
  const endedAgo = async (time: string) => {
    const { db } = keyed.services;
    const [newest] = await db.select().from(jwks).orderBy(desc(jwks.createdAt)).limit(1);
    await db
      .update(jwks)
      .set({ expiresAt: sql`now() - ${time}::interval` })
      .where(eq(jwks.id, newest?.id ?? ''));
  };

  it('are published without their private parts, which the database holds encrypted', async () => {
    await tokenFor(machine, keyed);
    const keys = await published();
    expect(keys).toHaveLength(1);
    expect(Object.keys(keys[0] ?? {}).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'x', 'y']);
    const [row] = await keyed.services.db.select().from(jwks);
    expect(row?.privateKey).not.toMatch(/"d"|kty/);
    expect(row?.publicKey).not.toContain('"d"');
  });

  it('rotate: what the old key signed is valid for the grace period and no longer', async () => {
    const old = await tokenFor(machine, keyed);
    await endedAgo('23 hours');
    const fresh = await tokenFor(machine, keyed);
    expect(read(fresh, 0).kid).not.toBe(read(old, 0).kid);
    expect((await list(old)).status).toBe(200);
    expect((await list(fresh)).status).toBe(200);
    expect(await published()).toHaveLength(2);

    await keyed.services.db.execute(
      sql`update jwks set expires_at = now() - interval '25 hours' where id = ${read(old, 0).kid}`,
    );
    expect((await list(old)).status).toBe(401);
    expect((await list(fresh)).status).toBe(200);
    expect(await published()).toHaveLength(1);
  });

  it('are deleted from the database when the next one is made', async () => {
    await endedAgo('25 hours');
    await tokenFor(machine, keyed);
    expect(await keyed.services.db.select().from(jwks)).toHaveLength(1);
  });

  it('that a new AUTH_SECRET cannot decrypt are replaced, and their tokens end', async () => {
    const before = await tokenFor(machine, keyed);
    await keyed.services.db.update(jwks).set({ privateKey: '"0011223344"' });
    const after = await tokenFor(machine, keyed);
    expect((await list(after)).status).toBe(200);
    expect((await list(before)).status).toBe(401);
  });
});

it('the OpenAPI document names the ways to authenticate', async () => {
  type Paths = Record<string, Record<string, { security: unknown }>>;
  const { security, paths, components } = await app
    .visitor()
    .must<{ security: unknown; paths: Paths; components: { securitySchemes: Json } }>(
      'GET',
      '/api/openapi.json',
    );
  expect(security).toBeUndefined();
  expect(paths['/pours']?.post?.security).toEqual([
    { session: [] },
    { app: [] },
    { api_client: ['pours:write'] },
  ]);
  expect(paths['/team']?.get?.security).toEqual([{ session: [] }, { app: [] }]);
  expect(paths['/auth/sign-in']?.post?.security).toEqual([]);
  expect(components.securitySchemes).toMatchObject({
    session: { type: 'apiKey', in: 'cookie', name: 'cellar-door.session_token' },
    app: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    api_client: {
      type: 'oauth2',
      flows: { clientCredentials: { scopes: { 'pours:write': expect.any(String) } } },
    },
  });
});

describe('scopes', () => {
  const withScopes = (owner: Caller, scopes: string[]) =>
    owner.must<Credentials>('POST', '/api/api-clients', { name: 'Till', password: PASSWORD, scopes });
  const grant = async (machine: Credentials, scope: string) => {
    const answer = await exchange({ grant_type: 'client_credentials', ...machine, scope });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  let staff: Caller;
  let whole: Credentials;
  beforeAll(async () => {
    staff = await app.staff();
    whole = await withScopes(staff, [...STAFF_SCOPES]);
    await app.services.db
      .insert(staff_permission)
      .values({ user_id: staff.id, permission: 'see_reports', given_at: app.clock.now() })
      .onConflictDoNothing();
  });

  it.each(STAFF_SCOPES)('%s opens its calls, and no others', async (scope) => {
    const { body: granted } = await grant(whole, scope);
    const token = granted.access_token ?? '';
    const probes: Partial<Record<ApiScope, string>> = {
      'tiers:read': '/api/tiers',
      'wines:read': '/api/wines/open',
      'members:read': '/api/customers',
      // A till names a place in each pour.
      'pours:write': '/api/places',
      'applications:read': '/api/applications/count',
      'reports:read': '/api/members-at-risk',
      'venue:read': '/api/staff-notices',
    };
    for (const [needed, path] of Object.entries(probes)) {
      const { status, body } = await ask(token, path);
      if (needed === scope) expect({ path, status }).toEqual({ path, status: 200 });
      else
        expect({ path, status, body }).toMatchObject({
          path,
          status: 403,
          body: { code: 'SCOPE_NEEDED', data: { scope: needed } },
        });
    }
    const unknown = '0197b1f0-0000-7000-8000-000000000000';
    const json = { method: 'POST', headers: { 'content-type': 'application/json' } };
    const draft = { request_id: unknown, customer_id: unknown, quantity: 1, location: 'bar' };
    const poured = await ask(token, '/api/pours', { ...json, body: JSON.stringify(draft) });
    expect(poured.status).toBe(scope === 'pours:write' ? 404 : 403);
    const read = await ask(token, '/api/functions/verify-qr-token', { ...json, body: '{"token":"none"}' });
    expect(read.status).toBe(scope === 'cards:read' ? 200 : 403);
  });

  it("to pour show nothing that a colleague noted, and to read cards no member's allergies", async () => {
    const [owner, colleague] = [await app.staff(), await app.staff()];
    const { customer_id } = await venueMember(app, colleague);
    const token = await tokenFor(await withScopes(owner, ['pours:write', 'cards:read', 'members:read']));
    const json = (body: object) => ({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const draft = { request_id: aRequestId(), customer_id, quantity: 1, location: 'bar' };
    const { body: first } = await pour(colleague, customer_id, { ...draft, notes: 'a secret' });
    const { id } = first.pour as { id: string };
    const repeated = await ask(token, '/api/pours', json(draft));
    expect(repeated.body).toMatchObject({ repeated: true, pour: { id, notes: null } });
    const voided = await ask(token, `/api/pours/${id}/void`, json({ reason: 'spilled' }));
    expect(voided.body).toMatchObject({ pour: { id, notes: null, own: false } });
    const own = { ...draft, request_id: aRequestId(), notes: 'of the till' };
    for (const _ of ['first', 'repeated']) {
      expect((await ask(token, '/api/pours', json(own))).body).toMatchObject({
        pour: { notes: 'of the till' },
      });
    }
    // Staff themselves still read them.
    expect((await pour(owner, customer_id, draft)).body).toMatchObject({ pour: { notes: 'a secret' } });

    await app.services.db
      .insert(staff_permission)
      .values({ user_id: colleague.id, permission: 'manage_members', given_at: app.clock.now() });
    const about = { allergies: 'nuts', birthday: null };
    await colleague.must('PUT', `/api/customers/${customer_id}/about`, about);
    const path = `/api/customers/${customer_id}/bar`;
    expect(await colleague.must('GET', path)).toMatchObject({ allergies: 'nuts' });
    for (const read of [path, `/api/customers/${customer_id}`]) {
      const { status, body } = await ask(token, read);
      expect(status).toBe(200);
      expect(JSON.stringify(body)).not.toMatch(/nuts|allergies/);
    }
  });

  it('are narrowed for a token, and never widened', async () => {
    const machine = await withScopes(staff, ['members:read', 'tiers:read']);
    expect(await grant(machine, '')).toMatchObject({
      status: 200,
      body: { scope: 'tiers:read members:read' },
    });
    const { body } = await grant(machine, 'tiers:read');
    expect(body.scope).toBe('tiers:read');
    expect((await ask(body.access_token ?? '', '/api/tiers')).status).toBe(200);
    expect((await ask(body.access_token ?? '', '/api/customers')).status).toBe(403);
    for (const scope of ['pours:write', 'tiers:read pours:write', 'everything']) {
      expect(await grant(machine, scope)).toMatchObject({ status: 400, body: { error: 'invalid_scope' } });
    }
  });

  it('removed from a client are removed from its tokens too, and scopes added later are not in them', async () => {
    const machine = await withScopes(staff, ['members:read', 'tiers:read']);
    const token = await tokenFor(machine);
    await app.services.db
      .update(api_clients)
      .set({ scopes: ['tiers:read', 'venue:read'] })
      .where(eq(api_clients.id, machine.client_id));
    const answers = ['/api/tiers', '/api/customers', '/api/staff-notices'].map((path) => ask(token, path));
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 403, 403]);
  });

  it('give no more than the role and the permissions of the client’s user', async () => {
    const ofMember = await tokenFor(await withScopes(await app.customer(), ['members:read', 'reports:read']));
    const bartender = await tokenFor(await withScopes(await app.staff(), ['reports:read']));
    for (const token of [ofMember, bartender]) {
      expect(await ask(token, '/api/members-at-risk')).toMatchObject({
        status: 403,
        body: { code: 'NOT_ALLOWED' },
      });
    }
    expect(await ask(ofMember)).toMatchObject({ status: 403, body: { code: 'NOT_ALLOWED' } });
  });
});
