import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { StaffPour } from '../../../src/contract/pours.ts';
import { voidNeedsReason } from '../../../src/domain/pour.ts';
import { pour_voids } from '../../../src/server/db/schema.ts';
import { voidPour } from '../../../src/server/pours/pours.ts';
import { aRequestId, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
let colleague: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
  colleague = await app.staff();
});
afterAll(() => app.close());

const poured = async (customer_id: string, overrides = {}) => {
  const { body } = await pour(staff, customer_id, overrides);
  return (body.pour as { id: string }).id;
};
const take = (who: Caller, id: string, reason?: string) =>
  who.call<{ pour: StaffPour; pours_balance: number; code?: string }>(
    'POST',
    `/api/pours/${id}/void`,
    reason === undefined ? {} : { reason },
  );

describe('a voided pour', () => {
  it('returns its glasses everywhere, and stays in the history as voided', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    await poured(customer_id);
    const id = await poured(customer_id, { quantity: 3 });
    const { status, body } = await take(staff, id);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      pour: {
        id,
        status: 'voided',
        quantity: 3,
        voided: { at: app.clock.now().toISOString(), reason: null },
      },
      pours_balance: 3,
    });
    expect(await caller.must('GET', '/api/customers/own')).toMatchObject({
      customer: { pours_balance: 3, total_pours_lifetime: 1 },
    });
    expect((await pour(staff, customer_id, { quantity: 3 })).status).toBe(201);
  });

  it('is announced only if it is committed', async () => {
    const { customer_id } = await venueMember(app, staff);
    const id = await poured(customer_id);
    const announced: string[] = [];
    const { db } = app.services;
    /** As if the connection were lost before the commit. */
    const transaction: typeof db.transaction = (work) =>
      db.transaction(async (tx) => {
        await work(tx);
        throw new Error('connection lost');
      });
    const ctx = {
      ...app.services,
      actor: { user_id: staff.id, role: 'staff' as const },
      announce: (it: string) => void announced.push(it),
    };
    const lost = { ...ctx, db: Object.assign(Object.create(db), { transaction }) };
    await expect(voidPour(lost, { id })).rejects.toThrow('connection lost');
    expect(announced).toEqual([]);
    await voidPour(ctx, { id });
    expect(announced).toEqual([expect.stringMatching(/^pours /)]);
  });

  it('shows staff why and by whom, and the member only that it was voided', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    const id = await poured(customer_id);
    await take(colleague, id, ' Corked bottle ');
    const [seen] = await staff.must<StaffPour[]>('GET', `/api/customers/${customer_id}/pours`);
    expect(seen).toMatchObject({ id, status: 'voided', voided: { reason: 'Corked bottle' } });
    expect(seen?.voided?.by).not.toBe('');
    expect(seen?.voided?.by).not.toBe(seen?.recorded_by);
    const mine = await caller.must<object[]>('GET', '/api/pours/own');
    expect(mine).toMatchObject([{ id, status: 'voided' }]);
    expect(Object.keys(mine[0] ?? {}).sort()).toEqual([
      'created_at',
      'id',
      'location',
      'place_name',
      'quantity',
      'rating',
      'status',
      'wine',
      'wine_id',
    ]);
  });

  it('when other staff void it again, answers with the first void and its reason', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    const id = await poured(customer_id, { quantity: 2 });
    const first = await take(staff, id);
    app.clock.advance({ minutes: 5 });
    const again = await take(colleague, id, 'Another reason');
    // The responses differ only in whether the pour is the caller's own.
    const pour = { ...first.body.pour, own: false };
    expect(again).toMatchObject({ status: 200, body: { ...first.body, pour } });
    expect(await caller.must('GET', '/api/customers/own')).toMatchObject({
      customer: { total_pours_lifetime: 0 },
    });
  });

  it('of an earlier billing period lowers the lifetime total and not this month', async () => {
    const { caller, customer_id } = await venueMember(app, staff);
    const id = await poured(customer_id, { quantity: 2 });
    app.clock.advance({ days: 40 });
    await poured(customer_id);
    expect((await take(staff, id, 'Wrong member')).body.pours_balance).toBe(3);
    expect(await caller.must('GET', '/api/customers/own')).toMatchObject({
      customer: { pours_balance: 3, total_pours_lifetime: 1 },
    });
  });

  it('answers a repeated request with the voided pour, and pours nothing', async () => {
    const { customer_id } = await venueMember(app, staff);
    const request_id = aRequestId();
    const id = await poured(customer_id, { request_id });
    await take(staff, id);
    expect(await pour(staff, customer_id, { request_id })).toMatchObject({
      status: 201,
      body: { repeated: true, pours_balance: 4, pour: { id, status: 'voided' } },
    });
  });

  it('is not found when unknown, and is not for members', async () => {
    expect(await take(staff, aRequestId(), 'x')).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    const { caller, customer_id } = await venueMember(app, staff);
    const id = await poured(customer_id);
    expect(await take(caller, id, 'x')).toMatchObject({ status: 403, body: { code: 'NOT_ALLOWED' } });
  });
});

describe('a reason is required as the domain says', () => {
  const cases = [0, 9, 10, 11, 3600].flatMap((seconds) =>
    (['staff', 'colleague'] as const).flatMap((who) =>
      [undefined, '  ', 'Spilled'].map((reason) => ({ seconds, who, reason })),
    ),
  );
  test.each(cases)('$who after $seconds s with reason $reason', async ({ seconds, who, reason }) => {
    const { customer_id } = await venueMember(app, staff);
    const recorded_at = app.clock.now();
    const id = await poured(customer_id);
    app.clock.advance({ seconds });
    const by = who === 'staff' ? staff : colleague;
    const needed = voidNeedsReason(
      { recorded_by: staff.id, recorded_at },
      { by: by.id, at: app.clock.now() },
    );
    const { status, body } = await take(by, id, reason);
    const refused = needed && !reason?.trim();
    expect({ status, code: body.code }).toEqual(
      refused ? { status: 409, code: 'VOID_NEEDS_REASON' } : { status: 200, code: undefined },
    );
    expect(await app.services.db.$count(pour_voids, eq(pour_voids.pour_id, id))).toBe(refused ? 0 : 1);
  });
});
