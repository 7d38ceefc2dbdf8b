import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BarCard, MemberDetail, OwnMembership } from '../../../src/contract/members.ts';
import type { Dues } from '../../../src/contract/staff/dues.ts';
import { addStaff } from '../../../src/server/auth/staff-accounts.ts';
import { applied, payAt } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/dues.md, "From the venue to a card": what the member and staff see until the card is charged.

let app: TestApp;
let staff: Caller;
let member: Caller;
let customer_id: string;
beforeAll(async () => {
  app = await createTestApp();
  app.clock.set('2026-06-15T19:00:00Z');
  await addStaff(app.services, 'owner@example.test', PASSWORD);
  staff = app.visitor();
  await staff.must('POST', '/api/auth/sign-in', { email: 'owner@example.test', password: PASSWORD });
  await staff.remember();
  member = await app.customer();
  const path = `/api/applications/${await applied(member)}/approve`;
  await staff.must('POST', path, { toast_reference_number: 'R-1', months: 1 });
  const { url } = await member.must<{ url: string }>('POST', '/api/billing/by-card', {});
  expect(await payAt(url)).toMatch(/\/dashboard$/);
  await member.must('POST', '/api/functions/verify-subscription-status', {});
  customer_id = (await member.must<OwnMembership>('GET', '/api/customers/own')).customer?.id ?? '';
});
afterAll(() => app.close());

it('the member sees from when the card is charged, and can cancel', async () => {
  expect(await member.must<OwnMembership>('GET', '/api/customers/own')).toMatchObject({
    customer: { status: 'active', pours_balance: 4 },
    ends: { last_day: '2026-07-14', then_by_card: true, by_member: true },
    dues: { state: 'paid', paid_until: '2026-07-15' },
    if_canceled: { overdue: false },
  });
});

it('staff read of no end, and that the pours come back with the card', async () => {
  expect(await staff.must<BarCard>('GET', `/api/customers/${customer_id}/bar`)).toMatchObject({
    standing: 'venue',
    pours_return_on: '2026-07-15',
    dues: { state: 'paid' },
  });
  expect(await staff.must<MemberDetail>('GET', `/api/customers/${customer_id}`)).toMatchObject({
    ends_at: null,
  });
  expect(await staff.must<Dues>('GET', `/api/customers/${customer_id}/dues`)).toMatchObject({
    by_card_from: '2026-07-15',
  });
});

it('a payment at the bar is refused while the card follows', async () => {
  const payment = {
    request_id: crypto.randomUUID(),
    paid_until: '2026-07-15',
    reference: 'R-2',
    months: 1,
    amount_cents: 3900,
    method: 'cash',
  };
  const { body } = await staff.call('POST', `/api/customers/${customer_id}/dues`, payment);
  expect(body).toMatchObject({ code: 'DUES_REFUSED', data: { reason: 'ending' } });
});
