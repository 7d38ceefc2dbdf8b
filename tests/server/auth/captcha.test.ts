import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { eq } from 'drizzle-orm';
import { Hono } from 'hono';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CaptchaConfig } from '../../../src/server/config/captcha-config.ts';
import { profiles } from '../../../src/server/db/schema.ts';
import { mailTo } from '../../support/fixtures/emails.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';

/** The provider's verification as documented: JSON or a form in, JSON out. */
const asked: Record<string, string>[] = [];
let broken = false;
const provider = new Hono().post('/siteverify', async (c) => {
  const form = c.req.header('content-type')?.includes('json') ? await c.req.json() : await c.req.parseBody();
  asked.push(form);
  if (broken) return c.text('out of order', 503);
  const success = form.secret === 'the-secret' && form.response === 'solved';
  return c.json(success ? { success } : { success, 'error-codes': ['invalid-input-response'] });
});
const server = serve({ fetch: provider.fetch, port: 0 });
afterAll(() => server.close());
afterEach(() => {
  asked.length = 0;
  broken = false;
});

const FORGOT = '/api/auth/recover';
const SIGN_UP = '/api/auth/sign-up';
const JOIN = '/api/auth/join';
const email = 'guest@example.test';
const person = (address: string) => ({
  first_name: 'Ada',
  last_name: 'Guest',
  email: address,
  password: PASSWORD,
});

const hosts = {
  turnstile: 'https://challenges.cloudflare.com',
  hcaptcha: 'https://hcaptcha.com',
  recaptcha: 'https://www.google.com/recaptcha/',
};

describe.each(['turnstile', 'hcaptcha', 'recaptcha'] as const)('with %s', (name) => {
  let app: TestApp;
  beforeAll(async () => {
    if (!server.listening) await new Promise((listening) => server.once('listening', listening));
    const { port } = server.address() as AddressInfo;
    const verifyUrl = `http://127.0.0.1:${port}/siteverify`;
    const captcha: CaptchaConfig = { provider: name, siteKey: 'public', secretKey: 'the-secret', verifyUrl };
    app = await createTestApp({ captcha });
    await app.visitor().must('POST', SIGN_UP, { ...person(email), captcha: 'solved' });
    asked.length = 0;
    return () => app.close();
  });

  it('a solved captcha sends the email', async () => {
    await app.visitor().must('POST', FORGOT, { email, captcha: 'solved' });
    expect(asked).toMatchObject([{ secret: 'the-secret', response: 'solved' }]);
    expect(await mailTo(app, email)).toBeDefined();
  });

  it.each([
    ['none', { email }, 400, 'CAPTCHA_REQUIRED'],
    ['a wrong one', { email, captcha: 'guessed' }, 403, 'CAPTCHA_FAILED'],
    ['one that no header can carry', { email, captcha: 'решено' }, 403, 'CAPTCHA_FAILED'],
  ])('%s sends none, and uses up nobody’s attempts', async (_, body, status, code) => {
    const before = await mailTo(app, email);
    for (let times = 0; times < 6; times += 1) {
      expect(await app.visitor().call('POST', FORGOT, body)).toMatchObject({ status, body: { code } });
    }
    expect(await mailTo(app, email)).toEqual(before);
  });

  it('a sign-up needs a solved one; without it, no account is created and no email sent', async () => {
    const stranger = `not-${name}@example.test`;
    for (const [captcha, code] of [
      [{}, 'CAPTCHA_REQUIRED'],
      [{ captcha: 'guessed' }, 'CAPTCHA_FAILED'],
    ] as const) {
      for (const address of [stranger, email]) {
        const { password, ...joining } = person(address);
        for (const [path, body] of [
          [SIGN_UP, { ...joining, password }],
          [JOIN, joining],
        ] as const) {
          const answer = await app.visitor().call('POST', path, { ...body, ...captcha });
          expect(answer.body.code, `${code} at ${path}, whoever has an account`).toBe(code);
        }
      }
    }
    expect(await app.services.db.$count(profiles, eq(profiles.email, stranger))).toBe(0);
    asked.length = 0;
    const visitor = app.visitor();
    await visitor.must('POST', SIGN_UP, { ...person(stranger), captcha: 'solved' });
    expect(asked).toMatchObject([{ secret: 'the-secret', response: 'solved' }]);
    await visitor.remember();
    expect(visitor.id).not.toBe('');
  });

  it('no header of one’s own gets past it', async () => {
    for (const [path, body] of [
      [FORGOT, { email }],
      [SIGN_UP, person('header@example.test')],
    ] as const) {
      const answer = await app.visitor().raw('POST', path, {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json', 'x-captcha-response': 'solved' },
      });
      expect(answer.status).toBe(400);
    }
    expect(asked).toEqual([]);
  });

  it('a failing provider lets nobody through, and leaks nothing', async () => {
    broken = true;
    const answer = await app.visitor().call('POST', FORGOT, { email, captcha: 'solved' });
    expect(answer.status).toBe(500);
    expect(JSON.stringify(answer.body)).not.toContain('siteverify');
  });

  it('the page may load and frame it, and nothing else new', async () => {
    const policy = (await app.visitor().call('GET', '/login')).headers.get('content-security-policy');
    expect(policy).toContain(`script-src 'self' 'wasm-unsafe-eval' ${hosts[name]}`);
    expect(policy).toContain(`frame-src 'self' ${hosts[name]}`);
    expect(policy).not.toContain('unsafe-inline');
  });
});

it('without one, the page frames and loads only its own', async () => {
  const app = await createTestApp();
  const policy = (await app.visitor().call('GET', '/login')).headers.get('content-security-policy');
  expect(policy).toContain("frame-src 'self';");
  expect(policy).not.toContain('https:');
  await app.close();
});
