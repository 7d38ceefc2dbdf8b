import { generateKeyPairSync } from 'node:crypto';
import { eq, like } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Passkey } from '../../../src/contract/auth/auth.ts';
import {
  accounts,
  deliveries,
  passkeys,
  profiles,
  sessions,
  verifications,
} from '../../../src/server/db/schema.ts';
import { Authenticator, type Slip } from '../../support/fakes/passkey-authenticator.ts';
import { mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import { enrollFactor } from '../../support/fixtures/second-factor.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

const PASSKEYS = '/api/auth/passkeys';
const SIGN_IN = '/api/auth/sign-in/passkey';
const TOKEN = 'cellar-door.session_token';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

let people = 0;
const newEmail = () => `key-${++people}@example.test`;

type Creation = { challenge: string; rp: { id: string }; user: { name: string } } & Record<string, unknown>;
type Request = { challenge: string; rpId: string } & Record<string, unknown>;

const begin = (caller: Caller, password = PASSWORD) =>
  caller.must<Creation>('POST', `${PASSKEYS}/options`, { password });

async function enrol(caller: Caller, device = new Authenticator(app.url), slip: Slip = {}) {
  const options = await begin(caller);
  const answer = await caller.call('POST', PASSKEYS, {
    name: 'Chrome on Android',
    response: device.create(options, slip),
  });
  return { device, answer };
}

async function enrolled(email = newEmail()) {
  const caller = await app.customer({ email });
  const { device, answer } = await enrol(caller);
  expect(answer).toMatchObject({ status: 200, body: { ok: true } });
  return { email, caller, device };
}

const challenge = (caller: Caller) => caller.must<Request>('POST', `${SIGN_IN}/options`, {});

async function signIn(device: Authenticator, slip: Slip = {}, caller = app.visitor()) {
  const response = device.get(await challenge(caller), slip);
  const answer = await caller.call('POST', SIGN_IN, { response });
  return { caller, answer, response };
}

const userOf = async (caller: Caller) =>
  (await caller.must<{ user: Record<string, unknown> | null }>('GET', '/api/session')).user;
const mine = (caller: Caller) => caller.must<Passkey[]>('GET', '/api/passkeys');

describe('adding one', () => {
  it('takes the password, and asks the device to check its owner', async () => {
    const email = newEmail();
    const caller = await app.customer({ email });
    const wrong = await caller.call('POST', `${PASSKEYS}/options`, { password: 'a guess' });
    expect(wrong).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } });
    const options = await begin(caller);
    expect(options).toMatchObject({
      rp: { id: 'localhost', name: 'Test Cellar' },
      user: { name: email },
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    });
    expect(Buffer.from(options.challenge, 'base64url').length).toBeGreaterThanOrEqual(16);
  });

  it('the password can have any characters', async () => {
    const password = 'grün & 100 % ☂\r\nzwei';
    const email = newEmail();
    const caller = app.visitor();
    const person = { first_name: 'A', last_name: 'B', email, password };
    await caller.must('POST', '/api/auth/sign-up', person);
    expect((await begin(caller, password)).user.name).toBe(email);
  });

  it('the password cannot be sent past validation', async () => {
    const caller = await app.customer();
    const headers = { 'content-type': 'application/json', 'x-cellar-door-password': PASSWORD };
    const path = `${PASSKEYS}/options`;
    expect((await caller.raw('POST', path, { body: '{}', headers })).status).toBe(400);
    expect((await caller.raw('GET', path, { headers })).status).toBe(404);
    const body = JSON.stringify({ password: 'a guess' });
    expect((await caller.raw('POST', path, { body, headers })).status).toBe(403);
  });

  it('the password cannot be guessed for long', async () => {
    const caller = await app.customer();
    const guess = (password: string) => caller.call('POST', `${PASSKEYS}/options`, { password });
    for (let times = 0; times < 10; times += 1) expect((await guess(`guess ${times}`)).status).toBe(403);
    expect(await guess(PASSWORD)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
    app.clock.advance({ minutes: 16 });
    expect((await guess(PASSWORD)).status).toBe(200);
  });

  it('is listed, and announced to the owner', async () => {
    const { caller, email } = await enrolled();
    expect(await mine(caller)).toEqual([
      {
        id: expect.any(String),
        name: 'Chrome on Android',
        created_at: expect.any(String),
        last_used_at: null,
      },
    ]);
    expect(await mailTo(app, email)).toMatchObject({
      subject: 'A passkey was added · Test Cellar',
      text: expect.stringContaining('Chrome on Android'),
    });
  });

  it.each<[string, Slip]>([
    ['without the owner checked', { unverified: true }],
    ['made for another site', { origin: 'https://evil.example' }],
    ['made for another name', { rpId: 'evil.example' }],
    ['made for another challenge', { challenge: 'AAAA' }],
  ])('%s it is refused', async (_, slip) => {
    const caller = await app.customer();
    const { answer } = await enrol(caller, new Authenticator(app.url), slip);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(answer.body.message).toMatch(/\.$/);
    expect(await mine(caller)).toEqual([]);
  });

  it('a challenge adds one passkey, and only for the user who requested it', async () => {
    const [ada, grace] = [await app.customer(), await app.customer()];
    const options = await begin(ada);
    const cookie = 'cellar-door.passkey';
    grace.jar.set(cookie, ada.jar.get(cookie) ?? '');
    const add = (caller: Caller) =>
      caller.call('POST', PASSKEYS, {
        name: 'Mine',
        response: new Authenticator(app.url).create(options),
      });
    expect((await add(grace)).status).toBe(401);
    expect(await add(ada)).toMatchObject({ status: 400, body: { code: 'CHALLENGE_NOT_FOUND' } });
    const again = await begin(ada);
    const first = await ada.call('POST', PASSKEYS, {
      name: 'Mine',
      response: new Authenticator(app.url).create(again),
    });
    expect(first.status).toBe(200);
    expect((await add(ada)).status).toBe(400);
    expect([await mine(ada), await mine(grace)].map((it) => it.length)).toEqual([1, 0]);
  });

  it('one passkey serves one account', async () => {
    const { device } = await enrolled();
    const other = await app.customer();
    const { answer } = await enrol(other, device);
    expect(answer).toMatchObject({ status: 409, body: { code: 'PASSKEY_IN_USE' } });
  });

  it('an account has at most ten', async () => {
    const { caller } = await enrolled();
    const [row] = await app.services.db.select().from(passkeys).where(eq(passkeys.userId, caller.id));
    for (let times = 1; times < 10; times += 1) {
      await app.services.db
        .insert(passkeys)
        .values({ ...row!, id: app.services.newId(), credentialID: `${row!.credentialID}${times}` });
    }
    const eleventh = await caller.call('POST', `${PASSKEYS}/options`, { password: PASSWORD });
    expect(eleventh).toMatchObject({ status: 409, body: { code: 'TOO_MANY_PASSKEYS' } });
  });

  it('needs a session', async () => {
    const answer = await app.visitor().call('POST', `${PASSKEYS}/options`, { password: PASSWORD });
    expect(answer.status).toBe(401);
  });
});

describe('validation', () => {
  const device = new Authenticator('http://localhost');
  const made = device.create({ challenge: 'AAAA', rp: { id: 'localhost' } });
  const used = device.get({ challenge: 'AAAA', rpId: 'localhost' });
  it.each([
    [`${PASSKEYS}/options`, { password: PASSWORD, name: 'x' }],
    [`${PASSKEYS}/options`, {}],
    [`${SIGN_IN}/options`, { userId: 'x' }],
    [PASSKEYS, { name: 'x', response: made, createSession: true }],
    [PASSKEYS, { name: 'x', response: { ...made, clientExtensionResults: {} } }],
    [PASSKEYS, { name: ' ', response: made }],
    [PASSKEYS, { name: 'x'.repeat(61), response: made }],
    [PASSKEYS, { name: 'x', response: { ...made, id: 'A'.repeat(1365) } }],
    [SIGN_IN, { response: { ...used, id: { $ne: '' } } }],
    [SIGN_IN, { response: { ...used, id: 'not base64 url!' } }],
    [SIGN_IN, { response: { ...used, response: { ...used.response, more: 'AA' } } }],
    [SIGN_IN, { response: { ...used, response: { ...used.response, signature: 'A'.repeat(4097) } } }],
  ])('%s takes known fields only: %#', async (call, body) => {
    const caller = await app.customer();
    expect(await caller.call('POST', call, body)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    });
  });

  it.each(['list-user-passkeys', 'delete-passkey', 'update-passkey'])('%s is not a call', async (call) => {
    const { caller } = await enrolled();
    const [passkey] = await mine(caller);
    const answer = await caller.call('POST', `/api/auth/passkey/${call}`, { id: passkey?.id, name: 'x' });
    expect(answer.status).toBe(404);
  });
});

describe('signing in', () => {
  it('makes a new session, whose answer says nothing more', async () => {
    const { email, caller: before, device } = await enrolled();
    const { caller, answer } = await signIn(device);
    expect(answer).toMatchObject({ status: 200, body: { ok: true } });
    expect(Object.keys(answer.body)).toEqual(['ok']);
    expect(caller.jar.get(TOKEN)).not.toBe(before.jar.get(TOKEN));
    expect(await userOf(caller)).toMatchObject({ email, role: 'customer' });
    expect((await mine(caller))[0]?.last_used_at).toBe(app.clock.now().toISOString());
    expect((await signIn(device)).answer.status).toBe(200);
  });

  it('ends the session that this browser had', async () => {
    const { caller, device } = await enrolled();
    const [old] = await app.services.db.select().from(sessions).where(eq(sessions.userId, caller.id));
    expect((await signIn(device, {}, caller)).answer.status).toBe(200);
    const rows = await app.services.db.select().from(sessions).where(eq(sessions.userId, caller.id));
    expect(rows).toHaveLength(1);
    expect(rows[0]?.id).not.toBe(old?.id);
  });

  it('requires the device to verify its owner', async () => {
    const { device } = await enrolled();
    expect(await challenge(app.visitor())).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    const { answer, caller } = await signIn(device, { unverified: true });
    expect(answer).toMatchObject({ status: 403, body: { code: 'NOT_VERIFIED_BY_DEVICE' } });
    expect(await userOf(caller)).toBeNull();
  });

  it('a challenge is valid for one answer', async () => {
    const { device } = await enrolled();
    const { caller, answer, response } = await signIn(device);
    expect(answer.status).toBe(200);
    await caller.must('POST', '/api/auth/sign-out', {});
    const again = await caller.call('POST', SIGN_IN, { response });
    expect(again).toMatchObject({ status: 400, body: { code: 'CHALLENGE_NOT_FOUND' } });

    const visitor = app.visitor();
    const options = await challenge(visitor);
    const answers = [device.get(options), device.get(options)];
    const outcomes = await Promise.all(answers.map((it) => visitor.call('POST', SIGN_IN, { response: it })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('a challenge is valid for five minutes', async () => {
    const { device } = await enrolled();
    const visitor = app.visitor();
    const options = await challenge(visitor);
    const { db } = app.services;
    const old = like(verifications.value, `%${options.challenge}%`);
    const [row] = await db.select().from(verifications).where(old);
    expect(row!.expiresAt.getTime() - row!.createdAt.getTime()).toBeCloseTo(5 * 60_000, -3);
    await db
      .update(verifications)
      .set({ expiresAt: new Date(row!.createdAt.getTime() - 1000) })
      .where(old);
    const response = device.get(options);
    expect(await visitor.call('POST', SIGN_IN, { response })).toMatchObject({
      status: 400,
      body: { code: 'CHALLENGE_NOT_FOUND', message: 'That took too long. Please try again.' },
    });
  });

  it('a challenge given to another browser is refused', async () => {
    const { device } = await enrolled();
    const [victim, thief] = [app.visitor(), app.visitor()];
    const response = device.get(await challenge(victim));
    await challenge(thief);
    const stolen = await thief.call('POST', SIGN_IN, { response });
    expect(stolen).toMatchObject({ status: 400, body: { code: 'PASSKEY_REFUSED' } });
  });

  it.each<[string, Slip]>([
    ['signed by another key', { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }],
    ['made on another site', { origin: 'https://evil.example' }],
    ['made for another name', { rpId: 'evil.example' }],
    ['made for another challenge', { challenge: 'AAAA' }],
  ])('%s it is refused', async (_, slip) => {
    const { device } = await enrolled();
    const { answer, caller } = await signIn(device, slip);
    expect([400, 401]).toContain(answer.status);
    expect(answer.body.code).toBe('PASSKEY_REFUSED');
    expect(await userOf(caller)).toBeNull();
  });

  it('a device whose counter goes back was copied, and is refused', async () => {
    const { device } = await enrolled();
    expect((await signIn(device, { counter: 7 })).answer.status).toBe(200);
    for (const counter of [7, 6]) expect((await signIn(device, { counter })).answer.status).toBe(400);
    expect((await signIn(device, { counter: 8 })).answer.status).toBe(200);
  });

  it('an unknown passkey gets a clear message', async () => {
    const { answer } = await signIn(new Authenticator(app.url));
    expect(answer).toMatchObject({
      status: 401,
      body: { message: 'This passkey was removed. Please sign in with your password.' },
    });
  });

  it('a registration challenge signs nobody in', async () => {
    const { caller, device } = await enrolled();
    const options = await begin(caller);
    const response = device.get({ challenge: options.challenge, rpId: 'localhost' });
    const answer = await caller.call('POST', SIGN_IN, { response });
    expect(answer).toMatchObject({ status: 400, body: { code: 'CHALLENGE_NOT_FOUND' } });
  });

  it('counts as both steps of two-step sign-in', async () => {
    const { caller, device, email } = await enrolled();
    await enrollFactor(caller, PASSWORD);
    const withPassword = await app.visitor().must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
    expect(withPassword).toEqual({ ok: true, two_factor: true });
    const { caller: withPasskey } = await signIn(device);
    expect(await userOf(withPasskey)).toMatchObject({ email, two_factor: true });
  });
});

it('a password recovery removes passkeys added with the old password', async () => {
  const { device, email } = await enrolled();
  await app.services.deliveries.deliver('email');
  const visitor = app.visitor();
  await visitor.must('POST', '/api/auth/recover', { email });
  const token = tokenIn(await mailTo(app, email), '/reset-password#');
  await visitor.must('POST', '/api/auth/reset-password', { token, password: 'a better password' });
  expect((await signIn(device)).answer).toMatchObject({ status: 401, body: { code: 'PASSKEY_NOT_FOUND' } });
  expect((await mailTo(app, email))?.text).toContain('Your passkeys were also removed');
});

describe('staff', () => {
  it('sign in with theirs as staff', async () => {
    const staff = await app.staff();
    const { device } = await enrol(staff);
    const { caller } = await signIn(device);
    expect(await userOf(caller)).toMatchObject({ role: 'staff' });
    expect((await caller.call('GET', '/api/customers')).status).toBe(200);
  });

  it('who must have a second factor still set it up', async () => {
    const strict = await createTestApp({ staffNeedTwoFactor: true });
    const staff = await strict.staff();
    const { device } = await enrol(staff, new Authenticator(strict.url));
    const caller = strict.visitor();
    await signIn(device, {}, caller);
    expect(await userOf(caller)).toMatchObject({ role: 'staff', must_enrol: true });
    expect(await caller.call('GET', '/api/customers')).toMatchObject({ status: 403 });
    await strict.close();
  });
});

describe('one’s own passkeys', () => {
  const remove = (caller: Caller, id: string | undefined, password = PASSWORD) =>
    caller.call('POST', `/api/passkeys/${id}/remove`, { password });

  it('are renamed, and removed with the password; then they no longer sign in', async () => {
    const { caller, device, email } = await enrolled();
    const [passkey] = await mine(caller);
    const renamed = await caller.must<Passkey>('PATCH', `/api/passkeys/${passkey?.id}`, {
      name: ' Work phone ',
    });
    expect(renamed.name).toBe('Work phone');
    expect(await remove(caller, passkey?.id, 'a guess')).toMatchObject({
      status: 403,
      body: { code: 'WRONG_PASSWORD' },
    });
    expect(await mine(caller)).toHaveLength(1);
    await app.services.deliveries.deliver('email');
    expect((await remove(caller, passkey?.id)).status).toBe(200);
    expect(await mine(caller)).toEqual([]);
    expect((await signIn(device)).answer.status).toBe(401);
    expect(await mailTo(app, email)).toMatchObject({
      subject: 'A passkey was removed · Test Cellar',
      text: expect.stringContaining('Work phone'),
    });
    expect((await remove(caller, passkey?.id)).status).toBe(404);
  });

  it('are private: another person’s passkey id is not found', async () => {
    const [ada, grace] = [await enrolled(), await enrolled()];
    const [theirs] = await mine(grace.caller);
    expect((await mine(ada.caller)).map(({ id }) => id)).not.toContain(theirs?.id);
    const attempts = [
      await remove(ada.caller, theirs?.id),
      await ada.caller.call('PATCH', `/api/passkeys/${theirs?.id}`, { name: 'Mine now' }),
    ];
    expect(attempts.map(({ status }) => status)).toEqual([404, 404]);
    expect(await mine(grace.caller)).toEqual([theirs]);
    expect((await signIn(grace.device)).answer.status).toBe(200);
  });

  it('cannot be removed by an account without a password', async () => {
    const { caller } = await enrolled();
    const [passkey] = await mine(caller);
    await app.services.db.delete(accounts).where(eq(accounts.userId, caller.id));
    expect(await remove(caller, passkey?.id)).toMatchObject({ status: 409, body: { code: 'NO_PASSWORD' } });
    expect(await mine(caller)).toHaveLength(1);
  });

  it('a device signed out from elsewhere can neither list nor change them', async () => {
    const { caller } = await enrolled();
    const [passkey] = await mine(caller);
    await app.services.db.delete(sessions).where(eq(sessions.userId, caller.id));
    expect((await caller.call('GET', '/api/passkeys')).status).toBe(401);
    expect((await remove(caller, passkey?.id)).status).toBe(401);
  });

  it('store no private key, only what the device sent', async () => {
    const { caller, device } = await enrolled();
    const [row] = await app.services.db.select().from(passkeys).where(eq(passkeys.userId, caller.id));
    expect(row).toMatchObject({ credentialID: device.id, counter: 0, transports: 'internal' });
    expect(app.logged.join('\n')).not.toContain(device.id);
  });
});

it('passkeys do not bypass the confirmation of emails', async () => {
  const strict = await createTestApp({ verifyEmail: 'required' });
  const email = newEmail();
  const confirmed = (emailVerified: boolean) =>
    strict.services.db.update(profiles).set({ emailVerified }).where(eq(profiles.email, email));
  const caller = strict.visitor();
  const person = { first_name: 'A', last_name: 'B', email, password: PASSWORD };
  await caller.must('POST', '/api/auth/sign-up', person);
  await confirmed(true);
  await caller.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  const { device } = await enrol(caller, new Authenticator(strict.url));
  await strict.services.deliveries.deliver('email');
  await confirmed(false);
  const { answer } = await signIn(device, {}, strict.visitor());
  expect(answer).toMatchObject({ status: 403, body: { code: 'EMAIL_NOT_VERIFIED' } });
  expect((await mailTo(strict, email))?.text).toContain('/verify-email#');
  await confirmed(true);
  expect((await signIn(device, {}, strict.visitor())).answer.status).toBe(200);
  await strict.close();
});

it('a passkey signs in before the email is confirmed where that is only asked for, and sends no further email', async () => {
  const nudging = await createTestApp({ verifyEmail: 'nudge' });
  const email = newEmail();
  const caller = await nudging.customer({ email });
  const { device } = await enrol(caller, new Authenticator(nudging.url));
  const emails = () => nudging.services.db.$count(deliveries, eq(deliveries.recipient, email));
  const before = await emails();
  const { answer, caller: signedIn } = await signIn(device, {}, nudging.visitor());
  expect(answer.status).toBe(200);
  expect(await userOf(signedIn)).toMatchObject({ id: caller.id });
  expect(await emails()).toBe(before);
  await nudging.close();
});

it('options for a sign-in by passkey are limited per client IP', async () => {
  const limited = await createTestApp({ limitAttempts: true });
  const visitor = limited.visitor();
  const ask = () => visitor.call('POST', `${SIGN_IN}/options`, {});
  const answers = await Promise.all(Array.from({ length: 61 }, ask));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  await limited.close();
});
