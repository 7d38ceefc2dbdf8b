import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TeamMember } from '../../../src/contract/staff/team.ts';
import { STAFF_PERMISSIONS } from '../../../src/domain/staff/staff-permission.ts';
import { addStaff, giveAllPermissions, removeStaff } from '../../../src/server/auth/staff-accounts.ts';
import { listPermissions } from '../../../src/server/auth/team/permissions.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeEach(async () => {
  app = await createTestApp();
});
afterEach(() => app.close());

const ALL = [...STAFF_PERMISSIONS];
const add = async (email: string) => (await addStaff(app.services, email, PASSWORD)).user_id;
const permissions = (user_id: string) => listPermissions(app.services, user_id);

it('the first staff account has every permission, the next none beyond the bar', async () => {
  expect(await permissions(await add('owner@venue.example'))).toEqual(ALL);
  expect(await permissions(await add('bar@venue.example'))).toEqual([]);
});

it('the last person who manages staff cannot be removed until someone else does, or nobody is staff', async () => {
  const owner = await add('owner@venue.example');
  await add('bar@venue.example');
  const remove = (email: string) => removeStaff(app.services, email);
  await expect(remove('owner@venue.example')).rejects.toMatchObject({ code: 'LAST_STAFF_MANAGER' });
  expect(await permissions(owner)).toEqual(ALL);
  await giveAllPermissions(app.services, 'bar@venue.example');
  expect(await remove('owner@venue.example')).toBe(true);
  expect(await permissions(owner)).toEqual([]);
  expect(await remove('bar@venue.example')).toBe(true);
  // Every permission ended with the role, so the next staff member is the first again.
  await add('owner@venue.example');
  expect(await permissions(owner)).toEqual(ALL);
});

it('the database grants permissions to staff only', async () => {
  const { id } = await app.customer();
  const give = app.services.db.execute(
    sql`insert into staff_permission (user_id, permission, given_at) values (${id}, 'see_reports', now())`,
  );
  await expect(give).rejects.toMatchObject({ cause: { constraint: 'permission_needs_role' } });
  expect(await giveAllPermissions(app.services, 'nobody@venue.example')).toBe(false);
});

it('the session lists permissions for staff, and none for members', async () => {
  const owner = await app.staff();
  const bartender = await app.staff();
  const session = (who: typeof owner) => who.must<{ user: object }>('GET', '/api/session');
  expect(await session(owner)).toMatchObject({ user: { permissions: ALL } });
  expect(await session(bartender)).toMatchObject({ user: { permissions: [] } });
  expect((await session(await app.customer())).user).not.toHaveProperty('permissions');
});

it('the team is all staff by name, with what they may do and when they were last seen', async () => {
  const owner = await app.staff();
  await app.customer();
  await add('zoe@venue.example');
  const [first, second, ...more] = await owner.must<TeamMember[]>('GET', '/api/team');
  expect(more).toEqual([]);
  expect(first).toMatchObject({ user_id: owner.id, permissions: ALL, two_factor: false });
  expect(Date.parse(first?.last_seen_at ?? '')).toBeGreaterThan(0);
  expect(second).toMatchObject({ email: 'zoe@venue.example', permissions: [], last_seen_at: null });
});
