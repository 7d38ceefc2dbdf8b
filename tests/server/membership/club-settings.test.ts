import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AuditEntry } from '../../../src/contract/staff/audit.ts';
import type { ClubSettingsView } from '../../../src/contract/staff/club.ts';
import { localDate } from '../../../src/domain/calendar.ts';
import { nearestReadable } from '../../../src/domain/club/colors.ts';
import { DEFAULT_PLACES } from '../../../src/domain/club/places.ts';
import { PUBLIC_PAGE_PRESETS } from '../../../src/domain/club/public-pages.ts';
import { accountConsent } from '../../../src/domain/consent.ts';
import { billing_subscription, club_settings } from '../../../src/server/db/schema.ts';
import { clubSite } from '../../../src/server/http/pages/club-site.ts';
import { webManifest } from '../../../src/server/http/pages/web-manifest.ts';
import { openClub } from '../../../src/server/membership/club/club.ts';
import { countTouched, updateClubSettings } from '../../../src/server/membership/club/club-settings.ts';
import { storedEmails } from '../../support/fixtures/emails.ts';
import { cardMember } from '../../support/fixtures/members.ts';
import { createTestApp, PASSWORD, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';
import { createTestDatabase } from '../../support/harness/database.ts';

let app: TestApp;
/** Another process on the same database. */
let other: TestApp;
let owner: Caller;
beforeAll(async () => {
  const database = await createTestDatabase();
  app = await createTestApp({ database, build: 'b1' });
  other = await createTestApp({
    database: { ...database, close: async () => undefined },
    sandbox: app.sandbox,
    clock: app.clock,
  });
  owner = await app.staff();
});
afterAll(async () => {
  await other.close();
  await app.close();
});

const settings = () => owner.must<ClubSettingsView>('GET', '/api/club-settings');
const change = async (changes: object, reset: string[] = []) =>
  owner.must<ClubSettingsView>('PATCH', '/api/club-settings', {
    version: (await settings()).version,
    changes,
    reset,
  });

test('a setting comes from the configuration until it is set, and again after a reset', async () => {
  const before = await settings();
  expect(before).toMatchObject({ changed: [], values: before.defaults });
  expect(before.values).toEqual({
    club_name: 'Test Cellar',
    support_email: 'help@venue.test',
    time_zone: VENUE_ZONE,
    minimum_age: 21,
    terms_url: 'https://venue.test/terms',
    coordinates: null,
    service_amber: 3,
    service_water: 4,
    places: DEFAULT_PLACES,
    birthday_glasses: 0,
    anniversary_glasses: 0,
    hundredth_glasses: 0,
    grace_days: 7,
    pause_months: 3,
    pause_months_a_year: 3,
    renewal_reminder_days: 0,
    retention_months: 0,
    annual_notice: false,
    accent: null,
    ...PUBLIC_PAGE_PRESETS,
  });
  const after = await change({ club_name: ' Weingut Berger ', terms_url: null });
  expect(after).toMatchObject({
    version: before.version + 1,
    changed: ['club_name', 'terms_url'],
    values: { club_name: 'Weingut Berger', terms_url: null, minimum_age: 21 },
  });
  expect(await settings()).toEqual(after);
  const entries = (await owner.must<{ entries: AuditEntry[] }>('GET', '/api/audit')).entries;
  expect(entries.map(({ act, facts }) => ({ act, ...facts }))).toEqual(
    expect.arrayContaining([
      { act: 'club_changed', field: 'club_name', before: 'Test Cellar', after: 'Weingut Berger' },
      { act: 'club_changed', field: 'terms_url', before: 'https://venue.test/terms', after: 'none' },
    ]),
  );
  expect(await change({}, ['club_name', 'terms_url'])).toMatchObject({
    changed: [],
    values: before.values,
  });
});

test('wrong values are refused, and wrong ones already stored are ignored', async () => {
  const { version } = await settings();
  for (const changes of [
    { club_name: ' ' },
    { club_name: 'a\nb' },
    { support_email: 'nobody' },
    { time_zone: 'Europe/Atlantis' },
    { minimum_age: 100 },
    { service_amber: 0 },
    { service_water: 21 },
    { terms_url: 'javascript:alert(1)' },
    { slogan: 'In vino veritas' },
  ]) {
    const { status } = await owner.call('PATCH', '/api/club-settings', { version, changes });
    expect([changes, status]).toEqual([changes, 400]);
  }
  await change({ club_name: 'Vinothek' });
  const { db } = app.services;
  await db.update(club_settings).set({ overrides: { club_name: 7, minimum_age: 16, later: 'x' } });
  const { defaults } = app.services.club;
  expect((await openClub(db, defaults)).current()).toEqual({ ...defaults, minimum_age: 16 });
  await change({}, ['minimum_age']);
});

test('a change applies at once in the process that made it, although no announcement reaches it', async () => {
  const { db, club: announced } = app.services;
  const club = await openClub(db, announced.defaults);
  const ctx = { ...app.services, club, actor: { user_id: owner.id, role: 'staff' as const } };
  const { service_water } = club.current();
  const changes = { service_water: service_water + 1 };
  await updateClubSettings(ctx, { version: club.version(), changes, reset: [] });
  expect(club.current().service_water).toBe(service_water + 1);
  await change({}, ['service_water']);
});

test('a new name shows in pages, manifest, emails and authenticator apps at once, in every process', async () => {
  const { club } = app.services;
  const site = { build: 'b1' } as Parameters<typeof clubSite>[0];
  const page = clubSite(site, club, 'https://club.example');
  const first = page();
  expect(page()).toBe(first);
  const { headers } = await owner.call('GET', '/api/session');
  const buildBefore = headers.get('cellar-door-build');

  await change({ club_name: 'Weingut Berger', support_email: 'hallo@berger.test' });
  const { club_name, support_email, build } = page();
  expect([club_name, support_email]).toEqual(['Weingut Berger', 'hallo@berger.test']);
  expect(JSON.parse(webManifest(page())).name).toBe('Weingut Berger');
  const again = await owner.call('GET', '/api/session');
  expect(again.headers.get('cellar-door-build'), 'open pages load again').not.toBe(buildBefore);
  expect(again.headers.get('cellar-door-build')).toBe(build);
  await expect.poll(() => other.services.venue.club_name).toBe('Weingut Berger');

  const member = await app.customer();
  const factor = await member.must<{ totp_uri: string }>('POST', '/api/auth/factors', { password: PASSWORD });
  expect(new URL(factor.totp_uri).searchParams.get('issuer')).toBe('Weingut Berger');
  await cardMember(other, 'select');
  const emails = await storedEmails(other.services.db);
  expect(emails.at(-1)?.subject).toContain('Weingut Berger');
  expect(emails.at(-1)?.text).toContain('hallo@berger.test');
  await change({}, ['club_name', 'support_email']);
});

test('days begin in the zone of the settings, for calls and for billing', async () => {
  // Already tomorrow there.
  await change({ time_zone: 'Pacific/Kiritimati' });
  const tomorrow = localDate(app.clock.now(), 'Pacific/Kiritimati');
  expect(tomorrow).not.toBe(localDate(app.clock.now(), VENUE_ZONE));
  expect({ ...app.services }.venue.time_zone).toBe('Pacific/Kiritimati');
  const { caller } = await cardMember(app, 'select');
  expect(await caller.must('GET', '/api/customers/own')).toMatchObject({
    customer: { member_since: tomorrow },
  });
  const csv = await owner.raw('GET', '/api/audit/csv');
  expect(csv.headers.get('content-disposition')).toContain(tomorrow);
  await change({}, ['time_zone']);
});

test('registering takes consent to the words of the current settings', async () => {
  const sign_up = (consent_version: string | undefined, email: string) =>
    app.visitor().call('POST', '/api/auth/sign-up', {
      first_name: 'Eve',
      last_name: 'Other',
      email,
      password: PASSWORD,
      consent_version,
    });
  const old = accountConsent(app.services.venue)?.version;
  await change({ minimum_age: 18 });
  const refused = await sign_up(old, 'eve@example.test');
  expect(refused.body.code).toBe('CONSENT_OUTDATED');
  expect(JSON.stringify(refused.body)).toContain('at least 18 years old');
  expect((await sign_up(accountConsent(app.services.venue)?.version, 'eve@example.test')).status).toBe(200);
  await change({}, ['minimum_age']);
});

test('changed rules apply to members at once, and the page says who a change would affect', async () => {
  const { caller } = await cardMember(app, 'select');
  const offer = () =>
    caller.must<{ obstacle: string | null; choices: unknown[] }>('GET', '/api/billing/pause');
  expect((await offer()).choices).toHaveLength(3);
  await change({ pause_months_a_year: 2 });
  expect((await offer()).choices).toHaveLength(2);
  await change({ pause_months: 1 });
  expect((await offer()).choices).toHaveLength(1);
  await change({ pause_months: 0, grace_days: 3, renewal_reminder_days: 5, annual_notice: true });
  expect(await offer()).toMatchObject({ obstacle: 'not_offered', choices: [] });
  const { db } = app.services;
  const at = app.clock.now();
  // In a transaction that is rolled back, so that no reconciliation interferes.
  const counts: unknown[] = [];
  const taken = db.transaction(async (tx) => {
    await tx
      .update(billing_subscription)
      .set({ status: 'past_due', grace_until: new Date(at.getTime() + 1000) })
      .where(eq(billing_subscription.user_id, caller.id));
    counts.push(await countTouched(tx, at));
    tx.rollback();
  });
  await expect(taken).rejects.toThrow();
  expect(counts).toEqual([{ in_grace: 1, paused: 0, a_year: 0 }]);
  expect((await settings()).now).toEqual({ in_grace: 0, paused: 0, a_year: 0 });
  for (const changes of [
    { grace_days: 0 },
    { grace_days: 22 },
    { pause_months: 4 },
    { pause_months_a_year: 0 },
    { pause_months_a_year: 13 },
    { annual_notice: 'yes' },
  ]) {
    const { version } = await settings();
    expect((await owner.call('PATCH', '/api/club-settings', { version, changes })).status).toBe(400);
  }
  await change({}, [
    'pause_months',
    'pause_months_a_year',
    'grace_days',
    'renewal_reminder_days',
    'annual_notice',
  ]);
});

test('an unreadable color is refused with the nearest readable one; a readable one is in emails and pages', async () => {
  const { version } = await settings();
  const refused = await owner.call('PATCH', '/api/club-settings', {
    version,
    changes: { accent: '#d4af37' },
  });
  expect(refused.status).toBe(400);
  expect(JSON.stringify(refused.body)).toContain(
    `The nearest color that works is ${nearestReadable('#d4af37')}.`,
  );
  for (const accent of ['red', '#FFF', '#12345', "#000000;}*{x:url('//evil')"]) {
    const answer = await owner.call('PATCH', '/api/club-settings', { version, changes: { accent } });
    expect([accent, answer.status]).toEqual([accent, 400]);
  }
  await change({ accent: '#1f4e5f' });
  const { club } = app.services;
  expect(
    clubSite({ build: 'b1' } as Parameters<typeof clubSite>[0], club, 'https://club.example')().accent,
  ).toBe('#1f4e5f');
  await cardMember(app, 'select');
  const email = (await storedEmails(app.services.db)).at(-1);
  expect(email?.html).toContain('background-color:#1f4e5f');
  expect(email?.html).not.toContain('#6b182c');
  await change({}, ['accent']);
});
