import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { Context } from 'hono';
import { afterAll, afterEach, beforeAll, expect, it, test, vi } from 'vitest';
import type { OwnMembership } from '../../../../src/contract/members.ts';
import type { Site } from '../../../../src/contract/site.ts';
import { profiles } from '../../../../src/server/db/schema.ts';
import { staticFileHandler } from '../../../../src/server/http/pages/static-files.ts';
import { FRAMES_FILE, WEB_BUILD_FILE, type WebBuild } from '../../../../src/server/http/pages/web-build.ts';
import { pageFacts, type ReadSession } from '../../../../src/server/http/session-endpoint.ts';
import { cardMember, type Member } from '../../../support/fixtures/members.ts';
import { SITE } from '../../../support/fixtures/site.ts';
import { createTestApp, type TestApp } from '../../../support/harness/app.ts';
import type { Caller } from '../../../support/harness/caller.ts';

/** Stands for the build's file that draws a page's first content; the web app's tests check the real one. */
const FRAMES = `export const renderFrame = (page, { own }) =>
  page === '/dashboard' && own?.membership.pours ? '<p>' + own.membership.pours.available_pours + ' left</p>' : null;`;
/** A name that looks like a placeholder. */
const NAMED: Site = { ...SITE, club_name: '__NAME__ & Sons' };

const BUILD: WebBuild = {
  files: {},
  pages: {
    '/': { side: 'visitor', scripts: [] },
    '/login': { side: 'visitor', scripts: [] },
    '/dashboard': { side: 'member', scripts: [] },
    '/pours': { side: 'member', scripts: [] },
    '/share': { side: 'visitor', scripts: [] },
    '/staff/dashboard': { side: 'staff', scripts: [] },
  },
};
const ADA = { id: 'u1', email: 'ada@example.test', first_name: 'Ada', last_name: 'Vine', phone: null };
const OWN = '/api/customers/own';

let folder: string;
let app: TestApp;
let site = NAMED;
/** The statements, in order of execution. */
const ran: string[] = [];
let member: Member;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cellar-door-web-'));
  const page =
    '<head><title>__CLUB_NAME__</title><link rel="stylesheet" href="/assets/style-1.css"></head><body><div id="root"></div></body>';
  writeFileSync(join(folder, 'index.html'), page);
  writeFileSync(join(folder, WEB_BUILD_FILE), JSON.stringify(BUILD));
  writeFileSync(join(folder, FRAMES_FILE), FRAMES);
  const statements = {
    run<T>(text: string, work: () => Promise<T>): Promise<T> {
      ran.push(text);
      return work();
    },
  };
  app = await createTestApp({
    web: staticFileHandler(folder, () => site),
    instruments: { statements },
  });
  member = await cardMember(app, 'premier');
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
  site = NAMED;
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

/** A page in a browser's view: its HTML, the membership in it, and whether it preloads that. */
async function open(caller: Caller, path: string) {
  const answer = await caller.raw('GET', path);
  const html = await answer.text();
  const [, json] = /<script type="application\/json" id="own-membership">(.*?)<\/script>/.exec(html) ?? [];
  return {
    html,
    own: json === undefined ? null : (JSON.parse(json) as OwnMembership),
    asksAhead: html.includes(`href="${OWN}"`),
    policy: answer.headers.get('content-security-policy') ?? '',
  };
}

test.each(['/dashboard', '/pours', '/', '/login'])(
  '%s brings the membership of the member who will see it, as the call answers',
  async (path) => {
    const { own, asksAhead } = await open(member.caller, path);
    expect(own).toEqual(await member.caller.must('GET', OWN));
    expect(asksAhead).toBe(false);
  },
);

it('each member gets their own, and others get none', async () => {
  const other = await cardMember(app);
  const { own, html } = await open(other.caller, '/dashboard');
  expect(own?.customer?.id).toBe(other.customer_id);
  expect(html).not.toContain(member.customer_id);
  const staff = await app.staff();
  for (const [caller, path] of [
    [app.visitor(), '/dashboard'],
    [staff, '/dashboard'],
    [staff, '/staff/dashboard'],
    [member.caller, '/staff/dashboard'],
    [member.caller, '/share'],
    [member.caller, '/index.html'],
    [member.caller, '/nowhere'],
  ] as const) {
    expect((await open(caller, path)).html, path).not.toContain('own-membership');
  }
});

it('a page whose membership cannot be read is sent without it, and asks for it itself', async () => {
  vi.spyOn(app.services.db, 'transaction').mockRejectedValue(new Error('the database is away'));
  const { html, own, asksAhead } = await open(member.caller, '/dashboard');
  expect(html).toContain('id="session"');
  expect(own).toBeNull();
  expect(asksAhead).toBe(true);
  expect(html).toContain('<div id="root"></div>');
});

it('a membership that takes longer than a second holds no page up', async () => {
  vi.useFakeTimers();
  const user = { ...ADA, role: 'customer', email_verified: true, two_factor: false } as const;
  const read: ReadSession = async () => ({ signedIn: { user, session_id: 's1' }, cookies: [] });
  const never = () => new Promise<never>(() => undefined);
  const facts = pageFacts(read, never, { ...app.services, staffNeedTwoFactor: false });
  const headers = new Headers();
  const sent = facts({ req: { raw: { headers } } } as unknown as Context, () => true);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await sent).toMatchObject({ body: { user: { id: ADA.id } }, own: null });
});

it('page and membership together read no more than page and call did', async () => {
  const count = async (work: () => Promise<unknown>) => {
    ran.length = 0;
    await work();
    return ran.length;
  };
  const caller = member.caller;
  const call = await count(() => caller.must('GET', OWN));
  const bare = await count(() => open(caller, '/share'));
  expect(call).toBeGreaterThan(0);
  expect(await count(() => open(caller, '/dashboard'))).toBeLessThanOrEqual(bare + call);
});

it('the dashboard begins with the glasses that are left', async () => {
  const { html, own } = await open(member.caller, '/dashboard');
  expect(html).toContain(`<div id="root"><p>${own?.pours?.available_pours} left</p></div>`);
});

it('without a membership, nothing is drawn ahead', async () => {
  expect((await open(await app.customer(), '/dashboard')).html).toContain('<div id="root"></div>');
});

it('a name is text, whatever it looks like', async () => {
  const { caller } = await cardMember(app);
  const first_name = '</script><b>"';
  const { profile } = await caller.must<OwnMembership>('GET', OWN);
  // A value from an older release that today's forms refuse.
  await app.services.db
    .update(profiles)
    .set({ first_name, last_name: '__GREETING__ $&' })
    .where(eq(profiles.id, profile.id));
  const { html, own } = await open(caller, '/dashboard');
  expect(own?.profile.first_name).toBe(first_name);
  expect(html).not.toContain('<b>');
});
