import { sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { PauseOffer } from '../../../src/contract/billing.ts';
import type { MemberDetail, OwnMembership } from '../../../src/contract/members.ts';
import type { Dues } from '../../../src/contract/staff/dues.ts';
import { addStaff } from '../../../src/server/auth/staff-accounts.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { emailsTo } from '../../support/fixtures/emails.ts';
import { applied, type Member, pour } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/dues.md, "Pausing". Select gives 4 pours for $39; its first month begins on June 15, 2026.

let app: TestApp;
let staff: Caller;
const email = 'owner@example.test';
beforeAll(async () => {
  app = await createTestApp();
  await addStaff(app.services, email, PASSWORD);
});
beforeEach(() => at('2026-06-15'));
afterAll(() => app.close());

/** Noon at the venue, with staff signed in again. */
async function at(day: string) {
  app.clock.set(`${day}T19:00:00Z`);
  staff = app.visitor();
  await staff.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  await staff.remember();
  await sweep(app.services.billing);
}

async function member(months = 1): Promise<Member> {
  const caller = await app.customer();
  const path = `/api/applications/${await applied(caller)}/approve`;
  const { customer_id } = await staff.must<{ customer_id: string }>('POST', path, {
    toast_reference_number: 'R-1',
    months,
  });
  return { caller, customer_id };
}

const duesOf = ({ customer_id }: Member) => staff.must<Dues>('GET', `/api/customers/${customer_id}/dues`);
const paidUntil = async (of: Member) => (await duesOf(of)).paid_until;
const recordOf = ({ customer_id }: Member) =>
  staff.must<MemberDetail>('GET', `/api/customers/${customer_id}`);
const left = async ({ caller }: Member) =>
  (await caller.must<OwnMembership>('GET', '/api/customers/own')).pours?.available_pours;
const offerTo = ({ caller }: Member) => caller.must<PauseOffer>('GET', '/api/billing/pause');

async function pay(of: Member, months = 1) {
  const { paid_until } = await duesOf(of);
  const payment = { request_id: v7(), reference: 'R-2', amount_cents: 3900, method: 'cash' };
  await staff.must('POST', `/api/customers/${of.customer_id}/dues`, { ...payment, months, paid_until });
}

const pause = ({ customer_id }: Member, months = 1) =>
  staff.call('POST', `/api/customers/${customer_id}/pause`, { months });
const back = ({ caller }: Member) => caller.call('POST', '/api/billing/pause/end', { amount: 0 });
const refused = (reason: string) => ({ code: 'PAUSE_REFUSED', data: { reason } });

it('a pause skips the next months: no pours, and what is paid lasts as much longer', async () => {
  const ada = await member(12);
  expect((await pause(ada, 2)).body).toMatchObject({ pause: { begun: false } });
  expect(await left(ada)).toBe(4);
  const { paid_until, entries } = await duesOf(ada);
  expect(paid_until).toBe('2027-08-15');
  expect(entries).toMatchObject([
    { kind: 'pause', months: 2, paid_from: '2026-07-15', paid_until: '2026-09-15' },
    { kind: 'payment', paid_until: '2027-06-15' },
  ]);
  await at('2026-07-15');
  expect(await left(ada)).toBe(0);
  expect((await pour(staff, ada.customer_id)).body).toMatchObject({ code: 'CUSTOMER_NOT_ACTIVE' });
  expect(await recordOf(ada)).toMatchObject({
    standing: 'paused',
    no_access_since: '2026-07-15',
    pours_return_on: '2026-09-15',
    pause: { begun: true },
  });
  await at('2026-09-15');
  expect(await left(ada)).toBe(4);
  expect(await recordOf(ada)).toMatchObject({ standing: 'venue', pause: null });
});

it('with nothing paid ahead, the payment is due on the day after the pause', async () => {
  const ada = await member();
  await pause(ada);
  await at('2026-08-07');
  expect(await duesOf(ada)).toMatchObject({ state: 'paid', paid_until: '2026-08-15' });
  await at('2026-08-08');
  expect((await duesOf(ada)).state).toBe('due');
  await at('2026-08-15');
  expect((await duesOf(ada)).state).toBe('overdue');
  await pay(ada);
  expect(await duesOf(ada)).toMatchObject({ state: 'paid', paid_until: '2026-09-15' });
  expect(await left(ada)).toBe(4);
});

it('a pause after a short month moves what is paid to the day of the month on which the member joined', async () => {
  await at('2027-01-31');
  const ada = await member();
  expect(await paidUntil(ada)).toBe('2027-02-28');
  await pause(ada);
  expect(await paidUntil(ada)).toBe('2027-03-31');
});

it('members skip a month themselves, within the months a year, and hear of it', async () => {
  const ada = await member(12);
  const { choices } = await offerTo(ada);
  expect(choices.map(({ months, from }) => [months, new Date(from * 1000).toISOString()])).toEqual([
    [1, '2026-07-15T07:00:00.000Z'],
    [2, '2026-07-15T07:00:00.000Z'],
    [3, '2026-07-15T07:00:00.000Z'],
  ]);
  await ada.caller.must('POST', '/api/billing/pause', { months: 2 });
  expect(await paidUntil(ada)).toBe('2027-08-15');
  const { entries } = await duesOf(ada);
  expect(entries[0]?.recorded_by).toBeNull();
  const { profile } = await ada.caller.must<OwnMembership>('GET', '/api/customers/own');
  expect((await emailsTo(app.services.db, profile)).at(-1)?.text).toContain(
    'On September 15, 2026, your membership will start again, with all your pours. It is paid until August 15, 2027.',
  );
  await at('2026-09-20');
  // Three months in any twelve by default.
  expect((await offerTo(ada)).choices).toMatchObject([{ months: 1 }]);
  await ada.caller.must('POST', '/api/billing/pause', { months: 1 });
  await at('2026-11-20');
  expect(await offerTo(ada)).toMatchObject({ obstacle: 'too_soon' });
  expect((await ada.caller.call('POST', '/api/billing/pause', { months: 1 })).body).toMatchObject(
    refused('too_soon'),
  );
  expect((await pause(ada)).status).toBe(200);
});

it('an extension moves the day by another month, once', async () => {
  const ada = await member(3);
  await pause(ada);
  await at('2026-07-20');
  const shown = (await offerTo(ada)).pause;
  const until = shown?.until ?? 0;
  expect(shown).toMatchObject({ begun: true, can_end: true, amount: 0 });
  for (const _ of [1, 2]) await ada.caller.must('POST', '/api/billing/pause/extend', { until });
  expect(await paidUntil(ada)).toBe('2026-11-15');
  await at('2026-08-20');
  expect(await left(ada)).toBe(0);
});

it('a pause that is taken back before it begins moves nothing', async () => {
  const ada = await member(3);
  await pause(ada, 3);
  await staff.must('POST', `/api/customers/${ada.customer_id}/pause/withdraw`);
  expect(await paidUntil(ada)).toBe('2026-09-15');
  await at('2026-07-20');
  expect(await left(ada)).toBe(4);
});

it('who comes back early has the whole running month, which counts again', async () => {
  const ada = await member(3);
  await pause(ada, 3);
  await at('2026-08-20');
  expect((await back(ada)).status).toBe(200);
  expect(await left(ada)).toBe(4);
  expect(await paidUntil(ada)).toBe('2026-10-15');
  expect((await duesOf(ada)).entries[0]).toMatchObject({
    kind: 'pause',
    months: -2,
    paid_until: '2026-08-15',
  });
});

it('who comes back early pays for the running month first', async () => {
  const ada = await member();
  await pause(ada, 3);
  await at('2026-08-20');
  expect((await back(ada)).body).toMatchObject(refused('payment_open'));
  expect(await paidUntil(ada)).toBe('2026-10-15');
  await pay(ada);
  expect(await paidUntil(ada)).toBe('2026-11-15');
  expect((await back(ada)).status).toBe(200);
  expect(await left(ada)).toBe(4);
  expect(await paidUntil(ada)).toBe('2026-09-15');
});

it.each([
  ['is taken back', '2026-06-15', '2026-09-14'],
  ['is ended early', '2026-08-20', '2026-10-14'],
])(
  'a membership that was canceled still ends with its last paid day once a pause %s',
  async (_, day, last_day) => {
    const ada = await member(3);
    await pause(ada, 3);
    await at(day);
    const ends = async () =>
      (await ada.caller.must<OwnMembership>('GET', '/api/customers/own')).ends?.last_day;
    await ada.caller.must('POST', '/api/functions/cancel-subscription', {});
    expect(await ends()).toBe('2026-12-14');
    expect((await back(ada)).status).toBe(200);
    expect(await ends()).toBe(last_day);
  },
);

it('a void after a pause leaves what the other payments pay for, moved by the same pause', async () => {
  const ada = await member();
  await pay(ada, 3);
  await pause(ada);
  expect(await paidUntil(ada)).toBe('2026-11-15');
  const second = (await duesOf(ada)).entries.find(({ months, kind }) => kind === 'payment' && months === 3);
  await staff.must('POST', `/api/dues/${second?.id}/void`, { reason: 'Bounced' });
  expect(await paidUntil(ada)).toBe('2026-08-15');
});

it('a pause moves nothing that was not paid when it began', async () => {
  const ada = await member();
  await pay(ada);
  await at('2026-08-10');
  await pause(ada);
  expect(await paidUntil(ada)).toBe('2026-09-15');
  const [, second] = (await duesOf(ada)).entries;
  await staff.must('POST', `/api/dues/${second?.id}/void`, { reason: 'Bounced' });
  expect(await paidUntil(ada)).toBe('2026-07-15');
  // Paid again, the month before the pause moves the day over it.
  await pay(ada);
  expect(await paidUntil(ada)).toBe('2026-09-15');
});

it('while a payment is overdue, it comes before a pause', async () => {
  const ada = await member();
  await at('2026-07-16');
  expect((await pause(ada)).body).toMatchObject(refused('payment_open'));
  expect(await offerTo(ada)).toMatchObject({ obstacle: 'payment_open', choices: [] });
});

it('the list of members names who is paused at the venue', async () => {
  const ada = await member(3);
  await pause(ada);
  await at('2026-07-20');
  const listed = async (standing: string) =>
    (
      await staff.must<{ members: { id: string; standing: string }[] }>('POST', '/api/directory', {
        standing,
      })
    ).members.filter(({ id }) => id === ada.customer_id);
  expect(await listed('venue')).toEqual([]);
  expect(await listed('paused')).toMatchObject([{ standing: 'paused' }]);
});

const spansOf = ({ customer_id }: Member) =>
  rowsOf(
    app.services.db,
    sql`select standing, monthly_price_cents as cents, first_day::text, end_day::text from membership_spans(${VENUE_ZONE})
         where customer_id = ${customer_id} order by first_day`,
  );

it('a paused membership brings in nothing in the reports, from its first day until the member is back', async () => {
  const ada = await member(3);
  await pause(ada, 2);
  for (const day of ['2026-07-16', '2026-08-20']) await at(day);
  await back(ada);
  await at('2026-08-21');
  expect(await spansOf(ada)).toEqual([
    { standing: 'venue', cents: 3900, first_day: '2026-06-15', end_day: '2026-07-15' },
    { standing: 'paused', cents: 0, first_day: '2026-07-15', end_day: '2026-08-15' },
    { standing: 'venue', cents: 3900, first_day: '2026-08-15', end_day: null },
  ]);
});

it.each([
  ['before', '2026-06-20'],
  ['in', '2026-07-20'],
])(
  'a year that is paid %s a pause counts in the reports from its first day, and the pause nothing',
  async (_, day) => {
    const ada = await member(3);
    await pause(ada);
    for (const until of ['2026-06-20', '2026-07-15', '2026-07-20']) {
      await at(until);
      if (until === day) await pay(ada, 12);
    }
    for (const until of ['2026-08-15', '2026-08-16', '2026-10-15', '2026-10-16']) await at(until);
    expect(await spansOf(ada)).toEqual([
      { standing: 'venue', cents: 3900, first_day: '2026-06-15', end_day: '2026-07-15' },
      { standing: 'paused', cents: 0, first_day: '2026-07-15', end_day: '2026-08-15' },
      { standing: 'venue', cents: 3900, first_day: '2026-08-15', end_day: '2026-10-15' },
      { standing: 'venue', cents: 325, first_day: '2026-10-15', end_day: null },
    ]);
  },
);
