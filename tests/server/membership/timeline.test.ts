import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TimelineEntry } from '../../../src/contract/staff/member-record.ts';
import type { ChangeKind } from '../../../src/domain/glasses.ts';
import {
  billing_payment,
  billing_refund,
  billing_reversal,
  glass_change,
  glass_grant,
  memberships,
} from '../../../src/server/db/schema.ts';
import { aRequestId, cardMember, type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/members.md, "What staff keep about a member": the ledger rows with which staff can check a balance.

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
  await staff.must('PATCH', '/api/tier-settings/select', { rollover_glasses: 2 });
  app.clock.advance({ days: 1 });
});
afterAll(() => app.close());

const give = ({ customer_id }: Member, glasses: number) =>
  staff.must('POST', `/api/customers/${customer_id}/glasses`, {
    ...{ request_id: aRequestId(), kind: 'correction', glasses, reason: 'Counted wrong' },
  });

/** Entries about glasses, oldest first. */
async function ledgerOf({ customer_id }: Member): Promise<TimelineEntry[]> {
  const { entries } = await staff.must<{ entries: TimelineEntry[] }>(
    'GET',
    `/api/customers/${customer_id}/timeline`,
  );
  return entries.filter(({ kind }) => !['joined', 'emailed', 'dues_paid'].includes(kind)).reverse();
}

const grantOf = async ({ customer_id }: Member) => {
  const [grant] = await app.services.db
    .select()
    .from(glass_grant)
    .where(and(eq(glass_grant.customer_id, customer_id), eq(glass_grant.kind, 'period')));
  if (!grant) throw new Error('Nothing is written of the month');
  return grant;
};

it('has a month’s glasses and their end, what rolled over, and one row for all that was taken back at once', async () => {
  const member = await venueMember(app, staff);
  await pour(staff, member.customer_id);
  app.clock.advance({ days: 31 });
  await pour(staff, member.customer_id);
  app.clock.advance({ minutes: 1 });
  await give(member, 1);
  app.clock.advance({ minutes: 1 });
  // Three grants: the month's four, a given one, and the rest of two rolled-over ones.
  await give(member, -6);
  const [first, poured, ...second] = await ledgerOf(member);
  const began = await grantOf(member);
  expect([first, poured]).toMatchObject([
    {
      ...{ kind: 'month_granted', glasses: 4, tier: 'select', by: null },
      ...{ at: began.valid_from.toISOString(), until: began.valid_until.toISOString() },
    },
    { kind: 'poured', glasses: 1, until: null },
  ]);
  const at = began.valid_until.toISOString();
  expect(second).toMatchObject([
    { kind: 'month_granted', glasses: 4, at },
    { kind: 'rolled_over', glasses: 2, at, until: second[0]?.until },
    { kind: 'poured', glasses: 1 },
    { kind: 'given', glasses: 1, text: 'Counted wrong' },
    { kind: 'given', glasses: -6, text: 'Counted wrong' },
  ]);
  expect(second.slice(3).every(({ by }) => by !== null)).toBe(true);
  // The sum of all rows is the number left.
  const sum = [first, poured, ...second].reduce((left, it, index) => {
    const glasses = it?.glasses ?? 0;
    // The rest of the first month ended with it.
    if (index < 2) return 0;
    return left + (it?.kind === 'poured' ? -glasses : glasses);
  }, 0);
  const { available_pours } = await staff.must<{ available_pours: number }>(
    'GET',
    `/api/customers/${member.customer_id}`,
  );
  expect(sum).toBe(available_pours);
});

it.each<[ChangeKind, Partial<typeof glass_change.$inferInsert>, Partial<TimelineEntry> | null]>([
  ['paid', { glasses: 3 }, { kind: 'rest_granted', glasses: 3, tier: 'select' }],
  ['paid', { glasses: 0 }, null],
  [
    'tier_change',
    { glasses: 2, rollable: 1, to_tier: 'premier' },
    { kind: 'changed_tier', glasses: 2, tier: 'premier' },
  ],
  ['tier_known', { glasses: -1, to_tier: 'premier' }, { kind: 'tier_known', glasses: -1, tier: 'premier' }],
  ['tier_glasses', { glasses: 2 }, { kind: 'tier_raised', glasses: 2, tier: 'select' }],
  ['returned', { rollable: -2 }, { kind: 'rollable_changed', glasses: -2 }],
  ['returned', { rollable: 0 }, null],
  ['kept', { rollable: 2 }, { kind: 'rollable_changed', glasses: 2 }],
  [
    'ended',
    { valid_until: new Date('2026-03-01T12:00:00Z') },
    { kind: 'month_end_moved', until: '2026-03-01T12:00:00.000Z' },
  ],
])('has a change of a grant as one row: %s %j', async (kind, change, expected) => {
  const member = await venueMember(app, staff);
  await pour(staff, member.customer_id);
  const { id: grant_id } = await grantOf(member);
  const at = new Date(app.clock.now().getTime() + 60_000);
  const id = app.services.newId();
  await app.services.db.insert(glass_change).values({
    ...{ id, grant_id, kind, created_at: at, prorated_at: kind === 'tier_change' ? at : null },
    ...change,
  });
  const rows = (await ledgerOf(member)).slice(2);
  expect(rows).toMatchObject(expected ? [{ id, at: at.toISOString(), by: null, ...expected }] : []);
});

it('has every payment at the venue, each void with its reason, and pauses', async () => {
  const member = await venueMember(app, staff);
  const path = `/api/customers/${member.customer_id}`;
  const { paid_until } = await staff.must<{ paid_until: string }>('GET', `${path}/dues`);
  app.clock.advance({ minutes: 1 });
  const payment = { reference: 'T-7', amount_cents: 11_700, months: 3, method: 'cash', paid_until };
  const { entries } = await staff.must<{ entries: { id: string }[] }>('POST', `${path}/dues`, {
    request_id: aRequestId(),
    ...payment,
  });
  app.clock.advance({ minutes: 1 });
  await staff.must('POST', `/api/dues/${entries[0]?.id}/void`, { reason: 'Bounced' });
  app.clock.advance({ minutes: 1 });
  await member.caller.must('POST', '/api/billing/pause', { months: 1 });
  app.clock.advance({ minutes: 1 });
  await staff.must('POST', `${path}/pause/withdraw`);
  const answer = await staff.must<{ entries: TimelineEntry[] }>('GET', `${path}/timeline`);
  const kinds = ['dues_paid', 'dues_voided', 'paused'];
  const own = answer.entries.filter(({ kind }) => kinds.includes(kind));
  const amount = { cents: 11_700, currency: 'usd' };
  expect(own.map(({ kind, text, by }) => [kind, text, by !== null])).toEqual([
    ['paused', '1 month fewer', true],
    ['paused', '1 month', false],
    ['dues_voided', 'Bounced', true],
    ['dues_paid', '3 months. Receipt T-7', true],
    ['dues_paid', expect.stringMatching(/^12 months\. Receipt /), true],
  ]);
  expect(own.slice(2, 4)).toMatchObject([{ amount }, { amount }]);
});

describe('a charge in the timeline', () => {
  const paidAt = async (member: Member) => {
    const [row] = await app.services.db
      .select()
      .from(billing_payment)
      .where(eq(billing_payment.user_id, member.caller.id));
    if (!row) throw new Error('Nothing was paid');
    return row;
  };
  const entriesOf = async ({ customer_id }: Member) =>
    (await staff.must<{ entries: TimelineEntry[] }>('GET', `/api/customers/${customer_id}/timeline`)).entries;

  it.each([
    ['its refund', true],
    ['its refund from before refunds of reversals were stored', false],
  ])('stays whole beside %s, which says why it went back by itself', async (_, isStored) => {
    const member = await cardMember(app);
    const payment = await paidAt(member);
    const done_at = new Date(payment.created_at.getTime() + 60_000);
    await app.services.db
      .update(billing_payment)
      .set({ amount_refunded_cents: payment.amount_paid_cents, status: 'refunded' })
      .where(eq(billing_payment.stripe_invoice_id, payment.stripe_invoice_id));
    const { stripe_subscription_id, user_id, created_at } = payment;
    if (!stripe_subscription_id) throw new Error('A payment without a subscription');
    await app.services.db.insert(billing_reversal).values({
      ...{ stripe_subscription_id, user_id, reason: 'second_subscription', refund_from: created_at },
      ...{ created_at, done_at },
    });
    const cents = payment.amount_paid_cents;
    const settled_at = new Date(done_at.getTime() + 60_000);
    if (isStored)
      await app.services.db.insert(billing_refund).values({
        ...{
          id: app.services.newId(),
          user_id,
          stripe_invoice_id: payment.stripe_invoice_id,
          currency: 'usd',
        },
        ...{ amount_cents: cents, refunded_cents: cents, status: 'done', created_at, settled_at },
      });
    const amount = { cents, currency: 'usd' };
    expect((await entriesOf(member)).filter(({ amount }) => amount)).toMatchObject([
      {
        kind: 'returned',
        at: (isStored ? settled_at : done_at).toISOString(),
        amount,
        text: expect.stringMatching(/^Charged twice: .*Invoice in_/),
      },
      {
        kind: 'paid',
        at: created_at.toISOString(),
        amount,
        tier: 'select',
        text: expect.stringContaining('Invoice in_'),
      },
    ]);
  });

  it('says as of which tier someone joined, and at which time, after a change to a larger tier', async () => {
    const member = await cardMember(app);
    const payment = await paidAt(member);
    const later = new Date(payment.created_at.getTime() + 3_600_000);
    const { id: grant_id } = await grantOf(member);
    await app.services.db.insert(glass_change).values({
      ...{ id: app.services.newId(), grant_id, kind: 'tier_change', glasses: 4, to_tier: 'premier' },
      ...{ prorated_at: later, created_at: later },
    });
    await app.services.db.insert(billing_payment).values({
      ...payment,
      stripe_invoice_id: 'in_difference',
      amount_paid_cents: 2_000,
      created_at: later,
    });
    await app.services.db
      .update(memberships)
      .set({ tier: 'premier' })
      .where(eq(memberships.customer_id, member.customer_id));
    const entries = await entriesOf(member);
    expect(entries.filter(({ kind }) => kind === 'paid')).toMatchObject([
      { tier: 'premier', text: 'The difference for the rest of the month. Invoice in_difference' },
      { tier: 'select', text: `Invoice ${payment.stripe_invoice_id}` },
    ]);
    const joined = entries.find(({ kind }) => kind === 'joined');
    expect(joined).toMatchObject({ tier: 'select' });
    expect(Math.abs(Date.parse(joined?.at ?? '') - payment.created_at.getTime())).toBeLessThan(3_600_000);
    const payments = await staff.must<{ difference: boolean; paid_for: { tier: string } }[]>(
      'GET',
      `/api/customers/${member.customer_id}/payments`,
    );
    expect(payments.map(({ difference, paid_for }) => [difference, paid_for.tier])).toEqual([
      [true, 'premier'],
      [false, 'select'],
    ]);
  });
});
