import Stripe from 'stripe';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { OwnMembership } from '../../../src/contract/members.ts';
import type { Dues } from '../../../src/contract/staff/dues.ts';
import type { MemberPayment } from '../../../src/contract/staff/refunds.ts';
import { addStaff } from '../../../src/server/auth/staff-accounts.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { sql } from '../../../src/server/db/orm.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { brokenInvariants } from '../../../torture/invariants.ts';
import { emailsTo } from '../../support/fixtures/emails.ts';
import { applied, type Member, payAt, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/years.md, "Up within the year". A year of Select costs $390, of Premier $690, of Elite $1,290.

const OWNER = 'owner@example.test';
const START = '2026-06-15T19:00:00Z';
/** Eleven months have not begun. */
const JULY = '2026-07-10T19:00:00Z';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  app.clock.set(START);
  await addStaff(app.services, OWNER, PASSWORD);
  staff = await signedIn();
  for (const [tier, yearly_price_cents] of [
    ['select', 39_000],
    ['premier', 69_000],
    ['elite', 129_000],
  ] as const)
    await staff.must('PATCH', `/api/tier-settings/${tier}`, { yearly_price_cents });
});
beforeEach(async () => {
  app.clock.set(START);
  staff = await signedIn();
});
afterAll(() => app.close());

async function signedIn(): Promise<Caller> {
  const caller = app.visitor();
  await caller.must('POST', '/api/auth/sign-in', { email: OWNER, password: PASSWORD });
  await caller.remember();
  return caller;
}

const ownOf = ({ caller }: Member) => caller.must<OwnMembership>('GET', '/api/customers/own');
const duesOf = ({ customer_id }: Member) => staff.must<Dues>('GET', `/api/customers/${customer_id}/dues`);
const paymentsOf = ({ customer_id }: Member) =>
  staff.must<MemberPayment[]>('GET', `/api/customers/${customer_id}/payments`);
const look = async (member: Member) => app.services.billing.reconcile((await ownOf(member)).profile.id);
const order = (member: Member, tier: string) =>
  member.caller.call('POST', '/api/billing/year/tier', { tier });
const pageOf = async (member: Member, tier = 'premier') =>
  (await member.caller.must<{ url: string }>('POST', '/api/billing/year/tier', { tier })).url;

/** A member with a Select year since June 15, on a later day; sessions end with the clock. */
async function inYear(now = JULY, how: 'online' | 'till' = 'online'): Promise<Member> {
  let member: Member;
  if (how === 'till') member = await venueMember(app, staff);
  else {
    const caller = await app.customer();
    const year = { tierName: 'select', applicationId: await applied(caller), period: 'year' };
    await payAt((await caller.must<{ url: string }>('POST', '/api/functions/create-checkout', year)).url);
    await caller.must('POST', '/api/functions/verify-subscription-status', {});
    const { customer } = await caller.must<OwnMembership>('GET', '/api/customers/own');
    member = { caller, customer_id: customer?.id ?? '' };
  }
  await member.caller.remember();
  app.clock.set(now);
  staff = await signedIn();
  return member;
}

async function raised(how: 'online' | 'till' = 'online', now = JULY): Promise<Member> {
  const member = await inYear(now, how);
  expect(await payAt(await pageOf(member))).toMatch(/\/dashboard$/);
  await look(member);
  return member;
}

it.each(['online', 'till'] as const)(
  'a member whose year was paid %s sees the dearer tiers, and pays for one once',
  async (how) => {
    const member = await inYear(JULY, how);
    expect((await ownOf(member)).tiers_up).toEqual([
      { tier: 'premier', months: 11, amount_cents: 27_500 },
      { tier: 'elite', months: 11, amount_cents: 82_500 },
    ]);
    const url = await pageOf(member);
    expect(await pageOf(member)).toBe(url);
    await payAt(url);
    for (const _ of [1, 2]) await look(member);
    const own = await ownOf(member);
    expect(own).toMatchObject({
      customer: { tier: 'premier', status: 'active' },
      dues: { state: 'paid', paid_until: '2027-06-15', is_year: true, price_cents: 6900, year_cents: 69_000 },
      tiers_up: [{ tier: 'elite', months: 11, amount_cents: 55_000 }],
    });
    const { entries } = await duesOf(member);
    expect(entries).toMatchObject([
      {
        kind: 'difference',
        tier: 'premier',
        months: 11,
        amount_cents: 27_500,
        method: 'online',
        paid_from: '2026-07-15',
        paid_until: '2027-06-15',
        recorded_by: null,
      },
      { kind: 'payment', tier: 'select', months: 12, amount_cents: 39_000 },
    ]);
    const emails = (await emailsTo(app.services.db, own.profile)).slice(-2);
    expect(emails.map(({ subject }) => subject).sort()).toEqual([
      'Receipt · Test Cellar',
      'Your new tier · Test Cellar',
    ]);
    expect(emails.map(({ text }) => text).join()).toContain(
      'No more pours until July 15, 2026, 8 a month from then.',
    );
  },
);

it('this month’s pours stay, and the next month has all of the dearer tier’s', async () => {
  const member = await raised();
  expect((await ownOf(member)).pours).toMatchObject({ available_pours: 4, period_pours: 4 });
  app.clock.set('2026-07-15T08:00:00Z');
  expect((await ownOf(member)).pours).toMatchObject({ available_pours: 8, period_pours: 8 });
});

it('a second move up costs the difference to what both payments bring', async () => {
  const member = await raised();
  app.clock.set('2026-08-20T19:00:00Z');
  staff = await signedIn();
  expect((await ownOf(member)).tiers_up).toEqual([{ tier: 'elite', months: 9, amount_cents: 45_000 }]);
  await payAt(await pageOf(member, 'elite'));
  await look(member);
  expect((await ownOf(member)).customer?.tier).toBe('elite');
  expect((await duesOf(member)).entries.map(({ amount_cents }) => amount_cents)).toEqual([
    45_000, 27_500, 39_000,
  ]);
});

it('another year after it is one of the dearer tier', async () => {
  const member = await raised();
  const { url } = await member.caller.must<{ url: string }>('POST', '/api/billing/year', {});
  await payAt(url);
  await look(member);
  const own = await ownOf(member);
  expect(own.dues).toMatchObject({ paid_until: '2028-06-15', is_year: true });
  expect((await duesOf(member)).entries[0]).toMatchObject({ tier: 'premier', amount_cents: 69_000 });
  // The next one waits to begin.
  expect(own.tiers_up).toEqual([]);
});

const nothing = () => Promise.resolve();

it.each<[string, (member: Member) => Promise<unknown>, string, object]>([
  ['the same tier', nothing, 'select', { code: 'TIER_CHANGE_REFUSED', data: { reason: 'same_tier' } }],
  ['a tier without a price of a year', nothing, 'household', { code: 'TIER_NOT_AVAILABLE' }],
  ['a tier that is not on offer', nothing, 'reserve', { code: 'TIER_NOT_AVAILABLE' }],
  [
    'a pause ahead',
    ({ caller }) => caller.must('POST', '/api/billing/pause', { months: 1 }),
    'premier',
    { code: 'TIER_CHANGE_REFUSED', data: { reason: 'paused' } },
  ],
  [
    'a cancellation',
    ({ caller }) => caller.must('POST', '/api/functions/cancel-subscription', {}),
    'premier',
    { code: 'TIER_CHANGE_REFUSED', data: { reason: 'ending' } },
  ],
  [
    'another tier scheduled',
    ({ customer_id }) => staff.must('POST', `/api/customers/${customer_id}/tier`, { tier_name: 'elite' }),
    'premier',
    { code: 'TIER_CHANGE_REFUSED', data: { reason: 'change_pending' } },
  ],
])('refused: %s', async (_, change, tier, refusal) => {
  const member = await inYear();
  await change(member);
  expect((await order(member, tier)).body).toMatchObject(refusal);
});

it('refused: months, a year that waits to begin, one that is over, and one that is overdue', async () => {
  const month = await venueMember(app, staff, 'select', 1);
  expect((await order(month, 'premier')).body).toMatchObject({ code: 'TIER_NOT_AVAILABLE' });
  const { url } = await month.caller.must<{ url: string }>('POST', '/api/billing/year', {});
  await payAt(url);
  await look(month);
  expect((await ownOf(month)).dues).toMatchObject({ paid_until: '2027-07-15', is_year: true });
  expect((await order(month, 'premier')).body).toMatchObject({ code: 'TIER_NOT_AVAILABLE' });
  const overdue = await venueMember(app, staff, 'select', 1);
  app.clock.set('2026-07-16T19:00:00Z');
  expect((await order(overdue, 'premier')).body).toMatchObject({ data: { reason: 'payment_open' } });
  // The year of the first has begun.
  expect((await order(month, 'premier')).status).toBe(200);
});

/** Pages live for 23 hours. */
const DAY = '2026-07-14T19:00:00Z';
it.each<[string, string, (member: Member) => Promise<unknown>]>([
  ['another month had begun', '2026-07-15T08:00:00Z', nothing],
  ['a pause was set', DAY, ({ caller }) => caller.must('POST', '/api/billing/pause', { months: 1 })],
  [
    'another tier was scheduled',
    DAY,
    ({ customer_id }) => staff.must('POST', `/api/customers/${customer_id}/tier`, { tier_name: 'elite' }),
  ],
  [
    'the year was voided',
    DAY,
    async (member) => {
      const { entries } = await duesOf(member);
      await staff.must('POST', `/api/dues/${entries[0]?.id}/void`, { reason: 'Bounced' });
    },
  ],
  [
    'the membership had ended',
    DAY,
    async ({ customer_id }) => {
      const path = `/api/customers/${customer_id}/membership-end`;
      const { period_end } = await staff.must<{ period_end: string }>('GET', path);
      await staff.must('POST', path, { customer_id, when: 'now', reason: 'other', period_end });
    },
  ],
])('money that comes after %s goes back, with an email', async (_, at, change) => {
  const member = await inYear(DAY, 'till');
  const { profile } = await ownOf(member);
  const url = await pageOf(member);
  await app.services.billing.reconcile(profile.id);
  app.clock.set(at);
  staff = await signedIn();
  await change(member);
  await payAt(url);
  for (const _ of [1, 2]) await app.services.billing.reconcile(profile.id);
  expect(await paymentsOf(member)).toMatchObject([
    { amount: 27_500, amount_refunded: 27_500, difference: false },
  ]);
  const { text } = (await emailsTo(app.services.db, profile)).at(-1) ?? {};
  expect(text).toMatch(
    /(Your year had changed before|after your membership had ended).*We refunded \$275\.00/s,
  );
  expect((await duesOf(member)).entries.some(({ kind }) => kind === 'difference')).toBe(false);
});

async function refunded(member: Member, { id, amount_refunded, unused }: MemberPayment): Promise<void> {
  await staff.must('POST', `/api/customers/${member.customer_id}/refunds`, {
    ...{ request_id: v7(), customer_id: member.customer_id, payment_id: id, amount: unused?.amount },
    ...{ shown_refunded: amount_refunded, unused_months: unused?.months, reason: 'They move away' },
  });
}

it('staff refund the unused months of the difference first, then those of the year', async () => {
  const member = await raised();
  app.clock.set('2026-08-20T19:00:00Z');
  staff = await signedIn();
  const [difference, year] = await paymentsOf(member);
  expect(difference).toMatchObject({
    ...{ amount: 27_500, difference: true, paid_for: { tier: 'premier', from: '2026-07-15T07:00:00.000Z' } },
    unused: { months: 9, amount: 22_500, until: '2026-09-15', back_to: 'select' },
  });
  expect(year).toMatchObject({
    amount: 39_000,
    difference: false,
    paid_for: { tier: 'select' },
    unused: null,
  });
  if (!difference) throw new Error('No difference');
  await refunded(member, difference);
  const pending_tier = { tier: 'select', from: '2026-09-15', price_cents: 3900 };
  const after = await duesOf(member);
  expect(after).toMatchObject({ paid_until: '2027-06-15', pending_tier });
  expect(after.entries).toMatchObject([
    { kind: 'difference', months: 2, amount_cents: 5000, paid_until: '2026-09-15', voided: null },
    { kind: 'difference', months: 11, voided: { reason: 'They move away' } },
    { kind: 'payment', months: 12, voided: null },
  ]);
  const { profile, pours } = await ownOf(member);
  expect(pours).toMatchObject({ period_pours: 8 });
  expect(
    (await emailsTo(app.services.db, profile))
      .slice(-2)
      .map(({ subject }) => subject)
      .sort(),
  ).toEqual(['Your refund is on its way · Test Cellar', 'Your tier change is scheduled · Test Cellar']);
  const [, again] = await paymentsOf(member);
  expect(again?.unused).toEqual({ months: 9, amount: 29_250, until: '2026-09-15', back_to: null });
  if (!again) throw new Error('No year');
  await refunded(member, again);
  expect(await duesOf(member)).toMatchObject({ paid_until: '2026-09-15', pending_tier });
});

/** A member of whose year staff refund the unused months while Stripe is down, and what brings Stripe back. */
async function beingRefunded(): Promise<{ member: Member; up(): void }> {
  const member = await inYear();
  const { refunds } = app.services.billing.stripe;
  const { create } = refunds;
  refunds.create = (() => Promise.reject(new Stripe.errors.StripeConnectionError())) as typeof create;
  const up = () => {
    refunds.create = create;
  };
  onTestFinished(up);
  return { member, up };
}

it.each<[string, (member: Member) => Promise<string>, number[]]>([
  ['the difference to a dearer tier', (member) => pageOf(member), [27_500, 35_750]],
  [
    'another year',
    async ({ caller }) => (await caller.must<{ url: string }>('POST', '/api/billing/year', {})).url,
    [0, 35_750],
  ],
])('%s that is paid while unused months are refunded counts by what is left', async (_, ordered, refunds) => {
  const { member, up } = await beingRefunded();
  const url = await ordered(member);
  const [year] = await paymentsOf(member);
  if (!year) throw new Error('No year');
  await refunded(member, year);
  await payAt(url);
  await look(member);
  expect((await duesOf(member)).entries).toHaveLength(1);
  up();
  for (const _ of [1, 2]) await look(member);
  expect((await paymentsOf(member)).map(({ amount_refunded }) => amount_refunded)).toEqual(refunds);
  const { paid_until, entries } = await duesOf(member);
  expect(entries.some(({ kind }) => kind === 'difference')).toBe(false);
  expect(paid_until).toBe(refunds[0] === 0 ? '2027-07-15' : '2026-07-15');
});

it('of two differences the later goes back first, then the earlier: the tier goes back with each', async () => {
  const member = await raised();
  app.clock.set('2026-08-20T19:00:00Z');
  staff = await signedIn();
  await payAt(await pageOf(member, 'elite'));
  await look(member);
  const back = async () => (await paymentsOf(member)).map(({ unused }) => unused?.back_to);
  expect(await back()).toEqual(['premier', undefined, undefined]);
  for (const tier of ['premier', 'select']) {
    const next = (await paymentsOf(member)).find(({ unused }) => unused);
    if (!next) throw new Error(`Nothing leads back to ${tier}`);
    await refunded(member, next);
    expect((await duesOf(member)).pending_tier).toMatchObject({ tier, from: '2026-09-15' });
  }
  expect((await paymentsOf(member)).map(({ amount_refunded, unused }) => [amount_refunded, unused])).toEqual([
    [45_000, null],
    [22_500, null],
    [0, { months: 9, amount: 29_250, until: '2026-09-15', back_to: null }],
  ]);
});

it('in the month of the move up, all of the difference goes back, and the tier with the next month', async () => {
  const member = await raised();
  const [difference] = await paymentsOf(member);
  expect(difference?.unused).toEqual({ months: 11, amount: 27_500, until: '2026-07-15', back_to: 'select' });
  if (!difference) throw new Error('No difference');
  await refunded(member, difference);
  expect((await paymentsOf(member))[0]).toMatchObject({ amount_refunded: 27_500, unused: null });
  app.clock.set('2026-07-15T08:00:00Z');
  await sweep(app.services.billing);
  const own = await ownOf(member);
  expect(own).toMatchObject({
    ...{ customer: { tier: 'select' }, pours: { period_pours: 4 }, dues: { is_year: true } },
    tiers_up: [{ tier: 'premier', months: 10, amount_cents: 25_000 }, { tier: 'elite' }],
  });
});

it('a year at the till is voided once the difference that was paid online is given back', async () => {
  const member = await raised('till');
  const { entries } = await duesOf(member);
  const year = entries.find(({ kind }) => kind === 'payment');
  const voided = () => staff.call('POST', `/api/dues/${year?.id}/void`, { reason: 'Bounced' });
  expect((await voided()).body).toMatchObject({ code: 'DUES_REFUSED', data: { reason: 'difference' } });
  const [difference] = await paymentsOf(member);
  if (!difference) throw new Error('No difference');
  await refunded(member, difference);
  expect((await voided()).status).toBe(200);
});

it('a pause after it moves the year and its difference together, and no invariant is broken', async () => {
  const member = await raised();
  await member.caller.must('POST', '/api/billing/pause', { months: 2 });
  app.clock.set('2026-09-20T19:00:00Z');
  staff = await signedIn();
  const [difference] = await paymentsOf(member);
  expect(difference?.unused).toEqual({ months: 10, amount: 25_000, until: '2026-10-15', back_to: 'select' });
  expect(await duesOf(member)).toMatchObject({ paid_until: '2027-08-15' });
  const ask = (statement: string) => rowsOf<Record<string, unknown>>(app.services.db, sql.raw(statement));
  // The harness claims no mode of Stripe.
  const broken = (await brokenInvariants(ask, VENUE_ZONE)).filter((it) => !/belongs to the mode/.test(it));
  expect(broken).toEqual([]);
});

it('the months left bring a twelfth of the year and their share of the difference, until they are given back', async () => {
  // The database's own clock is behind: what it notes now counts from the first day.
  app.clock.set('2039-06-15T19:00:00Z');
  const member = await raised('online', '2039-07-10T19:00:00Z');
  const terms = async () => {
    const rows = await rowsOf<{ since: string; cents: number }>(
      app.services.db,
      sql`
      select to_char(t.since at time zone 'UTC', 'YYYY-MM-DD') as since, t.monthly_price_cents as cents
        from membership_term t join memberships m on m.id = t.membership_id
       where m.customer_id = ${member.customer_id} order by t.since`,
    );
    return rows.map(({ since, cents }) => [since, cents]);
  };
  expect(await terms()).toEqual([
    ['2039-06-15', 3250],
    ['2039-07-15', 5750],
  ]);
  app.clock.set('2039-08-20T19:00:00Z');
  staff = await signedIn();
  const [difference] = await paymentsOf(member);
  if (!difference) throw new Error('No difference');
  await refunded(member, difference);
  expect(await terms()).toEqual([
    ['2039-06-15', 3250],
    ['2039-07-15', 5750],
    ['2039-09-15', 3250],
  ]);
});
