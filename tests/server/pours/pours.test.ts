import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { glass_change, glass_debit, glass_grant, pour_voids, pours } from '../../../src/server/db/schema.ts';
import { aRequestId, cardMember, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';
import { testClock } from '../../support/harness/clock.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

const left = (caller: Caller, customer_id: string) =>
  caller.must<{ available_pours: number }>('POST', '/api/functions/get-available-pours', { customer_id });

test('glasses are counted after January 2038 too, when seconds no longer fit in 32 bits', async () => {
  const later = await createTestApp({ clock: testClock('2038-06-10T12:00:00Z') });
  const bartender = await later.staff();
  const { customer_id } = await venueMember(later, bartender);
  expect(await left(bartender, customer_id)).toMatchObject({
    available_pours: 4,
    resets_at: Date.parse('2038-07-10T07:00:00Z') / 1000,
  });
  await later.close();
});

describe('recording a pour', () => {
  it('refuses more than is left, and says how many are left', async () => {
    const { customer_id } = await venueMember(app, staff);
    await pour(staff, customer_id, { quantity: 3 });
    const refused = await pour(staff, customer_id, { quantity: 2 });
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'POURS_EXCEEDED', data: { available_pours: 1 } },
    });
    expect(await left(staff, customer_id)).toMatchObject({ available_pours: 1 });
  });

  it('pours the last glass and then none', async () => {
    const { customer_id } = await venueMember(app, staff);
    expect((await pour(staff, customer_id, { quantity: 4 })).status).toBe(201);
    expect(await pour(staff, customer_id)).toMatchObject({ body: { data: { available_pours: 0 } } });
  });

  it('answers a repeated request with the first pour', async () => {
    const { customer_id } = await venueMember(app, staff);
    const request_id = aRequestId();
    const first = await pour(staff, customer_id, { request_id });
    app.clock.advance({ seconds: 5 });
    const again = await pour(staff, customer_id, { request_id });
    expect(again).toMatchObject({
      status: 201,
      body: { repeated: true, pours_balance: 3, pour: first.body.pour },
    });
  });

  it('answers a repeated request for the last glass with that pour, not with a refusal', async () => {
    const { customer_id } = await venueMember(app, staff);
    const request_id = aRequestId();
    await pour(staff, customer_id, { request_id, quantity: 4 });
    expect(await pour(staff, customer_id, { request_id, quantity: 4 })).toMatchObject({
      status: 201,
      body: { repeated: true, pours_balance: 0 },
    });
  });

  test.each([
    ['quantity', { quantity: 2 }],
    ['location', { location: 'event' }],
  ])('refuses a request_id that was used with another %s', async (_, other) => {
    const { customer_id } = await venueMember(app, staff);
    const request_id = aRequestId();
    await pour(staff, customer_id, { request_id });
    expect(await pour(staff, customer_id, { request_id, ...other })).toMatchObject({
      status: 409,
      body: { code: 'REQUEST_ID_REUSED' },
    });
  });

  it('refuses a request_id that was used for another member', async () => {
    const [one, two] = [await venueMember(app, staff), await venueMember(app, staff)];
    const request_id = aRequestId();
    await pour(staff, one.customer_id, { request_id });
    expect(await pour(staff, two.customer_id, { request_id })).toMatchObject({
      body: { code: 'REQUEST_ID_REUSED' },
    });
  });

  it('renews the glasses on the monthly day, counted from the day the membership began', async () => {
    app.clock.set('2026-08-31T10:00:00Z');
    const { customer_id } = await venueMember(app, staff);
    await pour(staff, customer_id, { quantity: 4 });
    app.clock.set('2026-09-30T06:59:59Z');
    expect(await left(staff, customer_id)).toMatchObject({ available_pours: 0 });
    app.clock.set('2026-09-30T07:00:00Z');
    expect(await left(staff, customer_id)).toMatchObject({ available_pours: 4 });
    await pour(staff, customer_id, { quantity: 4 });
    app.clock.set('2026-10-31T06:59:59Z');
    expect(await left(staff, customer_id)).toMatchObject({ available_pours: 0 });
    app.clock.set('2026-10-31T07:00:00Z');
    expect(await left(staff, customer_id)).toMatchObject({ available_pours: 4 });
  });

  test.each([
    ['no location', { location: undefined }, 400],
    ['no id of a location', { location: 'The Cellar' }, 400],
    ['an unknown location', { location: 'cellar' }, 422],
  ])('%s: Please select a location', async (_, wrong, status) => {
    const { customer_id } = await venueMember(app, staff);
    const refused = await pour(staff, customer_id, wrong);
    expect(refused.status).toBe(status);
    expect(JSON.stringify(refused.body)).toContain('Please select a location');
  });

  test.each([0, -1, 1.5, 101, '1', null])('a quantity of %j is refused', async (quantity) => {
    const { customer_id } = await venueMember(app, staff);
    expect((await pour(staff, customer_id, { quantity })).status).toBe(400);
  });

  it('does not find an unknown member', async () => {
    expect(await pour(staff, aRequestId())).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('refuses a member whose membership is over', async () => {
    const { customer_id } = await venueMember(app, staff);
    await app.services.db.execute(sql`update customers set status = 'inactive' where id = ${customer_id}`);
    expect(await pour(staff, customer_id)).toMatchObject({
      status: 409,
      body: { code: 'CUSTOMER_NOT_ACTIVE' },
    });
    expect(await left(staff, customer_id)).toMatchObject({ available_pours: 0 });
  });

  it('refuses a card member seven days after a period that was not renewed', async () => {
    const { customer_id } = await cardMember(app);
    // The sandbox renews as its clock advances; every webhook about it is lost here, even those in progress.
    await fetch(`${app.sandbox.url}/_sandbox/webhooks/idle`, { method: 'POST' });
    await fetch(`${app.sandbox.url}/_sandbox/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mode: 'drop' }),
    });
    const [row] = await app.services.db.query.billing_subscription.findMany();
    const end = row?.current_period_end ?? new Date(0);
    app.clock.set(new Date(end.getTime() + 7 * 86_400_000 - 1000));
    expect((await pour(staff, customer_id)).status).toBe(201);
    app.clock.advance({ seconds: 1 });
    expect(await pour(staff, customer_id)).toMatchObject({ body: { code: 'CUSTOMER_NOT_ACTIVE' } });
  });
});

describe('the ledger only grows', () => {
  it('refuses changes and deletions in the database itself', async () => {
    const { customer_id } = await venueMember(app, staff);
    await pour(staff, customer_id);
    const { db } = app.services;
    const refusal = { cause: { code: '23001' } };
    await expect(db.update(pours).set({ quantity: 9 })).rejects.toMatchObject(refusal);
    await expect(db.delete(pours)).rejects.toMatchObject(refusal);
    const taken = { request_id: aRequestId(), kind: 'correction', glasses: -1, reason: 'counted wrong' };
    await staff.must('POST', `/api/customers/${customer_id}/glasses`, taken);
    for (const table of [glass_grant, glass_change, glass_debit]) {
      await expect(db.update(table).set({ glasses: 9 })).rejects.toMatchObject(refusal);
      await expect(db.delete(table)).rejects.toMatchObject(refusal);
    }
  });

  it('a voided pour returns its glasses and shows as voided', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    const recorded = await pour(staff, customer_id, { quantity: 3 });
    const { id } = recorded.body.pour as { id: string };
    await app.services.db
      .insert(pour_voids)
      .values({ pour_id: id, voided_by_staff_id: staff.id, created_at: app.clock.now() });
    expect(await left(caller, customer_id)).toMatchObject({ available_pours: 4 });
    expect(await caller.must('GET', '/api/pours/own')).toMatchObject([{ id, status: 'voided' }]);
  });
});

describe('history', () => {
  it('shows the member 50 and staff 10, newest first', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    const start = app.clock.now();
    const insert = Array.from({ length: 55 }, (_, i) => ({
      id: app.services.newId(),
      request_id: aRequestId(),
      customer_id,
      quantity: 1,
      location: 'main_bar',
      toast_reference_number: `POUR-${i}`,
      status: 'redeemed' as const,
      recorded_by_staff_id: staff.id,
      created_at: new Date(start.getTime() - i * 60_000),
    }));
    await app.services.db.insert(pours).values(insert);
    const mine = await caller.must<{ id: string }[]>('GET', '/api/pours/own');
    expect(mine.map((it) => it.id)).toEqual(insert.slice(0, 50).map((it) => it.id));
    const seen = await staff.must<{ id: string }[]>('GET', `/api/customers/${customer_id}/pours`);
    expect(seen.map((it) => it.id)).toEqual(insert.slice(0, 10).map((it) => it.id));
  });
});
