import { and, eq, ne } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { deleteOldEmailChanges } from '../../../src/server/auth/email-change.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import {
  api_clients,
  deliveries,
  email_change,
  known_devices,
  profiles,
  sessions,
  staff_notice,
} from '../../../src/server/db/schema.ts';
import { reportRefusedEmail } from '../../../src/server/membership/refused-email.ts';
import { mailsTo, mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import { cardMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/accounts.md, "Changing the email".

const CHANGE = '/api/auth/email-change';
const CONFIRM = '/api/auth/email-change/confirm';

let app: TestApp;
let people = 0;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const newEmail = () => `mover-${++people}@example.test`;
const ask = (caller: Caller, email: string, password = PASSWORD) =>
  caller.call('POST', CHANGE, { email, password });
const linkFor = async (email: string) => tokenIn(await mailTo(app, email), '/change-email#');
const follow = (token: string, who = app.visitor()) => who.call('POST', CONFIRM, { token });
/** As a page does when it opens. */
const open = (token: string, who = app.visitor()) => who.call('POST', CONFIRM, { token, opened: true });
const signIn = (email: string) =>
  app.visitor().call('POST', '/api/auth/sign-in', { email, password: PASSWORD });
const emailOf = async ({ id }: Caller) =>
  (await app.services.db.select().from(profiles).where(eq(profiles.id, id)))[0]?.email;

async function someone(): Promise<{ caller: Caller; old: string; wanted: string }> {
  const [old, wanted] = [newEmail(), newEmail()];
  return { caller: await app.customer({ email: old }), old, wanted };
}

const LINK_INVALID = { status: 400, body: { code: 'LINK_INVALID' } };

describe('asking for it', () => {
  it('changes nothing yet: a link goes to the new email, a warning to the old one', async () => {
    const { caller, old, wanted } = await someone();
    const answer = await caller.must('POST', CHANGE, {
      email: ` ${wanted.toUpperCase()}`,
      password: PASSWORD,
    });
    const pending = {
      new_email: wanted,
      expires_at: new Date(app.clock.now().getTime() + 24 * 3_600_000).toISOString(),
    };
    expect(answer).toEqual(pending);
    expect(await caller.must('GET', CHANGE)).toEqual({ email: old, sends_email: true, pending });
    expect(await emailOf(caller)).toBe(old);
    expect((await signIn(old)).status).toBe(200);

    const token = await linkFor(wanted);
    const warning = await mailTo(app, old);
    expect(warning?.subject).toMatch(/^Your email is about to change/);
    expect(warning?.text).toContain(wanted);
    expect(warning?.text).toContain('/forgot-password');
    expect(warning?.text).not.toContain(token);
    const [row] = await app.services.db
      .select()
      .from(email_change)
      .where(eq(email_change.user_id, caller.id));
    expect(JSON.stringify(row)).not.toContain(token);
    expect(app.logged.join()).not.toContain(token);
    expect(app.logged.join()).not.toContain(wanted);
  });

  it('takes the password, and cannot be used to guess it', async () => {
    const { caller, wanted } = await someone();
    for (let times = 0; times < 10; times += 1) {
      expect((await ask(caller, wanted, 'not the password')).body.code).toBe('WRONG_PASSWORD');
    }
    expect((await ask(caller, wanted)).status).toBe(429);
    expect(await mailTo(app, wanted)).toBeUndefined();
  });

  it('is possible five times an hour', async () => {
    const { caller } = await someone();
    for (let times = 0; times < 5; times += 1) expect((await ask(caller, newEmail())).status).toBe(200);
    expect(await ask(caller, newEmail())).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
  });

  test.each([
    ['the email that the account has', (old: string) => old.toUpperCase(), 'EMAIL_UNCHANGED'],
    ['no email', () => 'not an email', 'BAD_REQUEST'],
  ])('%s is refused', async (_, email, code) => {
    const { caller, old } = await someone();
    expect((await ask(caller, email(old))).body.code).toBe(code);
    expect((await caller.must<{ pending: unknown }>('GET', CHANGE)).pending).toBeNull();
  });

  it('is refused if no mail server is set up', async () => {
    const { caller, wanted } = await someone();
    const { outbox } = app.services;
    outbox.sends = false;
    try {
      expect((await ask(caller, wanted)).body.code).toBe('EMAIL_SENDING_OFF');
      expect(await caller.must('GET', CHANGE)).toMatchObject({ sends_email: false, pending: null });
    } finally {
      outbox.sends = true;
    }
  });

  it('reveals to nobody whether the new email has an account, which then gets no link', async () => {
    const [{ caller, wanted: free }, { caller: owner, old: taken }] = [await someone(), await someone()];
    const { db } = app.services;
    await db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, owner.id));
    const outcomeOf = async (email: string) => {
      const { status, body, headers } = await ask(caller, email);
      const own = and(eq(deliveries.user_id, caller.id), ne(deliveries.recipient, email));
      return {
        status,
        fields: Object.keys(body),
        headers: [...headers.keys()].filter((it) => it !== 'content-length'),
        toOld: await db.$count(deliveries, own),
        exported: JSON.stringify(await caller.must('GET', '/api/privacy/export')).split(email).length,
      };
    };
    const [first, second] = [await outcomeOf(taken), await outcomeOf(free)];
    expect(second).toEqual({ ...first, toOld: first.toOld + 1 });
    const mail = await mailTo(app, taken);
    expect(mail?.subject).toMatch(/^You already have an account/);
    expect(mail?.text).not.toContain('/change-email');
    for (let times = 0; times < 3; times += 1) await ask(caller, taken);
    expect(await emailOf(owner)).toBe(taken);
  });

  it('writes to an unconfirmed email at most three times a day, whoever asks', async () => {
    const wanted = newEmail();
    for (let times = 0; times < 4; times += 1) {
      expect((await ask((await someone()).caller, wanted)).status).toBe(200);
    }
    expect(await mailsTo(app, wanted)).toHaveLength(3);
  });

  it('can be withdrawn', async () => {
    const { caller, wanted } = await someone();
    await ask(caller, wanted);
    expect(await caller.must('DELETE', CHANGE)).toEqual({ removed: true });
    expect(await caller.must('DELETE', CHANGE)).toEqual({ removed: false });
    expect(await follow(await linkFor(wanted))).toMatchObject(LINK_INVALID);
  });
});

describe('following the link', () => {
  it('changes the email, confirmed, wherever it is followed; the old one is notified', async () => {
    const { caller, old, wanted } = await someone();
    await ask(caller, wanted);
    expect(await follow(await linkFor(wanted))).toMatchObject({ status: 200, body: { ok: true } });
    expect([(await signIn(old)).status, (await signIn(wanted)).status]).toEqual([401, 200]);
    const { user } = await caller.must<{ user: object }>('GET', '/api/session');
    expect(user).toMatchObject({ id: caller.id });
    const [profile] = await app.services.db.select().from(profiles).where(eq(profiles.id, caller.id));
    expect(profile).toMatchObject({ email: wanted, emailVerified: true });
    const mail = await mailTo(app, old);
    expect(mail?.subject).toMatch(/^Your email was changed/);
    expect(mail?.text).toContain(wanted);
    expect(app.logged.some((line) => line.includes('"email changed"') && line.includes(caller.id))).toBe(
      true,
    );
  });

  it('shows at once in the browser that asked', async () => {
    const { caller, wanted } = await someone();
    await ask(caller, wanted);
    await follow(await linkFor(wanted), caller);
    expect(await caller.must('GET', '/api/session')).toMatchObject({
      user: { email: wanted, email_verified: true },
    });
  });

  it('ends other sessions, other devices, API clients and password links', async () => {
    const { caller, old, wanted } = await someone();
    const elsewhere = app.visitor();
    await elsewhere.must('POST', '/api/auth/sign-in', { email: old, password: PASSWORD });
    await caller.must('POST', '/api/api-clients', { name: 'Till', password: PASSWORD });
    await app.visitor().must('POST', '/api/auth/recover', { email: old });
    const reset = tokenIn(await mailTo(app, old), '/reset-password#');
    await ask(caller, wanted);
    await follow(await linkFor(wanted));

    const { db } = app.services;
    expect((await caller.call('GET', '/api/sessions')).status).toBe(200);
    expect((await elsewhere.call('GET', '/api/sessions')).status).toBe(401);
    expect(await db.$count(sessions, eq(sessions.userId, caller.id))).toBe(1);
    expect(await db.$count(known_devices, eq(known_devices.user_id, caller.id))).toBe(1);
    expect(await db.$count(api_clients, eq(api_clients.user_id, caller.id))).toBe(0);
    const late = { token: reset, password: 'someone else wants this' };
    expect(await app.visitor().call('POST', '/api/auth/reset-password', late)).toMatchObject(LINK_INVALID);
  });

  it('changes the email once, and says that it is done however often it is followed', async () => {
    const { caller, old, wanted } = await someone();
    await ask(caller, wanted);
    const token = await linkFor(wanted);
    const both = await Promise.all([follow(token), follow(token)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await follow(token)).status).toBe(200);
    expect((await open(token)).body).toEqual({ ok: true });
    const notices = (await mailsTo(app, old)).filter(({ subject }) => /was changed/.test(subject));
    expect(notices).toHaveLength(1);
    expect(await caller.must('GET', CHANGE)).toMatchObject({ email: wanted, pending: null });
    app.clock.advance({ days: 1 });
    await deleteOldEmailChanges(app.services);
    expect(await follow(token)).toMatchObject(LINK_INVALID);
  });

  it('ends the notices about emails that the old address refused', async () => {
    const { caller, old, wanted } = await someone();
    const { db, now } = app.services;
    const refused = { id: app.services.newId(), user_id: caller.id, recipient: old, subject: 'Hello' };
    await reportRefusedEmail({ db, now }, refused as Parameters<typeof reportRefusedEmail>[1]);
    const count = () => db.$count(staff_notice, eq(staff_notice.user_id, caller.id));
    expect(await count()).toBe(1);
    await ask(caller, wanted);
    await follow(await linkFor(wanted));
    expect(await count()).toBe(0);
  });

  it('does not bring back an email that was changed again', async () => {
    const { caller, wanted } = await someone();
    await ask(caller, wanted);
    const token = await linkFor(wanted);
    await follow(token);
    const next = newEmail();
    await ask(caller, next);
    await follow(await linkFor(next));
    expect(await follow(token)).toMatchObject(LINK_INVALID);
    expect(await emailOf(caller)).toBe(next);
  });

  it('that is only opened changes nothing, unless the browser is signed in to the account', async () => {
    const { caller, old, wanted } = await someone();
    await ask(caller, wanted);
    const token = await linkFor(wanted);
    for (const opener of [app.visitor(), await app.customer(), await app.staff()]) {
      expect(await open(token, opener)).toMatchObject({ status: 200, body: { press: true } });
    }
    expect(await emailOf(caller)).toBe(old);
    expect((await open(token, caller)).status).toBe(200);
    expect(await emailOf(caller)).toBe(wanted);
  });

  test.each<[string, (caller: Caller, old: string) => Promise<unknown>]>([
    ['another change was asked for', (caller) => ask(caller, newEmail())],
    [
      'the password was reset',
      async (_, old) => {
        await app.visitor().must('POST', '/api/auth/recover', { email: old });
        const token = tokenIn(await mailTo(app, old), '/reset-password#');
        await app
          .visitor()
          .must('POST', '/api/auth/reset-password', { token, password: 'a better password' });
      },
    ],
    [
      'the password was changed',
      (caller) =>
        caller.must('POST', '/api/auth/change-password', {
          current_password: PASSWORD,
          password: 'a better password',
        }),
    ],
    ['all devices were signed out', (caller) => caller.must('POST', '/api/sessions/delete-others', {})],
    [
      'the account was deleted',
      (caller) =>
        caller.must('POST', '/api/privacy/delete-account', { password: PASSWORD, confirmation: 'DELETE' }),
    ],
  ])('does nothing once %s', async (_, happened) => {
    const { caller, old, wanted } = await someone();
    await ask(caller, wanted);
    const token = await linkFor(wanted);
    await happened(caller, old);
    expect(await follow(token)).toMatchObject(LINK_INVALID);
    expect(await app.services.db.$count(profiles, eq(profiles.email, wanted))).toBe(0);
  });

  it('does nothing after 24 hours, and the pending change is deleted', async () => {
    const { caller, old, wanted } = await someone();
    await ask(caller, wanted);
    const token = await linkFor(wanted);
    app.clock.advance({ days: 1 });
    expect(await follow(token)).toMatchObject({ status: 401, body: { code: 'LINK_EXPIRED' } });
    expect(await emailOf(caller)).toBe(old);
    await deleteOldEmailChanges(app.services);
    expect(await app.services.db.$count(email_change, eq(email_change.user_id, caller.id))).toBe(0);
  });

  it('is refused if someone made an account with that email meanwhile', async () => {
    const { caller, old, wanted } = await someone();
    await ask(caller, wanted);
    const token = await linkFor(wanted);
    await app.customer({ email: wanted });
    expect(await follow(token)).toMatchObject({ status: 422, body: { code: 'EMAIL_TAKEN' } });
    expect(await emailOf(caller)).toBe(old);
  });

  test.each([['nothing'], ['x'.repeat(43)]])('a token that was never sent (%s) is refused', async (token) => {
    expect((await follow(token)).status).toBe(400);
  });
});

it('staff change theirs in the same way', async () => {
  const staff = await app.staff();
  const wanted = newEmail();
  await staff.must('POST', CHANGE, { email: wanted, password: PASSWORD });
  await follow(await linkFor(wanted), staff);
  expect(await staff.must('GET', '/api/session')).toMatchObject({ user: { email: wanted, role: 'staff' } });
});

it('the next sweep updates Stripe, and staff find the member by the new email', async () => {
  const { caller } = await cardMember(app);
  const wanted = newEmail();
  app.clock.advance({ minutes: 1 });
  await caller.must('POST', CHANGE, { email: wanted, password: PASSWORD });
  await follow(await linkFor(wanted));
  await sweep(app.services.billing);
  const at = `${app.sandbox.url}/v1/customers?email=${encodeURIComponent(wanted)}`;
  const headers = { authorization: `Bearer ${app.sandbox.stripeSecretKey}` };
  const { data } = (await (await fetch(at, { headers })).json()) as { data: { email: string }[] };
  expect(data.map(({ email }) => email)).toEqual([wanted]);
  const found = { search: wanted };
  const { members } = await (await app.staff()).must<{ members: object[] }>(
    'POST',
    '/api/customers/search',
    found,
  );
  expect(members).toMatchObject([{ user_id: caller.id, email: wanted }]);
});
