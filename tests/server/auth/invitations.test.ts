import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/contract/staff/audit.ts';
import { removeStaff } from '../../../src/server/auth/staff-accounts.ts';
import { deleteOldInvitations } from '../../../src/server/auth/team/invitations.ts';
import { api_clients, profiles, rate_limits, staff_invitation } from '../../../src/server/db/schema.ts';
import { mailsTo, mailTo, tokenIn } from '../../support/fixtures/emails.ts';
import { enrollFactor } from '../../support/fixtures/second-factor.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let owner: Caller;
beforeAll(async () => {
  app = await createTestApp();
  owner = await app.staff();
});
afterAll(() => app.close());

let invitees = 0;
let email: string;
beforeEach(async () => {
  // Together the tests would use up a manager's limit.
  await app.services.db.delete(rate_limits);
  invitees += 1;
  email = `invitee${invitees}@venue.example`;
});

const NEW = 'a long new password';
const refused = (status: number, code: string) => ({ status, body: { code } });
const invite = (by = owner, permissions: string[] = [], password = PASSWORD) =>
  by.call<{ id: string; email: string }>('POST', '/api/team-invitations', { email, permissions, password });
const linkToken = async () => tokenIn(await mailTo(app, email), '/invitation#');
const invited = async (permissions: string[] = []) => {
  expect((await invite(owner, permissions)).status).toBe(200);
  return linkToken();
};
const read = (token: string) => app.visitor().call('POST', '/api/team-invitations/read', { token });
const accept = (token: string, more: object = {}) =>
  app.visitor().call('POST', '/api/team-invitations/accept', { token, ...more });
const NAMED = { first_name: 'Mira', last_name: 'Sol', password: NEW };
const signIn = async (password: string) => {
  const caller = app.visitor();
  const { status } = await caller.call('POST', '/api/auth/sign-in', { email, password });
  return { caller, status };
};

describe('an invitation', () => {
  it('takes the password of its sender with permissions, and none without', async () => {
    const send = (permissions: string[]) =>
      owner.call('POST', '/api/team-invitations', { email, permissions });
    expect(await send(['see_reports'])).toMatchObject(refused(400, 'PASSWORD_REQUIRED'));
    expect(await send([])).toMatchObject({ status: 200, body: { email, permissions: [] } });
  });

  it('can be sent twenty times an hour by one manager', async () => {
    const send = (to: string) => owner.call('POST', '/api/team-invitations', { email: to, permissions: [] });
    for (let sent = 0; sent < 20; sent += 1) expect((await send(`${sent}${email}`)).status).toBe(200);
    expect((await send(email)).status).toBe(429);
  });

  it('makes someone without an account staff, with a name, a password and the permissions of it', async () => {
    const token = await invited(['see_reports']);
    expect((await mailTo(app, email))?.text).toContain('has invited you to join the staff of Test Cellar');
    expect((await read(token)).body).toEqual({ email, needs: 'name and password' });
    expect(await accept(token, { password: NEW })).toMatchObject(refused(409, 'PASSWORD_NEEDED'));
    expect(await accept(token, { ...NAMED, password: 'password' })).toMatchObject({ status: 422 });
    expect(await accept(token, NAMED)).toMatchObject({ status: 200, body: { email } });
    const { caller } = await signIn(NEW);
    expect(await caller.must('GET', '/api/session')).toMatchObject({
      user: { role: 'staff', first_name: 'Mira', email_verified: true, permissions: ['see_reports'] },
    });
    const { entries } = await owner.must<{ entries: AuditEntry[] }>('GET', '/api/audit');
    expect(entries.slice(0, 3)).toMatchObject([
      { act: 'permission_given', actor: { user_id: owner.id }, facts: { permission: 'see_reports' } },
      { act: 'staff_joined', subject: { name: 'Mira Sol' }, facts: { account: 'made' } },
      { act: 'staff_invited', actor: { user_id: owner.id }, subject: null },
    ]);
  });

  it('works once, even for someone who has been removed from the team since', async () => {
    const token = await invited();
    expect((await accept(token, NAMED)).status).toBe(200);
    await removeStaff(app.services, email);
    expect(await read(token)).toMatchObject(refused(400, 'LINK_INVALID'));
    for (const answer of [{ own_password: NEW }, { password: 'another long password' }]) {
      expect(await accept(token, answer)).toMatchObject(refused(400, 'LINK_INVALID'));
    }
    expect(await (await signIn(NEW)).caller.must('GET', '/api/session')).toMatchObject({
      user: { role: 'customer' },
    });
  });

  it('makes a member staff who knows the password of their account, and keeps it', async () => {
    const member = await app.customer({ email });
    await app.services.db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, member.id));
    const token = await invited();
    expect((await read(token)).body).toEqual({ email, needs: 'own password' });
    expect(await accept(token)).toMatchObject(refused(409, 'PASSWORD_NEEDED'));
    expect(await accept(token, { own_password: NEW })).toMatchObject(refused(403, 'WRONG_PASSWORD'));
    expect((await accept(token, { own_password: PASSWORD })).status).toBe(200);
    expect((await member.call('GET', '/api/customers/own')).status).toBe(401);
    const { caller } = await signIn(PASSWORD);
    expect(await caller.must('GET', '/api/session')).toMatchObject({
      user: { role: 'staff', first_name: 'Ada' },
    });
  });

  it('ends all that was set up in a confirmed account whose password the invited person does not know', async () => {
    const squatter = await app.customer({ email });
    await app.services.db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, squatter.id));
    await squatter.must('POST', '/api/api-clients', { name: 'Till', password: PASSWORD });
    await enrollFactor(squatter, PASSWORD, -1);
    const token = await invited();
    expect((await accept(token, { password: NEW })).status).toBe(200);
    expect((await signIn(PASSWORD)).status).toBe(401);
    const { caller } = await signIn(NEW);
    expect(await caller.must('GET', '/api/session')).toMatchObject({
      user: { role: 'staff', two_factor: false },
    });
    const { db } = app.services;
    expect(await db.$count(api_clients, eq(api_clients.user_id, squatter.id))).toBe(0);
  });

  it('takes over a squatted account, and removes every way to sign in to it', async () => {
    const squatter = await app.customer({ email });
    await squatter.must('POST', '/api/api-clients', { name: 'Till', password: PASSWORD });
    const token = await invited();
    expect((await read(token)).body).toEqual({ email, needs: 'password' });
    expect(await accept(token)).toMatchObject(refused(409, 'PASSWORD_NEEDED'));
    // The squatter's own password keeps nothing.
    expect(await accept(token, { own_password: PASSWORD })).toMatchObject(refused(409, 'PASSWORD_NEEDED'));
    expect((await accept(token, { password: NEW })).status).toBe(200);
    expect((await squatter.call('GET', '/api/customers')).status).toBe(401);
    expect((await signIn(PASSWORD)).status).toBe(401);
    expect((await signIn(NEW)).status).toBe(200);
  });

  it('is replaced by the next one to that email, and ends when it is withdrawn', async () => {
    const first = await invited(['manage_staff']);
    const second = await invited();
    expect(await read(first)).toMatchObject(refused(400, 'LINK_INVALID'));
    const list = await owner.must<{ id: string; email: string }[]>('GET', '/api/team-invitations');
    const mine = list.filter((it) => it.email === email);
    expect(mine).toMatchObject([{ permissions: [], invited_by: expect.stringMatching(/^staff/) }]);
    expect((await owner.call('DELETE', `/api/team-invitations/${mine[0]?.id}`, {})).status).toBe(200);
    expect(await accept(second, NAMED)).toMatchObject(refused(400, 'LINK_INVALID'));
  });

  it('expires after three days, stays in the list for a month, then goes', async () => {
    const token = await invited();
    app.clock.advance({ days: 3 });
    expect(await accept(token, NAMED)).toMatchObject(refused(401, 'LINK_EXPIRED'));
    const { db } = app.services;
    const left = () => db.$count(staff_invitation, eq(staff_invitation.email, email));
    await deleteOldInvitations(app.services);
    expect(await left()).toBe(1);
    app.clock.advance({ days: 30 });
    await deleteOldInvitations(app.services);
    expect(await left()).toBe(0);
  });

  it('stops working once its sender no longer manages staff', async () => {
    const manager = await app.staff();
    await owner.must('PUT', `/api/team/${manager.id}/permissions/manage_staff`, {
      given: true,
      password: PASSWORD,
    });
    await invite(manager, ['manage_staff']);
    const token = await linkToken();
    expect((await read(token)).status).toBe(200);
    await owner.must('PUT', `/api/team/${manager.id}/permissions/manage_staff`, { given: false });
    expect(await read(token)).toMatchObject(refused(400, 'LINK_INVALID'));
    expect(await accept(token, NAMED)).toMatchObject(refused(400, 'LINK_INVALID'));
    // The invitation does not return with the permission.
    await owner.must('PUT', `/api/team/${manager.id}/permissions/manage_staff`, {
      given: true,
      password: PASSWORD,
    });
    expect(await accept(token, NAMED)).toMatchObject(refused(400, 'LINK_INVALID'));
    expect(await app.services.db.$count(staff_invitation, eq(staff_invitation.email, email))).toBe(0);
  });

  it('ends with the role of its sender, too', async () => {
    const manager = await app.staff();
    const { user } = await manager.must<{ user: { email: string } }>('GET', '/api/session');
    await owner.must('PUT', `/api/team/${manager.id}/permissions/manage_staff`, {
      given: true,
      password: PASSWORD,
    });
    await invite(manager);
    await removeStaff(app.services, user.email);
    expect(await app.services.db.$count(staff_invitation, eq(staff_invitation.email, email))).toBe(0);
  });

  it('followed twice at once makes one account', async () => {
    const token = await invited();
    const answers = await Promise.all([accept(token, NAMED), accept(token, NAMED)]);
    expect(answers.map((it) => it.status).sort()).toEqual([200, 400]);
  });
});

describe('inviting', () => {
  it('takes one’s own password, and refuses who is already staff', async () => {
    expect(await invite(owner, [], 'not the password')).toMatchObject(refused(403, 'WRONG_PASSWORD'));
    await accept(await invited(), NAMED);
    expect(await invite()).toMatchObject(refused(409, 'ALREADY_STAFF'));
    await removeStaff(app.services, email);
    expect((await invite()).status).toBe(200);
  });

  it('answers the same whether or not the email has an account, and keeps no token', async () => {
    const without = await invite();
    email = `member-${email}`;
    await app.customer({ email });
    const withOne = await invite();
    expect(Object.keys(withOne.body)).toEqual(Object.keys(without.body));
    const token = await linkToken();
    const rows = await app.services.db.execute(sql`select to_jsonb(i)::text from staff_invitation i`);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(app.logged.join()).not.toContain(token);
  });

  it('writes to an unconfirmed email at most three times a day', async () => {
    const answers = [await invite(), await invite(), await invite(), await invite()];
    expect(answers.map((it) => it.status)).toEqual([200, 200, 200, 429]);
    expect(await mailsTo(app, email)).toHaveLength(3);
  });
});
