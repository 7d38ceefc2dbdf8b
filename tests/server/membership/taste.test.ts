import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it, test } from 'vitest';
import {
  customers,
  member_taste,
  membership_applications,
  profile_summary,
} from '../../../src/server/db/schema.ts';
import { applied, RATINGS, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/wines.md, "Taste".

const TASTE = '/api/profile/taste';
const CHANGED = { ...RATINGS, red_wine_preference: 1, adventurousness: 10 };

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

const applicationsOf = (id: string) =>
  app.services.db.select().from(membership_applications).where(eq(membership_applications.user_id, id));
const endMembership = (customer_id: string) =>
  app.services.db.update(customers).set({ status: 'inactive' }).where(eq(customers.id, customer_id));

it('the taste comes from the application until the member changes it; the application stays as it was', async () => {
  const { caller } = await venueMember(app, staff);
  expect(await caller.must('GET', TASTE)).toEqual({ ratings: RATINGS, changed_at: expect.any(String) });
  const before = await applicationsOf(caller.id);

  app.clock.advance({ days: 3 });
  const changed = { ratings: CHANGED, changed_at: app.clock.now().toISOString() };
  expect(await caller.must('PUT', TASTE, CHANGED)).toEqual(changed);
  expect(await caller.must('GET', TASTE)).toEqual(changed);
  expect(await applicationsOf(caller.id)).toEqual(before);

  app.clock.advance({ days: 1 });
  await caller.must('PUT', TASTE, RATINGS);
  expect(await caller.must('GET', TASTE)).toEqual({
    ratings: RATINGS,
    changed_at: app.clock.now().toISOString(),
  });
  expect(await app.services.db.$count(member_taste, eq(member_taste.user_id, caller.id))).toBe(1);
});

it('once the taste is changed, the summary for staff is generated again, once', async () => {
  const { caller, customer_id } = await venueMember(app, staff);
  const summary = async () =>
    (
      await staff.must<{ summary: string }>('POST', '/api/functions/generate-profile-summary', {
        customerId: customer_id,
      })
    ).summary;
  const before = await summary();
  app.clock.advance({ minutes: 1 });
  await caller.must('PUT', TASTE, CHANGED);
  const after = await summary();
  expect(after).not.toBe(before);
  expect(await summary()).toBe(after);
  expect(await app.services.db.$count(profile_summary, eq(profile_summary.customer_id, customer_id))).toBe(1);
});

it('once a member without answers gives their taste, staff are shown that there is one', async () => {
  const { caller, customer_id } = await venueMember(app, staff);
  await app.services.db
    .update(membership_applications)
    .set({ preferences: null })
    .where(eq(membership_applications.user_id, caller.id));
  const has = async () =>
    (await staff.must<{ has_preferences: boolean }>('GET', `/api/customers/${customer_id}`)).has_preferences;
  expect([await caller.must('GET', TASTE), await has()]).toEqual([null, false]);
  await caller.must('PUT', TASTE, CHANGED);
  expect(await has()).toBe(true);
});

it('the taste of a former member who applies again is that of the application, and can be changed only there', async () => {
  const { caller, customer_id } = await venueMember(app, staff);
  await endMembership(customer_id);
  app.clock.advance({ days: 1 });
  await caller.must('PUT', TASTE, CHANGED);
  app.clock.advance({ days: 1 });
  const again = { ...RATINGS, wine_knowledge: 2 };
  await caller.must('PUT', '/api/applications/own', {
    preferences: again,
    selected_tier: 'select',
    current_step: 2,
    is_complete: true,
  });
  expect(await caller.must('GET', TASTE)).toMatchObject({ ratings: again });
  expect(await caller.call('PUT', TASTE, CHANGED)).toMatchObject({
    status: 409,
    body: { code: 'TASTE_IN_APPLICATION' },
  });
  expect(await caller.must('GET', TASTE)).toMatchObject({ ratings: again });
});

it('the taste of someone who has never been a member exists in their application only', async () => {
  const visitor = await app.customer();
  expect(await visitor.must('GET', TASTE)).toBeNull();
  await applied(visitor);
  expect(await visitor.must('GET', TASTE)).toMatchObject({ ratings: RATINGS });
  expect((await visitor.call('PUT', TASTE, CHANGED)).body.code).toBe('TASTE_IN_APPLICATION');
  expect((await staff.call('GET', TASTE)).status).toBe(403);
});

test.each([
  ['a rating of 0', { ...RATINGS, wine_knowledge: 0 }],
  ['a rating of 11', { ...RATINGS, wine_knowledge: 11 }],
  ['half a point', { ...RATINGS, wine_knowledge: 5.5 }],
  ['four ratings', { ...RATINGS, wine_knowledge: undefined }],
  ['someone else', { ...RATINGS, user_id: '00000000-0000-7000-8000-000000000000' }],
])('%s is refused, and nothing changes', async (_, wrong) => {
  const { caller } = await venueMember(app, staff);
  const before = await caller.must('GET', TASTE);
  expect((await caller.call('PUT', TASTE, wrong)).status).toBe(400);
  expect(await caller.must('GET', TASTE)).toEqual(before);
});
