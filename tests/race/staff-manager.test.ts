import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { addStaff, giveAllPermissions, removeStaff } from '../../src/server/auth/staff-accounts.ts';
import { staff_permission, user_roles } from '../../src/server/db/schema.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { createTestApp, PASSWORD, type TestApp } from '../support/harness/app.ts';
import { createDatabase } from '../support/harness/postgres.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
beforeAll(async () => {
  database = await createDatabase();
  app = await createTestApp({ databaseUrl: database.url });
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

it('of all who manage staff and are removed at the same moment, one stays', async () => {
  const { services } = app;
  for (let round = 0; round < 5; round++) {
    const emails = [1, 2, 3].map((n) => `manager${n}-${round}@venue.example`);
    for (const email of [...emails, `bar-${round}@venue.example`]) await addStaff(services, email, PASSWORD);
    for (const email of emails) await giveAllPermissions(services, email);
    const outcomes = await Promise.allSettled(emails.map((email) => removeStaff(services, email)));
    const refused = outcomes.filter((it) => it.status === 'rejected');
    expect(refused.map((it) => it.reason.code)).toEqual(['LAST_STAFF_MANAGER']);
    const managers = eq(staff_permission.permission, 'manage_staff');
    expect(await services.db.$count(staff_permission, managers)).toBe(1);
    // The next round begins without staff.
    await removeStaff(services, `bar-${round}@venue.example`);
    for (const email of emails) await removeStaff(services, email);
  }
});

it('of two who become the first staff at the same moment, one can do everything', async () => {
  const { services } = app;
  await Promise.all(['a', 'b'].map((name) => addStaff(services, `${name}@first.example`, PASSWORD)));
  expect(await services.db.$count(user_roles, eq(user_roles.role, 'staff'))).toBe(2);
  expect(await services.db.$count(staff_permission)).toBe(4);
});

it('of two browsers that set up a club at the same moment, one does, and finds no other staff', async () => {
  const empty = await createDatabase();
  const club = await createTestApp({ databaseUrl: empty.url });
  onTestFinished(async () => {
    await club.close();
    await empty.drop();
  });
  const { db, firstStart } = club.services;
  const code = (await firstStart.takeCode()) ?? '';
  const setUp = (email: string) =>
    club.visitor().call('POST', '/api/setup', {
      ...{ code, email, password: PASSWORD, first_name: 'Olga', last_name: 'Berger' },
      ...{ club_name: 'Weingut Berger', time_zone: 'Europe/Vienna' },
    });
  const { sent } = await db.transaction(async (tx) => {
    await tx.execute(sql`select lock_staff_permissions()`);
    const sent = ['a', 'b'].map((name) => setUp(`${name}@first.example`));
    await untilBlocked(db, 2);
    // Wrapped in an object, so that the transaction does not wait for the calls.
    return { sent };
  });
  expect((await Promise.all(sent)).map(({ status }) => status).sort()).toEqual([201, 404]);
  expect(await db.$count(user_roles)).toBe(1);
});
