import { desc } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ListedWine, StaffWine } from '../../../src/contract/wine/wines.ts';
import { audit_entry } from '../../../src/server/db/schema.ts';
import { venueMember } from '../../support/fixtures/members.ts';
import { aWine, openWine } from '../../support/fixtures/wines.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/wines.md, "Wines".

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

const add = (more: object = {}) => staff.must<StaffWine>('POST', '/api/wines', aWine({ ...more }));
const list = () => staff.must<StaffWine[]>('GET', '/api/wines');
const lastEntry = async () => {
  const [entry] = await app.services.db.select().from(audit_entry).orderBy(desc(audit_entry.id)).limit(1);
  return entry && { act: entry.act, actor_id: entry.actor_id, facts: entry.facts };
};

it('a new wine is last in the list, is not open, and is in the audit', async () => {
  await add();
  const { name, vintage, id, ...said } = await add({ notes: 'Roses and tar', cost_cents: 2400 });
  expect((await list()).at(-1)?.id).toBe(id);
  expect(said).toMatchObject({ state: 'coming', bottle: null, notes: 'Roses and tar', cost_cents: 2400 });
  const facts = { wine_id: id, wine: `${name} ${vintage}` };
  expect(await lastEntry()).toEqual({ act: 'wine_added', actor_id: staff.id, facts });
});

it('a wine can be on the list once, however it is written', async () => {
  const { name } = await add();
  const again = aWine({ name: ` ${name.toUpperCase()} ` });
  expect((await staff.call('POST', '/api/wines', again)).body).toMatchObject({ code: 'WINE_LISTED' });
  const other = await add();
  const renamed = await staff.call('PUT', `/api/wines/${other.id}`, again);
  expect(renamed.body).toMatchObject({ code: 'WINE_LISTED' });
});

it('a change replaces the details; the audit names the changed fields, and no entry without changes', async () => {
  const without = aWine();
  const wine = { ...without, region: 'Langhe' };
  const { id } = await staff.must<StaffWine>('POST', '/api/wines', wine);
  const changed = await staff.must('PUT', `/api/wines/${id}`, { ...without, acidity: 2 });
  expect(changed).toMatchObject({ region: '', acidity: 2 });
  const entry = await lastEntry();
  expect(entry?.facts).toMatchObject({ wine_id: id, fields: 'region acidity' });
  await staff.must('PUT', `/api/wines/${id}`, { ...without, acidity: 2 });
  expect(await lastEntry()).toEqual(entry);
});

it.each([
  ['a color that there is none of', { color: 'green' }],
  ['a body of six', { body: 6 }],
  ['a bottle without a glass', { glasses_per_bottle: 0 }],
  ['a year that has not come for long', { vintage: 3000 }],
  ['a cost below nothing', { cost_cents: -1 }],
  ['no name', { name: ' ' }],
  ['a state of its own', { state: 'open' }],
])('refuses %s', async (_, more) => {
  expect((await staff.call('POST', '/api/wines', aWine(more))).status).toBe(400);
});

it('reorders wines within their positions, and leaves the others where they are', async () => {
  const made = [await add(), await add(), await add(), await add()].map(({ id }) => id);
  const [first, second, third, fourth] = made;
  await staff.must('PUT', '/api/wines/order', { ids: [fourth, second, first, app.services.newId()] });
  const ids = (await list()).map(({ id }) => id).filter((id) => made.includes(id));
  expect(ids).toEqual([fourth, second, third, first]);
  expect(await lastEntry()).toMatchObject({ act: 'wines_ordered', facts: { wines: 2 } });
  const before = await lastEntry();
  await staff.must('PUT', '/api/wines/order', { ids: [fourth, second, first] });
  expect(await lastEntry()).toEqual(before);
});

it('members read the open wines in the venue’s order, then the upcoming ones, and never their cost', async () => {
  const coming = await add();
  const [one, two] = [await openWine(staff, { cost_cents: 1234 }), await openWine(staff)];
  const gone = await add();
  await staff.must('POST', `/api/wines/${gone.id}/put-away`, { state: 'gone' });
  await staff.must('PUT', '/api/wines/order', { ids: [two.id, one.id] });
  const member = await venueMember(app, staff);
  const read = await member.caller.must<ListedWine[]>('GET', '/api/wines/tonight');
  const mine = read.filter(({ id }) => [coming.id, one.id, two.id, gone.id].includes(id));
  expect(mine.map(({ id }) => id)).toEqual([two.id, one.id, coming.id]);
  expect(read.filter(({ state }) => state === 'coming')).toEqual(
    read.slice(read.findLastIndex(({ state }) => state === 'open') + 1),
  );
  expect(JSON.stringify(read)).not.toMatch(/cost|1234|bottle/);
});
