import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openPostgres } from '../../src/server/db/client.ts';
import { untilBlocked } from '../support/billing/locks.ts';
import { pour, venueMember } from '../support/fixtures/members.ts';
import { openRaceApp } from '../support/harness/race-app.ts';

// docs/rules/glasses.md, "Glasses": a tier that gives more gives it to everyone, including members whose month begins at
// that moment.

const { app, staff, databaseUrl } = await openRaceApp();

it('a month whose first pour comes while its tier is raised gives the new number', async () => {
  const member = await venueMember(app, staff);
  const other = await openPostgres(databaseUrl);
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
