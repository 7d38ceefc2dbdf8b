import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { customers, sessions } from '../../src/server/db/schema.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { pour, venueMember } from '../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../support/harness/app.ts';
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

it('a glass that waits for the member is not poured by a bartender who was signed out meanwhile', async () => {
  const { db } = app.services;
  const staff = await app.staff();
  const { caller, customer_id } = await venueMember(app, staff);
  expect((await pour(staff, customer_id)).status).toBe(201);
  const answer = await db.transaction(async (tx) => {
    await tx.select().from(customers).where(eq(customers.id, customer_id)).for('update');
    const waits = pour(staff, customer_id);
    await untilBlocked(db);
    await db.delete(sessions).where(eq(sessions.userId, staff.id));
    return { waits };
  });
  expect(await answer.waits).toMatchObject({ status: 401, body: { code: 'NOT_SIGNED_IN' } });
  expect(await caller.must('GET', '/api/pours/own')).toHaveLength(1);
});
