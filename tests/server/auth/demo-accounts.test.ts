import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEMO_ACCOUNTS, DEMO_PASSWORD, findDemoAccounts } from '../../../src/server/auth/demo-accounts.ts';
import { hashPassword } from '../../../src/server/auth/password/hash.ts';
import { addStaff, removeStaff } from '../../../src/server/auth/staff-accounts.ts';
import { accounts, profiles } from '../../../src/server/db/schema.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp();
});
afterAll(() => app.close());

const open = () => findDemoAccounts(app.services.db);

it('a demo account counts as open while it is staff or has the published password', async () => {
  expect(await open()).toEqual([]);
  await addStaff(app.services, DEMO_ACCOUNTS.staff, DEMO_PASSWORD);
  await addStaff(app.services, DEMO_ACCOUNTS.member, PASSWORD);
  expect(await open()).toEqual([DEMO_ACCOUNTS.member, DEMO_ACCOUNTS.staff]);
  // After becoming customers, only the account with a changed password is closed.
  await removeStaff(app.services, DEMO_ACCOUNTS.member);
  await removeStaff(app.services, DEMO_ACCOUNTS.staff);
  expect(await open()).toEqual([DEMO_ACCOUNTS.staff]);
});

it('a visitor cannot block the next start by registering such an email', async () => {
  await app.services.db.delete(profiles);
  const person = { first_name: 'Eve', last_name: 'Other', phone: '', email: DEMO_ACCOUNTS.staff };
  const signUp = (password: string) =>
    app.visitor().call('POST', '/api/auth/sign-up', { ...person, password });
  expect(await signUp(DEMO_PASSWORD)).toMatchObject({ status: 422, body: { code: 'PASSWORD_PERSONAL' } });
  expect((await signUp(PASSWORD)).status).toBe(200);
  // A password that an earlier version allowed.
  const cost = { memoryCost: 8, timeCost: 1, parallelism: 1 };
  await app.services.db.update(accounts).set({ password: await hashPassword(DEMO_PASSWORD, cost) });
  expect(await open()).toEqual([]);
});
