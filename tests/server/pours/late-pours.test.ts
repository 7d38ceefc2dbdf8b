import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { StaffPour } from '../../../src/contract/pours.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { celebration, customers, memberships, pours } from '../../../src/server/db/schema.ts';
import { celebrate } from '../../../src/server/pours/celebrations.ts';
import { writeAllDueGrants } from '../../../src/server/pours/due-grants.ts';
import { aRequestId, type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { openWine } from '../../support/fixtures/wines.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';
import { testClock } from '../../support/harness/clock.ts';

// docs/rules/pours.md, "A pour that waited". A select member has four glasses a month, from the day they join.

const JOINED = '2026-08-10T12:00:00Z';
/** Ten to midnight at the venue, on the last day of the member's first month. UTC has the next day. */
const EVENING = '2026-09-10T06:50:00Z';
const NEXT_MORNING = '2026-09-10T09:00:00Z';

let app: TestApp;
let staff: Caller;
beforeEach(async () => {
  app = await createTestApp({ clock: testClock(JOINED) });
  staff = await app.staff();
});
afterEach(() => app.close());

const glasses = ({ caller, customer_id }: Member) =>
  caller.must<{ available_pours: number; pours_used: number }>('POST', '/api/functions/get-available-pours', {
    customer_id,
  });
const history = ({ customer_id }: Member) =>
  staff.must<StaffPour[]>('GET', `/api/customers/${customer_id}/pours`);

/** Goes to the morning of the next month, whose glasses are written. */
async function nextMorning(): Promise<void> {
  app.clock.set(NEXT_MORNING);
  await writeAllDueGrants(app.services);
}

describe('a pour that waited for a network', () => {
  it('counts when it was poured, and says when it was recorded', async () => {
    const member = await venueMember(app, staff);
    app.clock.set('2026-08-21T16:00:00Z');
    const { body } = await pour(staff, member.customer_id, { poured_at: '2026-08-21T06:50:00Z' });
    expect(body).toMatchObject({ pours_balance: 3, pour: { created_at: '2026-08-21T06:50:00.000Z' } });
    expect(await history(member)).toMatchObject([
      { created_at: '2026-08-21T06:50:00.000Z', recorded_at: '2026-08-21T16:00:00.000Z' },
    ]);
    expect(await staff.must('GET', '/api/reports/pours?from=2026-08-20&to=2026-08-21')).toMatchObject({
      days: [{ day: '2026-08-20', glasses: 1 }],
      hours: [{ hour: 23, glasses: 1 }],
    });
  });

  it('takes a glass that is left of the month in which it was poured', async () => {
    const member = await venueMember(app, staff);
    await pour(staff, member.customer_id, { quantity: 2 });
    await nextMorning();
    const late = await pour(staff, member.customer_id, { quantity: 2, poured_at: EVENING });
    expect(late.body).toMatchObject({ pours_balance: 4 });
    expect(await glasses(member)).toMatchObject({ available_pours: 4, pours_used: 0 });
  });

  it('counts in the running month if the earlier one has too few left', async () => {
    const member = await venueMember(app, staff);
    await pour(staff, member.customer_id, { quantity: 3 });
    await nextMorning();
    const late = await pour(staff, member.customer_id, { quantity: 2, poured_at: EVENING });
    expect(late.body).toMatchObject({
      pours_balance: 2,
      pour: { created_at: new Date(EVENING).toISOString() },
    });
    expect(await glasses(member)).toMatchObject({ available_pours: 2, pours_used: 2 });
  });

  it('never takes a glass that has rolled over', async () => {
    await staff.must('PATCH', '/api/tier-settings/select', { rollover_glasses: 1 });
    app.clock.set('2026-08-11T07:00:00Z');
    const member = await venueMember(app, staff);
    await pour(staff, member.customer_id, { quantity: 2 });
    app.clock.set('2026-09-11T16:00:00Z');
    await writeAllDueGrants(app.services);
    const poured_at = '2026-09-11T06:50:00Z';
    expect((await pour(staff, member.customer_id, { poured_at })).body).toMatchObject({ pours_balance: 5 });
    expect((await pour(staff, member.customer_id, { poured_at })).body).toMatchObject({ pours_balance: 4 });
  });

  it('counts in a membership that has ended since', async () => {
    const member = await venueMember(app, staff);
    app.clock.set('2026-08-20T20:00:00Z');
    await app.services.db
      .update(memberships)
      .set({ ends_on: '2026-09-10' })
      .where(eq(memberships.customer_id, member.customer_id));
    app.clock.set(NEXT_MORNING);
    await sweep(app.services.billing);
    expect(await pour(staff, member.customer_id)).toMatchObject({ body: { code: 'CUSTOMER_NOT_ACTIVE' } });
    expect(await pour(staff, member.customer_id, { poured_at: EVENING })).toMatchObject({
      status: 201,
      body: { pours_balance: 0 },
    });
    expect(await pour(staff, member.customer_id, { poured_at: NEXT_MORNING })).toMatchObject({ status: 409 });
  });

  it('counts once, whether or not it carries its time', async () => {
    const member = await venueMember(app, staff);
    const request_id = aRequestId();
    const first = await pour(staff, member.customer_id, { request_id });
    app.clock.advance({ minutes: 60 });
    const again = await pour(staff, member.customer_id, { request_id, poured_at: JOINED });
    expect(again.body).toMatchObject({ repeated: true, pours_balance: 3, pour: first.body.pour });
  });

  it('can be undone without a reason for ten seconds after it was recorded', async () => {
    const member = await venueMember(app, staff);
    app.clock.advance({ minutes: 300 });
    const { body } = await pour(staff, member.customer_id, { poured_at: JOINED });
    const { id } = body.pour as { id: string };
    app.clock.advance({ seconds: 10 });
    expect((await staff.call('POST', `/api/pours/${id}/void`, {})).status).toBe(200);
  });

  it('takes the bottle that was open when it was poured', async () => {
    const member = await venueMember(app, staff);
    const { id: wine_id, bottle } = await openWine(staff);
    app.clock.advance({ minutes: 120 });
    await staff.must('POST', `/api/wines/${wine_id}/bottles`, { instead_of: bottle?.id });
    app.clock.advance({ minutes: 60 });
    const late = await pour(staff, member.customer_id, { wine_id, poured_at: '2026-08-10T13:00:00Z' });
    expect(late).toMatchObject({ status: 201 });
    const [row] = await app.services.db.select().from(pours);
    expect(row).toMatchObject({ wine_id, bottle_id: bottle?.id });
  });

  it('is celebrated on the day it is recorded, if it is the hundredth', async () => {
    const member = await venueMember(app, staff);
    const { db } = app.services;
    await db.update(customers).set({ total_pours_lifetime: 99 }).where(eq(customers.id, member.customer_id));
    app.clock.set('2026-08-21T09:00:00Z');
    await pour(staff, member.customer_id, { poured_at: '2026-08-20T23:50:00Z' });
    await celebrate(app.services);
    expect(await db.select().from(celebration)).toMatchObject([{ kind: 'hundredth', day: '2026-08-21' }]);
  });

  test.each([
    ['a minute ahead', 60, 201],
    ['more than that ahead', 61, 422],
    ['31 days old', -31 * 86_400, 201],
    ['older', -31 * 86_400 - 1, 422],
  ])('a time %s: %i seconds, status %i', async (_, seconds, status) => {
    const member = await venueMember(app, staff);
    const poured_at = new Date(app.clock.now().getTime() + seconds * 1000).toISOString();
    const answer = await pour(staff, member.customer_id, { poured_at });
    expect(answer.status).toBe(status);
    if (status === 422) expect(answer.body).toMatchObject({ code: 'POUR_TIME_REFUSED' });
    const [row] = await app.services.db.select().from(pours);
    if (row) expect(row.created_at <= app.clock.now()).toBe(true);
  });

  it('pours a guest’s glass that was given back in the meantime', async () => {
    const member = await venueMember(app, staff);
    const { id, url } = await member.caller.must<{ id: string; url: string }>('POST', '/api/guest-glasses');
    await app.visitor().must('POST', '/api/guest-glasses/state-age', { token: url.split('#')[1], age: 21 });
    const poured_at = app.clock.now().toISOString();
    app.clock.advance({ days: 8 });
    expect((await pour(staff, member.customer_id, { guest_glass_id: id })).status).toBe(409);
    const late = await pour(staff, member.customer_id, { guest_glass_id: id, poured_at });
    expect(late).toMatchObject({ status: 201, body: { pours_balance: 3 } });
    expect((await pour(staff, member.customer_id, { guest_glass_id: id, poured_at })).body).toMatchObject({
      data: { reason: 'used' },
    });
  });
});
