import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { BarCard, MemberDetail, OwnMembership } from '../../../src/contract/members.ts';
import { eq } from '../../../src/server/db/orm.ts';
import { tier_definitions } from '../../../src/server/db/schema.ts';
import { shareWith } from '../../support/fixtures/household.ts';
import { type Member, payAt, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/years.md, "A payment that takes days". A year of Select costs $390, of Premier $690.

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
  for (const [tier, yearly_price_cents] of [
    ['select', 39_000],
    ['premier', 69_000],
    ['household', 99_000],
  ] as const)
    await app.services.db
      .update(tier_definitions)
      .set({ yearly_price_cents })
      .where(eq(tier_definitions.tier_name, tier));
});
beforeEach(() => sandbox('settings', { charges: 'pending' }));
afterAll(() => app.close());

const sandbox = (path: string, body: object) =>
  fetch(`${app.sandbox.url}/_sandbox/${path}`, { method: 'POST', body: JSON.stringify(body) });

/** A member whose bank has a payment that we have seen. */
async function pending(
  months: number,
  path: string,
  order: object,
  tier = 'select',
): Promise<Member & { paid_until: string }> {
  const member = await venueMember(app, staff, tier, months);
  const { url } = await member.caller.must<{ url: string }>('POST', path, order);
  await payAt(url);
  await member.caller.must('POST', '/api/functions/verify-subscription-status', {});
  const { dues } = await member.caller.must<OwnMembership>('GET', '/api/customers/own');
  return { ...member, paid_until: dues?.paid_until ?? '' };
}

const shown = async ({ customer_id }: Member) => [
  (await staff.must<MemberDetail>('GET', `/api/customers/${customer_id}`)).bank_payment,
  (await staff.must<BarCard>('GET', `/api/customers/${customer_id}/bar`)).bank_payment,
];
const record = ({ customer_id, paid_until }: Member & { paid_until: string }, more = {}) =>
  staff.call('POST', `/api/customers/${customer_id}/dues`, {
    ...{ request_id: v7(), reference: 'R-2', amount_cents: 3900, months: 1, method: 'cash', paid_until },
    ...more,
  });

it('staff see a year that a bank has on the page and at the scan, and confirm a payment beside it', async () => {
  const since = app.clock.now().toISOString();
  const member = await pending(1, '/api/billing/year', {});
  const payment = { tier: 'select', months: 12, amount_cents: 39_000, since };
  expect(await shown(member)).toEqual([payment, payment]);
  expect((await record(member)).body).toMatchObject({ code: 'BANK_PAYMENT_PENDING', data: payment });
  expect((await record(member, { beside_bank_payment: true })).status).toBe(201);
  await sandbox('charges/settle', {});
  await sandbox('webhooks/idle', {});
  const { dues } = await member.caller.must<OwnMembership>('GET', '/api/customers/own');
  expect(dues?.is_year).toBe(true);
  expect(await shown(member)).toEqual([null, null]);
});

it('a partner’s scan shows the payment of the holder, who pays', async () => {
  const holder = await pending(1, '/api/billing/year', {}, 'household');
  const partner = await shareWith(app, holder);
  const [payment] = await shown(holder);
  expect(payment).toMatchObject({ tier: 'household', amount_cents: 99_000 });
  expect(await shown(partner)).toEqual([payment, payment]);
});

it('while a bank has the payment for a dearer tier, none is taken at the till', async () => {
  const member = await pending(12, '/api/billing/year/tier', { tier: 'premier' });
  const [payment] = await shown(member);
  expect(payment).toMatchObject({ tier: 'premier', months: 11, amount_cents: 27_500 });
  const { customer_id, paid_until } = member;
  const difference = { request_id: v7(), reference: 'D-1', method: 'cash', tier: 'premier', paid_until };
  const answer = await staff.call('POST', `/api/customers/${customer_id}/dues/difference`, {
    ...{ ...difference, from_tier: 'select', amount_cents: 27_500 },
  });
  expect(answer.body).toMatchObject({ code: 'TIER_CHANGE_REFUSED', data: { reason: 'change_under_way' } });
});

it('a bank that declined leaves nothing to see', async () => {
  const member = await pending(1, '/api/billing/year', {});
  await sandbox('charges/fail', {});
  await sandbox('webhooks/idle', {});
  await member.caller.must('POST', '/api/functions/verify-subscription-status', {});
  expect(await shown(member)).toEqual([null, null]);
  expect((await record(member)).status).toBe(201);
});
