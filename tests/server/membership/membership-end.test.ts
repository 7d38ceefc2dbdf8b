import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Dues } from '../../../src/contract/staff/dues.ts';
import type { EndOffer } from '../../../src/contract/staff/membership-end.ts';
import { addDays, localDate, startOfDay } from '../../../src/domain/calendar.ts';
import { memberships } from '../../../src/server/db/schema.ts';
import { shareWith } from '../../support/fixtures/household.ts';
import { type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

const own = ({ caller }: Member) =>
  caller.must<{ ends: { ends_at: string } | null; household: { ends_at: string | null } | null }>(
    'GET',
    '/api/customers/own',
  );

const endPath = ({ customer_id }: Member) => `/api/customers/${customer_id}/membership-end`;
const offerOf = (of: Member) => staff.must<EndOffer>('GET', endPath(of));
const end = (of: Member, when: string, period_end: string | null) =>
  staff.call<EndOffer>('POST', endPath(of), { when, reason: 'other', period_end });

it('a membership at the venue ends with what is paid', async () => {
  const ada = await venueMember(app, staff);
  const { paid_until } = await staff.must<Dues>('GET', `/api/customers/${ada.customer_id}/dues`);
  const { period_end } = await offerOf(ada);
  expect(period_end).toBe(startOfDay(paid_until ?? '', VENUE_ZONE).toISOString());
  expect((await end(ada, 'period_end', period_end)).body).toMatchObject({ ending: { at: period_end } });
});

it('a membership at the venue takes no payment beyond its last day, until it is kept', async () => {
  const ada = await venueMember(app, staff);
  await end(ada, 'period_end', (await offerOf(ada)).period_end);
  const path = `/api/customers/${ada.customer_id}/dues`;
  const { paid_until, price_cents: amount_cents } = await staff.must<Dues>('GET', path);
  const payment = { request_id: v7(), reference: 'T-2', amount_cents, months: 1, method: 'cash', paid_until };
  expect((await staff.call('POST', path, payment)).body).toMatchObject({ data: { reason: 'ending' } });
  await staff.must('DELETE', endPath(ada), {});
  expect((await staff.call('POST', path, payment)).status).toBe(201);
});

it('a membership at the venue that is overdue can only end now', async () => {
  const ada = await venueMember(app, staff);
  const today = localDate(app.clock.now(), VENUE_ZONE);
  await app.services.db
    .update(memberships)
    .set({ paid_until: today, grace_until: addDays(today, 7) })
    .where(eq(memberships.customer_id, ada.customer_id));
  const { obstacle, period_end } = await offerOf(ada);
  expect(obstacle).toBe('overdue');
  expect((await end(ada, 'period_end', period_end)).body).toMatchObject({ data: { reason: 'overdue' } });
  expect((await end(ada, 'now', period_end)).status).toBe(200);
});

it('a membership with a last day ends at the midnight after it at the venue, on every page and for pours', async () => {
  const holder = await venueMember(app, staff, 'household');
  const partner = await shareWith(app, holder);
  const ends_on = addDays(localDate(app.clock.now(), VENUE_ZONE), 10);
  const ends_at = startOfDay(ends_on, VENUE_ZONE);
  await app.services.db
    .update(memberships)
    .set({ ends_on })
    .where(eq(memberships.customer_id, holder.customer_id));
  const shown = [
    (await own(holder)).ends,
    (await own(partner)).household,
    await staff.must('GET', `/api/customers/${holder.customer_id}`),
  ] as { ends_at: string }[];
  expect(shown.map((it) => it.ends_at)).toEqual(Array(3).fill(ends_at.toISOString()));

  app.clock.set(new Date(ends_at.getTime() - 1000));
  expect((await pour(staff, holder.customer_id)).status).toBe(201);
  app.clock.set(ends_at);
  expect((await pour(staff, holder.customer_id)).body).toMatchObject({ code: 'CUSTOMER_NOT_ACTIVE' });
});
