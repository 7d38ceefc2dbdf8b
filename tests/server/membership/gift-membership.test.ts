import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { memberships } from '../../../src/server/db/schema.ts';
import { type Member, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/gifts.md, "Gifts": a gift membership for the member and staff.

let app: TestApp;
let staff: Caller;
let given: Member;
let billed: Member;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
  given = await venueMember(app, staff);
  billed = await venueMember(app, staff);
  await app.services.db
    .update(memberships)
    .set({
      is_gift: true,
      paid_until: null,
      grace_until: null,
      ends_on: '2030-03-31',
      monthly_price_cents: 0,
    })
    .where(eq(memberships.customer_id, given.customer_id));
});
afterAll(() => app.close());

const endOf = async ({ caller }: Member) =>
  (await caller.must<{ ends: { last_day: string; is_gift: boolean } | null }>('GET', '/api/customers/own'))
    .ends;

it('the member sees its last day, and that it is a gift; a venue member sees no end until staff set one', async () => {
  expect(await endOf(given)).toMatchObject({ last_day: '2030-03-30', is_gift: true });
  expect(await endOf(billed)).toBeNull();
  const ofBilled = eq(memberships.customer_id, billed.customer_id);
  await app.services.db.update(memberships).set({ ends_on: '2030-01-01' }).where(ofBilled);
  expect(await endOf(billed)).toMatchObject({ last_day: '2029-12-31', is_gift: false });
});

it('the export says that a gift pays for the membership', async () => {
  const answer = await staff.raw('GET', '/api/exports/members');
  const rows = (await answer.text()).split('\r\n');
  const paid = async ({ caller }: Member) => {
    const { user } = await caller.must<{ user: { email: string } }>('GET', '/api/session');
    return rows.find((row) => row.includes(user.email));
  };
  expect(await paid(given)).toContain('by a gift');
  expect(await paid(billed)).toContain('at the venue');
});

it('the timeline says that it was a gift', async () => {
  const joined = async ({ customer_id }: Member) => {
    const path = `/api/customers/${customer_id}/timeline`;
    const { entries } = await staff.must<{ entries: { kind: string; text: string | null }[] }>('GET', path);
    return entries.find(({ kind }) => kind === 'joined')?.text;
  };
  expect([await joined(given), await joined(billed)]).toEqual(['A gift', null]);
});
