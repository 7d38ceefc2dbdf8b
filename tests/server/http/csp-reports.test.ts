import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';

const PATH = '/api/csp-reports';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ limitAttempts: true, web: (c) => c.html('<p>The app</p>') });
});
afterAll(() => app.close());

const send = (report: unknown, type = 'application/csp-report') =>
  app.visitor().raw('POST', PATH, {
    // Any origin may send a report, because a report changes nothing.
    headers: { 'content-type': type, origin: 'null' },
    body: typeof report === 'string' ? report : JSON.stringify(report),
  });

/** The directive and source of the log lines since `work` began. */
async function logged(work: () => Promise<unknown>): Promise<string[]> {
  const before = app.logged.length;
  await work();
  return app.logged
    .slice(before)
    .filter((line) => line.includes('content security policy'))
    .map((line) => JSON.parse(line) as { directive: string; blocked: string })
    .map(({ directive, blocked }) => `${directive} ${blocked}`);
}

const violation = (directive: string, blocked: string) => ({
  'csp-report': {
    'document-uri': 'https://club.example/staff/customers/0197b1f0-0000-7000-8000-000000000001',
    referrer: 'https://club.example/staff/search?q=Ada',
    'effective-directive': directive,
    'blocked-uri': blocked,
  },
});

test('every page says where to send reports, in both ways that browsers know', async () => {
  const { headers } = await app.visitor().raw('GET', '/login');
  expect(headers.get('content-security-policy')).toMatch(/; report-uri \/api\/csp-reports; report-to csp$/);
  expect(headers.get('reporting-endpoints')).toBe(`csp="${PATH}"`);
});

describe('a report', () => {
  test.each([
    [
      'a script of another site',
      violation('script-src-elem', 'https://evil.example/a.js?who=ada%40post.example'),
    ],
    [
      'the same, as the Reporting API sends it',
      [
        {
          type: 'csp-violation',
          body: { effectiveDirective: 'img-src', blockedURL: 'https://evil.example/x' },
        },
      ],
    ],
  ])('is logged with directive and site, and nothing about the page: %s', async (_, report) => {
    const lines = await logged(async () => expect((await send(report)).status).toBe(204));
    expect(lines).toEqual([expect.stringMatching(/^(script-src-elem|img-src) https:\/\/evil\.example$/)]);
    expect(app.logged.join()).not.toMatch(/0197b1f0-0000-7000-8000-000000000001|who=ada|q=Ada/);
  });

  it.each([
    ['no JSON', '{'],
    ['another shape', { hello: 'world' }],
    ['a directive that is none', violation('script src\nFORGED', 'inline')],
    ['a source that is none', violation('script-src', 'not a source')],
  ])('that is %s is accepted and dropped', async (_, report) => {
    expect(await logged(async () => expect((await send(report)).status).toBe(204))).toEqual([]);
  });

  it('of more than 16 KB is refused', async () => {
    expect((await send(violation('script-src', `https://${'x'.repeat(17_000)}.example`))).status).toBe(413);
  });
});

test('a flood is refused for a while, and does not flood the log: the same violation is logged once an hour', async () => {
  app.clock.advance({ minutes: 61 });
  const inline = () => send(violation('style-src', 'inline'));
  expect(await logged(() => Promise.all([inline(), inline(), inline()]))).toEqual(['style-src inline']);
  const lines = await logged(async () => {
    for (let n = 0; n < 60; n += 1) {
      if (n % 20 === 0) app.clock.advance({ minutes: 1 });
      await send(violation('script-src', `https://evil-${n}.example`));
    }
  });
  expect(lines).toHaveLength(29);
  const refused = await Promise.all(Array.from({ length: 31 }, inline));
  const last = refused.find(({ status }) => status === 429);
  expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0);
});
