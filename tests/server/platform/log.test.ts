import { sql } from 'drizzle-orm';
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLog } from '../../../src/server/platform/log.ts';
import { totpCode } from '../../support/fakes/authenticator-app.ts';
import { mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import { applied, payAt, pour, RATINGS } from '../../support/fixtures/members.ts';
import { passCode, sendCode } from '../../support/fixtures/second-factor.ts';
import {
  createTestApp,
  PASSWORD,
  TEST_SECRET,
  type TestApp,
  WEBHOOK_SECRET,
} from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

const SIGN_IN = '/api/auth/sign-in';
const EMAIL = 'theodora.quince@guests.example.test';
const PHONE = '+43 660 7788991';
const NEW_PASSWORD = 'a wholly new passphrase';
const WRONG_PASSWORD = 'not at all the passphrase';
const NOTE = 'talks about the divorce';

let app: TestApp;
let member: Caller;
let staff: Caller;
/** Values that must not appear in the log, by name. */
const secrets = new Map<string, string>();
const addSecret = (what: string, value: string | undefined) => {
  if (!value || value.length < 4) throw new Error(`No value for ${what}`);
  secrets.set(what, value);
};
const addCookies = (who: string, caller: Caller) => {
  for (const [name, value] of caller.jar) {
    const token = decodeURIComponent(value);
    addSecret(`${who}: cookie ${name} ${value.length}`, value);
    addSecret(`${who}: token ${name} ${value.length}`, token.split('.')[0]);
  }
};

const control = (path: string, body: object) =>
  fetch(`${app.sandbox.url}/_sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });

/** Renames the table meanwhile, so that every statement about it fails. */
async function without(table: string, work: () => Promise<unknown>): Promise<void> {
  const { db } = app.services;
  await db.execute(sql`alter table ${sql.identifier(table)} rename to away`);
  try {
    await work();
  } finally {
    await db.execute(sql`alter table away rename to ${sql.identifier(table)}`);
  }
}

async function webhook(body: string, secret: string) {
  const stripe = new Stripe('sk_test_anything');
  const signature = await stripe.webhooks.generateTestHeaderStringAsync({
    payload: body,
    secret,
    timestamp: Math.floor(app.clock.now().getTime() / 1000),
  });
  return fetch(`${app.url}/api/stripe/webhook`, {
    method: 'POST',
    body,
    headers: { 'stripe-signature': signature },
  });
}

beforeAll(async () => {
  app = await createTestApp({ limitAttempts: true });
  for (const [what, value] of Object.entries({
    EMAIL,
    PHONE,
    NOTE,
    PASSWORD,
    NEW_PASSWORD,
    WRONG_PASSWORD,
  })) {
    addSecret(what, value);
  }
  addSecret('the email before the @', EMAIL.split('@')[0]);
  addSecret('AUTH_SECRET', TEST_SECRET);
  addSecret('webhook secret', WEBHOOK_SECRET);
  addSecret('Stripe key', app.sandbox.stripeSecretKey);
  staff = await app.staff();
});
afterAll(() => app.close());

describe('at the level trace, after a walk through the whole product', () => {
  it('with accounts', async () => {
    member = await app.customer({ email: EMAIL, phone: PHONE });
    addCookies('sign-up', member);
    const visitor = app.visitor();
    await visitor.call('POST', SIGN_IN, { email: EMAIL, password: WRONG_PASSWORD });
    await visitor.call('POST', '/api/auth/sign-up', {
      first_name: 'T',
      last_name: 'Q',
      email: EMAIL,
      password: PASSWORD,
    });
    await visitor.call('POST', SIGN_IN, '{"email": "theodora.quince@guests');
    await visitor.must('POST', '/api/auth/recover', { email: EMAIL });
    const token = tokenIn(await mailTo(app, EMAIL), '/reset-password#');
    addSecret('password reset link', token);
    await visitor.call('POST', '/api/auth/reset-password', { token: `${token}x`, password: NEW_PASSWORD });
    await visitor.must('POST', '/api/auth/reset-password', { token, password: NEW_PASSWORD });
    await member.must('POST', SIGN_IN, { email: EMAIL, password: NEW_PASSWORD });
    addCookies('sign-in', member);

    const enrolled = await member.must<{ totp_uri: string; backup_codes: string[] }>(
      'POST',
      '/api/auth/factors',
      { password: NEW_PASSWORD },
    );
    addSecret('TOTP secret', new URL(enrolled.totp_uri).searchParams.get('secret') ?? '');
    for (const code of enrolled.backup_codes) addSecret(`backup code ${code}`, code);
    await sendCode(member, '000000');
    await passCode(member, totpCode(enrolled.totp_uri));
    addCookies('second factor', member);
  });

  it('with membership, payments and webhooks', async () => {
    const applicationId = await applied(member);
    const checkout = () =>
      member.call<{ url: string }>('POST', '/api/functions/create-checkout', {
        tierName: 'select',
        applicationId,
      });
    await control('fail-next', { path: '/v1/checkout', status: 400 });
    await checkout();
    await control('fail-next', { path: '/v1/checkout', kind: 'drop', times: 2 });
    await checkout();
    const { body } = await checkout();
    addSecret('payment page', body.url);
    await payAt(body.url, { number: '4000000000000002' });
    await payAt(body.url, { number: '4242424242424242' });
    addSecret('card number', '4242424242424242');
    await member.must('POST', '/api/functions/verify-subscription-status', {});
    await control('webhooks/idle', {});

    const good = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'customer.updated',
      api_version: 'x',
      created: 1,
      data: { object: { id: 'cus_1', object: 'customer', email: EMAIL } },
    });
    expect((await webhook(good, WEBHOOK_SECRET)).status).toBe(200);
    expect((await webhook(good, 'whsec_of_another_account')).status).toBe(400);
    expect((await webhook(`{"email": "${EMAIL}"`, WEBHOOK_SECRET)).status).toBe(400);
    await without('stripe_event', async () => {
      expect((await webhook(good, WEBHOOK_SECRET)).status).toBe(503);
    });
  });

  it('with cards and pours', async () => {
    const { token } = await member.must<{ token: string }>('POST', '/api/functions/generate-qr-token', {});
    addSecret('card code', token);
    const verified = await staff.must<{ customer: { id: string } }>(
      'POST',
      '/api/functions/verify-qr-token',
      { token },
    );
    await staff.must('POST', '/api/functions/verify-qr-token', { token: `${token.slice(0, -1)}_` });
    await pour(staff, verified.customer.id, { notes: NOTE });
    await control('model', { mode: 'fail' });
    await staff.call('POST', '/api/functions/generate-profile-summary', { customerId: verified.customer.id });
  });

  it('with a failing database', async () => {
    const failed = async (caller: Caller, method: string, path: string, body?: unknown) =>
      expect((await caller.call(method, path, body)).status).toBe(500);
    const visitor = app.visitor();
    const user = { first_name: 'T', last_name: 'Q', email: EMAIL, password: PASSWORD };
    const before = app.logged.length;
    await without('sessions', async () => {
      await failed(visitor, 'POST', SIGN_IN, { email: EMAIL, password: NEW_PASSWORD });
      await member.call('GET', '/api/sessions');
    });
    await without('profiles', () => failed(visitor, 'POST', '/api/auth/sign-up', user));
    await without('accounts', () => failed(visitor, 'POST', SIGN_IN, { email: EMAIL, password: PASSWORD }));
    await without('deliveries', async () => {
      await visitor.call('POST', '/api/auth/recover', { email: EMAIL });
    });
    await without('profile_search', () =>
      failed(member, 'PATCH', '/api/profile', { phone: PHONE, first_name: NOTE }),
    );
    const applicant = await app.customer();
    await without('membership_applications', () =>
      failed(applicant, 'PUT', '/api/applications/own', {
        preferences: RATINGS,
        selected_tier: 'select',
        current_step: 2,
        is_complete: true,
      }),
    );
    const { token } = await member.must<{ token: string }>('POST', '/api/functions/generate-qr-token', {});
    addSecret('second card code', token);
    await without('rate_limits', () => failed(staff, 'POST', '/api/functions/verify-qr-token', { token }));
    await without('pours', async () => {
      const { body } = await member.call<{ customer: { id: string } }>('GET', '/api/customers/own');
      await pour(staff, body.customer?.id ?? member.id, { notes: NOTE });
    });
    expect(app.logged.length - before).toBeGreaterThan(7);
  });

  it('with a failed and a completed deletion of the account', async () => {
    await app.visitor().must('POST', '/api/auth/recover', { email: EMAIL });
    await control('fail-next', { path: '/v1/customers', method: 'DELETE', status: 400 });
    const remove = (password: string) =>
      member.call('POST', '/api/privacy/delete-account', { password, confirmation: 'DELETE' });
    await remove(WRONG_PASSWORD);
    await remove(NEW_PASSWORD);
    expect((await remove(NEW_PASSWORD)).status).toBe(200);
  });

  it('the log contains no secrets and no personal data', () => {
    const log = app.logged.join('\n');
    expect(app.logged.length).toBeGreaterThan(15);
    expect(secrets.size).toBeGreaterThan(30);
    const found = [...secrets].flatMap(([what, value]) =>
      log.includes(value) || log.includes(encodeURIComponent(value)) ? [what] : [],
    );
    expect(found).toEqual([]);
    expect(log).not.toMatch(/(?<!\w)(?:4242|0002)(?!\w)/);
    expect(log).not.toMatch(/[\w.+-]+@[\w-]+\.[\w.]+/);
  });
});

describe('a logged error', () => {
  const lines: string[] = [];
  const log = createLog('trace', { write: (line: string) => void lines.push(line) });
  const logged = (error: unknown) => {
    lines.length = 0;
    log.error({ err: error }, 'request failed');
    return JSON.parse(lines[0] ?? '{}').err;
  };

  it('has its type, message, stack and causes, without values of the query', () => {
    const cause = Object.assign(
      new Error('duplicate key value violates unique constraint "profiles_email_unique"'),
      {
        code: '23505',
        constraint: 'profiles_email_unique',
        detail: `Key (email)=(${EMAIL}) already exists.`,
      },
    );
    const error = new Error(`Failed query: insert into "profiles"\nparams: ${EMAIL},secret`, { cause });
    const entry = logged(error);
    expect(entry).toMatchObject({
      type: 'Error',
      message: 'Failed query: insert into "profiles"',
      stack: expect.stringContaining('log.test.ts'),
      cause: { code: '23505', constraint: 'profiles_email_unique', message: cause.message },
    });
    expect(JSON.stringify(entry)).not.toContain(EMAIL);
  });

  it.each([
    ['Invalid email address: theodora.quince@guests.example.test', 'Invalid email address: [email]'],
    ['Invalid API Key provided: sk_test_1234567890', 'Invalid API Key provided: [key]'],
    ['connect postgres://club:hunter2@db.example.test:5432/club', 'connect postgres://club:[email]'],
    ['No such subscription: sub_1', 'No such subscription: sub_1'],
  ])('%s: %s', (message, expected) => {
    expect(logged(new Error(message)).message).toBe(expected);
  });

  it('does not quote input that could not be parsed', () => {
    expect(() => JSON.parse(`{"password": ${PASSWORD}`)).toThrow();
    for (const error of [
      new SyntaxError(`Unexpected token 'c', "${PASSWORD}" is not valid JSON`),
      Object.assign(new Error(`invalid input syntax for type uuid: "${PASSWORD}"`), { code: '22P02' }),
      PASSWORD,
    ]) {
      expect(JSON.stringify(logged(error))).not.toContain(PASSWORD);
    }
  });

  it('omits secret fields of every object', () => {
    log.info({ password: PASSWORD, user: { token: 'abcdefgh', session: { cookie: 'ijklmnop' } } });
    expect(lines.at(-1)).not.toMatch(/correct horse|abcdefgh|ijklmnop/);
  });
});
