import sharp, { type Sharp } from 'sharp';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { AuditEntry } from '../../../src/contract/staff/audit.ts';
import type { ClubSettingsView } from '../../../src/contract/staff/club.ts';
import { openClub } from '../../../src/server/membership/club/club.ts';
import { emailsTo } from '../../support/fixtures/emails.ts';
import { cardMember } from '../../support/fixtures/members.ts';
import { RED_DOT, upload } from '../../support/fixtures/pictures.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';
import { createTestDatabase } from '../../support/harness/database.ts';

// docs/rules/club.md, "Logo".

const LOGO = '/api/club-settings/logo';
let app: TestApp;
/** Another process on the same database. */
let other: TestApp;
let owner: Caller;
beforeAll(async () => {
  const database = await createTestDatabase();
  app = await createTestApp({ database });
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

const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 };
const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 4, background } });
/** Half of it is transparent, the other half drawn. */
const drawn = (color: string, width = 300, height = 100) =>
  plain(width / 2, height, color).extend({ left: width / 2, background: CLEAR });
const save = async (picture: Sharp) =>
  owner.must<ClubSettingsView>('PUT', LOGO, { content: await upload(picture) });
const acts = async () =>
  (await owner.must<{ entries: AuditEntry[] }>('GET', '/api/audit')).entries
    .map(({ act }) => act)
    .filter((act) => act.startsWith('logo_'));

test('a logo becomes a PNG within 600 by 200 pixels, in settings, memory and every process', async () => {
  const before = await owner.must<ClubSettingsView>('GET', '/api/club-settings');
  expect(before.logo).toBeNull();
  expect(app.services.venue.logo).toBeNull();
  const after = await save(plain(900, 900, '#203010').jpeg());
  expect(after).toMatchObject({
    version: before.version + 1,
    logo: { width: 200, height: 200, plate: null, version: expect.stringMatching(/^[\w-]{22}$/) },
  });
  const { content } = app.services.club.logo() ?? {};
  const { format, width, exif } = await sharp(content).metadata();
  expect({ format, width, exif }).toEqual({ format: 'png', width: 200, exif: undefined });
  await expect.poll(() => other.services.club.logo()?.version).toBe(after.logo?.version);
  const { db, club } = app.services;
  expect((await openClub(db, club.defaults)).logo()).toEqual(club.logo());
});

test('a logo that would not show on dark paper gets a second picture, on a plate', async () => {
  expect((await save(drawn('#1e1412').png())).logo?.plate).toBe('light');
  const { plated, width, height } = app.services.club.logo() ?? {};
  const { data, info } = await sharp(plated ?? undefined)
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  expect([info.width, info.height]).toEqual([(width ?? 0) + 40, (height ?? 0) + 40]);
  // The corner is parchment-colored.
  expect([...data.subarray(0, 3)].map((it) => Math.round(it / 8))).toEqual([31, 30, 29]);
  expect(app.services.venue.logo?.url).toContain('/club-logo-plate.png?v=');
  expect((await save(drawn('#ffffff').png())).logo?.plate).toBe('dark');
});

test('saving the same logo, or removing none, changes nothing; each change is in the audit once', async () => {
  await save(plain(40, 40, '#203010').png());
  const before = await acts();
  const { version } = await save(plain(40, 40, '#203010').png());
  const removed = await owner.must<ClubSettingsView>('DELETE', LOGO);
  expect(removed).toMatchObject({ version: version + 1, logo: null });
  expect(await owner.must<ClubSettingsView>('DELETE', LOGO)).toMatchObject({ version: version + 1 });
  expect(app.services.club.logo()).toBeNull();
  expect((await acts()).slice(0, -before.length)).toEqual(['logo_removed']);
});

test('settings loaded before the logo changed are refused when saved', async () => {
  const { version } = await owner.must<ClubSettingsView>('GET', '/api/club-settings');
  await save(plain(50, 50, '#403010').png());
  const late = await owner.call('PATCH', '/api/club-settings', { version, changes: { minimum_age: 18 } });
  expect(late.body.code).toBe('SETTINGS_CHANGED');
});

describe('nothing is stored of', () => {
  const why = async (content: string) => {
    const { status, body } = await owner.call('PUT', LOGO, { content });
    return { status, why: (body.data as { why?: string } | undefined)?.why };
  };

  it('an SVG, another kind, a damaged file and a bomb', async () => {
    const before = app.services.club.logo()?.version;
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString('base64');
    expect(await why(svg)).toEqual({ status: 422, why: expect.stringMatching(/^SVG files/) });
    expect((await why(await upload(plain(5, 5, '#000').gif()))).why).toMatch(/^Please choose/);
    const whole = await plain(300, 300, '#203040').jpeg().toBuffer();
    expect((await why(whole.subarray(0, whole.length / 2).toString('base64'))).why).toMatch(/damaged/);
    const bomb = await upload(plain(2001, 2000, '#fff').png({ palette: true, compressionLevel: 9 }));
    expect((await why(bomb)).why).toMatch(/too many pixels/);
    expect((await why('A'.repeat(60_004))).status).toBe(400);
    expect(app.services.club.logo()?.version).toBe(before);
  });

  it('data written after the pixels', async () => {
    const page = Buffer.from('<script>alert(1)</script>');
    const both = Buffer.concat([await plain(50, 50, '#123456').png().toBuffer(), page]).toString('base64');
    await owner.must('PUT', LOGO, { content: both });
    expect(Buffer.from(app.services.club.logo()?.content ?? []).includes('script')).toBe(false);
  });
});

test('a picture of noise, which PNG cannot compress, is stored too', async () => {
  const noise = sharp({
    create: {
      width: 600,
      height: 200,
      channels: 3,
      background: '#888888',
      noise: { type: 'gaussian', mean: 128, sigma: 80 },
    },
  });
  await save(noise.jpeg({ quality: 40 }));
  expect(app.services.club.logo()?.content.length).toBeLessThan(131_072);
});

test('changing it takes the same permission as the other settings', async () => {
  // Staff after the first have no permission.
  const bartender = await app.staff();
  expect((await bartender.call('PUT', LOGO, { content: RED_DOT })).status).toBe(403);
  expect((await bartender.call('DELETE', LOGO)).status).toBe(403);
});

test('emails show it with the club’s name as its alternative text, or the name alone without a logo', async () => {
  const latest = async () => {
    const { caller } = await cardMember(app, 'select');
    return (await emailsTo(app.services.db, caller)).at(-1)?.html ?? '';
  };
  const { logo } = await save(drawn('#1e1412', 600, 200).png());
  const [image, ...others] = (await latest()).match(/<img [^>]*>/g) ?? [];
  expect(others).toEqual([]);
  expect(image).toMatch(
    / src="http:\/\/localhost:\d+\/club-logo-plate\.png\?v=[\w-]{22}" alt="Test Cellar" /,
  );
  expect(image).toContain(`?v=${logo?.version}" alt="Test Cellar" width="149" height="56"`);
  await owner.must('DELETE', LOGO);
  expect(await latest()).not.toContain('<img');
});
