import { afterAll, beforeAll, expect, it } from 'vitest';
import type { PauseOffer } from '../../../src/contract/billing.ts';
import { cardMember, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/billing.md, "Billing: what is charged next": the member's page for staff.

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

const shown = async (id: string) =>
  (await staff.must<{ next_billing_date: string | null }>('GET', `/api/customers/${id}`)).next_billing_date;
const iso = (seconds: number | undefined) => new Date((seconds ?? 0) * 1000).toISOString();

it('the next billing date is the period’s end, a pause’s return, or none once canceled or at the venue', async () => {
  const { caller, customer_id } = await cardMember(app);
  const { choices } = await caller.must<PauseOffer>('GET', '/api/billing/pause');
  expect(await shown(customer_id)).toBe(iso(choices[0]?.from));
  await caller.must('POST', '/api/billing/pause', { months: 2 });
  expect(await shown(customer_id)).toBe(iso(choices[1]?.until));
  await caller.must('POST', '/api/functions/cancel-subscription', {});
  expect(await shown(customer_id)).toBeNull();
  expect(await shown((await venueMember(app, staff)).customer_id)).toBeNull();
});
