import { afterAll, beforeAll, expect, it } from 'vitest';
import { getTonight } from '../../../src/server/reports/tonight-report.ts';
import { pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/reports.md, "Tonight".

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

const tonight = async () => {
  const { joined, members_came } = await getTonight(app.services);
  return { joined, members_came };
};

it('counts new members of the same night as glasses: from six in the morning until six, past midnight', async () => {
  // Before six: still the previous night.
  app.clock.set(new Date('2026-06-20T10:00:00Z'));
  await pour(staff, (await venueMember(app, staff)).customer_id);
  app.clock.set(new Date('2026-06-21T05:00:00Z'));
  expect(await tonight()).toEqual({ joined: 0, members_came: 0 });
  await pour(staff, (await venueMember(app, staff)).customer_id);
  app.clock.set(new Date('2026-06-21T08:00:00Z'));
  await pour(staff, (await venueMember(app, staff)).customer_id);
  expect(await tonight()).toEqual({ joined: 2, members_came: 2 });
  app.clock.set(new Date('2026-06-21T13:00:00Z'));
  expect(await tonight()).toEqual({ joined: 0, members_came: 0 });
});
