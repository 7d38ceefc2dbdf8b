import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPostgres } from '../../src/server/db/client.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { pour, venueMember } from '../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../support/harness/app.ts';
import type { Caller } from '../support/harness/caller.ts';
import { createDatabase } from '../support/harness/postgres.ts';

// docs/rules/glasses.md, "Glasses": a tier that gives more gives it to everyone, including members whose month begins at
// that moment.

let database: Awaited<ReturnType<typeof createDatabase>>;
let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  database = await createDatabase();
  app = await createTestApp({ databaseUrl: database.url });
  staff = await app.staff();
});
afterAll(async () => {
  await app.close();
  await database.drop();
});

it('a month whose first pour comes while its tier is raised gives the new number', async () => {
  const member = await venueMember(app, staff);
  const other = await openPostgres(database.url);
  let raised: Promise<unknown> = Promise.resolve();
  let poured: ReturnType<typeof pour> | undefined;
  await other.db.transaction(async (tx) => {
    // The raise has corrected the existing grants, and waits with its audit entry.
    await tx.execute(sql`lock table audit_entry in exclusive mode`);
    raised = staff.must('PATCH', '/api/tier-settings/select', { monthly_pours: 6 });
    await untilBlocked(app.services.db, 1);
    app.clock.advance({ days: 31 });
    poured = pour(staff, member.customer_id);
    await untilBlocked(app.services.db, 2);
  });
  await raised;
  expect((await poured)?.body).toMatchObject({ pours_balance: 5 });
  await other.close();
});
