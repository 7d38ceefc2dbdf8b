import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { OwnMembership } from '../../../src/contract/members.ts';
import type { Dues } from '../../../src/contract/staff/dues.ts';
import { addStaff } from '../../../src/server/auth/staff-accounts.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { emailsTo } from '../../support/fixtures/emails.ts';
import { applied, cardMember, type Member } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/dues.md, "Another tier". Select gives 4 pours for $39, Premier 8 for $69; the first month begins on June 15, 2026.

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
async function at(day: string, sweeps = true) {
  app.clock.set(`${day}T19:00:00Z`);
  staff = app.visitor();
  await staff.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  await staff.remember();
  if (sweeps) await sweep(app.services.billing);
}

async function member(tier = 'select', months = 1): Promise<Member> {
  const caller = await app.customer();
  const path = `/api/applications/${await applied(caller, tier)}/approve`;
  const { customer_id } = await staff.must<{ customer_id: string }>('POST', path, {
    toast_reference_number: 'R-1',
    months,
  });
  return { caller, customer_id };
}

const duesOf = ({ customer_id }: Member) => staff.must<Dues>('GET', `/api/customers/${customer_id}/dues`);
const own = ({ caller }: Member) => caller.must<OwnMembership>('GET', '/api/customers/own');
const left = async (of: Member) => (await own(of)).pours?.available_pours;
const change = ({ customer_id }: Member, tier_name = 'premier') =>
  staff.call('POST', `/api/customers/${customer_id}/tier`, { tier_name });
const refused = (reason: string) => ({ code: 'TIER_CHANGE_REFUSED', data: { reason } });

async function pay(of: Member) {
  const { paid_until, price_cents: amount_cents } = await duesOf(of);
  const payment = { request_id: v7(), reference: 'R-2', method: 'cash', months: 1 };
  await staff.must('POST', `/api/customers/${of.customer_id}/dues`, { ...payment, amount_cents, paid_until });
}

it('another tier begins with the first unpaid day, at its price, and is due from then on', async () => {
  const ada = await member();
  const pending_tier = { tier: 'premier', from: '2026-07-15', price_cents: 6900 };
  expect((await change(ada)).body).toEqual({ pending_tier });
  expect(await duesOf(ada)).toMatchObject({ price_cents: 6900, pending_tier });
  const { customer, dues, profile } = await own(ada);
  expect([customer?.tier, dues?.pending_tier]).toEqual(['select', pending_tier]);
  const text = (await emailsTo(app.services.db, profile)).at(-1)?.text;
  expect(text).toContain(
    'On July 15, 2026, your tier will change to Premier, $69.00 per month. Until then, nothing changes.',
  );
  // Only staff take it back.
  expect(text).toContain("If you weren't expecting this, please write to us.");
  await pay(ada);
  await at('2026-07-14');
  expect(await left(ada)).toBe(4);
  await at('2026-07-15');
  expect(await left(ada)).toBe(8);
  expect((await own(ada)).customer?.tier).toBe('premier');
  expect(await duesOf(ada)).toMatchObject({
    price_cents: 6900,
    pending_tier: null,
    paid_until: '2026-08-15',
  });
});

it('its first month gives its pours although the change was not swept yet', async () => {
  const ada = await member();
  await change(ada);
  await pay(ada);
  await at('2026-07-15', false);
  expect(await left(ada)).toBe(8);
});

it('it begins at midnight of the venue, not of UTC', async () => {
  const ada = await member();
  await change(ada);
  await pay(ada);
  for (const [time, tier] of [
    ['2026-07-15T06:59:00Z', 'select'],
    ['2026-07-15T07:00:00Z', 'premier'],
  ] as const) {
    app.clock.set(time);
    await sweep(app.services.billing);
    expect((await own(ada)).customer?.tier, time).toBe(tier);
  }
});

it('while a payment is overdue it begins at once, and the month that is paid then is its own', async () => {
  const ada = await member();
  await at('2026-07-16');
  // 7 of 31 days of 4 pours.
  expect(await left(ada)).toBe(1);
  expect((await change(ada)).body).toEqual({ pending_tier: null });
  expect((await own(ada)).customer?.tier).toBe('premier');
  expect((await duesOf(ada)).price_cents).toBe(6900);
  // What the payment adds is said before it.
  expect((await own(ada)).pours).toMatchObject({ available_pours: 1, pours_when_paid: 7 });
  await pay(ada);
  expect(await left(ada)).toBe(8);
});

it('staff take it back until it begins, and nothing is left of it', async () => {
  const ada = await member('premier');
  await change(ada, 'select');
  expect((await duesOf(ada)).price_cents).toBe(3900);
  for (const _ of [1, 2]) await staff.must('POST', `/api/customers/${ada.customer_id}/tier/keep`);
  expect(await duesOf(ada)).toMatchObject({ price_cents: 6900, pending_tier: null });
  await pay(ada);
  await at('2026-07-15');
  expect(await left(ada)).toBe(8);
});

it('a tier that begins is refused to the same tier, beside another, in a pause, and before an end', async () => {
  const ada = await member();
  expect((await change(ada, 'select')).body).toMatchObject(refused('same_tier'));
  expect((await change(ada, 'connoisseur')).body).toMatchObject({ code: 'TIER_NOT_AVAILABLE' });
  await change(ada);
  expect((await change(ada, 'elite')).body).toMatchObject(refused('change_pending'));
  const pause = { path: `/api/customers/${ada.customer_id}/pause`, body: { months: 1 } };
  expect((await staff.call('POST', pause.path, pause.body)).body).toMatchObject({
    data: { reason: 'change_pending' },
  });
  await staff.must('POST', `/api/customers/${ada.customer_id}/tier/keep`);
  await staff.must('POST', pause.path, pause.body);
  expect((await change(ada)).body).toMatchObject(refused('paused'));
  await staff.must('POST', `${pause.path}/withdraw`);
  await ada.caller.must('POST', '/api/functions/cancel-subscription', {});
  expect((await change(ada)).body).toMatchObject(refused('ending'));
});

it('the tier of a card member is not changed here', async () => {
  expect((await change(await cardMember(app))).body).toMatchObject({ data: { reason: 'by_card' } });
});
