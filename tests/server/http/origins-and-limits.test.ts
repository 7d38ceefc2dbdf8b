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
let guest: Caller;
let port: number;
beforeAll(async () => {
  app = await createTestApp();
  behindHttps = await createTestApp({ publicUrl: HTTPS, trustProxy: true });
  guest = await app.customer({ email: 'guest@venue.test' });
  port = Number(new URL(app.url).port);
});
afterAll(async () => {
  await app.close();
  await behindHttps.close();
});

const json = { 'content-type': 'application/json' };

/** Exactly these headers: neither fetch nor the caller adds one. */
const raw = (method: string, path: string, headers: Record<string, string> = {}, body = '', to = port) => {
  const length = body && !headers['Transfer-Encoding'] ? { 'Content-Length': String(body.length) } : {};
  const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...length, ...headers });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return rawRequest(to, `${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
};

describe('a change that another site asks for', () => {
  const path = '/api/functions/cancel-subscription';
  const ask = (headers: Record<string, string>, to = path) =>
    raw('POST', to, { 'Content-Type': 'application/json', ...headers }, '{}');
  const cookie = () => ({ Cookie: guest.cookie });

  test.each([
    ['its origin', { Origin: 'https://evil.example' }],
    ['our host on another port', { Origin: 'http://localhost:1' }],
    ['our address in another', { Origin: 'http://localhost.evil.example' }],
    ['an origin that is kept to itself', { Origin: 'null' }],
    ['an empty origin', { Origin: '' }],
    ['no origin, and the browser says where it is', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a neighbour under our domain', { 'Sec-Fetch-Site': 'same-site' }],
  ])('is refused: %s', async (_, headers) => {
    for (const to of [path, '/api/auth/sign-out', '/api/nothing']) {
      const answer = await ask({ ...cookie(), ...headers }, to);
      expect(statusOf(answer)).toBe(403);
      expect(answer).toContain('FOREIGN_ORIGIN');
    }
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])(
    'is refused as %s, and no answer allows it',
    async (method) => {
      const answer = await raw(method, path, { ...cookie(), Origin: 'https://evil.example' });
      expect(statusOf(answer)).toBe(403);
      expect(answer).not.toMatch(/access-control/i);
    },
  );

  it('is refused when it would sign somebody in', async () => {
    expect(statusOf(await ask({ Origin: 'https://evil.example' }, '/api/auth/sign-in'))).toBe(403);
  });

  it.each<Record<string, string>>([{ 'Sec-Fetch-Site': 'same-origin' }, { 'Sec-Fetch-Site': 'none' }])(
    'is done when it is ours: %o',
    async (headers) => {
      expect(await ask({ ...cookie(), ...headers })).toContain('NO_SUBSCRIPTION');
      expect(await ask({ ...cookie(), Origin: app.url })).toContain('NO_SUBSCRIPTION');
    },
  );

  it('of a client that names neither, and so is no browser, is only asked who it is', async () => {
    expect(await ask({})).toContain('NOT_SIGNED_IN');
    expect(await ask(cookie())).toContain('NO_SUBSCRIPTION');
  });
});

describe('headers', () => {
  it('of an answer in JSON let nothing be loaded, framed, guessed or kept', async () => {
    for (const path of ['/api/session', '/api/openapi.json', '/api/customers', '/api/nothing']) {
      const { headers } = await guest.call('GET', path);
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('permissions-policy')).toContain('camera=(self)');
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('demand HTTPS where the public address has it, and there alone', async () => {
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

  it('are out of reach of scripts and of other sites', async () => {
    const cookies = await cookiesOf(app, 'one@venue.test', { 'x-forwarded-proto': 'https' });
    expect(cookies.length).toBeGreaterThanOrEqual(2);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^cellar-door\..*; Path=\/; HttpOnly; SameSite=Lax$/);
      expect(cookie).not.toMatch(/Domain|Secure/);
    }
  });

  it('and of plain HTTP, where the public address has HTTPS', async () => {
    const cookies = await cookiesOf(behindHttps, 'one@venue.test');
    expect(cookies.length).toBeGreaterThanOrEqual(2);
    for (const cookie of cookies) {
      expect(cookie).toMatch(/^__Secure-cellar-door\./);
      expect(cookie).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      expect(cookie).not.toContain('Domain');
    }
  });
});

describe('what a proxy says', () => {
  const addresses = async (at: TestApp) => {
    const counted = await rowsOf<{ key: string }>(
      at.services.db,
      sql`select key from rate_limits where key like 'token|%'`,
    );
    return counted.map(({ key }) => key.slice('token|'.length));
  };
  const forged = { 'x-forwarded-for': '203.0.113.1, 203.0.113.9', 'x-cellar-door-client': '203.0.113.7' };

  it('of the caller’s address counts only where the proxy is believed, and then its own word alone', async () => {
    for (const at of [app, behindHttps]) {
      await at.visitor().raw('POST', '/api/auth/token', { headers: forged });
    }
    expect((await addresses(app)).join()).not.toContain('203.0.113');
    expect(await addresses(behindHttps)).toEqual(['203.0.113.9']);
  });

  it('of host and protocol counts nowhere: links go to the public address', async () => {
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

  it('a wrong Host changes no link either', async () => {
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
    '/api/functions/verify-qr-token',
    '/api/auth/sign-in',
    '/api/auth/token',
    '/api/stripe/webhook',
  ])('%s takes 64 KB, whether or not the length was said', async (path) => {
    const over = 'x'.repeat(65_537);
    for (const answer of [
      await raw('POST', path, head, chunked(65_537)),
      await raw('POST', path, {}, over),
    ]) {
      expect(statusOf(answer)).toBe(413);
      expect(answer).toContain('BODY_TOO_LARGE');
    }
    expect(statusOf(await raw('POST', path, head, chunked(65_536)))).not.toBe(413);
  });

  it('two lengths in one request are refused', async () => {
    const both = { ...head, 'Content-Length': '4' };
    expect(statusOf(await raw('POST', '/api/auth/token', both, chunked(4)))).toBe(400);
  });

  test.each(['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'DELETE'])(
    '%s does not do what GET and POST do',
    async (method) => {
      for (const path of ['/api/customers/own', '/api/functions/cancel-subscription', '/api/auth/sign-out']) {
        const answer = await raw(method, path, { Cookie: guest.cookie, Origin: app.url });
        expect(statusOf(answer), path).toBe(404);
        expect(answer).not.toContain(guest.jar.values().next().value);
      }
    },
  );

  test.each(['MAKE', 'get', 'CONNECT', ''])(
    'the method %o ends the connection or is refused',
    async (method) => {
      expect([0, 400]).toContain(statusOf(await raw(method, '/api/session')));
    },
  );

  it('an answer to HEAD has no body', async () => {
    const answer = await raw('HEAD', '/api/session', { Cookie: guest.cookie });
    expect(statusOf(answer)).toBe(200);
    expect(answer.split('\r\n\r\n')[1]).toBe('');
  });
});
