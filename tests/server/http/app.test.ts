import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let member: Caller;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  member = await app.customer();
  staff = await app.staff();
});
afterAll(() => app.close());

const json = { 'content-type': 'application/json' };

describe('bad input gets a 4xx with a stable code and no stack', () => {
  const path = '/api/pours';

  test.each([
    ['malformed JSON', '{"quantity":', 400, 'BAD_REQUEST'],
    ['an array', '[1,2]', 400, 'BAD_REQUEST'],
    ['an unknown field', '{"token":"x","admin":true}', 400, 'BAD_REQUEST'],
    ['a wrong type', '{"token":7}', 400, 'BAD_REQUEST'],
    ['an empty body', '', 400, 'BAD_REQUEST'],
    ['64 KB and one byte', JSON.stringify({ token: 'x'.repeat(65_525) }), 413, 'BODY_TOO_LARGE'],
  ])('%s', async (_, body, status, code) => {
    const answer = await staff.raw('POST', '/api/functions/verify-qr-token', { body, headers: json });
    const text = await answer.text();
    expect({ status: answer.status, code: JSON.parse(text).code }).toEqual({ status, code });
    expect(text).not.toMatch(/\bat .*\.ts|node_modules|Error:/);
  });

  it('is an everyday mistake, which logs no failure', async () => {
    const before = app.logged.length;
    for (const [type, body] of [
      ['application/json', '{"quantity":'],
      ['application/json', '\uFEFF{}'],
      ['text/plain', 'hello'],
    ] as const) {
      const answer = await staff.raw('POST', path, { body, headers: { 'content-type': type } });
      expect({ type, status: answer.status }).toEqual({ type, status: 400 });
      expect(await answer.json()).toMatchObject({
        code: 'BAD_REQUEST',
        message: expect.not.stringMatching(/\.[mt]?js:|node_modules/),
      });
    }
    const levels = app.logged.slice(before).map((line) => (JSON.parse(line) as { level: number }).level);
    expect(levels.filter((level) => level >= 40)).toEqual([]);
  });

  test.each([
    ['multipart/form-data', 'no boundary'],
    ['multipart/form-data; boundary=x', '--y'],
    ['Application/X-WWW-Form-Urlencoded', 'quantity=1'],
    ['application/x-www-form-urlencoded,', 'quantity=1'],
  ])('a form (%s) is refused unread: its parsing takes ten times as long as JSON', async (type, body) => {
    const answer = await staff.raw('POST', path, { body, headers: { 'content-type': type } });
    expect(answer.status).toBe(415);
    expect(await answer.json()).toMatchObject({ code: 'UNSUPPORTED_MEDIA_TYPE' });
    const empty = await staff.raw('POST', '/api/sessions/delete-others', {
      body: '',
      headers: { 'content-type': type },
    });
    expect(empty.status).not.toBe(415);
  });

  test.each([
    '/api/nothing',
    '/api',
    '/api/',
    '/api/functions/',
    '/api/auth/admin/list-users',
    '/api/auth/get-session',
    '/api/auth/token',
    '/api/auth/list-accounts',
  ])('GET %s is not found', async (unknown) => {
    expect(await member.call('GET', unknown)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('an invalid id is refused before it reaches the database', async () => {
    expect(await staff.call('GET', "/api/customers/1'%20or%20'1'='1")).toMatchObject({ status: 400 });
  });

  it('the NUL character is refused before it reaches the database', async () => {
    const refused = await staff.call('POST', path, {
      request_id: app.services.newId(),
      customer_id: app.services.newId(),
      quantity: 1,
      location: 'bar',
      notes: 'a\0b',
    });
    expect(refused).toMatchObject({ status: 400, body: { code: 'BAD_REQUEST' } });
  });

  test.each(['%00', 'W10', 'not a cursor', Buffer.from('["x","y"]').toString('base64url')])(
    'an invalid cursor (%s) starts at the first page',
    async (cursor) => {
      const body = { search: 'a', cursor };
      expect((await staff.call('POST', '/api/customers/search', body)).status).toBe(200);
      expect((await staff.call('POST', '/api/applications/search', body)).status).toBe(200);
    },
  );
});

it('a HEAD is answered as a GET, without the body', async () => {
  const head = await member.raw('HEAD', '/api/tiers');
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect(head.headers.get('content-type')).toBe('application/json');
  expect((await app.visitor().raw('HEAD', '/api/tiers')).status).toBe(401);
  expect((await member.raw('HEAD', '/api/pours/own')).status).toBe(200);
});

test.each(['Application/JSON', 'application/json;charset=UTF-8', 'application/json ; charset=utf-8'])(
  'a body of the type %s is JSON',
  async (type) => {
    const body = JSON.stringify({ email: 'nobody@example.test', password: 'wrong' });
    const headers = { 'content-type': type };
    const answer = await app.visitor().raw('POST', '/api/auth/sign-in', { body, headers });
    expect(await answer.json()).toMatchObject({ code: 'INVALID_CREDENTIALS' });
  },
);

it('a search text is never read from a URL, which ends up in logs', async () => {
  for (const path of ['/api/customers', '/api/applications']) {
    expect(await staff.call('GET', `${path}?search=ada`)).toMatchObject({ status: 400 });
  }
});

describe('GET /api/docs', () => {
  it('is a page that loads one of our stylesheets, and nothing else', async () => {
    const visitor = app.visitor();
    const response = await visitor.raw('GET', '/api/docs');
    expect(response.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    const html = await response.text();
    expect(html).toContain('<details id="pours.record">');
    expect(html).not.toMatch(/<script|<style|style=|src=|url\(|https?:\/\/(?!localhost|127)/);
    const [, href = ''] = /<link rel="stylesheet" href="([^"]+)">/.exec(html) ?? [];
    const sheet = await visitor.raw('GET', href);
    expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(await sheet.text()).not.toMatch(/@import|url\(/);
  });
});

describe('GET /api/openapi.json', () => {
  it('lists the calls of the API', async () => {
    const document = await app.visitor().must<{ paths: Record<string, object> }>('GET', '/api/openapi.json');
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining([
        '/pours',
        '/customers/{id}',
        '/functions/verify-qr-token',
        '/applications/{id}/approve',
      ]),
    );
  });
});
