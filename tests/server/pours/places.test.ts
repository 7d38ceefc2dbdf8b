import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/contract/staff/audit.ts';
import type { ClubSettingsView } from '../../../src/contract/staff/club.ts';
import { DEFAULT_PLACES, type PlaceDraft } from '../../../src/domain/club/places.ts';
import { openClub } from '../../../src/server/membership/club/club.ts';
import { recordPour } from '../../../src/server/pours/pours.ts';
import { aRequestId, venueMember } from '../../support/fixtures/members.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';
import { createTestDatabase } from '../../support/harness/database.ts';

let app: TestApp;
/** Another process on the same database. */
let other: TestApp;
let owner: Caller;
let customer_id: string;
beforeAll(async () => {
  const database = await createTestDatabase();
  app = await createTestApp({ database });
  other = await createTestApp({
    database: { ...database, close: async () => undefined },
    sandbox: app.sandbox,
    clock: app.clock,
  });
  owner = await app.staff();
  ({ customer_id } = await venueMember(app, owner, 'elite'));
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const settings = () => owner.must<ClubSettingsView>('GET', '/api/club-settings');
const save = async (places: PlaceDraft[]) =>
  owner.must<ClubSettingsView>('PATCH', '/api/club-settings', {
    version: (await settings()).version,
    changes: { places },
  });
const reset = async () =>
  owner.must<ClubSettingsView>('PATCH', '/api/club-settings', {
    version: (await settings()).version,
    reset: ['places'],
  });
const pour = (location: string, request_id = aRequestId()) =>
  owner.call('POST', '/api/pours', { request_id, customer_id, quantity: 1, location });
const offered = () => owner.must<{ id: string; name: string }[]>('GET', '/api/places');
const named = (id: string, name: string, retired = false) => ({ id, name, retired });

test('a pour keeps the name its place had that day, whatever the place is called later', async () => {
  expect(await offered()).toEqual(DEFAULT_PLACES.map(({ id, name }) => ({ id, name })));
  await pour('bar');
  await save([named('bar', 'Terrace'), ...DEFAULT_PLACES.slice(1)]);
  await pour('bar');
  await pour('restaurant');
  const rows = await owner.must<{ location: string; place_name: string | null }[]>(
    'GET',
    `/api/customers/${customer_id}/pours`,
  );
  expect(rows.map(({ location, place_name }) => [location, place_name])).toEqual([
    ['main_bar', null],
    ['main_bar', 'Terrace'],
    ['main_bar', null],
  ]);
  const entries = (await owner.must<{ entries: AuditEntry[] }>('GET', '/api/audit')).entries;
  expect(entries[0]).toMatchObject({
    act: 'club_changed',
    facts: {
      field: 'places',
      before: 'Bar, Restaurant, Event, Tasting Room',
      after: 'Terrace, Restaurant, Event, Tasting Room',
    },
  });
  await reset();
});

test('a pour queued on a phone is recorded at a place that was retired in the meantime', async () => {
  await save([...DEFAULT_PLACES, { name: 'Roof Garden', retired: false }]);
  expect((await offered()).at(-1)).toEqual({ id: 'roof_garden', name: 'Roof Garden' });
  await save(DEFAULT_PLACES);
  expect((await offered()).map(({ id }) => id)).not.toContain('roof_garden');
  expect(await pour('roof_garden')).toMatchObject({
    status: 201,
    body: { pour: { location: 'main_bar', place_name: 'Roof Garden' } },
  });
  // A reset does not forget it either.
  const { values } = await reset();
  expect(values.places).toEqual([...DEFAULT_PLACES, named('roof_garden', 'Roof Garden', true)]);
  expect((await pour('roof_garden')).status).toBe(201);
});

test('a pour sent again after its place was renamed counts once', async () => {
  const request_id = aRequestId();
  const first = await pour('event', request_id);
  await save([named('event', 'Festival'), named('bar', 'Bar')]);
  const again = await pour('event', request_id);
  expect(again.body).toMatchObject({ repeated: true, pour: { id: (first.body.pour as { id: string }).id } });
  expect(await pour('bar', request_id)).toMatchObject({ body: { code: 'REQUEST_ID_REUSED' } });
  await reset();
});

test('a new place works at once in every process, even one not yet notified of it', async () => {
  const { services } = app;
  const behind = await openClub(services.db, services.club.defaults);
  await save([...DEFAULT_PLACES, { name: 'Pier', retired: false }]);
  const knows = () => other.services.club.current().places.some(({ id }) => id === 'pier');
  await expect.poll(knows).toBe(true);
  const ctx = { ...services, club: behind, actor: { user_id: owner.id, role: 'staff' as const } };
  const input = { request_id: aRequestId(), customer_id, quantity: 1, location: 'pier' };
  expect((await recordPour(ctx, input)).pour).toMatchObject({ location: 'main_bar', place_name: 'Pier' });
  expect(await pour('nowhere')).toMatchObject({
    status: 422,
    body: { code: 'PLACE_UNKNOWN', message: 'Please select a location' },
  });
  await reset();
});

test.each([
  ['none', []],
  ['all retired', DEFAULT_PLACES.map((it) => ({ ...it, retired: true }))],
  ['a name twice', [...DEFAULT_PLACES, { name: 'bar', retired: false }]],
  ['no name', [{ name: ' ', retired: false }]],
  ['markup in a name', [{ name: '<b>Bar</b>', retired: false }]],
])('%s: nothing is saved', async (_, places) => {
  const { version } = await settings();
  const answer = await owner.call('PATCH', '/api/club-settings', { version, changes: { places } });
  expect(answer.status).toBe(400);
  expect((await settings()).version).toBe(version);
});

test('there are never more than thirty places, including retired ones', async () => {
  const { version } = await settings();
  const places = Array.from({ length: 28 }, (_, n) => ({ name: `Table ${n}`, retired: false }));
  const answer = await owner.call('PATCH', '/api/club-settings', { version, changes: { places } });
  expect(answer).toMatchObject({ status: 422, body: { code: 'SETTING_REFUSED' } });
  expect(JSON.stringify(answer.body)).toContain('at most 30');
});
