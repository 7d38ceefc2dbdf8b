import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { audit_entry, given_glasses } from '../../../src/server/db/schema.ts';
import { aRequestId, type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/glasses.md, "Glasses". A select member has four glasses.

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

const give = ({ customer_id }: Member, glasses: number, more: object = {}) =>
  staff.call('POST', `/api/customers/${customer_id}/glasses`, {
    request_id: aRequestId(),
    kind: glasses > 0 ? 'comp' : 'correction',
    glasses,
    reason: 'A long wait',
    ...more,
  });

it('given glasses are added to the tier’s, can be poured, and are shown to the member', async () => {
  const member = await venueMember(app, staff);
  expect((await give(member, 2)).body).toEqual({ pours_balance: 6, repeated: false });
  expect((await pour(staff, member.customer_id, { quantity: 6 })).status).toBe(201);
  const own = await member.caller.must<object>('POST', '/api/functions/get-available-pours', {
    customer_id: member.customer_id,
  });
  expect(own).toMatchObject({
    available_pours: 0,
    pours_used: 6,
    tier_max: 4,
    period_pours: 6,
    grants: [],
  });
});

it('a correction takes back what is left, and never what was poured', async () => {
  const member = await venueMember(app, staff);
  await pour(staff, member.customer_id, { quantity: 3 });
  const refused = await give(member, -2);
  expect(refused.body).toMatchObject({ code: 'POURS_EXCEEDED', data: { available_pours: 1 } });
  expect((await give(member, -1)).body).toEqual({ pours_balance: 0, repeated: false });
});

it('given glasses count in the current billing period only', async () => {
  const member = await venueMember(app, staff);
  await give(member, 5);
  app.clock.advance({ days: 32 });
  const { body } = await pour(staff, member.customer_id, { quantity: 5 });
  expect(body).toMatchObject({ code: 'POURS_EXCEEDED', data: { available_pours: 4 } });
});

it('a repeated request counts once, and its id is refused for other glasses', async () => {
  const member = await venueMember(app, staff);
  const request_id = aRequestId();
  await give(member, 1, { request_id });
  expect((await give(member, 1, { request_id })).body).toEqual({ pours_balance: 5, repeated: true });
  expect((await give(member, 2, { request_id })).body).toMatchObject({ code: 'REQUEST_ID_REUSED' });
  const other = await venueMember(app, staff);
  expect((await give(other, 1, { request_id })).body).toMatchObject({ code: 'REQUEST_ID_REUSED' });
});

it.each([
  ['a comp that takes', -1, { kind: 'comp' }],
  ['nothing', 0, { kind: 'correction' }],
  ['too many', 101, {}],
  ['no reason', 1, { reason: '  ' }],
])('refuses %s', async (_, glasses, more) => {
  const member = await venueMember(app, staff);
  expect((await give(member, glasses, more)).status).toBe(400);
});

it('a gift of glasses is a row that never changes, with who and why, and is in the audit without the reason', async () => {
  const member = await venueMember(app, staff);
  await give(member, 3, { reason: 'Birthday' });
  const { db } = app.services;
  const mine = eq(given_glasses.customer_id, member.customer_id);
  const [row] = await db.select().from(given_glasses).where(mine);
  expect(row).toMatchObject({ kind: 'comp', glasses: 3, reason: 'Birthday', given_by_staff_id: staff.id });
  await expect(db.update(given_glasses).set({ glasses: 9 }).where(mine)).rejects.toThrow();
  await expect(db.delete(given_glasses).where(mine)).rejects.toThrow();
  const entries = await db.select().from(audit_entry).where(eq(audit_entry.subject_id, member.caller.id));
  expect(entries.find(({ act }) => act === 'glasses_given')?.facts).toEqual({
    gift_id: row?.id,
    kind: 'comp',
    glasses: 3,
  });
});
