import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';

// docs/rules/api.md, "Rate limits".

const SIGN_IN = '/api/auth/sign-in';
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ trustProxy: true });
});
afterAll(() => app.close());

/** An attempt from a network address, as reported by the proxy. */
async function attempt(email: string, password: string, from = '198.51.100.1'): Promise<number> {
  const response = await app.visitor().raw('POST', SIGN_IN, {
    body: JSON.stringify({ email, password }),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
  });
  await response.body?.cancel();
  return response.status;
}

async function wrong(email: string, times: number, from?: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < times; n++) statuses.push(await attempt(email, 'not the password', from));
  return statuses;
}

it('the limits allow 20 wrong passwords from one client IP in 15 minutes; elsewhere the account stays open', async () => {
  const email = 'guessed@example.test';
  await app.customer({ email });
  expect(await wrong(email, 20)).toEqual(Array.from({ length: 20 }, () => 401));
  expect(await attempt(email, PASSWORD)).toBe(429);
  expect(await attempt(email.toUpperCase(), PASSWORD), 'another spelling').toBe(429);
  expect(await attempt(email, PASSWORD, '203.0.113.9'), 'the person, at home').toBe(200);
  app.clock.advance({ minutes: 16 });
  expect(await attempt(email, PASSWORD)).toBe(200);
});

it('an IPv6 network counts as one client IP, whichever of its addresses is used', async () => {
  const email = 'guessed-by-one-network@example.test';
  await app.customer({ email });
  for (let n = 0; n < 20; n++) await wrong(email, 1, `2001:db8:1:2:${n.toString(16)}::${n}`);
  expect(await attempt(email, PASSWORD, '2001:db8:1:2:ffff::1')).toBe(429);
  expect(await attempt(email, PASSWORD, '2001:db8:1:3::1'), 'another network').toBe(200);
});

it('guessing at one account locks out nobody else at the venue', async () => {
  const colleague = 'colleague@example.test';
  await app.customer({ email: colleague });
  await wrong('somebody@example.test', 25);
  expect(await attempt(colleague, PASSWORD)).toBe(200);
});

it('the limits allow 100 wrong passwords an hour from everywhere together', async () => {
  const email = 'famous@example.test';
  await app.customer({ email });
  for (let n = 0; n < 10; n++) await wrong(email, 10, `192.0.2.${n}`);
  expect(await attempt(email, PASSWORD, '192.0.2.200')).toBe(429);
  app.clock.advance({ minutes: 61 });
  expect(await attempt(email, PASSWORD, '192.0.2.200')).toBe(200);
});

it('the right password clears the count, so that many devices of one account can sign in', async () => {
  const email = 'bar@example.test';
  await app.customer({ email });
  await wrong(email, 15);
  for (let device = 0; device < 30; device++) expect(await attempt(email, PASSWORD)).toBe(200);
  expect(await wrong(email, 20)).not.toContain(429);
});

it('an email without an account is counted alike, so the refusal reveals nothing', async () => {
  const statuses = await wrong('nobody@example.test', 21);
  expect(statuses.at(19)).toBe(401);
  expect(statuses.at(20)).toBe(429);
});
