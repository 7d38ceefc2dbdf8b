import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let member: Caller;
const EMAIL = 'watched@example.test';
beforeAll(async () => {
  app = await createTestApp();
  member = await app.customer({ email: EMAIL });
});
afterAll(() => app.close());

interface Line {
  level: number;
  security?: string;
  outcome?: string;
  code?: string;
  user_id?: string;
  account?: string;
  from?: string;
  path?: string;
}

/** The security log lines since `work` began. */
async function linesOf(work: () => Promise<unknown>): Promise<Line[]> {
  const before = app.logged.length;
  await work();
  return app.logged
    .slice(before)
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => line.security);
}

const signIn = (email: string, password: string) =>
  app.visitor().call('POST', '/api/auth/sign-in', { email, password });

it('who signed in, and from where', async () => {
  expect(await linesOf(() => signIn(EMAIL, PASSWORD))).toMatchObject([
    { security: 'sign-in', outcome: 'done', user_id: member.id, from: expect.stringMatching(/[\d.:]+/) },
  ]);
});

it('who was refused, by a hash of the email that is the same each time, never by the email', async () => {
  const lines = await linesOf(async () => {
    await signIn(EMAIL, 'not the password');
    await signIn(EMAIL.toUpperCase(), 'not the password');
    await signIn('nobody@example.test', 'not the password');
  });
  const [one, two, other] = lines.map(({ account }) => account);
  expect(lines).toMatchObject(
    Array.from({ length: 3 }, () => ({
      security: 'sign-in',
      outcome: 'refused',
      level: 40,
      code: 'INVALID_CREDENTIALS',
    })),
  );
  expect(one).toHaveLength(16);
  expect(two).toBe(one);
  expect(other).not.toBe(one);
  expect(JSON.stringify(lines)).not.toContain('@');
});

it('a limit that was reached', async () => {
  const lines = await linesOf(async () => {
    for (let times = 0; times < 21; times++) await signIn('tried@example.test', 'not the password');
  });
  expect(lines.at(-1)).toMatchObject({ security: 'sign-in', outcome: 'refused', code: 'TOO_MANY_ATTEMPTS' });
});

it('a call tried without permission', async () => {
  expect(await linesOf(() => member.call('GET', '/api/customers'))).toMatchObject([
    { security: 'refused', code: 'NOT_ALLOWED', path: '/api/customers', from: expect.any(String) },
  ]);
  // Everyday refusals are not logged.
  expect(await linesOf(() => member.call('GET', '/api/tiers/nonsense'))).toEqual([]);
});

it('another site’s page, and a webhook that Stripe did not sign', async () => {
  const lines = await linesOf(async () => {
    await member.raw('POST', '/api/functions/cancel-subscription', {
      headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
      body: '{}',
    });
    await app
      .visitor()
      .raw('POST', '/api/stripe/webhook', { body: '{}', headers: { 'stripe-signature': 't=1,v1=00' } });
  });
  expect(lines).toMatchObject([
    { security: 'refused', code: 'FOREIGN_ORIGIN', path: '/api/functions/cancel-subscription' },
    { security: 'refused', code: 'BAD_SIGNATURE', path: '/api/stripe/webhook' },
  ]);
});

it('changes to how an account is kept safe', async () => {
  const lines = await linesOf(async () => {
    await member.call('POST', '/api/auth/factors', { password: 'not the password' });
    await member.must('POST', '/api/auth/factors', { password: PASSWORD });
    await member.must('POST', '/api/auth/sign-out', {});
  });
  expect(lines).toMatchObject([
    { security: 'second factor being set up', outcome: 'refused', code: 'WRONG_PASSWORD' },
    { security: 'second factor being set up', outcome: 'done', user_id: member.id },
    { security: 'sign-out', outcome: 'done' },
  ]);
});
