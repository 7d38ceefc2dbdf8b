import { createEmailVerificationToken } from 'better-auth/api';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addStaff } from '../../../src/server/auth/staff-accounts.ts';
import { deliveries, profiles, sessions } from '../../../src/server/db/schema.ts';
import { mailsTo, mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import { cardMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, TEST_SECRET, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

const VERIFY = '/api/auth/verify-email';
const SEND = '/api/auth/resend-verification';
const SIGN_IN = '/api/auth/sign-in';
const SIGN_UP = '/api/auth/sign-up';
const PAGE = '/verify-email#';

const apps: TestApp[] = [];
async function appThat(verifyEmail: 'off' | 'nudge' | 'required', limitAttempts = false): Promise<TestApp> {
  const app = await createTestApp({ verifyEmail, limitAttempts });
  apps.push(app);
  return app;
}
let app: TestApp;
beforeAll(async () => {
  app = await appThat('nudge');
});
afterAll(() => Promise.all(apps.map((it) => it.close())));

const isVerified = async (who: Caller) =>
  (await who.must<{ user: { email_verified: boolean } }>('GET', '/api/session')).user.email_verified;
const linkFor = async (email: string, from = app) => tokenIn(await mailTo(from, email), PAGE);
const profileOf = async (email: string, of = app) =>
  (await of.services.db.select().from(profiles).where(eq(profiles.email, email)))[0];
const emailsTo = async (email: string, of = app) =>
  of.services.db.select().from(deliveries).where(eq(deliveries.recipient, email));

describe('after the sign-up', () => {
  it('sends an email with a link; without following it everything works as before', async () => {
    const email = 'new@example.test';
    const member = await app.customer({ email });
    expect(await mailTo(app, email)).toMatchObject({
      subject: 'Confirm your email · Test Cellar',
      text: expect.stringContaining('works for 24 hours'),
    });
    expect(await isVerified(member)).toBe(false);
    expect((await member.call('GET', '/api/customers/own')).status).toBe(200);
    await app.visitor().must('POST', SIGN_IN, { email, password: PASSWORD });
  });

  it('a taken email is still refused, and no email is sent', async () => {
    const email = 'taken@example.test';
    await app.customer({ email });
    const answer = await app
      .visitor()
      .call('POST', SIGN_UP, { first_name: 'A', last_name: 'B', email, password: PASSWORD });
    expect(answer.status).toBe(422);
    expect(await emailsTo(email)).toHaveLength(1);
  });

  it('where it is off, no email is sent, and none can be requested', async () => {
    const off = await appThat('off');
    const email = 'off@example.test';
    const member = await off.customer({ email });
    expect((await member.call('POST', SEND, { email })).status).toBe(400);
    expect(await emailsTo(email, off)).toEqual([]);
  });
});

describe('the link', () => {
  it('verifies the address, in this browser at once, and changes nothing else', async () => {
    const email = 'link@example.test';
    const member = await app.customer({ email });
    const token = await linkFor(email);
    const before = await profileOf(email);
    const signedIn = await app.services.db.select().from(sessions).where(eq(sessions.userId, member.id));
    expect(await member.must('POST', VERIFY, { token })).toEqual({ ok: true });
    expect(await isVerified(member)).toBe(true);
    const after = await profileOf(email);
    expect(after).toEqual({ ...before, emailVerified: true, updatedAt: after?.updatedAt });

    expect(await app.visitor().must('POST', VERIFY, { token })).toEqual({ ok: true });
    expect(await profileOf(email)).toEqual(after);
    expect(await app.services.db.select().from(sessions).where(eq(sessions.userId, member.id))).toEqual(
      signedIn,
    );
  });

  it('works for someone who is not signed in, and signs nobody in', async () => {
    const email = 'elsewhere@example.test';
    await app.customer({ email });
    const visitor = app.visitor();
    await visitor.must('POST', VERIFY, { token: await linkFor(email) });
    expect(visitor.jar.size).toBe(0);
    expect(await profileOf(email)).toMatchObject({ emailVerified: true });
  });

  it('that is only opened confirms nothing, unless the browser is signed in to the account', async () => {
    const email = 'scanned@example.test';
    const member = await app.customer({ email });
    const token = await linkFor(email);
    for (const opener of [app.visitor(), await app.customer(), await app.staff()]) {
      expect(await opener.call('POST', VERIFY, { token, opened: true })).toMatchObject({
        status: 200,
        body: { ok: true, press: true },
      });
    }
    expect(await isVerified(member)).toBe(false);
    await member.must('POST', VERIFY, { token, opened: true });
    expect(await isVerified(member)).toBe(true);
    // Nothing is left to press.
    expect(await app.visitor().must('POST', VERIFY, { token, opened: true })).toEqual({ ok: true });
  });

  it('that is old or false says so when it is opened', async () => {
    const email = 'opened-late@example.test';
    await app.customer({ email });
    const old = await createEmailVerificationToken(TEST_SECRET, email, undefined, -1);
    const open = (token: string) => app.visitor().call('POST', VERIFY, { token, opened: true });
    expect((await open(old)).body).toMatchObject({ code: 'LINK_EXPIRED' });
    expect((await open('a.b.c')).body).toMatchObject({ code: 'LINK_INVALID' });
  });

  it('is valid for 24 hours', async () => {
    const email = 'late@example.test';
    const member = await app.customer({ email });
    const claims = JSON.parse(
      Buffer.from((await linkFor(email)).split('.')[1] ?? '', 'base64url').toString(),
    ) as { iat: number; exp: number };
    expect(claims.exp - claims.iat).toBe(24 * 3600);
    const token = await createEmailVerificationToken(TEST_SECRET, email, undefined, -1);
    expect(await app.visitor().call('POST', VERIFY, { token })).toMatchObject({
      status: 401,
      body: { code: 'LINK_EXPIRED', message: 'This link has expired.' },
    });
    expect(await isVerified(member)).toBe(false);
  });

  it.each([
    ['signed by another venue', 'another-secret-of-32-characters!!', 400, 'LINK_INVALID'],
    ['for an address without an account', TEST_SECRET, 400, 'LINK_INVALID'],
  ])('%s is refused', async (name, secret, status, code) => {
    const token = await createEmailVerificationToken(secret, `${name.length}@nobody.test`, undefined, 60);
    expect(await app.visitor().call('POST', VERIFY, { token })).toMatchObject({ status, body: { code } });
  });

  it.each([
    ['no link', {}],
    ['half of one', { token: 'eyJhbGciOi' }],
    ['a place to go that somebody else chose', { token: 'a.b.c', callbackURL: 'https://evil.example' }],
    ['more than a link', { token: `a.b.${'c'.repeat(2000)}` }],
  ])('%s is refused by validation', async (_, body) => {
    expect(await app.visitor().call('POST', VERIFY, body)).toMatchObject({
      status: 400,
      body: { code: 'BAD_REQUEST' },
    });
  });

  it('is nowhere in the database once the email is sent, nor in the log', async () => {
    const email = 'secret@example.test';
    await app.customer({ email });
    const token = await linkFor(email);
    await app.visitor().must('POST', VERIFY, { token });
    expect(JSON.stringify(await emailsTo(email))).not.toContain(token);
    expect(app.logged.join('\n')).not.toContain(token);
    expect(app.logged.join('\n')).not.toContain(email);
  });
});

describe('asking for the link again', () => {
  it('gives a stranger the same answer after the same time, account or not', async () => {
    await app.customer({ email: 'waits@example.test' });
    const done = await app.customer({ email: 'done@example.test' });
    await done.must('POST', VERIFY, { token: await linkFor('done@example.test') });
    const ask = async (email: string) => {
      const began = performance.now();
      const { status, body } = await app.visitor().call('POST', SEND, { email });
      expect(performance.now() - began).toBeGreaterThan(495);
      return { status, body };
    };
    for (const email of ['waits@example.test', 'done@example.test', 'nobody@example.test']) {
      expect(await ask(email)).toEqual({ status: 200, body: { ok: true } });
    }
    expect(await emailsTo('waits@example.test')).toHaveLength(2);
    expect(await emailsTo('done@example.test')).toHaveLength(1);
    expect(await emailsTo('nobody@example.test')).toEqual([]);
  });

  it('someone signed in gets it only for their own email', async () => {
    const [ada, grace] = ['ada@example.test', 'grace@example.test'];
    const member = await app.customer({ email: ada });
    await app.customer({ email: grace });
    expect((await member.call('POST', SEND, { email: grace })).status).toBe(400);
    await member.must('POST', SEND, { email: ada });
    expect(await emailsTo(ada)).toHaveLength(2);
    expect(await emailsTo(grace)).toHaveLength(1);
    await member.must('POST', VERIFY, { token: await linkFor(ada) });
    expect((await member.call('POST', SEND, { email: ada })).status).toBe(400);
  });

  it('is limited for each account, and says nothing about who has one', async () => {
    const member = await app.customer({ email: 'often@example.test' });
    for (let times = 0; times < 5; times += 1)
      await member.must('POST', SEND, { email: 'often@example.test' });
    await Promise.all(
      Array.from({ length: 5 }, () => app.visitor().must('POST', SEND, { email: 'never@example.test' })),
    );
    for (const email of ['often@example.test', 'never@example.test']) {
      const answer = await app.visitor().call('POST', SEND, { email: email.toUpperCase() });
      expect(answer).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
    }
    app.clock.advance({ minutes: 61 });
    await member.must('POST', SEND, { email: 'often@example.test' });
  });

  it('is limited per client IP', async () => {
    const limited = await appThat('nudge', true);
    const ask = (n: number) => limited.visitor().call('POST', SEND, { email: `guest-${n}@example.test` });
    const answers = await Promise.all(Array.from({ length: 61 }, (_, n) => ask(n)));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  });
});

describe('an unconfirmed email', () => {
  const RECOVER = '/api/auth/recover';
  const waiting = (email: string, of = app) =>
    emailsTo(email, of).then((it) => it.map(({ subject }) => subject));

  it('gets three emails a day, for whatever reason, and the answers stay the same', async () => {
    const email = 'inbox@example.test';
    const member = await app.customer({ email });
    await app.visitor().must('POST', RECOVER, { email });
    await member.must('POST', SEND, { email });
    expect(await waiting(email)).toHaveLength(3);
    for (const [path, body] of [
      [RECOVER, { email }],
      [SEND, { email: email.toUpperCase() }],
    ] as const) {
      expect(await app.visitor().must('POST', path, body)).toEqual({ ok: true });
    }
    await member.must('POST', '/api/api-clients', { name: 'Till', password: PASSWORD });
    expect(await waiting(email)).toHaveLength(3);
    app.clock.advance({ minutes: 24 * 60 });
    await member.must('POST', SEND, { email });
    expect(await waiting(email)).toHaveLength(4);
  });

  const DOTTED = 'chateaumargaux2015';
  it.each([
    ['tags', (n: number) => `tagged+${n}@example.test`, 'tagged@example.test', 0],
    [
      'dots at Gmail',
      (n: number) =>
        `${DOTTED.slice(0, n + 1)}.${DOTTED.slice(n + 1, n + 3)}.${DOTTED.slice(n + 3)}@${n % 2 ? 'googlemail.com' : 'gmail.com'}`,
      'other@gmail.com',
      1,
    ],
  ])('gets twelve a day with all its %s', async (_, address, other, mails) => {
    const own = Array.from({ length: 14 }, (_, n) => address(n));
    for (const email of own) await app.customer({ email });
    let sent = 0;
    for (const email of own) sent += (await mailsTo(app, email)).length;
    expect(sent).toBe(12);
    await app.customer({ email: other });
    expect(await mailsTo(app, other)).toHaveLength(mails);
  });

  it('gets no more by deleting the account and signing up again, in any spelling', async () => {
    const email = 'again@example.test';
    for (const address of [email, email.toUpperCase(), email]) {
      const member = await app.customer({ email: address });
      await app.services.deliveries.deliver('email');
      await member.must('POST', '/api/privacy/delete-account', {
        password: PASSWORD,
        confirmation: 'DELETE',
      });
    }
    const sent = await mailsTo(app, email);
    expect(sent).toHaveLength(3);
  });

  it('gets every email about money', async () => {
    const { caller } = await cardMember(app);
    const { email } = (await caller.must<{ user: { email: string } }>('GET', '/api/session')).user;
    for (let times = 0; times < 3; times += 1) await app.visitor().must('POST', SEND, { email });
    const before = (await waiting(email)).length;
    await caller.must('POST', '/api/functions/cancel-subscription', {});
    expect((await waiting(email)).length).toBe(before + 1);
  });

  it('is no longer limited once it is confirmed', async () => {
    const email = 'free@example.test';
    const member = await app.customer({ email });
    await member.must('POST', VERIFY, { token: await linkFor(email) });
    for (let times = 0; times < 4; times += 1) await app.visitor().must('POST', RECOVER, { email });
    expect(await waiting(email)).toHaveLength(1 + 4);
  });
});

describe('where it is required', () => {
  let strict: TestApp;
  beforeAll(async () => {
    strict = await appThat('required');
  });
  const person = (email: string) => ({ first_name: 'Ada', last_name: 'L', email, password: PASSWORD });

  it('nobody is signed in before, and signing in sends a new link', async () => {
    const email = 'strict@example.test';
    const visitor = strict.visitor();
    await visitor.must('POST', SIGN_UP, person(email));
    await strict.services.deliveries.deliver('email');
    expect(visitor.jar.size).toBe(0);
    const refused = await visitor.call('POST', SIGN_IN, { email, password: PASSWORD });
    expect(refused).toMatchObject({
      status: 403,
      body: { code: 'EMAIL_NOT_VERIFIED', message: expect.stringContaining('follow the link') },
    });
    expect(await emailsTo(email, strict)).toHaveLength(2);
    await visitor.must('POST', VERIFY, { token: await linkFor(email, strict) });
    await visitor.must('POST', SIGN_IN, { email, password: PASSWORD });
    expect(await isVerified(visitor)).toBe(true);
  });

  it('a wrong password does not reveal it, and no mailbox is flooded', async () => {
    const email = 'flooded@example.test';
    await strict.visitor().must('POST', SIGN_UP, person(email));
    const wrong = await strict.visitor().call('POST', SIGN_IN, { email, password: 'not the password' });
    expect(wrong.status).toBe(401);
    for (let times = 0; times < 5; times += 1) {
      const answer = await strict.visitor().call('POST', SIGN_IN, { email, password: PASSWORD });
      expect(answer.body.code).toBe('EMAIL_NOT_VERIFIED');
    }
    expect(await emailsTo(email, strict)).toHaveLength(3);
  });

  it('a sign-up answers the same whether or not the email has an account, and its owner is notified', async () => {
    const [known, unknown] = ['known@example.test', 'unknown@example.test'];
    await strict.visitor().must('POST', SIGN_UP, person(known));
    await strict.services.deliveries.deliver('email');
    const tell = async (email: string) => {
      const { status, body, headers } = await strict.visitor().call('POST', SIGN_UP, person(email));
      return { status, body, headers: [...headers.keys()] };
    };
    expect(await tell(known)).toEqual(await tell(unknown));
    expect(await mailTo(strict, known)).toMatchObject({
      subject: expect.stringMatching(/^You already have an account/),
    });
    expect((await mailTo(strict, known))?.text).not.toContain(PAGE);
    for (let times = 0; times < 3; times += 1) expect(await tell(known)).toEqual(await tell(unknown));
    expect(await emailsTo(known, strict)).toHaveLength(3);
  });

  it('whoever enters a confirmed email causes at most three emails to it a day, in whatever way', async () => {
    const email = 'confirmed@example.test';
    await strict.visitor().must('POST', SIGN_UP, person(email));
    await strict.visitor().must('POST', VERIFY, { token: await linkFor(email, strict) });
    const [other, own] = [strict.visitor(), 'curious@example.test'];
    await other.must('POST', SIGN_UP, person(own));
    await other.must('POST', VERIFY, { token: await linkFor(own, strict) });
    await other.must('POST', SIGN_IN, { email: own, password: PASSWORD });
    for (let times = 0; times < 6; times += 1) {
      await strict.visitor().must('POST', SIGN_UP, person(email));
    }
    await other.must('POST', '/api/auth/email-change', { email, password: PASSWORD });
    expect(await emailsTo(email, strict)).toHaveLength(1 + 3);
    strict.clock.advance({ days: 1 });
    await strict.visitor().must('POST', SIGN_UP, person(email));
    expect(await emailsTo(email, strict)).toHaveLength(1 + 3 + 1);
  });

  it('a password reset confirms the email', async () => {
    const email = 'recovered@example.test';
    await strict.visitor().must('POST', SIGN_UP, person(email));
    await strict.services.deliveries.deliver('email');
    await strict.visitor().must('POST', '/api/auth/recover', { email });
    const token = tokenIn(await mailTo(strict, email), '/reset-password#');
    await strict.visitor().must('POST', '/api/auth/reset-password', { token, password: 'a new password' });
    await strict.visitor().must('POST', SIGN_IN, { email, password: 'a new password' });
  });

  it('staff whom the operator added need no email', async () => {
    await addStaff(strict.services, 'bar@example.test', PASSWORD);
    await strict.visitor().must('POST', SIGN_IN, { email: 'bar@example.test', password: PASSWORD });
  });
});
