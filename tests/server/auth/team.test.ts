import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../src/contract/staff/audit.ts';
import { resetTwoFactor } from '../../../src/server/auth/two-factor/two-factor-reset.ts';
import { mailTo } from '../../support/fixtures/emails.ts';
import { pour, venueMember } from '../../support/fixtures/members.ts';
import { enrollFactor } from '../../support/fixtures/second-factor.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let owner: Caller;
let bartender: Caller;
beforeAll(async () => {
  app = await createTestApp();
  owner = await app.staff();
});
afterAll(() => app.close());
beforeEach(async () => {
  bartender = await app.staff();
});

const setPermission = (who: Caller, user_id: string, permission: string, given: boolean) =>
  who.call('PUT', `/api/team/${user_id}/permissions/${permission}`, {
    given,
    ...(given && { password: PASSWORD }),
  });
const remove = (who: Caller, user_id: string) => who.call('DELETE', `/api/team/${user_id}`, {});
const emailOf = async (who: Caller) =>
  (await who.must<{ user: { email: string } }>('GET', '/api/session')).user.email;
const entriesAbout = async (user_id: string) =>
  (await owner.must<{ entries: AuditEntry[] }>('GET', `/api/audit?whom=${user_id}`)).entries;
const refused = (status: number, code: string) => ({ status, body: { code } });

describe('a permission', () => {
  it('is granted and withdrawn, takes effect at once, and is in the audit once each time', async () => {
    expect(await setPermission(owner, bartender.id, 'manage_staff', true)).toMatchObject({
      status: 200,
      body: { permissions: ['manage_staff'] },
    });
    await setPermission(owner, bartender.id, 'manage_staff', true);
    expect((await bartender.call('GET', '/api/team')).status).toBe(200);
    await setPermission(owner, bartender.id, 'manage_staff', false);
    await setPermission(owner, bartender.id, 'manage_staff', false);
    expect((await bartender.call('GET', '/api/team')).status).toBe(403);
    expect(await entriesAbout(bartender.id)).toMatchObject([
      { act: 'permission_taken', actor: { user_id: owner.id }, facts: { permission: 'manage_staff' } },
      { act: 'permission_given', actor: { user_id: owner.id }, facts: { permission: 'manage_staff' } },
      { act: 'staff_added' },
    ]);
  });

  it('to change members, money or the team takes the password of whoever grants it', async () => {
    const grant = (permission: string, more: object) =>
      owner.call('PUT', `/api/team/${bartender.id}/permissions/${permission}`, { given: true, ...more });
    for (const permission of ['manage_members', 'manage_money', 'manage_staff']) {
      expect(await grant(permission, {})).toMatchObject(refused(400, 'PASSWORD_REQUIRED'));
      expect(await grant(permission, { password: 'wrong' })).toMatchObject(refused(403, 'WRONG_PASSWORD'));
    }
    expect(await grant('see_reports', {})).toMatchObject({ body: { permissions: ['see_reports'] } });
    const taken = await owner.must('PUT', `/api/team/${bartender.id}/permissions/see_reports`, {
      given: false,
    });
    expect(taken).toEqual({ permissions: [] });
  });

  it('is for staff only, and nobody can take manage_staff from themselves', async () => {
    const member = await app.customer();
    expect(await setPermission(owner, member.id, 'see_reports', true)).toMatchObject(
      refused(404, 'NOT_FOUND'),
    );
    expect(await setPermission(owner, owner.id, 'manage_staff', false)).toMatchObject(
      refused(409, 'OWN_ACCOUNT'),
    );
    expect(await setPermission(owner, owner.id, 'see_reports', false)).toMatchObject({ status: 200 });
    expect((await setPermission(owner, bartender.id, 'fly', true)).status).toBe(400);
  });
});

describe('a colleague who is removed', () => {
  it('is signed out at once, and their pours keep their name', async () => {
    const { customer_id } = await venueMember(app, owner);
    await pour(bartender, customer_id);
    expect(await remove(owner, bartender.id)).toMatchObject({ status: 200 });
    expect((await bartender.call('GET', '/api/customers')).status).toBe(401);
    expect(await bartender.must('GET', '/api/session')).toEqual({ user: null });
    const [first] = await owner.must<{ recorded_by: string }[]>('GET', `/api/customers/${customer_id}/pours`);
    expect(first?.recorded_by).toMatch(/^staff\d+$/);
    expect((await entriesAbout(bartender.id))[0]).toMatchObject({
      act: 'staff_removed',
      actor: { user_id: owner.id },
    });
    expect(await remove(owner, bartender.id)).toMatchObject(refused(404, 'NOT_FOUND'));
  });

  it('can never be oneself', async () => {
    expect(await remove(owner, owner.id)).toMatchObject(refused(409, 'OWN_ACCOUNT'));
  });
});

it('a colleague can be signed out everywhere, and signs in again', async () => {
  const email = await emailOf(bartender);
  expect(await owner.must('POST', `/api/team/${bartender.id}/sign-out`, {})).toEqual({
    sessions: 1,
    api_clients: 0,
  });
  expect((await bartender.call('GET', '/api/customers')).status).toBe(401);
  await bartender.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  expect((await bartender.call('GET', '/api/customers')).status).toBe(200);
});

describe('a colleague’s two-step sign-in', () => {
  const reset = (password: string) =>
    owner.call('POST', `/api/team/${bartender.id}/two-factor/reset`, { password });

  it('is turned off with one’s own password, and they are notified', async () => {
    const email = await emailOf(bartender);
    await enrollFactor(bartender, PASSWORD);
    expect(await reset('not the password')).toMatchObject(refused(403, 'WRONG_PASSWORD'));
    expect(await reset(PASSWORD)).toMatchObject({ status: 200 });
    expect((await bartender.call('GET', '/api/customers')).status).toBe(401);
    const signIn = { email, password: PASSWORD };
    expect(await app.visitor().must('POST', '/api/auth/sign-in', signIn)).toEqual({ ok: true });
    expect((await mailTo(app, email))?.subject).toContain('wo-step');
    expect((await entriesAbout(bartender.id))[0]).toMatchObject({ act: 'two_factor_reset' });
  });

  it('cannot be turned off when it is off', async () => {
    expect(await resetTwoFactor(app.services, await emailOf(bartender))).toBe(false);
    expect(await reset(PASSWORD)).toMatchObject(refused(400, 'TWO_FACTOR_NOT_ENABLED'));
  });
});
