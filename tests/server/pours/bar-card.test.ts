import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BarCard } from '../../../src/contract/members.ts';
import type { StaffPour } from '../../../src/contract/pours.ts';
import { addMonths, localDate } from '../../../src/domain/calendar.ts';
import { aRequestId, cardMember, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

const atBar = (id: string) => staff.must<BarCard>('GET', `/api/customers/${id}/bar`);
const glasses = async (id: string) => (await atBar(id)).service.pours.map(({ quantity }) => quantity);

describe('the card of the member at the bar', () => {
  it('shows a member without any pour', async () => {
    const { caller, customer_id } = await venueMember(app, staff, 'household');
    expect(await atBar(customer_id)).toMatchObject({
      id: customer_id,
      user_id: caller.id,
      first_name: 'Ada',
      tier: 'household',
      tier_label: 'Household',
      pours_balance: 20,
      period_pours: 20,
      standing: 'venue',
      grace_until: null,
      ends_at: null,
      last_visit: null,
      last_pour: null,
      service: { pours: [], limits: { amber: 3, water: 4 } },
    });
    expect(await atBar(caller.id)).toEqual(await atBar(customer_id));
  });

  it('shows the last pour and visit; a voided pour is neither', async () => {
    const { customer_id } = await venueMember(app, staff);
    const first = await pour(staff, customer_id, { quantity: 2, location: 'event' });
    const at = app.clock.now().toISOString();
    app.clock.advance({ minutes: 3 });
    const second = await pour(staff, customer_id);
    await staff.must('POST', `/api/pours/${(second.body.pour as { id: string }).id}/void`, {
      reason: 'Spilled',
    });
    const { last_visit, last_pour, pours_balance } = await atBar(customer_id);
    expect({ last_visit, pours_balance }).toEqual({ last_visit: at, pours_balance: 2 });
    expect(last_pour).toEqual({
      id: (first.body.pour as { id: string }).id,
      quantity: 2,
      location: 'private_event',
      created_at: at,
      recorded_by: expect.stringMatching(/^staff\d+$/),
    });
  });

  it('counts the last two hours, without voided pours, against the club’s limits', async () => {
    const { caller, customer_id } = await venueMember(app, staff, 'household');
    const { customer_id: other } = await venueMember(app, staff);
    await pour(staff, customer_id, { quantity: 2 });
    app.clock.advance({ minutes: 90 });
    const late = await pour(staff, customer_id, { quantity: 3, offered_water: true });
    const at = app.clock.now().toISOString();
    const gone = await pour(staff, customer_id);
    await staff.must('POST', `/api/pours/${(gone.body.pour as { id: string }).id}/void`, {});
    expect(await glasses(customer_id)).toEqual([2, 3]);
    expect(await glasses(other)).toEqual([]);
    app.clock.advance({ minutes: 31 });
    expect((await atBar(customer_id)).service.pours).toEqual([{ quantity: 3, created_at: at }]);
    const { version } = await staff.must<{ version: number }>('GET', '/api/club-settings');
    await staff.must('PATCH', '/api/club-settings', { version, changes: { service_water: 6 } });
    expect((await atBar(customer_id)).service.limits).toEqual({ amber: 3, water: 6 });
    // The row records who offered water; the member does not see it.
    const history = await staff.must<StaffPour[]>('GET', `/api/customers/${customer_id}/pours`);
    const said = history.map(({ id, offered_water, recorded_by }) => ({ id, offered_water, recorded_by }));
    expect(said).toContainEqual({
      id: (late.body.pour as { id: string }).id,
      offered_water: true,
      recorded_by: expect.stringMatching(/^staff\d+$/),
    });
    expect(said.filter(({ offered_water }) => offered_water)).toHaveLength(1);
    expect(JSON.stringify(await caller.must('GET', '/api/pours/own'))).not.toContain('offered_water');
  });

  it('shows the standing of a card subscription, with the instant at which it changes', async () => {
    const { customer_id } = await cardMember(app);
    // Webhooks in progress would overwrite this with a snapshot from Stripe.
    await fetch(`${app.sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST' });
    expect(await atBar(customer_id)).toMatchObject({ standing: 'active', grace_until: null, ends_at: null });
    const { db } = app.services;
    const tomorrow = new Date(app.clock.now().getTime() + 86_400_000).toISOString();
    const subscription = sql`where user_id = (select user_id from customers where id = ${customer_id})`;
    await db.execute(sql`update billing_subscription set cancel_at_period_end = true ${subscription}`);
    const ending = await atBar(customer_id);
    expect(ending).toMatchObject({ standing: 'ending', grace_until: null, pours_balance: 4 });
    expect(Date.parse(ending.ends_at ?? '')).toBeGreaterThan(app.clock.now().getTime());
    await db.execute(sql`update billing_subscription set status = 'past_due', grace_until = ${tomorrow},
      access_until = ${tomorrow}, cancel_at_period_end = false ${subscription}`);
    expect(await atBar(customer_id)).toMatchObject({
      standing: 'grace',
      grace_until: tomorrow,
      ends_at: null,
    });
    await db.execute(
      sql`update billing_subscription set access_until = null, status = 'unpaid' ${subscription}`,
    );
    expect(await atBar(customer_id)).toMatchObject({ standing: 'suspended', pours_balance: 0 });
  });

  it('keeps the standing of a lost card subscription, and the day access ended', async () => {
    const { caller, customer_id } = await cardMember(app);
    await fetch(`${app.sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST' });
    const { db } = app.services;
    await db.execute(sql`update customers set status = 'inactive' where id = ${customer_id}`);
    await db.execute(sql`update memberships set status = 'ended', end_date = '2026-11-03'
      where customer_id = ${customer_id}`);
    const set = (status: string) =>
      db.execute(sql`update billing_subscription set status = ${status} where user_id = ${caller.id}`);
    const none = { no_access_since: '2026-11-03', pours_return_on: null, pours_balance: 0 };
    await set('unpaid');
    expect(await atBar(customer_id)).toMatchObject({ standing: 'suspended', ...none });
    await set('canceled');
    expect(await atBar(customer_id)).toMatchObject({ standing: 'ended', ...none });
    // The member's page for staff says the same.
    expect(await staff.must('GET', `/api/customers/${customer_id}`)).toMatchObject({
      standing: 'ended',
      no_access_since: '2026-11-03',
      available_pours: 0,
      has_active_membership: false,
    });
  });

  it('says when glasses reset', async () => {
    const { customer_id } = await venueMember(app, staff);
    const { pours_return_on } = await atBar(customer_id);
    const member_since = localDate(app.clock.now(), VENUE_ZONE);
    expect(pours_return_on).toBe(addMonths(member_since, 1));
    expect(await staff.must('GET', `/api/customers/${customer_id}`)).toMatchObject({ pours_return_on });
  });

  it('shows inactive and no glasses when the membership has ended', async () => {
    const { customer_id } = await venueMember(app, staff);
    await app.services.db.execute(sql`update customers set status = 'inactive' where id = ${customer_id}`);
    expect(await atBar(customer_id)).toMatchObject({ standing: 'inactive', pours_balance: 0 });
  });

  it('is not found when unknown, and is not for members', async () => {
    const path = `/api/customers/${aRequestId()}/bar`;
    expect(await staff.call('GET', path)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    const { caller, customer_id } = await venueMember(app, staff);
    expect((await caller.call('GET', `/api/customers/${customer_id}/bar`)).status).toBe(403);
  });
});
