import { asc, eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Pour, StaffPour } from '../../../src/contract/pours.ts';
import type { StaffWine } from '../../../src/contract/wine/wines.ts';
import { glassesLeft } from '../../../src/domain/wine/wine.ts';
import { audit_entry, bottle, pours } from '../../../src/server/db/schema.ts';
import { aRequestId, type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { openWine } from '../../support/fixtures/wines.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/wines.md, "Bottles" and "Recording a pour".

let app: TestApp;
let staff: Caller;
let member: Member;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
  const { db } = app.services;
  await db.execute(sql`update tier_definitions set monthly_pours = 10000 where tier_name = 'select'`);
  member = await venueMember(app, staff);
});
afterAll(() => app.close());

const read = async (id: string) => {
  const wines = await staff.must<StaffWine[]>('GET', '/api/wines');
  return wines.find((it) => it.id === id);
};
const poured = async (wine_id: string, quantity = 1, more: object = {}) =>
  (await pour(staff, member.customer_id, { wine_id, quantity, ...more })).body.pour as Pour;
const takeBack = ({ id }: Pour) => staff.must('POST', `/api/pours/${id}/void`, {});
const rowOf = async ({ id }: { id: string }) => {
  const [row] = await app.services.db.select().from(pours).where(eq(pours.id, id));
  return row;
};
const next = ({ id, bottle: open }: StaffWine) =>
  staff.must<StaffWine>('POST', `/api/wines/${id}/bottles`, { instead_of: open?.id ?? null });

it('what is left follows from the rows by the rule, whatever was poured and voided, in any order', async () => {
  const steps = fc.array(fc.record({ quantity: fc.integer({ min: 1, max: 3 }), voided: fc.boolean() }), {
    maxLength: 6,
  });
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const wine = await openWine(staff);
      const made = [];
      for (const { quantity } of list) made.push(await poured(wine.id, quantity));
      for (const [at, { voided }] of list.entries()) if (voided && made[at]) await takeBack(made[at]);
      expect((await read(wine.id))?.bottle?.left).toBe(glassesLeft(6, list));
    }),
    { numRuns: 8 },
  );
});

it('a pour names its wine and the open bottle, and is never refused because the bottle is empty', async () => {
  const wine = await openWine(staff, { glasses_per_bottle: 2 });
  const first = await poured(wine.id, 3);
  expect(first.wine_id).toBe(wine.id);
  expect(await rowOf(first)).toMatchObject({ wine_id: wine.id, bottle_id: wine.bottle?.id });
  expect((await read(wine.id))?.bottle?.left).toBe(-1);
});

it('the next bottle finishes the one before, and later pours are from it', async () => {
  const wine = await openWine(staff);
  await poured(wine.id, 4);
  const fresh = await next(wine);
  expect(fresh.bottle).toMatchObject({ glasses: 6, left: 6 });
  const later = await poured(wine.id);
  expect((await rowOf(later))?.bottle_id).toBe(fresh.bottle?.id);
  expect((await read(wine.id))?.recently_poured).toBe(5);
  const acts = await app.services.db.select().from(audit_entry).orderBy(asc(audit_entry.id));
  const own = acts.filter(({ facts }) => (facts as { wine_id?: string }).wine_id === wine.id);
  expect(own.map(({ act }) => act)).toEqual([
    'wine_added',
    'bottle_opened',
    'bottle_finished',
    'bottle_opened',
  ]);
  expect(own[2]?.facts).toMatchObject({ bottle_id: wine.bottle?.id, glasses_left: 2 });
});

it('a second tap, or a second tablet, opens no second bottle', async () => {
  const wine = await openWine(staff);
  const [one, two] = await Promise.all([next(wine), next(wine)]);
  expect(one.bottle?.id).toBe(two.bottle?.id);
  const bottles = await app.services.db.select().from(bottle).where(eq(bottle.wine_id, wine.id));
  expect(bottles.filter(({ finished_at }) => finished_at === null)).toHaveLength(1);
  expect(bottles).toHaveLength(2);
});

it('taking a wine off the list finishes its bottle; repeating it changes nothing', async () => {
  const wine = await openWine(staff);
  const path = `/api/wines/${wine.id}/put-away`;
  const gone = await staff.must<StaffWine>('POST', path, { state: 'gone' });
  expect(gone).toMatchObject({ state: 'gone', bottle: null });
  const count = () => app.services.db.$count(audit_entry);
  const before = await count();
  await staff.must('POST', path, { state: 'gone' });
  expect(await count()).toBe(before);
  expect((await staff.call('POST', `/api/wines/${aRequestId()}/put-away`, { state: 'gone' })).status).toBe(
    404,
  );
});

it('a pour of a wine that is already finished is recorded with it and its last bottle', async () => {
  const wine = await openWine(staff);
  await staff.must('POST', `/api/wines/${wine.id}/put-away`, { state: 'gone' });
  expect(await rowOf(await poured(wine.id))).toMatchObject({ wine_id: wine.id, bottle_id: wine.bottle?.id });
});

it('a pour of a wine that the venue never had is recorded without it', async () => {
  const made = await poured(aRequestId());
  expect(made.wine_id).toBeNull();
  expect(await rowOf(made)).toMatchObject({ wine_id: null, bottle_id: null });
});

it('a repeated request returns the first pour, whichever wine it names', async () => {
  const [one, two] = [await openWine(staff), await openWine(staff)];
  const request_id = aRequestId();
  const first = await poured(one.id, 1, { request_id });
  expect(await poured(two.id, 1, { request_id })).toEqual(first);
  expect((await read(two.id))?.bottle?.left).toBe(6);
});

it('both histories name the wine, but not the bottle', async () => {
  const wine = await openWine(staff);
  await poured(wine.id);
  const named = { id: wine.id, name: wine.name, producer: wine.producer, vintage: 2018, color: 'red' };
  const [own] = await member.caller.must<StaffPour[]>('GET', '/api/pours/own');
  expect(own).toMatchObject({ wine: named });
  expect(own).not.toHaveProperty('bottle_id');
  const [seen] = await staff.must<StaffPour[]>('GET', `/api/customers/${member.customer_id}/pours`);
  expect(seen?.wine).toEqual(named);
});

it('the pour form offers the open wines, the most poured recently first', async () => {
  const [quiet, loved] = [await openWine(staff), await openWine(staff)];
  await poured(loved.id, 90);
  const open = await staff.must<StaffWine[]>('GET', '/api/wines/open');
  const places = [loved, quiet].map(({ id }) => open.findIndex((it) => it.id === id));
  expect(places[0]).toBeGreaterThanOrEqual(0);
  expect(places[0]).toBeLessThan(places[1] ?? 0);
  await staff.must('POST', `/api/wines/${loved.id}/put-away`, { state: 'coming' });
  const after = await staff.must<StaffWine[]>('GET', '/api/wines/open');
  expect(after.map(({ id }) => id)).not.toContain(loved.id);
});
