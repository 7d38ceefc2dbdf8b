import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { OwnMembership } from '../../../src/contract/members.ts';
import type { Dues } from '../../../src/contract/staff/dues.ts';
import type { MemberPayment } from '../../../src/contract/staff/refunds.ts';
import type { PaymentsReport, RevenueReport } from '../../../src/contract/staff/reports.ts';
import { addStaff } from '../../../src/server/auth/staff-accounts.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { emailsTo } from '../../support/fixtures/emails.ts';
import { applied, type Member, payAt } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/years.md. Select costs $39 a month and $390 for a year.

const OWNER = 'owner@example.test';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  app.clock.set('2026-06-15T19:00:00Z');
  await addStaff(app.services, OWNER, PASSWORD);
  staff = await signedIn();
  await staff.must('PATCH', '/api/tier-settings/select', { yearly_price_cents: 39_000 });
});
beforeEach(() => app.clock.set('2026-06-15T19:00:00Z'));
afterAll(() => app.close());

async function signedIn(): Promise<Caller> {
  const caller = app.visitor();
  await caller.must('POST', '/api/auth/sign-in', { email: OWNER, password: PASSWORD });
  await caller.remember();
  return caller;
}

async function yearMember(): Promise<Member> {
  const caller = await app.customer();
  const order = { tierName: 'select', applicationId: await applied(caller), period: 'year' };
  const { url } = await caller.must<{ url: string }>('POST', '/api/functions/create-checkout', order);
  expect(await payAt(url)).toMatch(/\/payment-success\?session_id=cs_/);
  await caller.must('POST', '/api/functions/verify-subscription-status', {});
  const { customer } = await caller.must<OwnMembership>('GET', '/api/customers/own');
  return { caller, customer_id: customer?.id ?? '' };
}

it('a year bought online is a membership that is paid until its last day, with the month’s pours', async () => {
  const { caller } = await yearMember();
  const { profile } = await caller.must<OwnMembership>('GET', '/api/customers/own');
  const [receipt, welcome] = await emailsTo(app.services.db, profile);
  expect([receipt?.subject, welcome?.subject].sort()).toEqual([
    'Receipt · Test Cellar',
    'Welcome to our wine club · Test Cellar',
  ]);
  expect(`${receipt?.text} ${welcome?.text}`).toContain('Its last day is June 14, 2027. It ends by itself');
  expect(await caller.must('GET', '/api/customers/own')).toMatchObject({
    customer: { tier: 'select', status: 'active', member_since: '2026-06-15', pours_balance: 4 },
    dues: { state: 'paid', paid_until: '2027-06-15', is_year: true },
    ends: null,
    application: null,
  });
});

it('a member pays another year online: it follows the first, and a second order leads to the same page', async () => {
  const { caller } = await yearMember();
  const order = () => caller.must<{ url: string }>('POST', '/api/billing/year', {});
  const { url } = await order();
  expect(await order()).toEqual({ url });
  expect(await payAt(url)).toMatch(/\/dashboard$/);
  await caller.must('POST', '/api/functions/verify-subscription-status', {});
  const own = await caller.must<OwnMembership>('GET', '/api/customers/own');
  expect(own.dues).toMatchObject({ state: 'paid', paid_until: '2028-06-15', is_year: true });
  const again = await caller.call('POST', '/api/billing/year', {});
  expect(again.body).toMatchObject({ code: 'DUES_REFUSED', data: { reason: 'paid_ahead' } });
});

it('a member at the venue moves from months to a year, unless the membership ends', async () => {
  const caller = await app.customer();
  const path = `/api/applications/${await applied(caller)}/approve`;
  await staff.must('POST', path, { toast_reference_number: 'R-1', months: 1 });
  await caller.must('POST', '/api/functions/cancel-subscription', {});
  const ending = await caller.call('POST', '/api/billing/year', {});
  expect(ending.body).toMatchObject({ code: 'DUES_REFUSED', data: { reason: 'ending' } });
  await caller.must('POST', '/api/billing/resume', {});
  const { url } = await caller.must<{ url: string }>('POST', '/api/billing/year', {});
  await payAt(url);
  await app.services.billing.reconcile(
    (await caller.must<OwnMembership>('GET', '/api/customers/own')).profile.id,
  );
  const own = await caller.must<OwnMembership>('GET', '/api/customers/own');
  expect(own.dues).toMatchObject({ paid_until: '2027-07-15', is_year: true });
});

it('another year can be bought from the venue’s day on which no more than a year is paid', async () => {
  const caller = await app.customer();
  const path = `/api/applications/${await applied(caller)}/approve`;
  const { customer_id } = await staff.must<{ customer_id: string }>('POST', path, {
    ...{ toast_reference_number: 'R-1', months: 12 },
  });
  const month = { request_id: v7(), reference: 'R-2', amount_cents: 3900, method: 'cash', months: 1 };
  await staff.must('POST', `/api/customers/${customer_id}/dues`, { ...month, paid_until: '2027-06-15' });
  app.clock.set('2026-07-15T06:59:00Z');
  const early = await caller.call('POST', '/api/billing/year', {});
  expect(early.body).toMatchObject({ code: 'DUES_REFUSED', data: { reason: 'paid_ahead' } });
  app.clock.set('2026-07-15T07:00:00Z');
  expect((await caller.call('POST', '/api/billing/year', {})).status).toBe(200);
});

it('a year that follows another tier’s beginning is one of that tier; one of the tier before goes back', async () => {
  await staff.must('PATCH', '/api/tier-settings/premier', { yearly_price_cents: 69_000 });
  const { caller, customer_id } = await yearMember();
  const order = async () => (await caller.must<{ url: string }>('POST', '/api/billing/year', {})).url;
  const before = await order();
  await staff.must('POST', `/api/customers/${customer_id}/tier`, { tier_name: 'premier' });
  const { profile } = await caller.must<OwnMembership>('GET', '/api/customers/own');
  const payments = () => staff.must<MemberPayment[]>('GET', `/api/customers/${customer_id}/payments`);
  await payAt(before);
  // The second look at Stripe refunds.
  for (const _ of [1, 2]) await app.services.billing.reconcile(profile.id);
  expect((await payments()).map(({ amount_refunded }) => amount_refunded).sort()).toEqual([0, 39_000]);
  await payAt(await order());
  await app.services.billing.reconcile(profile.id);
  const { entries } = await staff.must<Dues>('GET', `/api/customers/${customer_id}/dues`);
  expect(entries).toMatchObject([
    { months: 12, amount_cents: 69_000, paid_until: '2028-06-15' },
    { months: 12, amount_cents: 39_000, paid_until: '2027-06-15' },
  ]);
});

it('emails name both ways to go on thirty and seven days before the end, each once; a month brings the usual ones', async () => {
  const paid = async (months: number) => {
    const caller = await app.customer();
    const path = `/api/applications/${await applied(caller)}/approve`;
    await staff.must('POST', path, { toast_reference_number: 'R-1', months });
    return (await caller.must<OwnMembership>('GET', '/api/customers/own')).profile;
  };
  const [year, month] = [await paid(12), await paid(1)];
  const sent = async (to: { id: string }) => {
    await sweep(app.services.billing);
    const emails = await emailsTo(app.services.db, to);
    return emails.flatMap(({ subject }) => (/year|paid for|due/.test(subject) ? [subject] : []));
  };
  app.clock.set('2026-06-16T19:00:00Z');
  expect(await sent(month)).toEqual([]);
  app.clock.set('2027-05-15T19:00:00Z');
  expect(await sent(year)).toEqual([]);
  const ending = 'Your year ends soon · Test Cellar';
  for (const [day, count] of [
    ['2027-05-16', 1],
    ['2027-06-07', 1],
    ['2027-06-08', 2],
    ['2027-06-14', 2],
  ] as const) {
    app.clock.set(`${day}T19:00:00Z`);
    expect(await sent(year)).toEqual(Array(count).fill(ending));
  }
  const { text } = (await emailsTo(app.services.db, year)).at(-1) ?? {};
  expect(text).toContain('The last day of your Select year is June 14, 2027. Nothing renews by itself');
  expect(text).toMatch(/Another year.*\$390\.00/s);
  expect(text).toMatch(/By the month.*\$39\.00 a month/s);
});

it('staff see who paid a year online, what it paid for, and cannot void it', async () => {
  const { customer_id } = await yearMember();
  const { entries } = await staff.must<Dues>('GET', `/api/customers/${customer_id}/dues`);
  expect(entries).toMatchObject([
    { method: 'online', months: 12, amount_cents: 39_000, recorded_by: null, paid_until: '2027-06-15' },
  ]);
  const answer = await staff.call('POST', `/api/dues/${entries[0]?.id}/void`, { reason: 'Mistaken' });
  expect(answer.body).toMatchObject({ code: 'DUES_REFUSED', data: { reason: 'online' } });
  const path = `/api/customers/${customer_id}/payments`;
  expect(await staff.must<MemberPayment[]>('GET', path)).toMatchObject([
    {
      amount: 39_000,
      difference: false,
      paid_for: { tier: 'select', from: '2026-06-15T07:00:00.000Z', until: '2027-06-15T07:00:00.000Z' },
    },
  ]);
});

it('staff refund the months that have not begun, as shown: the membership is paid until the running one ends', async () => {
  const { caller, customer_id } = await yearMember();
  app.clock.set('2026-08-20T19:00:00Z');
  // Sessions end with the clock.
  const boss = await signedIn();
  const payments = () => boss.must<MemberPayment[]>('GET', `/api/customers/${customer_id}/payments`);
  const [payment] = await payments();
  expect(payment?.unused).toEqual({ months: 9, amount: 29_250, until: '2026-09-15', back_to: null });
  const refund = (more: object) =>
    boss.call('POST', `/api/customers/${customer_id}/refunds`, {
      ...{ request_id: v7(), customer_id, payment_id: payment?.id, amount: 29_250, shown_refunded: 0 },
      ...{ unused_months: 9, reason: 'They move away', ...more },
    });
  const outdated = { code: 'REFUND_REFUSED', data: { reason: 'outdated' } };
  expect((await refund({ unused_months: 8 })).body).toMatchObject(outdated);
  expect((await refund({ amount: 39_000 })).body).toMatchObject(outdated);
  expect((await refund({})).body).toMatchObject({ status: 'done', amount: 29_250 });
  expect((await payments())[0]).toMatchObject({ amount_refunded: 29_250, unused: null });
  const { entries } = await boss.must<Dues>('GET', `/api/customers/${customer_id}/dues`);
  expect(entries).toMatchObject([
    { months: 3, amount_cents: 9750, method: 'online', paid_until: '2026-09-15', voided: null },
    { months: 12, voided: { reason: 'They move away' } },
  ]);
  const { profile } = await caller.must<OwnMembership>('GET', '/api/customers/own');
  await app.services.billing.reconcile(profile.id);
  const own = await caller.must<OwnMembership>('GET', '/api/customers/own');
  expect(own.dues).toMatchObject({ paid_until: '2026-09-15', is_year: false });
  expect(own.customer?.pours_balance).toBe(4);
});

it('a month that can be refunded begins at midnight of the venue, not of UTC', async () => {
  const { customer_id } = await yearMember();
  for (const [time, unused] of [
    ['2026-08-15T06:59:00Z', { months: 10, until: '2026-08-15' }],
    ['2026-08-15T07:00:00Z', { months: 9, until: '2026-09-15' }],
  ] as const) {
    app.clock.set(time);
    const boss = await signedIn();
    const [payment] = await boss.must<MemberPayment[]>('GET', `/api/customers/${customer_id}/payments`);
    expect(payment?.unused).toMatchObject(unused);
  }
});

it('after a pause within the year, the months that have not begun are those that it moved; none before it is over', async () => {
  const { caller, customer_id } = await yearMember();
  app.clock.set('2026-07-20T19:00:00Z');
  await caller.must('POST', '/api/billing/pause', { months: 2 });
  const unusedOn = async (day: string) => {
    app.clock.set(`${day}T19:00:00Z`);
    const boss = await signedIn();
    const [payment] = await boss.must<MemberPayment[]>('GET', `/api/customers/${customer_id}/payments`);
    return { boss, payment };
  };
  for (const day of ['2026-07-21', '2026-08-16', '2026-10-14'])
    expect((await unusedOn(day)).payment?.unused).toBeNull();
  const { boss, payment } = await unusedOn('2026-10-20');
  expect(payment?.unused).toEqual({ months: 9, amount: 29_250, until: '2026-11-15', back_to: null });
  await boss.must('POST', `/api/customers/${customer_id}/refunds`, {
    ...{ request_id: v7(), customer_id, payment_id: payment?.id, amount: 29_250, shown_refunded: 0 },
    ...{ unused_months: 9, reason: 'They move away' },
  });
  const { entries, paid_until } = await boss.must<Dues>('GET', `/api/customers/${customer_id}/dues`);
  expect(paid_until).toBe('2026-11-15');
  expect(entries.filter(({ kind }) => kind === 'payment')).toMatchObject([
    { months: 3, amount_cents: 9750, voided: null },
    { months: 12, voided: { reason: 'They move away' } },
  ]);
});

it('months paid before a year, and paused, move it too: what is left of it after a refund stays where it was', async () => {
  const caller = await app.customer();
  const path = `/api/applications/${await applied(caller)}/approve`;
  const { customer_id } = await staff.must<{ customer_id: string }>('POST', path, {
    ...{ toast_reference_number: 'R-1', months: 3 },
  });
  const { url } = await caller.must<{ url: string }>('POST', '/api/billing/year', {});
  await payAt(url);
  await caller.must('POST', '/api/functions/verify-subscription-status', {});
  app.clock.set('2026-06-16T19:00:00Z');
  await caller.must('POST', '/api/billing/pause', { months: 1 });
  app.clock.set('2026-10-20T19:00:00Z');
  const boss = await signedIn();
  const [payment] = await boss.must<MemberPayment[]>('GET', `/api/customers/${customer_id}/payments`);
  expect(payment?.unused).toMatchObject({ months: 11, until: '2026-11-15' });
  await boss.must('POST', `/api/customers/${customer_id}/refunds`, {
    ...{ request_id: v7(), customer_id, payment_id: payment?.id, amount: 35_750, shown_refunded: 0 },
    ...{ unused_months: 11, reason: 'They move away' },
  });
  const { paid_until } = await boss.must<Dues>('GET', `/api/customers/${customer_id}/dues`);
  expect(paid_until).toBe('2026-11-15');
});

it('a canceled year ends sooner once its unused months are refunded, and the member is not asked to pay', async () => {
  const { caller, customer_id } = await yearMember();
  await caller.must('POST', '/api/functions/cancel-subscription', {});
  const [payment] = await staff.must<MemberPayment[]>('GET', `/api/customers/${customer_id}/payments`);
  await staff.must('POST', `/api/customers/${customer_id}/refunds`, {
    ...{ request_id: v7(), customer_id, payment_id: payment?.id, amount: 35_750, shown_refunded: 0 },
    ...{ unused_months: 11, reason: 'They move away' },
  });
  const { ends, profile } = await caller.must<OwnMembership>('GET', '/api/customers/own');
  expect(ends?.last_day).toBe('2026-07-14');
  const seen = (await emailsTo(app.services.db, profile)).length;
  for (const day of ['2026-07-08', '2026-07-10', '2026-07-15']) {
    app.clock.set(`${day}T19:00:00Z`);
    await sweep(app.services.billing);
  }
  expect((await emailsTo(app.services.db, profile)).slice(seen).map(({ subject }) => subject)).toEqual([
    'Your membership ends soon · Test Cellar',
    'Your membership has ended · Test Cellar',
  ]);
});

it('a year brings a twelfth of its price a month', async () => {
  const range = 'from=2026-06-01&to=2026-06-30';
  const closing = async () =>
    (await staff.must<RevenueReport>('GET', `/api/reports/revenue?${range}`)).months[0]?.closing_cents ?? 0;
  const before = await closing();
  const { customer_id } = await yearMember();
  expect((await closing()) - before).toBe(3250);
  // Also once the months that have not begun are refunded.
  const [payment] = await staff.must<MemberPayment[]>('GET', `/api/customers/${customer_id}/payments`);
  await staff.must('POST', `/api/customers/${customer_id}/refunds`, {
    ...{ request_id: v7(), customer_id, payment_id: payment?.id, amount: 35_750, shown_refunded: 0 },
    ...{ unused_months: 11, reason: 'They move away' },
  });
  expect((await closing()) - before).toBe(3250);
});

it('a year counts once in the payments of its month, and is money by card, not at the till', async () => {
  const caller = (await yearMember()).caller;
  const { profile } = await caller.must<OwnMembership>('GET', '/api/customers/own');
  const day = '2026-06-15';
  const report = await staff.must<PaymentsReport>('GET', `/api/reports/payments?from=${day}&to=${day}`);
  const own = report.payments.filter(({ user_id }) => user_id === profile.id);
  expect(own).toMatchObject([{ kind: 'membership', tier: 'select', cents: 39_000 }]);
});
