import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { BarCard, OwnMembership } from '../../../src/contract/members.ts';
import type { Dues } from '../../../src/contract/staff/dues.ts';
import { addStaff } from '../../../src/server/auth/staff-accounts.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { customers, memberships, profiles } from '../../../src/server/db/schema.ts';
import { emailsTo } from '../../support/fixtures/emails.ts';
import { importFile } from '../../support/fixtures/imports.ts';
import { applied, type Member, pour } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/dues.md. Select gives 4 pours for $39; its first month begins on June 15, 2026.

let app: TestApp;
/** The owner, signed in again whenever the clock moves. */
let staff: Caller;
const email = 'owner@example.test';
beforeAll(async () => {
  app = await createTestApp();
  await addStaff(app.services, email, PASSWORD);
});
beforeEach(() => signInAt(JUNE_15));
afterAll(() => app.close());

async function signInAt(instant: string) {
  app.clock.set(instant);
  staff = app.visitor();
  await staff.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  await staff.remember();
}

/** Noon at the venue. */
const noon = (day: string) => `${day}T19:00:00Z`;
const JUNE_15 = noon('2026-06-15');

async function member(first: object = {}): Promise<Member> {
  const caller = await app.customer();
  const path = `/api/applications/${await applied(caller)}/approve`;
  const { customer_id } = await staff.must<{ customer_id: string }>('POST', path, {
    toast_reference_number: 'R-1',
    ...first,
  });
  return { caller, customer_id };
}

type OnRecord = Pick<Member, 'customer_id'>;

const duesOf = ({ customer_id }: OnRecord) => staff.must<Dues>('GET', `/api/customers/${customer_id}/dues`);

async function pay(of: OnRecord, more: object = {}, by = staff) {
  const { paid_until, price_cents } = await duesOf(of);
  return by.call('POST', `/api/customers/${of.customer_id}/dues`, {
    request_id: v7(),
    reference: 'R-2',
    amount_cents: price_cents,
    months: 1,
    method: 'cash',
    paid_until,
    ...more,
  });
}

const barOf = ({ customer_id }: OnRecord) => staff.must<BarCard>('GET', `/api/customers/${customer_id}/bar`);

const left = async ({ caller }: Member) =>
  (await caller.must<{ pours: { available_pours: number } }>('GET', '/api/customers/own')).pours
    .available_pours;

async function at(day: string) {
  await signInAt(noon(day));
  await sweep(app.services.billing);
}

async function stateOf(of: OnRecord) {
  const { state, paid_until } = await duesOf(of);
  return [state, paid_until];
}

it('takes the tier’s price of a year for twelve months, unless the member’s own months are cheaper', async () => {
  const price = (terms: object) => staff.must('PATCH', '/api/tier-settings/select', terms);
  await price({ yearly_price_cents: 39_000 });
  const ada = await member({ months: 12 });
  expect((await duesOf(ada)).entries[0]).toMatchObject({ amount_cents: 39_000, paid_until: '2027-06-15' });
  expect(await duesOf(ada)).toMatchObject({ price_cents: 3900, year_cents: 39_000 });
  expect((await barOf(ada)).dues).toMatchObject({ year_cents: 39_000 });
  expect((await ada.caller.must<OwnMembership>('GET', '/api/customers/own')).dues?.year_cents).toBe(39_000);
  await price({ monthly_price_cents: 6900, yearly_price_cents: 69_000 });
  expect(await duesOf(ada)).toMatchObject({ price_cents: 3900, year_cents: null });
  await price({ monthly_price_cents: 3900, yearly_price_cents: null });
});

it('an approval records the first month: the receipt, its amount, and until when it is paid', async () => {
  const ada = await member();
  const dues = await duesOf(ada);
  expect(dues).toMatchObject({ state: 'paid', paid_until: '2026-07-15', price_cents: 3900 });
  expect(dues.entries).toMatchObject([
    {
      kind: 'payment',
      reference: 'R-1',
      amount_cents: 3900,
      months: 1,
      method: null,
      paid_on: '2026-06-15',
      paid_from: '2026-06-15',
      voided: null,
    },
  ]);
});

it.each([
  [{ months: 3 }, 11_700, '2026-09-15'],
  [{ months: 12, amount_cents: 39_000, method: 'transfer' }, 39_000, '2027-06-15'],
])('an approval with %j is paid with %i cents until %s', async (first, amount_cents, paid_until) => {
  const dues = await duesOf(await member(first));
  expect([dues.entries[0]?.amount_cents, dues.paid_until]).toEqual([amount_cents, paid_until]);
});

it('a month that nobody pays is due for a week, overdue with a share of its pours, then ended as of its first day', async () => {
  const ada = await member();
  await at('2026-07-07');
  expect(await stateOf(ada)).toEqual(['paid', '2026-07-15']);
  await at('2026-07-08');
  expect(await stateOf(ada)).toEqual(['due', '2026-07-15']);
  expect(await left(ada)).toBe(4);
  await at('2026-07-15');
  expect(await stateOf(ada)).toEqual(['overdue', '2026-07-15']);
  // 7 of 31 days of 4 pours.
  expect(await left(ada)).toBe(1);
  await at('2026-07-21');
  expect((await pour(staff, ada.customer_id)).status).toBe(201);
  await at('2026-07-22');
  expect(await stateOf(ada)).toEqual([null, null]);
  expect((await pour(staff, ada.customer_id)).body).toMatchObject({ code: 'CUSTOMER_NOT_ACTIVE' });
  const record = await staff.must<{ no_access_since: string }>('GET', `/api/customers/${ada.customer_id}`);
  expect(record.no_access_since).toBe('2026-07-15');
});

it('the member hears a week before, on the first unpaid day, and at the end, once each', async () => {
  const ada = await member();
  const { profile } = await ada.caller.must<{ profile: { id: string } }>('GET', '/api/customers/own');
  const subjects: string[] = [];
  let seen = (await emailsTo(app.services.db, profile)).length;
  for (const day of ['2026-07-08', '2026-07-09', '2026-07-15', '2026-07-16', '2026-07-22', '2026-07-23']) {
    await at(day);
    const emails = await emailsTo(app.services.db, profile);
    subjects.push(
      `${day}: ${emails
        .slice(seen)
        .map(({ subject }) => subject)
        .join(', ')}`,
    );
    seen = emails.length;
  }
  expect(subjects).toEqual([
    '2026-07-08: Your membership is paid for another week · Test Cellar',
    '2026-07-09: ',
    '2026-07-15: Your membership is due · Test Cellar',
    '2026-07-16: ',
    '2026-07-22: Your membership has ended · Test Cellar',
    '2026-07-23: ',
  ]);
});

it('the email about overdue dues names the day until which they were paid', async () => {
  const ada = await member();
  await at('2026-06-20');
  const [first] = (await duesOf(ada)).entries;
  await staff.must('POST', `/api/dues/${first?.id}/void`, { reason: 'Bounced' });
  await at('2026-06-20');
  const { profile } = await ada.caller.must<{ profile: { id: string } }>('GET', '/api/customers/own');
  expect((await emailsTo(app.services.db, profile)).at(-1)?.text).toContain(
    'was paid until June 15, 2026. Please pay $39.00 at the bar by June 27, 2026, or it ends.',
  );
});

it('each month that nobody paid ahead brings one reminder, and one email once it is overdue', async () => {
  const ada = await member();
  const { profile } = await ada.caller.must<{ profile: { id: string } }>('GET', '/api/customers/own');
  const [AHEAD, OVERDUE] = ['Your membership is paid for another week', 'Your membership is due'];
  const sent = async () =>
    (await emailsTo(app.services.db, profile)).flatMap(
      ({ subject }) => [AHEAD, OVERDUE].find((it) => subject.startsWith(it)) ?? [],
    );
  for (const day of ['2026-07-07', '2026-07-08', '2026-07-09', '2026-07-15', '2026-07-16']) await at(day);
  expect(await sent()).toEqual([AHEAD, OVERDUE]);
  await pay(ada);
  for (const day of ['2026-08-08', '2026-08-15']) await at(day);
  expect(await sent()).toEqual([AHEAD, OVERDUE, AHEAD, OVERDUE]);
});

it('nothing is due for a membership that ends with what is paid', async () => {
  const ada = await member();
  await app.services.db
    .update(memberships)
    .set({ ends_on: '2026-07-15' })
    .where(eq(memberships.customer_id, ada.customer_id));
  await at('2026-07-10');
  expect(await stateOf(ada)).toEqual(['paid', '2026-07-15']);
  expect((await barOf(ada)).dues?.state).toBe('paid');
  const own = await ada.caller.must<OwnMembership>('GET', '/api/customers/own');
  expect(own.dues).toMatchObject({ state: 'paid', grace_until: '2026-07-22' });
});

it('a member who canceled hears that the membership ends, and is never asked for dues', async () => {
  const ada = await member();
  const { profile } = await ada.caller.must<{ profile: { id: string } }>('GET', '/api/customers/own');
  const seen = (await emailsTo(app.services.db, profile)).length;
  await ada.caller.must('POST', '/api/functions/cancel-subscription', {});
  for (const day of ['2026-07-08', '2026-07-14', '2026-07-15', '2026-07-16']) await at(day);
  const emails = (await emailsTo(app.services.db, profile)).slice(seen);
  expect(emails.map(({ subject }) => subject)).toEqual([
    'Your cancellation is confirmed · Test Cellar',
    'Your membership ends soon · Test Cellar',
    'Your membership has ended · Test Cellar',
  ]);
});

it('a void of months that have not begun brings the end of a canceled membership forward', async () => {
  const ada = await member();
  await pay(ada);
  await ada.caller.must('POST', '/api/functions/cancel-subscription', {});
  const [second, first] = (await duesOf(ada)).entries;
  const lastDay = async () =>
    (await ada.caller.must<OwnMembership>('GET', '/api/customers/own')).ends?.last_day;
  await staff.must('POST', `/api/dues/${second?.id}/void`, { reason: 'Recorded twice' });
  expect(await lastDay()).toBe('2026-07-14');
  // What is unpaid today is to be paid, so the end stays.
  await staff.must('POST', `/api/dues/${first?.id}/void`, { reason: 'Bounced' });
  expect([await lastDay(), await stateOf(ada)]).toEqual(['2026-07-14', ['overdue', '2026-06-15']]);
});

it('a payment while overdue gives the rest of the month, from where the last one ended', async () => {
  const ada = await member();
  await at('2026-07-20');
  await pour(staff, ada.customer_id);
  expect(await left(ada)).toBe(0);
  expect((await pay(ada)).status).toBe(201);
  expect(await stateOf(ada)).toEqual(['paid', '2026-08-15']);
  expect(await left(ada)).toBe(3);
});

it('a year of payments counts months from the day it began', async () => {
  await signInAt('2027-01-31T20:00:00Z');
  const ada = await member();
  const ends: (string | null)[] = [];
  for (const months of [1, 1, 3, 6, 12]) {
    await pay(ada, { months });
    ends.push((await duesOf(ada)).paid_until);
  }
  expect(ends).toEqual(['2027-03-31', '2027-04-30', '2027-07-31', '2028-01-31', '2029-01-31']);
});

it('of two payments at once, the second says who recorded the first, and counts when confirmed', async () => {
  const ada = await member();
  const { paid_until } = await duesOf(ada);
  const [first, second] = await Promise.all([pay(ada, { paid_until }), pay(ada, { paid_until })]);
  const refused = first.status === 201 ? second : first;
  expect(refused.body).toMatchObject({
    code: 'DUES_CHANGED',
    data: {
      paid_until: '2026-08-15',
      at: JUNE_15.replace('Z', '.000Z'),
      amount_cents: 3900,
      months: 1,
    },
  });
  expect((await duesOf(ada)).paid_until).toBe('2026-08-15');
  await pay(ada);
  expect((await duesOf(ada)).paid_until).toBe('2026-09-15');
});

it('the same request counts once, and refuses another amount', async () => {
  const ada = await member();
  const request_id = v7();
  const { paid_until } = await duesOf(ada);
  await pay(ada, { request_id, paid_until });
  expect((await pay(ada, { request_id, paid_until })).status).toBe(201);
  expect((await duesOf(ada)).entries).toHaveLength(2);
  expect((await pay(ada, { request_id, amount_cents: 1 })).body).toMatchObject({ code: 'REQUEST_ID_REUSED' });
});

it('a void leaves the poured glasses poured: they are owed, and the days of grace begin', async () => {
  const ada = await member();
  await at('2026-06-20');
  await pour(staff, ada.customer_id, { quantity: 3 });
  const [first] = (await duesOf(ada)).entries;
  const { body } = await staff.call<Dues>('POST', `/api/dues/${first?.id}/void`, { reason: 'Bounced' });
  expect(body).toMatchObject({ state: 'overdue', paid_until: '2026-06-15', grace_until: '2026-06-27' });
  expect(body.entries[0]?.voided).toMatchObject({ reason: 'Bounced' });
  expect(await left(ada)).toBe(0);
  // Paid after all: nothing is owed, and the rest comes.
  await pay(ada, { paid_until: '2026-06-15' });
  expect(await left(ada)).toBe(1);
  expect((await staff.call('POST', `/api/dues/${first?.id}/void`, { reason: 'Again' })).body).toMatchObject({
    data: { reason: 'voided' },
  });
});

it('a payment of less than what is overdue leaves the days of grace that run', async () => {
  const ada = await member({ months: 3 });
  await at('2026-08-20');
  const [first] = (await duesOf(ada)).entries;
  await staff.must('POST', `/api/dues/${first?.id}/void`, { reason: 'Bounced' });
  await at('2026-08-22');
  const { body } = await pay(ada);
  expect(body).toMatchObject({ state: 'overdue', paid_until: '2026-07-15', grace_until: '2026-08-27' });
  await pay(ada);
  await at('2026-08-26');
  expect(await stateOf(ada)).toEqual(['overdue', '2026-08-15']);
  await at('2026-08-27');
  expect(await stateOf(ada)).toEqual([null, null]);
});

it('a membership that was not counted before its payment is not counted after the void', async () => {
  const head = 'Email,First name,Last name,Tier,Member since,Payment reference';
  await importFile(app, staff, `${head}\nold@example.test,Eve,Moss,Select,2020-01-15,R-0`);
  const [row] = await app.services.db
    .select({ customer_id: customers.id })
    .from(customers)
    .innerJoin(profiles, eq(profiles.id, customers.user_id))
    .where(eq(profiles.email, 'old@example.test'));
  const eve = { customer_id: row?.customer_id ?? '' };
  await pay(eve);
  await at('2026-07-16');
  expect(await stateOf(eve)).toEqual(['overdue', '2026-07-15']);
  const [payment] = (await duesOf(eve)).entries;
  await staff.must('POST', `/api/dues/${payment?.id}/void`, { reason: 'Meant for someone else' });
  expect(await stateOf(eve)).toEqual(['not_counted', null]);
  expect((await barOf(eve)).pours_balance).toBe(4);
  await at('2026-08-30');
  expect(await stateOf(eve)).toEqual(['not_counted', null]);
  expect((await barOf(eve)).pours_balance).toBe(4);
});

it('what was poured of a voided month is taken from the next membership', async () => {
  const ada = await member();
  await pour(staff, ada.customer_id, { quantity: 3 });
  const [first] = (await duesOf(ada)).entries;
  await staff.must('POST', `/api/dues/${first?.id}/void`, { reason: 'Bounced' });
  await at('2026-06-22');
  expect(await stateOf(ada)).toEqual([null, null]);
  const path = `/api/applications/${await applied(ada.caller)}/approve`;
  await staff.must('POST', path, { toast_reference_number: 'R-9' });
  expect(await left(ada)).toBe(1);
});

it.each([
  ['a day ahead', { paid_on: '2026-06-16' }, 'day'],
  ['a day more than twelve months ago', { paid_on: '2025-06-14' }, 'day'],
  ['more than 120 months', { amount_cents: 120 * 3900 + 1 }, 'amount'],
])('%s is refused', async (_, payment, reason) => {
  const ada = await member();
  expect((await pay(ada, payment)).body).toMatchObject({ code: 'DUES_REFUSED', data: { reason } });
});

it.each([
  ['no reference', { reference: '  ' }],
  ['an amount below 0', { amount_cents: -1 }],
  ['two months', { months: 2 }],
])('%s is refused', async (_, payment) => {
  expect((await pay(await member(), payment)).status).toBe(400);
});

it('an ended account takes no payment', async () => {
  const ada = await member();
  await at('2026-08-01');
  expect((await pay(ada, { paid_until: null, amount_cents: 3900 })).body).toMatchObject({
    code: 'DUES_REFUSED',
    data: { reason: 'not_active' },
  });
});

it('counting from a day names who cannot be counted, and goes on with the others', async () => {
  const ada = await member();
  const stranger = v7();
  const answer = await staff.must('POST', '/api/dues/start', {
    customer_ids: [stranger, ada.customer_id],
    day: '2026-09-01',
  });
  expect(answer).toEqual({
    counted: 0,
    skipped: expect.arrayContaining([
      { customer_id: stranger, reason: 'not_active' },
      { customer_id: ada.customer_id, reason: 'counted' },
    ]),
  });
});

it('a payment that bounces after the end is voided: the membership stays ended, and its pours are owed', async () => {
  const ada = await member();
  await pour(staff, ada.customer_id, { quantity: 3 });
  await at('2026-07-23');
  const [first] = (await duesOf(ada)).entries;
  const { status } = await staff.call('POST', `/api/dues/${first?.id}/void`, { reason: 'Bounced' });
  expect([status, await stateOf(ada)]).toEqual([200, [null, null]]);
  const path = `/api/applications/${await applied(ada.caller)}/approve`;
  await staff.must('POST', path, { toast_reference_number: 'R-9' });
  expect(await left(ada)).toBe(1);
});

it.each([
  ['the member', 'You can keep your membership until that day.'],
  ['staff', "If you weren't expecting this, please write to us."],
])('an end that %s set is called to mind five days before it, once', async (by, text) => {
  const ada = await member({ months: 3 });
  if (by === 'staff') {
    const path = `/api/customers/${ada.customer_id}/membership-end`;
    const { period_end } = await staff.must<{ period_end: string }>('GET', path);
    await staff.must('POST', path, { when: 'period_end', period_end, reason: 'moving' });
  } else await ada.caller.must('POST', '/api/functions/cancel-subscription', {});
  const { profile } = await ada.caller.must<{ profile: { id: string } }>('GET', '/api/customers/own');
  const reminders = async () =>
    (await emailsTo(app.services.db, profile)).filter(({ subject }) => subject.includes('ends soon'));
  await at('2026-09-09');
  expect(await reminders()).toEqual([]);
  for (const day of ['2026-09-10', '2026-09-11']) await at(day);
  const [reminder, ...more] = await reminders();
  expect([reminder?.text, more.length]).toEqual([expect.stringContaining(text), 0]);
  expect(reminder?.text).toContain('membership ends on September 15, 2026');
});

it('the dashboard and the list of payments count who is overdue at the venue', async () => {
  const counted = async () => [
    (await staff.must<{ overdue: number }>('GET', '/api/reports/tonight')).overdue,
    (
      await staff.must<{ sums: { overdue: { count: number } } }>(
        'GET',
        '/api/reports/payments?from=2026-07-15&to=2026-07-15&state=overdue',
      )
    ).sums.overdue.count,
  ];
  await at('2026-07-15');
  const [before = 0, listed = 0] = await counted();
  await at('2026-06-15');
  const ada = await member();
  await at('2026-07-14');
  expect((await counted())[1]).toBe(0);
  await at('2026-07-15');
  expect(await counted()).toEqual([before + 1, listed + 1]);
  await pay(ada);
  expect(await counted()).toEqual([before, listed]);
});
