import { sql } from 'drizzle-orm';
import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dues } from '../../../src/contract/staff/dues.ts';
import type { PaymentsReport } from '../../../src/contract/staff/reports.ts';
import { billing_payment, billing_refund, gift_membership } from '../../../src/server/db/schema.ts';
import { applied, cardMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';
import { testClock } from '../../support/harness/clock.ts';

// docs/rules/reports.md, "Reports": card charges, and staff approvals for payments at the till.

const ZONE = 'America/New_York';
/** In New York, still June 15. */
const EVENING = '2026-06-16T02:30:00.000Z';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp({ timeZone: ZONE, clock: testClock(EVENING) });
  staff = await app.staff();
});
afterAll(() => app.close());

const report = (from: string, to = from) =>
  staff.must<PaymentsReport>('GET', `/api/reports/payments?from=${from}&to=${to}`);

async function approve(tier: string, reference: string) {
  const caller = await app.customer();
  const application = await applied(caller, tier);
  const { customer_id } = await staff.must<{ customer_id: string }>(
    'POST',
    `/api/applications/${application}/approve`,
    { toast_reference_number: reference },
  );
  return { caller, customer_id };
}

it('the day of an approval has its reference, who approved it, when, the tier and the price; the next day has none', async () => {
  const { caller } = await approve('premier', 'T-4711');
  const { payments, sums } = await report('2026-06-15');
  expect(payments).toEqual([
    {
      id: expect.any(String),
      kind: 'till',
      state: 'paid',
      day: '2026-06-15',
      at: EVENING,
      user_id: caller.id,
      name: expect.stringMatching(/^Ada Guest/),
      by: expect.stringMatching(/^staff/),
      reference: 'T-4711',
      tier: 'premier',
      cents: 6900,
      refunded_cents: 0,
      tax_cents: null,
      currency: 'usd',
    },
  ]);
  expect(sums.till).toEqual({ count: 1, cents: 6900 });
  expect((await report('2026-06-16')).payments).toEqual([]);
});

it('an approval stays with its day, reference and staff member after the membership ended', async () => {
  const { customer_id } = await approve('select', 'T-4712');
  const path = `/api/customers/${customer_id}/membership-end`;
  const { period_end } = await staff.must<{ period_end: string }>('GET', path);
  await staff.must('POST', path, { when: 'now', reason: 'other', period_end });
  expect((await report('2026-06-15')).payments.map(({ reference }) => reference)).toContain('T-4712');
});

it('a further payment at the venue counts on the day it was received, until it is voided', async () => {
  const { customer_id } = await approve('premier', 'T-1');
  const paid_on = '2026-06-10';
  const { entries } = await staff.must<Dues>('POST', `/api/customers/${customer_id}/dues`, {
    ...{ request_id: v7(), reference: 'T-2', amount_cents: 20_700, months: 3, method: 'cash' },
    ...{ paid_on, paid_until: '2026-07-15' },
  });
  const { payments, sums } = await report(paid_on);
  expect(payments).toMatchObject([{ kind: 'till', reference: 'T-2', tier: 'premier', cents: 20_700 }]);
  expect(sums.till).toEqual({ count: 1, cents: 20_700 });
  for (const { id } of entries) await staff.must('POST', `/api/dues/${id}/void`, { reason: 'Twice' });
  expect((await report(paid_on)).payments).toEqual([]);
});

it('an approval from before dues were counted stays once they are counted from its first day', async () => {
  const { customer_id } = await approve('select', 'T-4701');
  const { entries } = await staff.must<Dues>('GET', `/api/customers/${customer_id}/dues`);
  await app.services.db.transaction(async (tx) => {
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`delete from dues where id = ${entries[0]?.id}`);
    await tx.execute(
      sql`update memberships set paid_until = null, grace_until = null where customer_id = ${customer_id}`,
    );
  });
  const references = async () => (await report('2026-06-15')).payments.map(({ reference }) => reference);
  expect(await references()).toContain('T-4701');
  await staff.must('POST', '/api/dues/start', { customer_ids: [customer_id], day: '2026-06-15' });
  expect(await references()).toContain('T-4701');
});

it('a membership that was imported with a reference is no approval', async () => {
  const { customer_id } = await approve('select', 'T-4700');
  const { entries } = await staff.must<Dues>('GET', `/api/customers/${customer_id}/dues`);
  await staff.must('POST', `/api/dues/${entries[0]?.id}/void`, { reason: 'Imported' });
  await app.services.db.execute(
    sql`update memberships set status = 'ended', end_date = start_date where customer_id = ${customer_id}`,
  );
  await app.services.db.execute(
    sql`insert into memberships (id, customer_id, tier, start_date, counted_from, status, monthly_price_cents, toast_reference_number)
        values (gen_random_uuid(), ${customer_id}, 'select', '2026-06-15', '2026-06-15', 'active', 3900, 'T-4713')`,
  );
  expect((await report('2026-06-15')).payments.map(({ reference }) => reference)).not.toContain('T-4713');
});

it('charges by card are listed with them, and their sum leaves out what was refunded', async () => {
  const before = await report('2026-06-15');
  const { caller, customer_id } = await cardMember(app, 'elite');
  const [payment] = await staff.must<{ id: string }[]>('GET', `/api/customers/${customer_id}/payments`);
  await staff.must('POST', `/api/customers/${customer_id}/refunds`, {
    request_id: app.services.newId(),
    payment_id: payment?.id,
    amount: 900,
    shown_refunded: 0,
    reason: 'A long wait',
  });
  const after = await report('2026-06-15');
  expect(after.payments.filter(({ user_id }) => user_id === caller.id)).toMatchObject([
    {
      id: payment?.id,
      kind: 'membership',
      name: expect.stringMatching(/^Ada Guest/),
      state: 'refunded',
      cents: 10_900,
      refunded_cents: 900,
      currency: 'usd',
    },
  ]);
  expect(after.sums.card.count - before.sums.card.count).toBe(1);
  expect(after.sums.card.cents - before.sums.card.cents).toBe(10_000);
  expect(after.sums.refunded).toEqual({ count: 1, cents: 900 });
  expect((await report('2026-06-14')).payments).toEqual([]);
});

it('kind and state narrow the list, and leave the sums alone', async () => {
  const narrowed = (filter: string) =>
    staff.must<PaymentsReport>('GET', `/api/reports/payments?from=2026-06-15&to=2026-06-15&${filter}`);
  const all = await report('2026-06-15');
  const till = await narrowed('kind=till');
  expect(new Set(till.payments.map(({ kind }) => kind))).toEqual(new Set(['till']));
  expect(till.found).toBe(all.sums.till.count);
  expect(till.sums).toEqual(all.sums);
  const refunded = await narrowed('state=refunded');
  expect(refunded.payments.map(({ refunded_cents }) => refunded_cents)).toEqual([900]);
  expect((await narrowed('kind=gift')).payments).toEqual([]);
});

it('an overdue payment is listed where asked for, and counts as received nowhere', async () => {
  const { caller } = await cardMember(app, 'select');
  const before = await report('2026-06-15');
  await app.services.db.execute(
    sql`update billing_subscription set status = 'past_due' where user_id = ${caller.id}`,
  );
  const after = await report('2026-06-15');
  // Members of other tests are overdue at the venue.
  const { count, cents } = before.sums.overdue;
  expect(after.sums).toEqual({ ...before.sums, overdue: { count: count + 1, cents: cents + 3900 } });
  expect(after.payments).toEqual(before.payments);
  const { payments } = await staff.must<PaymentsReport>(
    'GET',
    '/api/reports/payments?from=2026-06-15&to=2026-06-15&state=overdue',
  );
  expect(payments.map(({ kind }) => kind).sort()).toEqual([
    'membership',
    ...Array.from({ length: count }, () => 'till'),
  ]);
  expect(payments.find(({ kind }) => kind === 'membership')).toMatchObject({
    ...{ user_id: caller.id, tier: 'select', cents: 3900 },
  });
});

it('the file holds what the list shows, without the names of members', async () => {
  const file = async (filter = '') => {
    const response = await staff.raw(
      'GET',
      `/api/reports/payments/csv?from=2026-06-15&to=2026-06-15${filter}`,
    );
    return response.text();
  };
  const all = await file();
  expect(all).toContain('T-4711');
  expect(all).not.toContain('Ada');
  // The charge whole, with the tier as it was, and its refund on a line of its own.
  const lines = all.split(/\r?\n/).filter((line) => line.includes('elite'));
  expect(lines.map((line) => line.split(',').slice(2, 10).toSpliced(2, 1))).toEqual([
    ['membership', 'refund', '', '-900', '0', 'usd', 'elite'],
    ['membership', 'charge', 'refunded', '10900', '0', 'usd', 'elite'],
  ]);
  expect(await file('&kind=till')).not.toContain(',refund,');
});

it('the list shows 300 payments, and the file has all', async () => {
  const { id: user_id } = await app.customer();
  await app.services.db.insert(billing_payment).values(
    Array.from({ length: 301 }, (_, n) => ({
      user_id,
      ...{ stripe_invoice_id: `in_march_${n}`, stripe_subscription_id: 'sub_march', status: 'paid' },
      ...{ amount_paid_cents: 3900, currency: 'usd', created_at: new Date('2026-03-10T12:00:00Z') },
    })),
  );
  const { payments, found } = await report('2026-03-10');
  expect({ shown: payments.length, found }).toEqual({ shown: 300, found: 301 });
  const file = await staff.raw('GET', '/api/reports/payments/csv?from=2026-03-10&to=2026-03-10');
  expect((await file.text()).match(/,charge,in_march_/g)).toHaveLength(301);
});

describe('in a month of gifts, disputes and refunds', () => {
  const MAY = '&from=2026-05-01&to=2026-05-31';
  const ids = { gift: '', card: '' };
  beforeAll(async () => {
    const { db, newId } = app.services;
    const [buyer, giver] = [await app.customer(), await app.customer()];
    ids.gift = newId();
    ids.card = newId();
    const at = new Date('2026-05-10T12:00:00Z');
    const gift = {
      buyer_id: giver.id,
      tier: 'select',
      months: 3,
      monthly_price_cents: 3900,
      amount_cents: 11_700,
      currency: 'usd',
      tax_behavior: 'unspecified' as const,
      delivery: 'card' as const,
      paid_cents: 11_700,
      status: 'paid' as const,
      created_at: at,
      expires_at: at,
      paid_at: at,
    };
    await db.insert(gift_membership).values([
      { ...gift, id: ids.gift, stripe_payment_intent_id: 'pi_1', refunded_cents: 700 },
      { ...gift, id: newId(), stripe_payment_intent_id: 'pi_2', disputed: true },
    ]);
    const payment = {
      user_id: buyer.id,
      stripe_subscription_id: 'sub_may',
      status: 'paid',
      amount_paid_cents: 6900,
      amount_tax_cents: 1150,
      currency: 'usd',
      created_at: at,
    };
    await db.insert(billing_payment).values([
      {
        ...payment,
        ...{ stripe_invoice_id: 'in_april', created_at: new Date('2026-04-20T12:00:00Z') },
        ...{ status: 'partially_refunded', amount_refunded_cents: 600 },
      },
      { ...payment, stripe_invoice_id: 'in_disputed', status: 'disputed' },
      { ...payment, stripe_invoice_id: 'in_francs', currency: 'chf', amount_paid_cents: 5000 },
    ]);
    await db.insert(billing_refund).values({
      ...{
        id: newId(),
        user_id: buyer.id,
        stripe_invoice_id: 'in_april',
        amount_cents: 600,
        currency: 'usd',
      },
      ...{ asked_by_staff_id: staff.id, status: 'done', refunded_cents: 600, reason: 'A long wait' },
      // In New York, still May 31.
      ...{ created_at: at, settled_at: new Date('2026-06-01T03:00:00Z') },
    });
  });

  const narrowed = async (filter: string) =>
    (await staff.must<PaymentsReport>('GET', `/api/reports/payments?${filter}${MAY}`)).payments;

  it('gifts are payments by card, each in its state', async () => {
    expect(await narrowed('kind=gift')).toMatchObject([
      { kind: 'gift', state: 'disputed', cents: 11_700, refunded_cents: 0, tax_cents: null },
      { id: ids.gift, state: 'refunded', day: '2026-05-10', tier: 'select', refunded_cents: 700 },
    ]);
  });

  it('sums are in the club’s currency, and count payments in another', async () => {
    const { sums, currency } = await report('2026-05-01', '2026-05-31');
    expect(currency).toBe('usd');
    expect(sums).toEqual({
      // Two gifts, less 700, and the disputed charge; the francs are counted only.
      card: { count: 4, cents: 11_000 + 11_700 + 6900 },
      till: { count: 0, cents: 0 },
      refunded: { count: 1, cents: 700 },
      disputed: { count: 2, cents: 11_700 + 6900 },
      overdue: { count: 0, cents: 0 },
    });
    expect((await narrowed('kind=membership')).map(({ id, state }) => [id, state])).toEqual([
      ['in_francs', 'paid'],
      ['in_disputed', 'disputed'],
    ]);
    expect(new Set((await narrowed('state=disputed')).map(({ kind }) => kind))).toEqual(
      new Set(['gift', 'membership']),
    );
  });

  it('a refund stands in the file on its own day, with its share of the tax, whenever the charge was', async () => {
    const linesOf = async (filter: string) => {
      const response = await staff.raw('GET', `/api/reports/payments/csv?${filter}${MAY}`);
      return (await response.text()).split('\r\n').filter((line) => line.includes(',refund,'));
    };
    const lines = await linesOf('');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(
      /^2026-05-31,2026-06-01T03:00:00.000Z,membership,refund,in_april,,-600,-100,usd,,,staff/,
    );
    expect(lines[1]).toMatch(new RegExp(`^2026-05-10,.*,gift,refund,${ids.gift},,-700,,usd,select,,$`));
    expect(await linesOf('kind=gift')).toEqual([lines[1]]);
    expect(await linesOf('state=refunded')).toEqual(lines);
    expect(await linesOf('state=paid')).toEqual([]);
  });
});
