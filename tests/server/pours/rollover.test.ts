import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it, test } from 'vitest';
import type { AuditEntry } from '../../../src/contract/staff/audit.ts';
import { audit_entry, glass_grant, tier_rollover } from '../../../src/server/db/schema.ts';
import { writeOfRollover } from '../../../src/server/pours/rollover-emails.ts';
import { mailTo } from '../../support/fixtures/emails.ts';
import { shareWith } from '../../support/fixtures/household.ts';
import { type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/glasses.md, "Glasses". A select member has four glasses a month, from the day they join.

let app: TestApp;
let staff: Caller;
beforeEach(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterEach(() => app.close());

/**
 * Lets glasses roll over from the months that begin tomorrow or later: a month of a member who joins today began at
 * midnight.
 */
async function letRollOver(rollover_glasses: number, tier = 'select'): Promise<void> {
  await staff.must('PATCH', `/api/tier-settings/${tier}`, { rollover_glasses });
  app.clock.advance({ days: 1 });
}

const glasses = ({ caller, customer_id }: Member) =>
  caller.must<object>('POST', '/api/functions/get-available-pours', { customer_id });
const written = ({ customer_id }: Member) =>
  app.services.db
    .select()
    .from(glass_grant)
    .where(and(eq(glass_grant.customer_id, customer_id), eq(glass_grant.kind, 'rollover')));

/** Moves to the next month of a member who joined when the last one began. */
const nextMonth = () => app.clock.advance({ days: 31 });

it('unused glasses, up to the tier’s limit, are added to the next month and no later one', async () => {
  await letRollOver(2);
  const member = await venueMember(app, staff);
  await pour(staff, member.customer_id);
  nextMonth();
  expect(await glasses(member)).toMatchObject({
    available_pours: 6,
    tier_max: 4,
    period_pours: 6,
    grants: [
      { kind: 'rollover', pours: 2 },
      { kind: 'period', pours: 4 },
    ],
    rolled_pours: 2,
    rolled_left: 2,
  });
  expect(await written(member)).toEqual([]);
  // All four of the month are left, as two of the six rolled over and are poured first.
  await pour(staff, member.customer_id, { quantity: 2 });
  expect(await glasses(member)).toMatchObject({
    available_pours: 4,
    tier_max: 4,
    period_pours: 6,
    pours_used: 2,
    rolled_left: 0,
  });
  expect(await written(member)).toMatchObject([{ glasses: 2, tier: 'select' }]);
  nextMonth();
  expect(await glasses(member)).toMatchObject({ available_pours: 6, rolled_pours: 2 });
  nextMonth();
  expect(await glasses(member), 'nobody came for a month').toMatchObject({
    available_pours: 6,
    rolled_pours: 2,
  });
});

it('glasses roll over into a short month of a member who joined on the 31st', async () => {
  app.clock.set('2027-01-30T12:00:00Z');
  await letRollOver(2);
  const member = await venueMember(app, staff);
  app.clock.set('2027-02-28T12:00:00Z');
  expect(await glasses(member)).toMatchObject({ available_pours: 6, rolled_pours: 2 });
  app.clock.set('2027-03-31T12:00:00Z');
  expect(await glasses(member)).toMatchObject({ available_pours: 6, rolled_pours: 2 });
});

it('all rolled-over glasses can be poured, and not one more', async () => {
  await letRollOver(100);
  const member = await venueMember(app, staff);
  await pour(staff, member.customer_id, { quantity: 3 });
  nextMonth();
  expect((await pour(staff, member.customer_id, { quantity: 5 })).body).toMatchObject({ pours_balance: 0 });
  expect((await pour(staff, member.customer_id)).body.code).toBe('POURS_EXCEEDED');
});

it('a rollover follows the tier’s limit at the start of the month that gave the glasses', async () => {
  const before = await venueMember(app, staff);
  app.clock.advance({ days: 1 });
  await letRollOver(3);
  const after = await venueMember(app, staff);
  await letRollOver(1);
  nextMonth();
  expect(await glasses(before)).toMatchObject({ rolled_pours: 0 });
  expect(await glasses(after)).toMatchObject({ rolled_pours: 3 });
  nextMonth();
  expect(await glasses(before)).toMatchObject({ rolled_pours: 1 });
  expect(await glasses(after)).toMatchObject({ rolled_pours: 1 });
});

it('a rollover stays as shown when a pour of the month before is voided', async () => {
  await letRollOver(4);
  const member = await venueMember(app, staff);
  const { pour: poured } = (await pour(staff, member.customer_id, { quantity: 2 })).body as {
    pour: { id: string };
  };
  nextMonth();
  await staff.must('POST', `/api/pours/${poured.id}/void`, { reason: 'A mistake' });
  expect(await glasses(member)).toMatchObject({ available_pours: 6, rolled_pours: 2 });
});

it('a rollover, once recorded, closes the month that gave the glasses', async () => {
  await letRollOver(4);
  const member = await venueMember(app, staff);
  nextMonth();
  await pour(staff, member.customer_id, { quantity: 1 });
  // Another server, with a clock still in the previous month.
  app.clock.advance({ days: -2 });
  expect((await pour(staff, member.customer_id, { quantity: 8 })).body).toMatchObject({
    code: 'POURS_EXCEEDED',
    data: { available_pours: 7 },
  });
  const taken = {
    request_id: app.services.newId(),
    kind: 'correction',
    glasses: -7,
    reason: 'Counted wrong',
  };
  await staff.must('POST', `/api/customers/${member.customer_id}/glasses`, taken);
  app.clock.advance({ days: 2 });
  expect(await glasses(member)).toMatchObject({ available_pours: 0 });
});

it('glasses that staff gave do not roll over: they end with the month, and are poured before the tier’s', async () => {
  await letRollOver(100);
  const member = await venueMember(app, staff);
  const given = { request_id: app.services.newId(), kind: 'comp', glasses: 3, reason: 'A long wait' };
  await staff.must('POST', `/api/customers/${member.customer_id}/glasses`, given);
  await pour(staff, member.customer_id);
  nextMonth();
  expect(await glasses(member)).toMatchObject({ available_pours: 8, rolled_pours: 4 });
});

it('a rollover belongs to the household, whoever pours first', async () => {
  await letRollOver(5, 'household');
  const holder = await venueMember(app, staff, 'household');
  const partner = await shareWith(app, holder);
  await pour(staff, partner.customer_id, { quantity: 18 });
  nextMonth();
  for (const member of [holder, partner]) {
    expect(await glasses(member)).toMatchObject({ available_pours: 22, rolled_left: 2 });
  }
  await pour(staff, partner.customer_id);
  expect(await written(holder)).toMatchObject([{ glasses: 2 }]);
  expect(await glasses(holder)).toMatchObject({ available_pours: 21, rolled_left: 1 });
});

it('a rollover shows at the bar, with the instant until which it can be poured', async () => {
  await letRollOver(2);
  const member = await venueMember(app, staff);
  const bar = () => staff.must<object>('GET', `/api/customers/${member.customer_id}/bar`);
  expect(await bar()).toMatchObject({ pours_balance: 4, grants: [{ kind: 'period', pours: 4 }] });
  nextMonth();
  const { resets_at } = (await glasses(member)) as { resets_at: number };
  const of = { occasion: null, until: new Date(resets_at * 1000).toISOString() };
  expect(await bar()).toMatchObject({
    pours_balance: 6,
    grants: [
      { ...of, kind: 'rollover', pours: 2 },
      { ...of, kind: 'period', pours: 4 },
    ],
  });
});

it('a rollover is in the member’s history and the timeline from the first pour of the month on', async () => {
  await letRollOver(2);
  const member = await venueMember(app, staff);
  const { resets_at } = (await glasses(member)) as { resets_at: number };
  const rolled = () => member.caller.must('GET', '/api/pours/rolled-over');
  const inTimeline = async () => {
    const path = `/api/customers/${member.customer_id}/timeline`;
    const { entries } = await staff.must<{ entries: { kind: string }[] }>('GET', path);
    return entries.filter(({ kind }) => kind === 'rolled_over');
  };
  nextMonth();
  expect([await rolled(), await inTimeline()]).toEqual([[], []]);
  await pour(staff, member.customer_id);
  const at = new Date(resets_at * 1000).toISOString();
  expect(await rolled()).toEqual([{ at, glasses: 2 }]);
  expect(await inTimeline()).toMatchObject([{ at, glasses: 2, by: null }]);
});

it('rollovers of the months that began while they shared are in a partner’s history too', async () => {
  await letRollOver(2, 'household');
  const holder = await venueMember(app, staff, 'household');
  const rolled = ({ caller }: Member) => caller.must<object[]>('GET', '/api/pours/rolled-over');
  nextMonth();
  await pour(staff, holder.customer_id);
  const partner = await shareWith(app, holder);
  expect([(await rolled(holder)).length, await rolled(partner)]).toEqual([1, []]);
  nextMonth();
  await pour(staff, partner.customer_id);
  const seen = await rolled(partner);
  expect(seen).toMatchObject([{ glasses: 2 }]);
  await holder.caller.must('DELETE', '/api/household');
  nextMonth();
  await pour(staff, holder.customer_id);
  expect([(await rolled(holder)).length, await rolled(partner)]).toEqual([3, seen]);
});

it('a rollover is in one email, five days before it ends, to members who want emails and have some left', async () => {
  await letRollOver(2);
  const [member, refuser, drinker] = [
    await venueMember(app, staff),
    await venueMember(app, staff),
    await venueMember(app, staff),
  ];
  await refuser.caller.must('PUT', '/api/personal-emails/own', { wanted: false, place: 'account' });
  const write = () => writeOfRollover(app.services);
  app.clock.advance({ days: 27 });
  expect(await write(), 'glasses of this month roll over first').toBe(0);
  app.clock.advance({ days: 4 });
  await pour(staff, drinker.customer_id, { quantity: 2 });
  app.clock.advance({ days: 24 });
  expect(await write()).toBe(0);
  app.clock.advance({ days: 3 });
  expect(await write()).toBe(1);
  expect(await write()).toBe(0);
  const { user } = await member.caller.must<{ user: { email: string } }>('GET', '/api/session');
  expect((await mailTo(app, user.email))?.text).toContain('You have 2 pours left from last month');
});

test('rows of rollovers, and of tiers’ rollover limits, are never changed', async () => {
  await letRollOver(2);
  const member = await venueMember(app, staff);
  nextMonth();
  await pour(staff, member.customer_id);
  const { db } = app.services;
  for (const table of [glass_grant, tier_rollover]) {
    await expect(db.update(table).set({ glasses: 9 })).rejects.toThrow();
    await expect(db.delete(table)).rejects.toThrow();
  }
});

test('a tier’s rollover limit is 0 until set, at most 100, and in the audit with both values', async () => {
  const tiers = await staff.must<{ rollover_glasses: number }[]>('GET', '/api/tier-settings');
  expect(tiers.map((it) => it.rollover_glasses)).toEqual(tiers.map(() => 0));
  const refused = await staff.call('PATCH', '/api/tier-settings/select', { rollover_glasses: 101 });
  expect(refused.body).toMatchObject({
    code: 'TIER_SETTING_REFUSED',
    data: { reason: 'rollover_not_allowed' },
  });
  await letRollOver(3);
  await letRollOver(3);
  await letRollOver(1);
  const entries = await app.services.db.select().from(audit_entry).where(eq(audit_entry.act, 'tier_changed'));
  expect(entries.map(({ facts }) => facts as AuditEntry['facts'])).toEqual([
    { tier: 'select', rollover: 3, rollover_before: 0 },
    { tier: 'select', rollover: 1, rollover_before: 3 },
  ]);
  expect(await staff.must('GET', '/api/tiers/select')).toMatchObject({ rollover_glasses: 1 });
});
