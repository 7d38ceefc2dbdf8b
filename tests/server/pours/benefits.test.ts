import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import type { AuditEntry } from '../../../src/contract/staff/audit.ts';
import type { TimelineEntry } from '../../../src/contract/staff/member-record.ts';
import { benefit_use, customers } from '../../../src/server/db/schema.ts';
import {
  BOTTLE,
  benefitsAtBar,
  ownBenefits,
  setTierBenefits,
  takeBenefit,
} from '../../support/fixtures/benefits.ts';
import { shareWith } from '../../support/fixtures/household.ts';
import { aRequestId, cardMember, type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/benefits.md. The clock begins on June 15 at the venue.

const DISCOUNT = { words: '10 % off bottles to take home', every: null, number: null };

let app: TestApp;
let staff: Caller;
let bottle: string;
beforeEach(async () => {
  app = await createTestApp();
  staff = await app.staff();
  const [saved] = await setTierBenefits(staff, [BOTTLE, DISCOUNT]);
  bottle = saved?.id ?? '';
});
afterEach(() => app.close());

const take = (member: Member, overrides = {}, benefit = bottle) =>
  takeBenefit(staff, member.customer_id, benefit, overrides);
const left = async (member: Member) =>
  (await benefitsAtBar(staff, member.customer_id)).map((it) => [it.words, it.left]);

describe('taking a benefit', () => {
  it('leaves one less for the member, the bar and everyone with the page open', async () => {
    const member = await venueMember(app, staff);
    const until = '2026-07-15T07:00:00.000Z';
    const before = { id: bottle, ...BOTTLE, left: 1, until };
    const discount = { id: expect.any(String), ...DISCOUNT, left: null, until: null };
    expect(await ownBenefits(member)).toEqual([before, discount]);
    const { status, body } = await take(member);
    expect(status).toBe(201);
    const at = app.clock.now().toISOString();
    const taken = [{ id: body.use_id, at, by: expect.any(String), own: true }];
    expect(body).toMatchObject({ repeated: false, benefits: [{ ...before, left: 0, taken }, discount] });
    expect(await ownBenefits(member)).toEqual([{ ...before, left: 0 }, discount]);
    expect(await left(member)).toEqual([
      [BOTTLE.words, 0],
      [DISCOUNT.words, null],
    ]);
    expect(await member.caller.must('GET', '/api/customers/own'), 'no pour').toMatchObject({
      customer: { pours_balance: 4, total_pours_lifetime: 0 },
    });
  });

  it('is refused once none is left, until the next window', async () => {
    const member = await venueMember(app, staff);
    await take(member);
    expect((await take(member)).body).toMatchObject({ code: 'BENEFIT_REFUSED', data: { reason: 'used_up' } });
    app.clock.set('2026-07-15T06:59:59Z');
    expect((await take(member)).status).toBe(409);
    app.clock.set('2026-07-15T07:00:00Z');
    expect((await take(member)).status).toBe(201);
  });

  it('counts a request once', async () => {
    const [member, other] = [await venueMember(app, staff), await venueMember(app, staff)];
    const request_id = aRequestId();
    const first = await take(member, { request_id });
    expect((await take(member, { request_id })).body).toMatchObject({
      use_id: first.body.use_id,
      repeated: true,
    });
    expect((await take(other, { request_id })).body.code).toBe('REQUEST_ID_REUSED');
    expect(await app.services.db.$count(benefit_use)).toBe(1);
  });

  it('is refused for a standing one, another tier’s and an unknown one, and for an unknown member', async () => {
    const member = await venueMember(app, staff);
    const [elite] = await setTierBenefits(staff, [BOTTLE], 'elite');
    const [, discount] = await benefitsAtBar(staff, member.customer_id);
    for (const id of [elite?.id, discount?.id, aRequestId()])
      expect((await take(member, {}, id)).body).toMatchObject({
        code: 'BENEFIT_REFUSED',
        data: { reason: 'not_given' },
      });
    expect((await takeBenefit(staff, aRequestId(), bottle)).status).toBe(404);
  });

  it('needs access, without which it is still shown', async () => {
    const member = await venueMember(app, staff, 'select', 1);
    app.clock.set('2026-07-21T18:00:00Z');
    expect((await take(member)).status, 'within the days of grace').toBe(201);
    app.clock.set('2026-07-23T18:00:00Z');
    expect((await take(member)).body.code).toBe('CUSTOMER_NOT_ACTIVE');
    expect(await left(member)).toHaveLength(2);
  });

  it('is refused in a pause, and given after it', async () => {
    const member = await venueMember(app, staff);
    await member.caller.must('POST', '/api/billing/pause', { months: 1 });
    app.clock.set('2026-07-20T18:00:00Z');
    expect((await take(member)).body.code).toBe('CUSTOMER_NOT_ACTIVE');
    app.clock.set('2026-08-20T18:00:00Z');
    expect((await take(member)).status).toBe(201);
  });

  it('is one of the billing period by card', async () => {
    const member = await cardMember(app);
    expect((await take(member)).status).toBe(201);
    expect((await take(member)).status).toBe(409);
    const [own] = await ownBenefits(member);
    expect(own).toMatchObject({ left: 0, until: '2026-07-16T01:00:00.000Z' });
  });
});

describe('one that waited for a network', () => {
  it('counts in the window in which it was taken', async () => {
    const member = await venueMember(app, staff);
    app.clock.set('2026-07-15T18:00:00Z');
    const taken_at = '2026-07-15T06:00:00.000Z';
    expect((await take(member, { taken_at })).status).toBe(201);
    expect(await left(member), 'of the new month').toContainEqual([BOTTLE.words, 1]);
    expect((await take(member, { taken_at })).body.data).toEqual({ reason: 'used_up' });
    const [row] = await app.services.db.select().from(benefit_use);
    expect(row).toMatchObject({ created_at: new Date(taken_at), recorded_at: app.clock.now() });
  });

  test.each(['2026-06-16T01:05:00Z', '2026-05-01T00:00:00Z'])(
    'counts as now if %s cannot be right',
    async (at) => {
      const member = await venueMember(app, staff);
      await take(member, { taken_at: at });
      const [row] = await app.services.db.select().from(benefit_use);
      expect(row).toMatchObject({ created_at: app.clock.now(), recorded_at: null });
    },
  );
});

describe('a change of the list', () => {
  it('reaches everyone at once if it gives more, and counts from the next window if it gives less', async () => {
    const member = await venueMember(app, staff);
    await take(member);
    app.clock.advance({ days: 1 });
    await setTierBenefits(staff, [{ ...BOTTLE, id: bottle, number: 3 }]);
    expect(await left(member)).toEqual([[BOTTLE.words, 2]]);
    app.clock.advance({ days: 1 });
    await setTierBenefits(staff, [{ ...BOTTLE, id: bottle, number: 1 }]);
    expect(await left(member)).toEqual([[BOTTLE.words, 2]]);
    const newer = await venueMember(app, staff);
    app.clock.set('2026-07-15T18:00:00Z');
    expect(await left(member)).toEqual([[BOTTLE.words, 1]]);
    expect(await left(newer)).toEqual([[BOTTLE.words, 1]]);
  });

  it('counts for whoever joins after it, also on that day', async () => {
    const words = 'Tasting';
    await setTierBenefits(staff, [{ words, every: 'year', number: 50 }]);
    app.clock.advance({ minutes: 5 });
    await setTierBenefits(staff, [{ words, every: 'year', number: 5 }]);
    app.clock.advance({ minutes: 5 });
    expect(await left(await venueMember(app, staff))).toEqual([[words, 5]]);
  });

  it('keeps what was taken off it until the window ends, and takes it back on with its uses', async () => {
    const member = await venueMember(app, staff);
    await take(member);
    app.clock.advance({ days: 1 });
    await setTierBenefits(staff, []);
    expect(await left(member), 'no longer the standing one').toEqual([[BOTTLE.words, 0]]);
    expect(await staff.must('GET', '/api/tiers/select')).toMatchObject({ benefits: [] });
    app.clock.advance({ days: 1 });
    const [again] = await setTierBenefits(staff, [{ ...BOTTLE, words: 'bottle of the Month' }]);
    expect(again?.id).toBe(bottle);
    expect(await left(member)).toEqual([['bottle of the Month', 0]]);
    await setTierBenefits(staff, []);
    app.clock.set('2026-07-15T18:00:00Z');
    expect(await left(member)).toEqual([]);
  });

  it('with another unit is another benefit', async () => {
    const member = await venueMember(app, staff);
    app.clock.advance({ days: 1 });
    const [saved] = await setTierBenefits(staff, [{ ...BOTTLE, id: bottle, every: 'quarter', number: 2 }]);
    expect(saved?.id).not.toBe(bottle);
    expect((await benefitsAtBar(staff, member.customer_id)).map((it) => [it.every, it.left])).toEqual([
      ['quarter', 2],
      ['month', 1],
    ]);
  });

  test.each([
    ['too_many_benefits', Array.from({ length: 9 }, (_, n) => ({ ...DISCOUNT, words: `B${n}` }))],
    ['benefit_words_not_allowed', [{ ...DISCOUNT, words: 'A <b>bottle</b>' }]],
    ['benefit_number_not_allowed', [{ ...BOTTLE, number: 0 }]],
    ['benefit_number_not_allowed', [{ ...BOTTLE, number: 51 }]],
    ['benefit_twice', [BOTTLE, BOTTLE]],
  ])('%s is refused, and the list stays', async (reason, benefits) => {
    const { body } = await staff.call('PATCH', '/api/tier-settings/select', { benefits });
    expect(body).toMatchObject({ code: 'TIER_SETTING_REFUSED', data: { reason } });
    expect(await staff.must('GET', '/api/tiers/select')).toMatchObject({ benefits: [BOTTLE, DISCOUNT] });
  });

  it('is in the audit; saving it as it is changes nothing', async () => {
    await setTierBenefits(staff, [BOTTLE, DISCOUNT]);
    const { entries } = await staff.must<{ entries: AuditEntry[] }>('GET', '/api/audit?what=tier_changed');
    expect(entries.map(({ facts }) => facts)).toEqual([
      { tier: 'select', benefits: 'Bottle of the month, 1 a month; 10 % off bottles to take home' },
    ]);
  });

  it('comes with a new tier', async () => {
    const terms = { display_name: 'Mug', description: 'A mug.', monthly_price_cents: 1000, monthly_pours: 2 };
    await staff.must('POST', '/api/tier-settings', { tier_name: 'mug', ...terms, benefits: [BOTTLE] });
    expect(await staff.must('GET', '/api/tiers')).toContainEqual(
      expect.objectContaining({ tier_name: 'mug', benefits: [{ id: expect.any(String), ...BOTTLE }] }),
    );
  });
});

it('another tier gives its own benefits; the same words and unit count what was taken', async () => {
  const member = await venueMember(app, staff);
  await take(member);
  const [same, more] = await setTierBenefits(
    staff,
    [
      { ...BOTTLE, number: 2 },
      { ...BOTTLE, words: 'Seat at the barrel tasting', every: 'year' },
    ],
    'elite',
  );
  await app.services.db.execute(
    sql`update memberships set tier = 'elite' where customer_id = ${member.customer_id}`,
  );
  await app.services.db.update(customers).set({ tier: 'elite' }).where(eq(customers.id, member.customer_id));
  expect(await benefitsAtBar(staff, member.customer_id)).toMatchObject([
    { id: same?.id, number: 2, left: 1 },
    { id: more?.id, number: 1, left: 1 },
  ]);
  expect((await take(member)).body.data).toEqual({ reason: 'not_given' });
});

it('what is given once is given once, also to a member who comes back', async () => {
  const [welcome] = await setTierBenefits(staff, [{ ...BOTTLE, words: 'Welcome bottle', every: 'once' }]);
  const member = await venueMember(app, staff);
  await take(member, {}, welcome?.id);
  app.clock.advance({ days: 500 });
  await app.services.db.execute(
    sql`update memberships set paid_until = null, grace_until = null, start_date = '2027-09-01' where customer_id = ${member.customer_id}`,
  );
  expect(await ownBenefits(member)).toMatchObject([{ left: 0, until: null }]);
});

it('a household shares them', async () => {
  const [visit] = await setTierBenefits(staff, [BOTTLE], 'household');
  const holder = await venueMember(app, staff, 'household');
  const partner = await shareWith(app, holder);
  expect((await take(partner, {}, visit?.id)).status).toBe(201);
  expect(await ownBenefits(holder)).toMatchObject([{ left: 0 }]);
  expect(await ownBenefits(partner)).toMatchObject([{ left: 0 }]);
  expect((await take(holder, {}, visit?.id)).status).toBe(409);
});

describe('undoing', () => {
  const undo = (who: Caller, id: string, reason?: string) =>
    who.call<{ code?: string; benefits: { left: number }[] }>('POST', `/api/benefit-uses/${id}/void`, {
      reason,
    });

  it('needs no reason within ten seconds by who recorded it, and gives it back', async () => {
    const member = await venueMember(app, staff);
    const { body } = await take(member);
    app.clock.advance({ seconds: 10 });
    expect(await undo(staff, body.use_id)).toMatchObject({
      status: 200,
      body: { benefits: [{ left: 1 }, {}] },
    });
    expect((await take(member)).status).toBe(201);
    expect((await undo(staff, body.use_id)).body.benefits, 'a second time').toMatchObject([{ left: 0 }, {}]);
    expect((await undo(staff, aRequestId())).status).toBe(404);
  });

  it('needs a reason later and by a colleague, whose entry the audit has', async () => {
    const colleague = await app.staff();
    const member = await venueMember(app, staff);
    const { body } = await take(member);
    expect((await undo(colleague, body.use_id)).body.code).toBe('VOID_NEEDS_REASON');
    app.clock.advance({ seconds: 11 });
    expect((await undo(staff, body.use_id, ' ')).body.code).toBe('VOID_NEEDS_REASON');
    expect((await undo(colleague, body.use_id, 'Wrong member')).status).toBe(200);
    const { entries } = await staff.must<{ entries: AuditEntry[] }>('GET', '/api/audit?what=benefit_voided');
    expect(entries.map(({ facts }) => facts)).toEqual([
      { use_id: body.use_id, recorded_by_id: staff.id, words: BOTTLE.words },
    ]);
    const timeline = await staff.must<{ entries: TimelineEntry[] }>(
      'GET',
      `/api/customers/${member.customer_id}/timeline`,
    );
    expect(
      timeline.entries.filter(({ kind }) => kind.startsWith('benefit')).map((it) => [it.kind, it.text]),
    ).toEqual([
      ['benefit_undone', `${BOTTLE.words}\nWrong member`],
      ['benefit_taken', BOTTLE.words],
    ]);
  });
});

it('the ledger of pours does not change', async () => {
  const member = await venueMember(app, staff);
  await take(member);
  expect((await pour(staff, member.customer_id, { quantity: 4 })).status).toBe(201);
});
