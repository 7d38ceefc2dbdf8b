import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { rowsOf } from '../../../src/server/db/results.ts';
import { mailTo } from '../../support/fixtures/emails.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';
import { rawRequest, statusOf } from '../../support/harness/raw-socket.ts';

const HTTPS = 'https://club.example';

let app: TestApp;
let behindHttps: TestApp;
let member: Caller;
let port: number;
beforeAll(async () => {
  app = await createTestApp();
  behindHttps = await createTestApp({ publicUrl: HTTPS, trustProxy: true });
  member = await app.customer({ email: 'guest@venue.test' });
  port = Number(new URL(app.url).port);
});
afterAll(async () => {
  await app.close();
  await behindHttps.close();
});

const json = { 'content-type': 'application/json' };

/** Sends exactly these headers: neither fetch nor the caller adds any. */
const raw = (method: string, path: string, headers: Record<string, string> = {}, body = '', to = port) => {
  const length = body && !headers['Transfer-Encoding'] ? { 'Content-Length': String(body.length) } : {};
  const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...length, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return rawRequest(to, `${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
};

describe('a request from another site', () => {
  const path = '/api/functions/cancel-subscription';
  const ask = (headers: Record<string, string>, to = path) =>
    raw('POST', to, { 'Content-Type': 'application/json', ...headers }, '{}');
  const cookie = () => ({ Cookie: member.cookie });

  test.each([
    ['another origin', { Origin: 'https://evil.example' }],
    ['our host on another port', { Origin: 'http://localhost:1' }],
    ['our host as part of another', { Origin: 'http://localhost.evil.example' }],
    ['an opaque origin', { Origin: 'null' }],
    ['an empty origin', { Origin: '' }],
    ['no origin, but Sec-Fetch-Site: cross-site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another subdomain of our domain', { 'Sec-Fetch-Site': 'same-site' }],
  ])('is refused: %s', async (_, headers) => {
    for (const to of [path, '/api/auth/sign-out', '/api/nothing']) {
      const answer = await ask({ ...cookie(), ...headers }, to);
      expect(statusOf(answer)).toBe(403);
      expect(answer).toContain('FOREIGN_ORIGIN');
    }
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'is refused as %s, without CORS headers',
    async (method) => {
      const answer = await raw(method, path, { ...cookie(), Origin: 'https://evil.example' });
      expect(statusOf(answer)).toBe(403);
      expect(answer).not.toMatch(/access-control/i);
    },
  );

  it('is refused when it would sign a user in', async () => {
    expect(statusOf(await ask({ Origin: 'https://evil.example' }, '/api/auth/sign-in'))).toBe(403);
  });

  it.each<Record<string, string>>([{ 'Sec-Fetch-Site': 'same-origin' }, { 'Sec-Fetch-Site': 'none' }])(
    'is accepted when it is same-origin: %o',
    async (headers) => {
      expect(await ask({ ...cookie(), ...headers })).toContain('NO_SUBSCRIPTION');
      expect(await ask({ ...cookie(), Origin: app.url })).toContain('NO_SUBSCRIPTION');
    },
  );

  it('without either header does not come from a browser, and only needs to be signed in', async () => {
    expect(await ask({})).toContain('NOT_SIGNED_IN');
    expect(await ask(cookie())).toContain('NO_SUBSCRIPTION');
  });
});

describe('a request that signs in', () => {
  const signIn = (headers: Record<string, string>, email = 'guest@venue.test') => {
    const body = JSON.stringify({ email, password: PASSWORD });
    return raw('POST', '/api/auth/sign-in', { 'Content-Type': 'application/json', ...headers }, body);
  };

  // The auth library turns its check off when it detects a test: here it must be on, as for users.
  test.each<[string, () => Record<string, string>, number]>([
    ['of a program', () => ({}), 200],
    [
      'of a program whose client says a mode, as fetch of Node does',
      () => ({ 'Sec-Fetch-Mode': 'cors' }),
      200,
    ],
    [
      'of our page',
      () => ({ Origin: app.url, 'Sec-Fetch-Mode': 'cors', 'Sec-Fetch-Site': 'same-origin' }),
      200,
    ],
    ['of a program that keeps cookies', () => ({ Cookie: member.cookie }), 200],
    [
      'of a program that keeps cookies, as fetch of Node',
      () => ({ Cookie: member.cookie, 'Sec-Fetch-Mode': 'cors' }),
      200,
    ],
    [
      'with the cookies of a browser, typed by hand',
      () => ({ Cookie: member.cookie, 'Sec-Fetch-Site': 'none' }),
      400,
    ],
    ['with a referrer elsewhere', () => ({ Referer: 'https://evil.example/' }), 400],
  ])('%s', async (_, headers, status) => {
    expect(statusOf(await signIn(headers()))).toBe(status);
  });
});

describe('headers', () => {
  it('of a JSON response forbid loading, framing, sniffing and caching', async () => {
    for (const path of ['/api/session', '/api/openapi.json', '/api/customers', '/api/nothing']) {
      const { headers } = await member.call('GET', path);
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('permissions-policy')).toContain('camera=(self)');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('require HTTPS only when the public URL is HTTPS', async () => {
    const of = async (caller: Caller) =>
      (await caller.raw('GET', '/api/session', { headers: { 'x-forwarded-proto': 'https' } })).headers.get(
        'strict-transport-security',
      );
    expect(await of(app.visitor())).toBeNull();
    expect(await of(behindHttps.visitor())).toMatch(/^max-age=31536000/);
  });
});

describe('cookies', () => {
  const cookiesOf = async (at: TestApp, email: string, headers: Record<string, string> = {}) => {
    const body = JSON.stringify({ first_name: 'Ada', last_name: 'Guest', email, password: PASSWORD });
    const answer = await at
      .visitor()
      .raw('POST', '/api/auth/sign-up', { body, headers: { ...json, ...headers } });
    return answer.headers.getSetCookie();
  };

  it('are hidden from scripts and from other sites', async () => {
    const cookies = await cookiesOf(app, 'one@venue.test', { 'x-forwarded-proto': 'https' });
    expect(cookies.length).toBeGreaterThanOrEqual(2);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^cellar-door\..*; Path=\/; HttpOnly; SameSite=Lax$/);
      expect(cookie).not.toMatch(/Domain|Secure/);
    }
  });

  it('are limited to HTTPS when the public URL is HTTPS', async () => {
    const cookies = await cookiesOf(behindHttps, 'one@venue.test');
    expect(cookies.length).toBeGreaterThanOrEqual(2);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Host-cellar-door\./);
      expect(cookie).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      expect(cookie).not.toContain('Domain');
    }
  });
});

describe('proxy headers', () => {
  const clientIps = async (at: TestApp) => {
    const counted = await rowsOf<{ key: string }>(
      at.services.db,
      sql`select key from rate_limits where key like 'token|%'`,
    );
    return counted.map(({ key }) => key.slice('token|'.length));
  };
  const forged = { 'x-forwarded-for': '203.0.113.1, 203.0.113.9', 'x-cellar-door-client': '203.0.113.7' };

  it('set the client IP only when the proxy is trusted, and only by its own last entry', async () => {
    for (const at of [app, behindHttps]) {
      await at.visitor().raw('POST', '/api/auth/token', { headers: forged });
    }
    expect((await clientIps(app)).join()).not.toContain('203.0.113');
    expect(await clientIps(behindHttps)).toEqual(['203.0.113.9']);
  });

  it('never set host or protocol: links use the public URL', async () => {
    const headers = {
      ...json,
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'ftp',
      forwarded: 'host=evil.example',
    };
    const body = JSON.stringify({ email: 'one@venue.test' });
    for (const [at, home] of [
      [app, app.url],
      [behindHttps, HTTPS],
    ] as const) {
      const answer = await at.visitor().raw('POST', '/api/auth/recover', { headers, body });
      expect(answer.status).toBe(200);
      const text = (await mailTo(at, 'one@venue.test'))?.text ?? '';
      expect(text).toContain(`${home}/`);
      expect(text).not.toMatch(/evil|ftp:/);
    }
  });

  it('a wrong Host header changes no link', async () => {
    const body = JSON.stringify({ email: 'one@venue.test' });
    const head = { Host: 'evil.example', 'Content-Type': 'application/json', Origin: app.url };
    expect(statusOf(await raw('POST', '/api/auth/recover', head, body))).toBe(200);
    expect((await mailTo(app, 'one@venue.test'))?.text).not.toContain('evil');
  });
});

describe('bodies and methods', () => {
  const chunked = (size: number) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n0\r\n\r\n`;
  const head = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' };

  test.each([
    ['/api/functions/verify-qr-token', 65_536],
    ['/api/auth/recover', 65_536],
    ['/api/stripe/webhook', 65_536],
    ['/api/nothing', 65_536],
    ['/api/auth/sign-out', 4096],
    ['/api/auth/resend-verification', 4096],
  ])('%s accepts at most %i bytes, with or without Content-Length', async (path, limit) => {
    const over = 'x'.repeat(limit + 1);
    for (const answer of [
      await raw('POST', path, head, chunked(limit + 1)),
      await raw('POST', path, {}, over),
    ]) {
      expect(statusOf(answer)).toBe(413);
      expect(answer).toContain('BODY_TOO_LARGE');
    }
    expect(statusOf(await raw('POST', path, head, chunked(limit)))).not.toBe(413);
  });

  it('a request with both Content-Length and chunked encoding is refused', async () => {
    const both = { ...head, 'Content-Length': '4' };
    expect(statusOf(await raw('POST', '/api/auth/token', both, chunked(4)))).toBe(400);
  });

  const POSTED = ['/api/functions/cancel-subscription', '/api/auth/sign-out'];
  test.each([
    { method: 'HEAD', of: 'POST', paths: POSTED },
    ...['OPTIONS', 'TRACE', 'PROPFIND', 'DELETE'].map((method) => ({
      method,
      of: 'GET or POST',
      paths: ['/api/customers/own', ...POSTED],
    })),
  ])('$method cannot replace $of', async ({ method, paths }) => {
    for (const path of paths) {
      const answer = await raw(method, path, { Cookie: member.cookie, Origin: app.url });
      expect(statusOf(answer), path).toBe(404);
      expect(answer).not.toContain(member.jar.values().next().value);
    }
  });

  test.each(['MAKE', 'get', 'CONNECT', ''])(
    'the method %o is refused or closes the connection',
    async (method) => {
      expect([0, 400]).toContain(statusOf(await raw(method, '/api/session')));
    },
  );

  it('a response to HEAD has no body', async () => {
    const answer = await raw('HEAD', '/api/session', { Cookie: member.cookie });
    expect(statusOf(answer)).toBe(200);
    expect(answer.split('\r\n\r\n')[1]).toBe('');
  });
});
