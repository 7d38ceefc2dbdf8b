import { hashSync } from '@node-rs/argon2';
import { desc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { verifyPassword } from '../../../src/server/auth/password/hash.ts';
import { inviteStaff } from '../../../src/server/auth/staff-accounts.ts';
import { api_clients, profiles, sessions, verifications } from '../../../src/server/db/schema.ts';
import { mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/accounts.md, "Passwords".

const CHANGE = '/api/auth/change-password';
const NEW_PASSWORD = 'a better password';

let app: TestApp;
let people = 0;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const newEmail = () => `chooser-${++people}@example.test`;
const signIn = (email: string, password: string) =>
  app.visitor().call('POST', '/api/auth/sign-in', { email, password });
const change = (caller: Caller, password: string, current_password = PASSWORD) =>
  caller.call('POST', CHANGE, { current_password, password });

describe('a password that is easy to guess is refused', () => {
  test.each([
    ['many people use it', 'qwertyuiop', 'PASSWORD_COMMON'],
    ['many people use it, in small letters', 'Password1', 'PASSWORD_COMMON'],
    ['it is the name', 'Quartermain', 'PASSWORD_PERSONAL'],
    ['it is the name and a year', 'quartermain1987', 'PASSWORD_PERSONAL'],
    ['it is the email', 'allan.q@example.test', 'PASSWORD_PERSONAL'],
    ["it is the club's name", 'test-cellar!', 'PASSWORD_PERSONAL'],
  ])('when %s: %s', async (_, password, code) => {
    const person = { first_name: 'Allan', last_name: 'Quartermain', email: `allan.q@example.test` };
    const refused = { status: 422, body: { code } };
    const visitor = app.visitor();
    expect(await visitor.call('POST', '/api/auth/sign-up', { ...person, password })).toMatchObject(refused);
    expect(visitor.jar.size).toBe(0);
    const { db } = app.services;
    expect(await db.$count(profiles, eq(profiles.email, person.email))).toBe(0);

    const email = newEmail();
    const caller = await app.customer({ ...person, email });
    await db.update(profiles).set({ email: person.email }).where(eq(profiles.id, caller.id));
    expect(await change(caller, password)).toMatchObject(refused);
    await db.update(profiles).set({ email }).where(eq(profiles.id, caller.id));
    expect((await signIn(email, PASSWORD)).status).toBe(200);
  });

  it('by the link of a password reset too, which can be used again', async () => {
    const email = newEmail();
    await app.customer({ email, last_name: 'Quartermain' });
    await app.visitor().must('POST', '/api/auth/recover', { email });
    const token = tokenIn(await mailTo(app, email), '/reset-password#');
    const reset = (password: string) =>
      app.visitor().call('POST', '/api/auth/reset-password', { token, password });
    expect(await reset('quartermain!')).toMatchObject({ body: { code: 'PASSWORD_PERSONAL' } });
    expect(await reset('iloveyou1')).toMatchObject({ body: { code: 'PASSWORD_COMMON' } });
    expect((await signIn(email, PASSWORD)).status).toBe(200);
    expect((await reset(NEW_PASSWORD)).status).toBe(200);
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);
  });

  it('an invalid link is reported as such, whatever the password', async () => {
    const answer = await app
      .visitor()
      .call('POST', '/api/auth/reset-password', { token: 'nothing', password: 'qwertyuiop' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'LINK_INVALID' } });
  });
});

describe('a password is the same however a keyboard writes it', () => {
  const composed = 'Gr\u00fcner Veltliner \ufb01n';
  const typed = [composed, composed.normalize('NFD'), composed.normalize('NFKC'), composed.normalize('NFKD')];

  it.each([0, 1, 2, 3])('chosen in form %i, it signs in in each of four', async (chosen) => {
    const email = newEmail();
    const caller = await app.customer({ email });
    await change(caller, typed[chosen] ?? '').then(({ status }) => expect(status).toBe(200));
    expect(new Set(typed).size).toBe(4);
    for (const password of typed) expect((await signIn(email, password)).status, password).toBe(200);
    expect((await signIn(email, 'Gruner Veltliner fin')).status).toBe(401);
  });

  it('a hash of the text as it was typed, from before, still verifies', async () => {
    const password = composed.normalize('NFD');
    const stored = hashSync(password, { memoryCost: 8, timeCost: 1, parallelism: 1 });
    expect(await verifyPassword(stored, password)).toBe(true);
    expect(await verifyPassword(stored, `${password}!`)).toBe(false);
  });
});

describe('a staff account that the operator creates', () => {
  const choose = (link: string | null, password: string) =>
    app.visitor().call('POST', '/api/auth/reset-password', { token: link?.split('#')[1], password });

  it('gets a link to choose its first password, once, within 24 hours', async () => {
    const [email, late] = [newEmail(), newEmail()];
    const { link } = await inviteStaff(app.services, email);
    const { db } = app.services;
    const [row] = await db.select().from(verifications).orderBy(desc(verifications.createdAt)).limit(1);
    expect(JSON.stringify(row)).not.toContain(link?.split('#')[1]);
    expect((await choose(link, NEW_PASSWORD)).status).toBe(200);
    expect((await choose(link, 'someone else wants this')).status).toBe(400);
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);

    const second = await inviteStaff(app.services, late);
    const dayOver = new Date(Date.now() - 1000);
    const [user] = await db.select({ id: profiles.id }).from(profiles).where(eq(profiles.email, late));
    const own = eq(verifications.value, user?.id ?? '');
    const [waiting] = await db.select().from(verifications).where(own);
    expect(waiting!.expiresAt.getTime() - waiting!.createdAt.getTime()).toBe(24 * 3_600_000);
    await db.update(verifications).set({ expiresAt: dayOver }).where(own);
    expect((await choose(second.link, NEW_PASSWORD)).status).toBe(400);
  });

  it('for an existing account ends its password, and gets a link to a new one', async () => {
    const email = newEmail();
    const caller = await app.customer({ email });
    const { db } = app.services;
    await db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, caller.id));
    const invited = await inviteStaff(app.services, email);
    expect(invited).toEqual({ email, outcome: 'taken_over', link: expect.any(String) });
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    expect((await choose(invited.link, NEW_PASSWORD)).status).toBe(200);
    expect(await inviteStaff(app.services, email), 'staff already').toMatchObject({ link: null });
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);
  });
});

describe('changing the password in the settings', () => {
  it('takes the current one, ends every other session and API client, and is announced by email', async () => {
    const email = newEmail();
    const caller = await app.customer({ email });
    const elsewhere = app.visitor();
    await elsewhere.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
    await caller.must('POST', '/api/api-clients', { name: 'Till', password: PASSWORD });

    expect(await change(caller, NEW_PASSWORD)).toMatchObject({ status: 200, body: { ok: true } });
    const { db } = app.services;
    expect(await db.$count(sessions, eq(sessions.userId, caller.id))).toBe(1);
    expect(await db.$count(api_clients, eq(api_clients.user_id, caller.id))).toBe(0);
    expect((await caller.call('GET', '/api/sessions')).status).toBe(200);
    expect((await elsewhere.call('GET', '/api/sessions')).status).toBe(401);
    expect((await signIn(email, PASSWORD)).status).toBe(401);
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200);
    expect(await mailTo(app, email)).toMatchObject({
      subject: expect.stringMatching(/^Your password was changed/),
      text: expect.stringContaining('/forgot-password'),
    });
  });

  it('is refused with a wrong one, and cannot be used to guess it', async () => {
    const email = newEmail();
    const caller = await app.customer({ email });
    for (let times = 0; times < 10; times += 1) {
      const answer = await change(caller, NEW_PASSWORD, 'not the password');
      expect(answer).toMatchObject({ status: 403, body: { code: 'WRONG_PASSWORD' } });
    }
    expect(await change(caller, NEW_PASSWORD)).toMatchObject({ status: 429 });
    expect((await signIn(email, PASSWORD)).status).toBe(200);
  });

  it('ends open password links', async () => {
    const email = newEmail();
    const caller = await app.customer({ email });
    await app.visitor().must('POST', '/api/auth/recover', { email });
    const token = tokenIn(await mailTo(app, email), '/reset-password#');
    await caller.must('POST', CHANGE, { current_password: PASSWORD, password: NEW_PASSWORD });
    const late = await app
      .visitor()
      .call('POST', '/api/auth/reset-password', { token, password: 'someone else wants this' });
    expect(late).toMatchObject({ status: 400, body: { code: 'LINK_INVALID' } });
  });

  it('is logged, done or refused, without either password', async () => {
    const caller = await app.customer({ email: newEmail() });
    const before = app.logged.length;
    await change(caller, NEW_PASSWORD, 'not the password');
    await change(caller, NEW_PASSWORD);
    const lines = app.logged.slice(before);
    const entries = lines.map((line) => JSON.parse(line)).filter(({ security }) => security);
    expect(entries).toMatchObject([
      { security: 'password changed', outcome: 'refused', code: 'WRONG_PASSWORD' },
      { security: 'password changed', outcome: 'done', user_id: caller.id },
    ]);
    for (const secret of [NEW_PASSWORD, PASSWORD, 'not the password']) {
      expect(lines.join()).not.toContain(secret);
    }
  });
});
