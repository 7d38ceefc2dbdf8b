import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import type { Site } from '../../../../src/contract/site.ts';
import { signOutEverywhere } from '../../../../src/server/auth/revoke-access.ts';
import { buildOf, staticFileHandler } from '../../../../src/server/http/pages/static-files.ts';
import { FRAMES_FILE, WEB_BUILD_FILE, type WebBuild } from '../../../../src/server/http/pages/web-build.ts';
import type { EncodedLogo } from '../../../../src/server/pictures/encode-logo.ts';
import { SITE } from '../../../support/fixtures/site.ts';
import { createTestApp, type TestApp } from '../../../support/harness/app.ts';
import type { Caller } from '../../../support/harness/caller.ts';
import { rawRequest, statusOf } from '../../../support/harness/raw-socket.ts';

const SECRET = 'a secret file';
/** Files of a build; the compressed forms of `app-1.js` have different text, to show which was sent. */
const FILES: Record<string, string> = {
  'web/assets/app-1.js': 'the app',
  'web/assets/app-1.js.br': 'the app, as br',
  'web/assets/app-1.js.gz': 'the app, as gzip',
  'web/service-worker.js': 'the worker',
  'web/assets/login-1.js': 'the form',
};
const FRAMES = `// ${SECRET}
export const renderFrame = (page, { site }) => page === '/login' ? '<h1>' + site.club_name + '</h1>' : null;`;
const BUILD: WebBuild = {
  files: {
    '/assets/app-1.js': { etag: 'aaaa', compressed: true },
    '/service-worker.js': { etag: 'bbbb', compressed: false },
    '/assets/login-1.js': { etag: 'cccc', compressed: false },
    '/assets/gone-1.js': { etag: 'dddd', compressed: false },
  },
  pages: {
    '/login': {
      side: 'visitor',
      scripts: ['/assets/login-1.js'],
    },
    '/': { side: 'visitor', scripts: [] },
    '/register': { side: 'visitor', scripts: [] },
    '/dashboard': { side: 'member', scripts: [] },
    '/staff/customers/$id': { side: 'staff', scripts: [] },
  },
};

let folder: string;
/** The club's color, changed by the tests about its look. */
let accent: string | null = null;
let logo: EncodedLogo | null = null;
let app: TestApp;
let port: number;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cellar-door-web-'));
  const web = join(folder, 'web');
  mkdirSync(join(web, 'assets'), { recursive: true });
  mkdirSync(join(web, '.vite'));
  const page =
    '<html lang="en"><head><title>__CLUB_NAME__</title><script type="application/json">__SITE__</script><script type="module" src="/assets/app-1.js"></script><link rel="stylesheet" href="/assets/style-1.css"></head><body><div id="root"></div></body>';
  writeFileSync(join(web, 'index.html'), page);
  writeFileSync(join(web, WEB_BUILD_FILE), JSON.stringify(BUILD));
  writeFileSync(join(web, FRAMES_FILE), FRAMES);
  for (const [name, content] of Object.entries(FILES)) writeFileSync(join(folder, name), content);
  for (const hidden of [
    'secrets.json',
    'web/.env.json',
    'web/.vite/manifest.json',
    'web/assets/app-1.js.map',
    'web/assets/notes.txt',
    'web/assets/unlisted-1.js',
  ]) {
    writeFileSync(join(folder, hidden), SECRET);
  }
  let site: Site = { ...SITE, build: buildOf(web) };
  let seen = logo;
  const siteNow = () => {
    if (site.accent !== accent || seen !== logo) site = { ...site, accent };
    seen = logo;
    return site;
  };
  app = await createTestApp({
    web: staticFileHandler(web, siteNow, () => logo),
    build: buildOf(web),
  });
  port = Number(new URL(app.url).port);
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) =>
  rawRequest(
    port,
    [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close']
      .concat(Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
      .concat('', '')
      .join('\r\n'),
  );

describe('static files', () => {
  it('built files are cached forever, and every URL of the app gets the page', async () => {
    expect(await get('/assets/app-1.js')).toMatch(/immutable[\s\S]*the app/);
    for (const [path, status] of [
      ['/', 200],
      ['/staff/customers/1', 200],
      ['/index.html', 200],
      ['/%69ndex.html', 200],
      ['/x/..%2findex.html', 404],
      ['/staff/customers', 404],
      ['/nowhere.png', 404],
    ] as const) {
      const answer = await get(path);
      expect(statusOf(answer), path).toBe(status);
      expect(answer, path).toContain('<title>Test Cellar</title>');
      expect(answer, path).not.toContain('__SITE__');
    }
  });

  it.each([
    ['cellar-door-theme=dark', '<html data-theme="dark" lang="en">'],
    ['other=1; cellar-door-theme=light', '<html data-theme="light" lang="en">'],
    ['cellar-door-theme=sepia', '<html lang="en">'],
    ['cellar-door-theme="><script>', '<html lang="en">'],
    ['theme=dark', '<html lang="en">'],
  ])('a page begins in the colors chosen on the device: with %s as %s', async (Cookie, start) => {
    expect(await get('/login', { Cookie })).toContain(`${start}<head>`);
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
    '/assets/unlisted-1.js',
    '/.build.json',
    '/%2ebuild.json',
    `/${FRAMES_FILE}`,
    '/%',
    '/%c0%ae%c0%ae/secrets.json',
  ])('GET %s does not reveal a hidden file', async (path) => {
    const answer = await get(path);
    expect([200, 400, 404]).toContain(statusOf(answer));
    expect(answer).not.toContain(SECRET);
  });

  it('every answer of the API names the page’s build', async () => {
    const [, build] = /"build":"([0-9a-f]{12})"/.exec(await get('/')) ?? [];
    expect(build).toBeDefined();
    for (const path of ['/api/session', '/api/customers/own', '/api/nothing']) {
      expect((await app.visitor().raw('GET', path)).headers.get('cellar-door-build'), path).toBe(build);
    }
  });

  it('a missing file is 404, not the page', async () => {
    expect(statusOf(await get('/assets/app-2.js'))).toBe(404);
  });

  test.each([
    ['gzip, deflate, br', 'the app, as br', '"aaaa-br"'],
    ['gzip', 'the app, as gzip', '"aaaa-gzip"'],
    ['br;q=0, gzip', 'the app, as gzip', '"aaaa-gzip"'],
    ['identity', 'the app', '"aaaa"'],
  ])('Accept-Encoding: %s gets the form built for it, with its own ETag', async (accepted, body, tag) => {
    const answer = await get('/assets/app-1.js', { 'Accept-Encoding': accepted });
    expect(answer).toMatch(new RegExp(`${body}$`));
    expect(answer.toLowerCase()).toContain(`etag: ${tag}`);
    expect(answer.toLowerCase()).toContain('vary: accept-encoding');
  });

  it('a client with the current file gets 304, and one with an older file gets the new one', async () => {
    for (const known of ['"bbbb"', 'W/"bbbb"', '"x", "bbbb"']) {
      const answer = await get('/service-worker.js', { 'If-None-Match': known });
      expect(statusOf(answer), known).toBe(304);
      expect(answer).not.toContain('the worker');
    }
    for (const other of ['"bbb"', '"aaaa"', '']) {
      expect(await get('/service-worker.js', { 'If-None-Match': other }), other).toContain('the worker');
    }
  });

  it('a file that cannot be read is an error, not a page, and can be requested again', async () => {
    expect(statusOf(await get('/assets/gone-1.js'))).toBe(500);
    writeFileSync(join(folder, 'web/assets/gone-1.js'), 'back');
    expect(await get('/assets/gone-1.js')).toContain('back');
  });

  it('the page forbids inline scripts and styles, framing and unused browser features', async () => {
    const { headers } = await app.visitor().raw('GET', '/register');
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

  it('scripts give way to the stylesheet where a page is shown before they run', async () => {
    const later = async (path: string) => {
      const html = await (await app.visitor().raw('GET', path)).text();
      return html.match(/fetchpriority="low"/g)?.length ?? 0;
    };
    expect(await later('/login')).toBe(2);
    expect(await later('/register')).toBe(0);
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

describe('the signed-in user in the page', () => {
  /** A page with its Cache-Control, and the session that it contains; undefined if it contains none. */
  async function page(caller: Caller, path: string) {
    const answer = await caller.raw('GET', path);
    const html = await answer.text();
    const [, facts] = /<script type="application\/json" id="session">(.*?)<\/script>/.exec(html) ?? [];
    return {
      status: answer.status,
      html,
      facts: facts === undefined ? undefined : (JSON.parse(facts) as { user: { email: string } | null }),
      cacheControl: answer.headers.get('cache-control'),
    };
  }

  it('is the same as in /api/session, and is not cached', async () => {
    const member = await app.customer({ email: 'facts@example.test' });
    const { facts, cacheControl } = await page(member, '/dashboard');
    expect(facts).toEqual(await member.must('GET', '/api/session'));
    expect(facts?.user?.email).toBe('facts@example.test');
    expect(cacheControl).toBe('private, no-store');
    expect((await page(app.visitor(), '/login')).facts).toEqual({ user: null });
  });

  it('is not in the page that devices cache, nor in the 404 page', async () => {
    const member = await app.customer({ email: 'kept@example.test' });
    for (const path of ['/index.html', '/nowhere', '/staff/customers']) {
      const { html, facts } = await page(member, path);
      expect(facts, path).toBeUndefined();
      expect(html, path).not.toContain('kept@example.test');
    }
  });

  it('is absent from the first page after staff were signed out elsewhere', async () => {
    const staff = await app.staff();
    const { user } = await staff.must<{ user: { email: string } }>('GET', '/api/session');
    expect((await page(staff, '/dashboard')).facts).toMatchObject({ user: { email: user.email } });
    await signOutEverywhere(app.services, user.email);
    expect((await page(staff, '/dashboard')).facts).toEqual({ user: null });
  });

  it('is left out if the database does not answer: the page is still served, and makes the call itself', async () => {
    const member = await app.customer({ email: 'away@example.test' });
    // The connection, which the ORM's types do not show.
    const { client } = app.services.db._.session as unknown as { client: { query(): Promise<unknown> } };
    vi.spyOn(client, 'query').mockRejectedValue(new Error('the database is away'));
    const answer = await page(member, '/dashboard');
    expect(answer.status).toBe(200);
    expect(answer.facts).toBeUndefined();
  });

  it('comes without script links for a device that caches scripts', async () => {
    expect(await get('/login')).toContain('modulepreload');
    const kept = await get('/login', { 'Service-Worker-Navigation-Preload': 'true' });
    expect(kept).toContain('id="session"');
    expect(kept).not.toContain('modulepreload');
  });

  it('comes with the placeholder of the sign-in form only for visitors who will see the form', async () => {
    const frame = '<div id="root"><h1>Test Cellar</h1></div>';
    const member = await app.customer({ email: 'frame@example.test' });
    for (const path of ['/login', '/', '/dashboard']) {
      expect((await page(app.visitor(), path)).html, path).toContain(frame);
      expect((await page(member, path)).html, path).toContain('<div id="root"></div>');
    }
    for (const path of ['/register', '/index.html', '/nowhere']) {
      expect((await page(app.visitor(), path)).html, path).toContain('<div id="root"></div>');
    }
  });

  it('comes with links to the scripts of the page that the user will see', async () => {
    const form = '<link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/login-1.js">';
    const member = await app.customer({ email: 'scripts@example.test' });
    for (const path of ['/login', '/', '/dashboard']) {
      const visited = await page(app.visitor(), path);
      expect(visited.html, path).toContain(form);
      expect(visited.html, path).not.toContain('/api/');
      const { html } = await page(member, path);
      expect(html, path).not.toContain(form);
      // The page already contains its data.
      expect(html, path).not.toContain('/api/');
    }
  });
});

describe('the club’s color', () => {
  const style = (headers: Record<string, string> = {}) => app.visitor().raw('GET', '/club.css', { headers });
  const page = async () => (await app.visitor().raw('GET', '/login')).text();

  it('is a stylesheet linked after the app’s own and revalidated by its ETag; without a color there is none', async () => {
    expect(await page()).not.toContain('club.css');
    expect((await style()).headers.get('content-type')).toContain('text/html');
    accent = '#1f4e5f';
    expect(await page()).toContain('<link rel="stylesheet" href="/club.css?1f4e5f">');
    const first = await style();
    expect(await first.text()).toContain('--color-accent:light-dark(#1f4e5f,');
    expect(first.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(first.headers.get('cache-control')).toBe('no-cache');
    expect(first.headers.get('x-content-type-options')).toBe('nosniff');
    const etag = first.headers.get('etag') ?? '';
    expect((await style({ 'if-none-match': etag })).status).toBe(304);
    const manifest = await app.visitor().raw('GET', '/manifest.webmanifest');
    expect(await manifest.json()).toMatchObject({ theme_color: '#1f4e5f' });
    accent = '#24382e';
    expect((await style({ 'if-none-match': etag })).status).toBe(200);
    accent = null;
    expect(await page()).not.toContain('club.css');
  });
});

describe('the club’s logo', () => {
  const file = (path: string, headers: Record<string, string> = {}) =>
    app.visitor().raw('GET', path, { headers });
  const bytes = (text: string) => new Uint8Array(Buffer.from(text));
  const LOGO: EncodedLogo = {
    version: 'v1',
    width: 600,
    height: 200,
    plate: 'light',
    content: bytes('the logo'),
    plated: bytes('the logo on its plate'),
  };

  it('is a public file, cached by its version only, used by the page’s stylesheet, and removed with the logo', async () => {
    expect((await file('/club-logo.png')).status).toBe(404);
    logo = LOGO;
    const first = await file('/club-logo.png?v=v1');
    expect(await first.text()).toBe('the logo');
    expect(Object.fromEntries(first.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    });
    expect(await (await file('/club-logo-plate.png?v=v1')).text()).toBe('the logo on its plate');
    const page = await (await file('/login')).text();
    expect(page).toContain('<link rel="stylesheet" href="/club.css?v1">');
    expect(await (await file('/club.css')).text()).toContain('url("/club-logo.png?v=v1")');
    // An email of last year requests the old logo and gets the current one, which must not be cached as the old.
    const old = await file('/club-logo-plate.png?v=v0');
    expect([old.status, old.headers.get('cache-control')]).toEqual([200, 'no-cache']);
    const etag = old.headers.get('etag') ?? '';
    expect((await file('/club-logo-plate.png', { 'if-none-match': etag })).status).toBe(304);
    accent = '#1f4e5f';
    expect(await (await file('/login')).text()).toContain('href="/club.css?1f4e5f.v1"');
    accent = null;
    logo = null;
    expect((await file('/club-logo.png?v=v1')).status).toBe(404);
    expect(await (await file('/login')).text()).not.toContain('club.css');
  });

  it('that needs no plate is the same at both URLs', async () => {
    logo = { ...LOGO, plate: null, plated: null };
    expect(await (await file('/club-logo-plate.png')).text()).toBe('the logo');
    logo = null;
  });
});
