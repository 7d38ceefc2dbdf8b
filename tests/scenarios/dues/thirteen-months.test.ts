import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Dues } from '../../../src/contract/staff/dues.ts';
import type { PaymentsReport } from '../../../src/contract/staff/reports.ts';
import { addMonths } from '../../../src/domain/calendar.ts';
import { addStaff } from '../../../src/server/auth/staff-accounts.ts';
import { sweep } from '../../../src/server/billing/upkeep/sweeper.ts';
import { applied, type Member, pour } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/dues.md: thirteen months of a club that takes no cards. Everyone joins on June 15, 2026; Select costs $39 and
// gives 4 pours.

let app: TestApp;
let staff: Caller;
const email = 'owner@example.test';
beforeAll(async () => {
  app = await createTestApp({ payments: 'off' });
  await addStaff(app.services, email, PASSWORD);
  await at('2026-06-15');
});
afterAll(() => app.close());

/** Six in the evening at the venue. */
async function at(day: string) {
  app.clock.set(`${day}T01:00:00Z`);
  app.clock.advance({ days: 1 });
  staff = app.visitor();
  await staff.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  await staff.remember();
  await sweep(app.services.billing);
}

async function join(months: number): Promise<Member> {
  const caller = await app.customer();
  const path = `/api/applications/${await applied(caller)}/approve`;
  const first = { toast_reference_number: 'R-1', months };
  return { caller, ...(await staff.must<{ customer_id: string }>('POST', path, first)) };
}

const duesOf = ({ customer_id }: Member) => staff.must<Dues>('GET', `/api/customers/${customer_id}/dues`);

async function pay(member: Member, months: number) {
  const { paid_until, price_cents } = await duesOf(member);
  await staff.must('POST', `/api/customers/${member.customer_id}/dues`, {
    ...{ request_id: v7(), reference: 'R-2', amount_cents: months * price_cents, months },
    ...{ method: 'cash', paid_until },
  });
}

/** The state and the pours left, in an evening in which each member drinks one. */
async function evening(member: Member): Promise<string> {
  const { state } = await duesOf(member);
  const { body } = await pour(staff, member.customer_id);
  return `${state ?? 'no membership'}, ${(body.pours_balance as number | undefined) ?? body.code}`;
}

it('every evening says who has paid, and the reports say how much', { timeout: 120_000 }, async () => {
  const [punctual, late, yearly, gone] = [await join(1), await join(1), await join(12), await join(3)];
  const seen: Record<string, string[]> = {};
  for (let month = 0; month <= 13; month++) {
    const day = addMonths('2026-06-15', month);
    // Four days after the month began.
    await at(day.replace(/15$/, '19'));
    seen[day] = await Promise.all([punctual, late, yearly, gone].map(evening));
    await pay(punctual, 1);
    if (month > 0) await pay(late, 1);
  }
  const joined = ['paid, 3', 'paid, 3', 'paid, 3', 'paid, 3'];
  expect(seen).toEqual({
    '2026-06-15': joined,
    // A month that is not paid gives 7 of 31 days of 4 pours, rounded up: one.
    '2026-07-15': ['paid, 3', 'overdue, 0', 'paid, 3', 'paid, 3'],
    '2026-08-15': ['paid, 3', 'overdue, 0', 'paid, 3', 'paid, 3'],
    '2026-09-15': ['paid, 3', 'overdue, 0', 'paid, 3', 'overdue, 0'],
    ...Object.fromEntries(
      [
        '2026-10-15',
        '2026-11-15',
        '2026-12-15',
        '2027-01-15',
        '2027-02-15',
        '2027-03-15',
        '2027-04-15',
        '2027-05-15',
      ].map((day) => [day, ['paid, 3', 'overdue, 0', 'paid, 3', 'no membership, CUSTOMER_NOT_ACTIVE']]),
    ),
    '2027-06-15': ['paid, 3', 'overdue, 0', 'overdue, 0', 'no membership, CUSTOMER_NOT_ACTIVE'],
    '2027-07-15': [
      'paid, 3',
      'overdue, 0',
      'no membership, CUSTOMER_NOT_ACTIVE',
      'no membership, CUSTOMER_NOT_ACTIVE',
    ],
  });
  const { sums } = await staff.must<PaymentsReport>(
    'GET',
    '/api/reports/payments?from=2026-06-01&to=2027-07-31',
  );
  // 15 months and 14, a year, and three months.
  expect(sums.till).toEqual({ count: 15 + 14 + 1 + 1, cents: (15 + 14 + 12 + 3) * 3900 });
});
