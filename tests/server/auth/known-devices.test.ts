import { createHmac } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountKey } from '../../../src/server/auth/sign-in-limits.ts';
import { known_devices, rate_limits } from '../../../src/server/db/schema.ts';
import { totpCode } from '../../support/fakes/authenticator-app.ts';
import { Authenticator } from '../../support/fakes/passkey-authenticator.ts';
import { mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import { enrollFactor, passCode } from '../../support/fixtures/second-factor.ts';
import { createTestApp, PASSWORD, TEST_SECRET, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/accounts.md, "Known devices".

const COOKIE = /device$/;
let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ trustProxy: true, limitAttempts: true });
});
afterAll(() => app.close());

let people = 0;
const newEmail = () => `known-${++people}@example.test`;

/** Signs in from a client IP, and returns the status. */
async function attempt(caller: Caller, email: string, password: string, from: string): Promise<number> {
  const response = await caller.raw('POST', '/api/auth/sign-in', {
    body: JSON.stringify({ email, password }),
    headers: { 'content-type': 'application/json', 'x-forwarded-for': from },
  });
  await response.body?.cancel();
  return response.status;
}

/** A visitor with the cookies left by a sign-out, including the one that identifies the device. */
function deviceOf(caller: Caller, change = (value: string) => value): Caller {
  const visitor = app.visitor();
  for (const [name, value] of caller.jar) if (COOKIE.test(name)) visitor.jar.set(name, change(value));
  expect(visitor.jar.size).toBe(1);
  return visitor;
}

/** Leaves the account as a stranger's hundred guesses do: refused everywhere. sign-in-limits.test.ts makes them. */
async function lockOut(email: string): Promise<void> {
  const { db, newId } = app.services;
  const key = `/sign-in/email|${accountKey(email)}`;
  await db.delete(rate_limits).where(eq(rate_limits.key, key));
  await db
    .insert(rate_limits)
    .values({ id: newId(), key, count: 100, lastRequest: app.clock.now().getTime() });
  expect(await attempt(app.visitor(), email, PASSWORD, '192.0.2.200')).toBe(429);
}

describe('while a stranger is refused', () => {
  const email = newEmail();
  let owner: Caller;
  let passkey: Authenticator;
  const stranger = () => attempt(app.visitor(), email, PASSWORD, '192.0.2.200');
  beforeAll(async () => {
    owner = await app.customer({ email });
    passkey = new Authenticator(app.url);
    const options = await owner.must<never>('POST', '/api/auth/passkeys/options', { password: PASSWORD });
    await owner.must('POST', '/api/auth/passkeys', { name: 'Phone', response: passkey.create(options) });
    await lockOut(email);
  });

  it('the owner signs in with the password from a known device, and the stranger stays out', async () => {
    expect(await attempt(deviceOf(owner), email, PASSWORD, '192.0.2.200')).toBe(200);
    expect(await stranger()).toBe(429);
  });

  it('the owner signs in with a passkey from any device, which is known from then on', async () => {
    const visitor = app.visitor();
    const challenge = await visitor.must<never>('POST', '/api/auth/sign-in/passkey/options', {});
    await visitor.must('POST', '/api/auth/sign-in/passkey', { response: passkey.get(challenge) });
    expect(await stranger()).toBe(429);
    expect(await attempt(deviceOf(visitor), email, PASSWORD, '192.0.2.201')).toBe(200);
  });

  it('the owner chooses a new password by email, and the browser that did is known', async () => {
    const visitor = app.visitor();
    await visitor.must('POST', '/api/auth/recover', { email });
    const token = tokenIn(await mailTo(app, email), '/reset-password#');
    const known = deviceOf(owner);
    await visitor.must('POST', '/api/auth/reset-password', { token, password: PASSWORD });
    expect(await attempt(deviceOf(visitor), email, PASSWORD, '192.0.2.202')).toBe(200);
    expect(await attempt(known, email, PASSWORD, '192.0.2.202'), 'a device from before').toBe(429);
  });
});

describe('what does not help a stranger', () => {
  const email = newEmail();
  let owner: Caller;
  beforeAll(async () => {
    owner = await app.customer({ email });
    await lockOut(email);
  });

  it('a cookie that was changed, or signed by someone else', async () => {
    const changed = deviceOf(owner, (value) => `${value[0] === 'A' ? 'B' : 'A'}${value.slice(1)}`);
    expect(await attempt(changed, email, PASSWORD, '198.51.100.1')).toBe(429);
    const forged = deviceOf(owner, (value) => {
      const [secret = ''] = decodeURIComponent(value).split('.');
      const signature = createHmac('sha256', `not ${TEST_SECRET}`).update(secret).digest('base64');
      return encodeURIComponent(`${secret}.${signature}`);
    });
    expect(await attempt(forged, email, PASSWORD, '198.51.100.1')).toBe(429);
    expect(await attempt(deviceOf(owner), email, PASSWORD, '198.51.100.1'), 'as it was').toBe(200);
  });

  it('the cookie of another account', async () => {
    const other = await app.customer({ email: newEmail() });
    expect(await attempt(deviceOf(other), email, PASSWORD, '198.51.100.2')).toBe(429);
  });

  it('a right password without the second step', async () => {
    const cautious = newEmail();
    const person = await app.customer({ email: cautious });
    const { totp_uri } = await enrollFactor(person, PASSWORD, -1);
    const visitor = app.visitor();
    expect(await attempt(visitor, cautious, PASSWORD, '198.51.100.3')).toBe(200);
    expect([...visitor.jar.keys()].filter((name) => COOKIE.test(name))).toEqual([]);
    await passCode(visitor, totpCode(totp_uri), {});
    expect([...visitor.jar.keys()].filter((name) => COOKIE.test(name))).toHaveLength(1);
  });
});

describe('a known device', () => {
  it('has 20 guesses in 15 minutes and 30 a day, from any client IP, and locks nobody else out', async () => {
    const email = newEmail();
    const stolen = deviceOf(await app.customer({ email }));
    const guess = (n: number) => attempt(stolen, email, 'a guess', `203.0.113.${n}`);
    for (let n = 0; n < 20; n += 1) expect(await guess(n)).toBe(401);
    expect(await guess(20)).toBe(429);
    expect(await attempt(stolen, email, PASSWORD, '203.0.113.21')).toBe(429);
    expect(await attempt(app.visitor(), email, PASSWORD, '203.0.113.22'), 'the owner, elsewhere').toBe(200);
    app.clock.advance({ minutes: 16 });
    for (let n = 0; n < 10; n += 1) expect(await guess(n)).toBe(401);
    expect(await guess(10)).toBe(429);
    app.clock.advance({ minutes: 24 * 60 });
    expect(await guess(11)).toBe(401);
  });

  it('can belong to several users, as at a bar', async () => {
    const [ada, grace] = [newEmail(), newEmail()];
    const bar = await app.customer({ email: ada });
    await app.customer({ email: grace });
    await bar.must('POST', '/api/auth/sign-out', {});
    await bar.must('POST', '/api/auth/sign-in', { email: grace, password: PASSWORD });
    for (const email of [ada, grace]) {
      await lockOut(email);
      expect(await attempt(deviceOf(bar), email, PASSWORD, '203.0.113.40')).toBe(200);
      app.clock.advance({ minutes: 61 });
    }
  });

  it('is counted separately if many share one client IP', async () => {
    const email = newEmail();
    const owner = deviceOf(await app.customer({ email }));
    const crowd = '203.0.113.50';
    for (let n = 0; n < 61; n += 1) await attempt(app.visitor(), newEmail(), 'a guess', crowd);
    expect(await attempt(app.visitor(), email, PASSWORD, crowd)).toBe(429);
    expect(await attempt(owner, email, PASSWORD, crowd)).toBe(200);
  });

  it('is forgotten 90 days after the last sign-in', async () => {
    const email = newEmail();
    const owner = await app.customer({ email });
    const known = deviceOf(owner);
    app.clock.advance({ days: 90 });
    await lockOut(email);
    expect(await attempt(known, email, PASSWORD, '203.0.113.60')).toBe(429);
  });

  it('its cookie is HttpOnly and lives as long; the database has only a hash', async () => {
    const visitor = app.visitor();
    const email = newEmail();
    await app.customer({ email });
    const response = await visitor.raw('POST', '/api/auth/sign-in', {
      body: JSON.stringify({ email, password: PASSWORD }),
      headers: { 'content-type': 'application/json' },
    });
    const line = response.headers.getSetCookie().find((it) => /^[^=]*device=/.test(it)) ?? '';
    expect(line).toMatch(/; Max-Age=7776000;/);
    expect(line).toMatch(/; HttpOnly/);
    const secret = decodeURIComponent(line.split(/[=;]/)[1] ?? '').split('.')[0] ?? '';
    expect(secret.length).toBeGreaterThanOrEqual(43);
    const rows = await app.services.db.select().from(known_devices);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(app.logged.join('\n')).not.toContain(secret);
  });
});

it('a changed password ends the other known devices, and leaves the one that changed it', async () => {
  const email = newEmail();
  const [here, there] = [await app.customer({ email }), app.visitor()];
  await there.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  const password = 'another horse battery';
  await here.must('POST', '/api/auth/change-password', { current_password: PASSWORD, password });
  await lockOut(email);
  expect(await attempt(deviceOf(there), email, password, '203.0.113.71')).toBe(429);
  expect(await attempt(deviceOf(here), email, password, '203.0.113.71')).toBe(200);
});

it('signing out everywhere else ends the other known devices, and leaves this one', async () => {
  const email = newEmail();
  const [here, there] = [await app.customer({ email }), app.visitor()];
  await there.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  const devices = () =>
    app.services.db.select().from(known_devices).where(eq(known_devices.user_id, here.id));
  expect(await devices()).toHaveLength(2);
  await here.must('POST', '/api/sessions/delete-others', {});
  expect(await devices()).toHaveLength(1);
  await lockOut(email);
  expect(await attempt(deviceOf(there), email, PASSWORD, '203.0.113.70')).toBe(429);
  expect(await attempt(deviceOf(here), email, PASSWORD, '203.0.113.70')).toBe(200);
});
