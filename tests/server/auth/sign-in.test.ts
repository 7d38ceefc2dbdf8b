import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { addStaff, removeStaff } from '../../../src/server/auth/staff-accounts.ts';
import { api_clients, deliveries, profiles, sessions, user_roles } from '../../../src/server/db/schema.ts';
import { storedEmails } from '../../support/fixtures/emails.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const registration = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.test',
  password: PASSWORD,
};

describe('sign-up', () => {
  it('makes a customer who is signed in', async () => {
    const visitor = app.visitor();
    await visitor.must('POST', '/api/auth/sign-up', {
      ...registration,
      phone: '+43 1 23',
      role: 'customer',
    });
    expect(await visitor.must('GET', '/api/session')).toMatchObject({
      user: {
        first_name: 'Ada',
        last_name: 'Lovelace',
        email: 'ada@example.test',
        phone: '+43 1 23',
        role: 'customer',
      },
    });
  });

  test.each(['tom&jo@example.test', 'ana@example.xn--p1ai'])(
    '%s signs up, in, and recovers',
    async (email) => {
      await app
        .visitor()
        .must('POST', '/api/auth/sign-up', { ...registration, email: `\u200B${email}\u00A0` });
      await app.visitor().must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
      await app.visitor().must('POST', '/api/auth/recover', { email });
      const emails = await storedEmails(app.services.db, eq(deliveries.recipient, email));
      expect(emails.map(({ subject }) => subject)).toContainEqual(
        expect.stringMatching(/^Choose a new password/),
      );
    },
  );

  it('takes an email with a domain in another script, and signs in however it is typed', async () => {
    const typed = 'Ana@Müller-Wein.example';
    await app.visitor().must('POST', '/api/auth/sign-up', { ...registration, email: typed });
    for (const email of [typed, 'ana＠mu\u0308ller-wein.example', 'ana@xn--mller-wein-9db.example']) {
      const visitor = app.visitor();
      await visitor.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
      expect(await visitor.must('GET', '/api/session')).toMatchObject({
        user: { email: 'ana@xn--mller-wein-9db.example' },
      });
    }
  });

  test.each([
    ['a role of staff', { role: 'staff' }],
    ['an unknown field', { is_admin: true }],
    ['no first name', { first_name: ' ' }],
    ['no last name', { last_name: '' }],
    ['an address that is none', { email: 'ada' }],
    ['no password', { password: undefined }],
    ['a password of seven', { password: '1234567' }],
    ['a list for a name', { first_name: ['Ada'] }],
  ])('%s is refused, and no account is made', async (name, wrong) => {
    const email = `refused-${name.replaceAll(' ', '-')}@example.test`;
    const visitor = app.visitor();
    const answer = await visitor.call('POST', '/api/auth/sign-up', {
      ...registration,
      email,
      ...wrong,
    });
    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual(expect.any(String));
    const signIn = await visitor.call('POST', '/api/auth/sign-in', { email, password: PASSWORD });
    expect(signIn.status).toBe(401);
  });

  it('refuses an email that is taken, in upper or lower case, and says so', async () => {
    await app.customer({ email: 'taken@example.test' });
    const answer = await app
      .visitor()
      .call('POST', '/api/auth/sign-up', { ...registration, email: 'Taken@Example.test' });
    expect(answer).toMatchObject({
      status: 422,
      body: { message: expect.stringContaining('already exists') },
    });
  });

  it('cannot write the staff role into the session either', async () => {
    const customer = await app.customer();
    await app.services.db.update(sessions).set({ role: 'staff' }).where(eq(sessions.userId, customer.id));
    const [row] = await app.services.db.select().from(sessions).where(eq(sessions.userId, customer.id));
    expect(row?.role).toBe('customer');
  });
});

describe('sign-in', () => {
  it('gives the same answer for a wrong password and an unknown email', async () => {
    await app.customer({ email: 'known@example.test' });
    const attempt = (email: string) =>
      app.visitor().call('POST', '/api/auth/sign-in', { email, password: 'not the password' });
    const [known, unknown] = [await attempt('known@example.test'), await attempt('nobody@example.test')];
    expect(known.status).toBe(401);
    expect(known.body).toEqual(unknown.body);
  });

  it('keeps the session where scripts cannot read it', async () => {
    await app.customer({ email: 'cookie@example.test' });
    const response = await app.visitor().raw('POST', '/api/auth/sign-in', {
      body: JSON.stringify({ email: 'cookie@example.test', password: PASSWORD }),
      headers: { 'content-type': 'application/json' },
    });
    const cookies = response.headers.getSetCookie();
    // The session, and the known device.
    expect(cookies).toHaveLength(2);
    for (const cookie of cookies) expect(cookie).toMatch(/HttpOnly; SameSite=Lax$/);
    expect(await response.text()).toBe('{"ok":true}');
  });
});

describe('sign-out', () => {
  it('ends the session here and in the database', async () => {
    const customer = await app.customer();
    const stolen = new Map(customer.jar);
    await customer.must('POST', '/api/auth/sign-out', {});
    expect(await customer.must('GET', '/api/session')).toEqual({ user: null });
    customer.jar.set('cellar-door.session_token', stolen.get('cellar-door.session_token') ?? '');
    expect(await customer.must('GET', '/api/session')).toEqual({ user: null });
  });

  it('without a signed-in user is not an error', async () => {
    expect((await app.visitor().call('POST', '/api/auth/sign-out', {})).status).toBe(200);
  });
});

describe('staff accounts', () => {
  it('a customer becomes staff with the operator’s password, and must sign in again', async () => {
    const customer = await app.customer({ email: 'promoted@example.test' });
    await app.services.db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, customer.id));
    expect(await addStaff(app.services, 'Promoted@example.test', 'the operator’s password')).toMatchObject({
      outcome: 'taken_over',
    });
    expect(await app.services.db.select().from(sessions).where(eq(sessions.userId, customer.id))).toEqual([]);
    const again = app.visitor();
    await again.must('POST', '/api/auth/sign-in', {
      email: 'promoted@example.test',
      password: 'the operator’s password',
    });
    expect(await again.must('GET', '/api/session')).toMatchObject({ user: { role: 'staff' } });
    expect((await again.call('GET', '/api/customers')).status).toBe(200);
  });

  it('whoever signed up with the email first without confirming it does not become staff', async () => {
    const email = 'bar@venue.example';
    const squatter = await app.customer({ email });
    await squatter.must('POST', '/api/api-clients', { name: 'Till', password: PASSWORD });
    expect(await addStaff(app.services, email, 'the operator’s password')).toMatchObject({
      outcome: 'taken_over',
    });
    expect((await squatter.call('GET', '/api/customers')).status).toBe(401);
    const tries = (password: string) => app.visitor().call('POST', '/api/auth/sign-in', { email, password });
    expect((await tries(PASSWORD)).status).toBe(401);
    expect((await tries('the operator’s password')).status).toBe(200);
    const { db } = app.services;
    expect(await db.$count(api_clients, eq(api_clients.user_id, squatter.id))).toBe(0);
  });

  it('a former staff account is a customer', async () => {
    const staff = await app.staff();
    const { user } = await staff.must<{ user: { email: string } }>('GET', '/api/session');
    expect(await removeStaff(app.services, user.email)).toBe(true);
    expect(await removeStaff(app.services, user.email)).toBe(false);
    const [role] = await app.services.db.select().from(user_roles).where(eq(user_roles.user_id, staff.id));
    expect(role?.role).toBe('customer');
  });
});
