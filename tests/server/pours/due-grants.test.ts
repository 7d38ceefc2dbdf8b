import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AvailablePours } from '../../../src/contract/members.ts';
import { localDate } from '../../../src/domain/calendar.ts';
import { glass_change, glass_grant } from '../../../src/server/db/schema.ts';
import { writeAllDueGrants } from '../../../src/server/pours/due-grants.ts';
import { pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/glasses.md, "Glasses": due grants are written by a call that needs them, and regularly for everyone.

let app: TestApp;
let staff: Caller;
beforeEach(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterEach(() => app.close());

const dayOf = (at: Date) => localDate(at, VENUE_ZONE);
const grantsOf = (customer_id: string) =>
  app.services.db
    .select()
    .from(glass_grant)
    .where(eq(glass_grant.customer_id, customer_id))
    .orderBy(glass_grant.valid_from);

it('writes each month of a member at the venue once, also those in which nobody came', async () => {
  const member = await venueMember(app, staff);
  const due = app.services;
  await writeAllDueGrants(due);
  expect(await writeAllDueGrants(due)).toBe(0);
  app.clock.advance({ days: 62 });
  expect(await writeAllDueGrants(due)).toBe(1);
  const grants = await grantsOf(member.customer_id);
  expect(grants.map(({ kind, glasses }) => ({ kind, glasses }))).toEqual(
    Array.from({ length: 3 }, () => ({ kind: 'period', glasses: 4 })),
  );
  expect(grants.map(({ valid_until }) => valid_until).slice(0, 2)).toEqual(
    grants.map(({ valid_from }) => valid_from).slice(1),
  );
});

it('counts months from the day a member joined: after a short month, the next ends on the 31st again', async () => {
  app.clock.set('2027-01-31T12:00:00Z');
  const member = await venueMember(app, staff);
  app.clock.set('2027-03-29T12:00:00Z');
  const { available_pours, resets_at } = await member.caller.must<AvailablePours>(
    'POST',
    '/api/functions/get-available-pours',
    { customer_id: member.customer_id },
  );
  expect([available_pours, dayOf(new Date(resets_at * 1000))]).toEqual([4, '2027-03-31']);
  app.clock.set('2027-05-01T12:00:00Z');
  await writeAllDueGrants(app.services);
  const grants = await grantsOf(member.customer_id);
  expect(grants.map((it) => [it.period, dayOf(it.valid_from), dayOf(it.valid_until)])).toEqual([
    ['2027-01-31', '2027-01-31', '2027-02-28'],
    ['2027-02-28', '2027-02-28', '2027-03-31'],
    ['2027-03-31', '2027-03-31', '2027-04-30'],
    ['2027-04-30', '2027-04-30', '2027-05-31'],
  ]);
});

it('passes over a member without access', async () => {
  const member = await venueMember(app, staff);
  await writeAllDueGrants(app.services);
  await app.services.db.execute(
    sql`update memberships set ends_on = start_date + 1 where customer_id = ${member.customer_id}`,
  );
  app.clock.advance({ days: 31 });
  expect(await writeAllDueGrants(app.services)).toBe(0);
});

it('a tier that gives more gives it to everyone at once, as a row of each running grant', async () => {
  const [drank, waited] = [await venueMember(app, staff), await venueMember(app, staff)];
  await writeAllDueGrants(app.services);
  await pour(staff, drank.customer_id, { quantity: 4 });
  await staff.must('PATCH', '/api/tier-settings/select', { monthly_pours: 6 });
  const left = async ({ customer_id, caller }: typeof drank) =>
    (
      await caller.must<{ available_pours: number }>('POST', '/api/functions/get-available-pours', {
        customer_id,
      })
    ).available_pours;
  expect([await left(drank), await left(waited)]).toEqual([2, 6]);
  const more = { kind: 'tier_glasses', glasses: 2 };
  expect(await app.services.db.select().from(glass_change)).toMatchObject([more, more]);
  app.clock.advance({ days: 31 });
  expect(await left(drank), 'the next month gives the new number').toBe(6);
});
