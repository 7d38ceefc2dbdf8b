import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { BarCard } from '../../../src/contract/members.ts';
import type { Dues } from '../../../src/contract/staff/dues.ts';
import type { RevenueReport } from '../../../src/contract/staff/reports.ts';
import { addStaff } from '../../../src/server/auth/staff-accounts.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { membership_term, memberships } from '../../../src/server/db/schema.ts';
import { emailsTo } from '../../support/fixtures/emails.ts';
import { pour } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/membership.md, "On the house". The clock starts on June 15, 2026, at the venue.

let app: TestApp;
let staff: Caller;
const email = 'owner@example.test';
beforeAll(async () => {
  app = await createTestApp();
  await addStaff(app.services, email, PASSWORD);
});
beforeEach(() => at('2026-06-15'));
afterAll(() => app.close());

async function at(day: string) {
  app.clock.set(`${day}T19:00:00Z`);
  staff = app.visitor();
  await staff.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  await staff.remember();
  await sweep(app.services.billing);
}

let people = 0;
function give(ends_on: string, more: object = {}) {
  people += 1;
  const person = { first_name: 'Ada', last_name: 'Host', email: `house${people}@example.test` };
  return staff.call<{ user_id: string; customer_id: string }>('POST', '/api/bar-sign-ups', {
    ...{ person, tier: 'premier', house: { ends_on, reason: 'Our first barista' } },
    ...more,
  });
}

it('is a membership at once, with its last day, without a price, a receipt or dues', async () => {
  const { body } = await give('2026-12-31');
  const id = body.customer_id;
  expect(await staff.must<BarCard>('GET', `/api/customers/${id}/bar`)).toMatchObject({
    ...{ standing: 'venue', tier: 'premier', pours_balance: 8, dues: null, gift: null },
    house: { last_day: '2026-12-30' },
  });
  expect(await staff.must<Dues>('GET', `/api/customers/${id}/dues`)).toMatchObject({
    state: null,
    entries: [],
  });
  const [row] = await app.services.db.select().from(memberships).where(eq(memberships.customer_id, id));
  expect(row).toMatchObject({
    ...{ on_the_house: true, house_reason: 'Our first barista', monthly_price_cents: 0 },
    toast_reference_number: null,
  });
  const terms = await app.services.db
    .select({ standing: membership_term.standing, cents: membership_term.monthly_price_cents })
    .from(membership_term)
    .where(eq(membership_term.membership_id, row?.id ?? ''));
  expect(terms).toEqual([{ standing: 'house', cents: 0 }]);
  const sums = await staff.must<{ sums: { till: object } }>(
    'GET',
    '/api/reports/payments?from=2026-06-15&to=2026-06-15',
  );
  expect(sums.sums.till).toEqual({ count: 0, cents: 0 });
});

it('reports say how many there are, and what their tiers cost a month, until the last day', async () => {
  const count = async (month: string) =>
    (await staff.must<RevenueReport>('GET', `/api/reports/revenue?from=${month}-01&to=${month}-28`))
      .on_the_house;
  const before = await count('2026-06');
  await give('2026-08-10');
  expect(await count('2026-06')).toEqual({ members: before.members + 1, cents: before.cents + 6900 });
  await at('2026-08-09');
  const ending = await count('2026-08');
  await at('2026-08-10');
  expect(await count('2026-08')).toEqual({ members: ending.members - 1, cents: ending.cents - 6900 });
});

it('the member hears at its beginning, 14 days before its end, and at its end', async () => {
  const { body } = await give('2026-08-01');
  const subjects = async () =>
    (await emailsTo(app.services.db, { id: body.user_id })).map(({ subject }) => subject?.split(' · ')[0]);
  const first = await subjects();
  expect(first).toContain('Your membership is on the house');
  await at('2026-07-17');
  expect(await subjects()).toEqual(first);
  await at('2026-07-18');
  await at('2026-07-19');
  expect((await subjects()).slice(first.length)).toEqual(['Your membership ends soon']);
  await at('2026-08-01');
  expect((await subjects()).slice(first.length + 1)).toEqual(['Your membership has ended']);
  expect((await pour(staff, body.customer_id)).body).toMatchObject({ code: 'CUSTOMER_NOT_ACTIVE' });
});

it.each(['2026-06-15', '2028-06-16'])('is refused until %s', async (ends_on) => {
  expect((await give(ends_on)).body).toMatchObject({ code: 'SETTING_REFUSED' });
});

it('is given for 24 months at most', async () => {
  expect((await give('2028-06-15')).status).toBe(201);
});

it('needs a reason', async () => {
  expect((await give('2026-12-31', { house: { ends_on: '2026-12-31', reason: ' ' } })).status).toBe(400);
});

it('ends by itself, which is no cancellation that could be taken back', async () => {
  const { body } = await give('2026-12-31');
  const path = `/api/customers/${body.customer_id}/membership-end`;
  expect(await staff.must('GET', path)).toMatchObject({ obstacle: 'ending', ending: { by: 'given' } });
  expect((await staff.call('DELETE', path, {})).body).toMatchObject({ data: { reason: 'not_ending' } });
});

it('takes no payment', async () => {
  const { body } = await give('2026-12-31');
  const payment = {
    request_id: app.services.newId(),
    reference: 'R',
    amount_cents: 1,
    months: 1,
    method: 'cash',
  };
  const answer = await staff.call('POST', `/api/customers/${body.customer_id}/dues`, {
    ...payment,
    paid_until: null,
  });
  expect(answer.body).toMatchObject({ code: 'DUES_REFUSED', data: { reason: 'by_card' } });
});
