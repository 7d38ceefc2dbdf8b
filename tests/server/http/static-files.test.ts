import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { Site } from '../../../src/contract/site.ts';
import { buildOf, staticFileHandler } from '../../../src/server/http/static-files.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import { rawRequest, statusOf } from '../../support/harness/raw-socket.ts';

const SECRET = 'a secret file';
const SITE: Site = {
  club_name: 'Test Cellar',
  support_email: 'help@venue.test',
  currency: 'usd',
  tax_behavior: 'unspecified',
  demo: false,
  sandbox_url: null,
  verify_email: 'off',
  minimum_age: 21,
  terms_url: null,
  captcha: null,
  providers: [],
  wallets: [],
  build: '',
};

let folder: string;
let app: TestApp;
let port: number;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cellar-door-web-'));
  const web = join(folder, 'web');
  mkdirSync(join(web, 'assets'), { recursive: true });
  mkdirSync(join(web, '.vite'));
  const page = '<title>__CLUB_NAME__</title><script type="application/json">__SITE__</script>';
  writeFileSync(join(web, 'index.html'), page);
  writeFileSync(join(web, 'assets/app-1.js'), 'the app');
  for (const hidden of [
    'secrets.json',
    'web/.env.json',
    'web/.vite/manifest.json',
    'web/assets/app-1.js.map',
    'web/assets/notes.txt',
  ]) {
    writeFileSync(join(folder, hidden), SECRET);
  }
  app = await createTestApp({
    web: staticFileHandler(web, { ...SITE, build: buildOf(web) }),
    build: buildOf(web),
  });
  port = Number(new URL(app.url).port);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string) =>
  rawRequest(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);

describe('static files', () => {
  it('built files are cached forever, and every URL of the app gets the page', async () => {
    expect(await get('/assets/app-1.js')).toMatch(/immutable[\s\S]*the app/);
    for (const [path, status] of [
      ['/', 200],
      ['/staff/customers/1', 200],
      ['/index.html', 200],
      ['/%69ndex.html', 200],
      ['/x/..%2findex.html', 200],
      ['/staff/customers', 404],
      ['/nowhere.png', 404],
    ] as const) {
      const answer = await get(path);
      expect(statusOf(answer), path).toBe(status);
      expect(answer, path).toContain('<title>Test Cellar</title>');
      expect(answer, path).not.toContain('__SITE__');
    }
  });

  test.each([
    '/../secrets.json',
    '/..%2fsecrets.json',
    '/%2e%2e/secrets.json',
    '/%2e%2e%2fsecrets.json',
    '/%252e%252e%252fsecrets.json',
    '/assets/../../secrets.json',
    '/assets/..%2f..%2fsecrets.json',
    '/assets/%2e%2e/%2e%2e/secrets.json',
    '/..\\secrets.json',
    '/..%5csecrets.json',
    '/assets/..%00/..%2f..%2fsecrets.json',
    '//secrets.json',
    '/.env.json',
    '/%2eenv.json',
    '/.vite/manifest.json',
    '/assets/../.vite/manifest.json',
    '/assets/app-1.js.map',
    '/assets/notes.txt',
    '/%',
    '/%c0%ae%c0%ae/secrets.json',
  ])('GET %s does not reveal a hidden file', async (path) => {
    const answer = await get(path);
    expect([200, 400, 404]).toContain(statusOf(answer));
    expect(answer).not.toContain(SECRET);
  });

  it('every answer of the API names the build that the page belongs to', async () => {
    const [, build] = /"build":"([0-9a-f]{12})"/.exec(await get('/')) ?? [];
    expect(build).toBeDefined();
    for (const path of ['/api/session', '/api/customers/own', '/api/nothing']) {
      expect((await app.visitor().raw('GET', path)).headers.get('cellar-door-build'), path).toBe(build);
    }
  });

  it('a missing file is 404, not the page', async () => {
    expect(statusOf(await get('/assets/app-2.js'))).toBe(404);
  });

  it('the page forbids inline scripts and styles, framing and unused browser features', async () => {
    const { headers } = await app.visitor().raw('GET', '/login');
    const policy = headers.get('content-security-policy') ?? '';
    expect(headers.get('content-type')).toContain('text/html');
    expect(policy).toContain("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).not.toMatch(/unsafe-inline|'unsafe-eval'|https?:|\*/);
    expect(headers.get('referrer-policy')).toBe('same-origin');
    expect(headers.get('permissions-policy')).toBe(
      'camera=(self), microphone=(), geolocation=(), payment=()',
    );
  });

  it('pages answer only GET and HEAD', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      expect((await app.visitor().raw(method, '/login')).status, method).toBe(404);
    }
    const head = await app.visitor().raw('HEAD', '/login');
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
  });
});
