import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BarCard, Celebrated } from '../../../src/contract/members.ts';
import { addDays, addMonths, localDate, startOfDay } from '../../../src/domain/calendar.ts';
import { celebration, given_glasses } from '../../../src/server/db/schema.ts';
import { celebrate } from '../../../src/server/pours/celebrations.ts';
import { shareWith } from '../../support/fixtures/household.ts';
import { pour, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

const today = () => localDate(app.clock.now(), VENUE_ZONE);
const run = () => celebrate(app.services);
const atBar = (id: string) => staff.must<BarCard>('GET', `/api/customers/${id}/bar`);
const own = async (caller: Caller) =>
  (await caller.must<{ celebrations: Celebrated[] }>('GET', '/api/customers/own')).celebrations;
const set = async (changes: object) => {
  const { version } = await staff.must<{ version: number }>('GET', '/api/club-settings');
  await staff.must('PATCH', '/api/club-settings', { version, changes });
};
const bornToday = async (customer_id: string) => {
  const [, month, day] = today().split('-').map(Number);
  const birthday = { month, day, year: null };
  await staff.must('PUT', `/api/customers/${customer_id}/about`, { allergies: null, birthday });
};
const givenTo = (customer_id: string) =>
  app.services.db.select().from(given_glasses).where(eq(given_glasses.customer_id, customer_id));

it('a birthday shows to staff and the member on the day only, and gives a glass only if the club does', async () => {
  const { caller, customer_id } = await venueMember(app, staff);
  const { caller: other } = await venueMember(app, staff);
  await bornToday(customer_id);
  await run();
  const birthday = { kind: 'birthday', occasion: `birthday:${today().slice(0, 4)}`, years: null, glasses: 0 };
  expect(await own(caller)).toEqual([birthday]);
  expect(await own(other)).toEqual([]);
  expect((await atBar(customer_id)).celebrations).toEqual([birthday]);
  expect(await givenTo(customer_id)).toEqual([]);
  // Until the day ends at the venue, not in UTC.
  const shown = async () => [await own(caller), (await atBar(customer_id)).celebrations];
  const midnight = startOfDay(addDays(today(), 1), VENUE_ZONE);
  app.clock.set(new Date(midnight.getTime() - 60_000));
  expect(await shown()).toEqual([[birthday], [birthday]]);
  app.clock.set(midnight);
  expect(await shown()).toEqual([[], []]);
});

it('a glass on the house is given once, however often and by however many servers', async () => {
  await set({ birthday_glasses: 2 });
  const { caller, customer_id } = await venueMember(app, staff);
  await bornToday(customer_id);
  const before = (await atBar(customer_id)).pours_balance;
  await Promise.all([run(), run(), run()]);
  await run();
  expect(await givenTo(customer_id)).toMatchObject([
    { kind: 'celebration', glasses: 2, reason: 'Birthday', given_by_staff_id: null },
  ]);
  expect((await atBar(customer_id)).pours_balance).toBe(before + 2);
  expect(await own(caller)).toMatchObject([{ kind: 'birthday', glasses: 2 }]);
  // The timeline has it, without a name.
  const timeline = await staff.must<{ entries: { kind: string; text: string | null; by: string | null }[] }>(
    'GET',
    `/api/customers/${customer_id}/timeline`,
  );
  expect(timeline.entries.filter(({ kind }) => kind === 'given')).toMatchObject([
    { text: 'Birthday', by: null },
  ]);
  await set({ birthday_glasses: 0 });
});

it('a partner’s glass on the house belongs to the household', async () => {
  await set({ birthday_glasses: 1 });
  const holder = await venueMember(app, staff, 'household');
  const partner = await shareWith(app, holder);
  await bornToday(partner.customer_id);
  await run();
  expect((await atBar(partner.customer_id)).celebrations).toMatchObject([{ kind: 'birthday', glasses: 1 }]);
  expect(await own(partner.caller)).toMatchObject([{ kind: 'birthday', glasses: 1 }]);
  expect(await own(holder.caller)).toEqual([]);
  for (const { customer_id } of [holder, partner]) expect((await atBar(customer_id)).pours_balance).toBe(21);
  await set({ birthday_glasses: 0 });
});

it('a member who rejoined keeps the first joining day, and gets nothing twice', async () => {
  await set({ anniversary_glasses: 1 });
  const { caller, customer_id } = await venueMember(app, staff);
  const { db } = app.services;
  const joined = addMonths(today(), -24);
  await db.execute(sql`update customers set member_since = ${joined} where id = ${customer_id}`);
  await run();
  expect(await own(caller)).toMatchObject([{ occasion: 'anniversary:2', years: 2, glasses: 1 }]);
  const status = (to: string) =>
    db.execute(sql`update customers set status = ${to} where id = ${customer_id}`);
  await status('inactive');
  await run();
  await status('active');
  await run();
  expect(await givenTo(customer_id)).toHaveLength(1);
  await set({ anniversary_glasses: 0 });
});

it('a member without access is not celebrated', async () => {
  const { customer_id } = await venueMember(app, staff);
  await bornToday(customer_id);
  const { db } = app.services;
  await db.execute(sql`update customers set status = 'inactive' where id = ${customer_id}`);
  await run();
  expect(await db.select().from(celebration).where(eq(celebration.customer_id, customer_id))).toEqual([]);
});

it('the hundredth glass is announced before it is poured, and celebrated on that day', async () => {
  const { caller, customer_id } = await venueMember(app, staff);
  const { db } = app.services;
  await db.execute(sql`update customers set total_pours_lifetime = 99 where id = ${customer_id}`);
  expect(await atBar(customer_id)).toMatchObject({ hundredth_next: true, celebrations: [] });
  await pour(staff, customer_id);
  await run();
  expect(await atBar(customer_id)).toMatchObject({
    hundredth_next: false,
    celebrations: [{ kind: 'hundredth', glasses: 0 }],
  });
  expect(await own(caller)).toMatchObject([{ occasion: 'hundredth' }]);
});

it('a celebration is deleted with the account; its glass stays in the ledger, without the reason', async () => {
  await set({ birthday_glasses: 1 });
  const { caller, customer_id } = await venueMember(app, staff);
  await bornToday(customer_id);
  await run();
  const { db } = app.services;
  await db.execute(sql`update customers set status = 'inactive' where id = ${customer_id}`);
  await db.execute(sql`update memberships set status = 'ended', end_date = ${today()}
    where customer_id = ${customer_id}`);
  await caller.must('POST', '/api/privacy/delete-account', { password: PASSWORD, confirmation: 'DELETE' });
  expect(await db.select().from(celebration).where(eq(celebration.customer_id, customer_id))).toEqual([]);
  expect(await givenTo(customer_id)).toMatchObject([{ kind: 'celebration', glasses: 1, reason: null }]);
});
