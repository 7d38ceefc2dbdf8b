import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import type { BarCard, MemberDetail } from '../../../src/contract/members.ts';
import { PHOTO_SHAPE } from '../../../src/domain/picture.ts';
import { audit_entry, member_photo } from '../../../src/server/db/schema.ts';
import { encodePicture } from '../../../src/server/pictures/encode-picture.ts';
import { type Member, venueMember } from '../../support/fixtures/members.ts';
import { RED_DOT, upload } from '../../support/fixtures/pictures.ts';
import { createTestApp, PASSWORD, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/members.md, "Photos of members".

let app: TestApp;
let staff: Caller;
let member: Member;
let at: string;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
  member = await venueMember(app, staff);
  at = `/api/customers/${member.customer_id}`;
});
afterAll(() => app.close());

const OWN = '/api/profile/photo';
const plain = (width: number, height: number, background = '#a00020') =>
  sharp({ create: { width, height, channels: 3, background } });
const saveOwn = (content: string) => member.caller.call('PUT', OWN, { content, agreed: true });
const photoOf = async (caller: Caller, path: string) => {
  const response = await caller.raw('GET', path);
  return { response, picture: Buffer.from(await response.arrayBuffer()) };
};
const own = () => member.caller.must<{ photo: string | null }>('GET', '/api/customers/own');

test('a photo is turned upright, cut to a square of 256 pixels and stripped of its location, of any file type', async () => {
  const left = await plain(300, 400, '#0000ff').png().toBuffer();
  const lying = plain(600, 400)
    .composite([{ input: left, left: 0, top: 0 }])
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } });
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    const sent = await upload(lying.clone().toFormat(format));
    expect((await sharp(Buffer.from(sent, 'base64')).metadata()).exif).toBeDefined();
    expect((await saveOwn(sent)).status).toBe(200);
    const { picture } = await photoOf(member.caller, OWN);
    const { width, height, exif, format: made } = await sharp(picture).metadata();
    expect({ width, height, exif, made }).toEqual({ width: 256, height: 256, exif: undefined, made: 'webp' });
    // The left of the picture is now the top, including its right end.
    const [red = 0, , blue = 0] = (await sharp(picture).raw().toBuffer()).subarray(255 * 3);
    expect(blue).toBeGreaterThan(red);
    expect(picture.includes('GPS')).toBe(false);
  }
});

test('data appended to a picture file is removed', async () => {
  const page = Buffer.from('<script>alert(1)</script>');
  const both = Buffer.concat([await plain(50, 50).jpeg().toBuffer(), page]).toString('base64');
  expect((await saveOwn(both)).status).toBe(200);
  expect((await photoOf(member.caller, OWN)).picture.includes('script')).toBe(false);
});

test('of an animated picture, the first frame is kept', async () => {
  const both = [plain(60, 60, '#0000ff'), plain(60, 60, '#ff0000')].map((one) => one.png().toBuffer());
  const moving = await upload(sharp(await Promise.all(both), { join: { animated: true } }).webp());
  expect((await sharp(Buffer.from(moving, 'base64')).metadata()).pages).toBe(2);
  expect((await saveOwn(moving)).status).toBe(200);
  const { picture } = await photoOf(member.caller, OWN);
  expect((await sharp(picture).metadata()).pages ?? 1).toBe(1);
  const [red = 0, , blue = 0] = await sharp(picture).raw().toBuffer();
  expect(blue).toBeGreaterThan(red);
});

test('uploads are decoded one at a time, and one that would wait too long is refused for now', async () => {
  const sent = await upload(plain(1500, 1500).jpeg({ quality: 10 }));
  const all = await Promise.allSettled(Array.from({ length: 22 }, () => encodePicture(sent, PHOTO_SHAPE)));
  const reasons = all.flatMap((it) => (it.status === 'rejected' ? [it.reason] : []));
  expect(reasons).toEqual([expect.objectContaining({ code: 'TOO_MANY_ATTEMPTS' })]);
});

describe('is refused with a reason', () => {
  const why = async (content: string) => {
    const { status, body } = await saveOwn(content);
    return { status, code: body.code, why: (body.data as { why: string }).why };
  };

  it('an SVG', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>').toString('base64');
    expect(await why(svg)).toEqual({
      status: 422,
      code: 'PICTURE_REFUSED',
      why: expect.stringMatching(/^SVG files/),
    });
  });

  it('a GIF, and a JPEG in name only', async () => {
    expect((await why(await upload(plain(5, 5).gif()))).why).toMatch(/^Please choose a JPEG/);
    expect((await why(Buffer.from('\xff\xd8\xff not one', 'latin1').toString('base64'))).why).toMatch(
      /damaged/,
    );
  });

  it('a truncated picture', async () => {
    const whole = await plain(300, 300).jpeg().toBuffer();
    expect((await why(whole.subarray(0, whole.length / 2).toString('base64'))).why).toMatch(/damaged/);
  });

  it('a small file of many pixels, before any of them is decoded', async () => {
    const bomb = await upload(plain(2001, 2000).png({ palette: true, compressionLevel: 9 }));
    expect(bomb.length).toBeLessThan(60_000);
    expect((await why(bomb)).why).toMatch(/too many pixels/);
  });

  it('more than 45 KB, and what is not base64', async () => {
    expect((await saveOwn('A'.repeat(60_004))).status).toBe(400);
    expect((await saveOwn('data:image/png;base64,AAAA')).status).toBe(400);
  });

  it('a photo without the member’s consent', async () => {
    expect((await member.caller.call('PUT', OWN, { content: RED_DOT })).status).toBe(400);
    expect((await staff.call('PUT', `${at}/photo`, { content: RED_DOT, agreed: false })).status).toBe(400);
  });
});

describe('a photo that staff save', () => {
  it('shows at the scan, on the member’s page and in their own account, and is in the audit', async () => {
    const green = await upload(plain(40, 60, '#006000').jpeg());
    const { photo } = await staff.must<{ photo: string }>('PUT', `${at}/photo`, {
      content: green,
      agreed: true,
    });
    expect((await staff.must<BarCard>('GET', `${at}/bar`)).photo).toBe(photo);
    expect((await staff.must<MemberDetail>('GET', at)).photo).toBe(photo);
    expect((await own()).photo).toBe(photo);
    await staff.must('PUT', `${at}/photo`, { content: green, agreed: true });
    const rows = await app.services.db
      .select()
      .from(audit_entry)
      .where(eq(audit_entry.subject_id, member.caller.id));
    expect(rows.filter(({ act }) => act === 'photo_saved')).toHaveLength(1);
  });

  it('can be removed by the member at any time', async () => {
    await member.caller.must('DELETE', OWN);
    await member.caller.must('DELETE', OWN);
    expect((await own()).photo).toBeNull();
    expect((await staff.must<BarCard>('GET', `${at}/bar`)).photo).toBeNull();
    expect((await staff.raw('GET', `${at}/photo`)).status).toBe(404);
  });

  it('is removed by staff, with an entry in the audit the first time', async () => {
    await saveOwn(RED_DOT);
    await staff.must('DELETE', `${at}/photo`);
    await staff.must('DELETE', `${at}/photo`);
    const rows = await app.services.db
      .select()
      .from(audit_entry)
      .where(eq(audit_entry.subject_id, member.caller.id));
    expect(rows.filter(({ act }) => act === 'photo_removed')).toHaveLength(1);
  });

  it('takes the permission; any staff can see it, and other members cannot', async () => {
    await saveOwn(RED_DOT);
    // Staff after the first have no permission.
    const bartender = await app.staff();
    expect((await bartender.call('PUT', `${at}/photo`, { content: RED_DOT, agreed: true })).status).toBe(403);
    expect((await bartender.raw('GET', `${at}/photo`)).status).toBe(200);
    expect((await (await app.customer()).call('GET', `${at}/photo`)).status).toBe(403);
    expect((await app.visitor().call('GET', `${at}/photo`)).status).toBe(401);
  });
});

describe('a browser', () => {
  it('caches a photo for a day, by its version alone, and no proxy caches it', async () => {
    await saveOwn(RED_DOT);
    const { photo } = await own();
    const { response } = await photoOf(staff, `${at}/photo?v=${photo}`);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'private, max-age=86400, immutable',
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      etag: `"${photo}"`,
    });
    const old = await photoOf(staff, `${at}/photo?v=old`);
    expect(old.response.headers.get('cache-control')).toBe('private, no-cache');
  });

  it('that has the photo is not sent it again', async () => {
    const { photo } = await own();
    const response = await staff.raw('GET', `${at}/photo`, { headers: { 'if-none-match': `"${photo}"` } });
    expect(response.status).toBe(304);
    expect(response.headers.get('cache-control')).toBe('private, no-cache');
    expect((await response.arrayBuffer()).byteLength).toBe(0);
  });

  it('caches no refusal, and no other answer of the API', async () => {
    const nobody = await venueMember(app, staff);
    const missing = await staff.raw('GET', `/api/customers/${nobody.customer_id}/photo`);
    expect(missing.headers.get('cache-control')).toBe('no-store');
    expect((await staff.raw('GET', at)).headers.get('cache-control')).toBe('no-store');
  });
});

test('the export has a member’s photo, and a deleted account leaves none', async () => {
  const leaving = await venueMember(app, staff);
  await leaving.caller.must('PUT', OWN, { content: RED_DOT, agreed: true });
  const { sections } = await leaving.caller.must<{ sections: { table: string; rows: object[] }[] }>(
    'GET',
    '/api/privacy/export',
  );
  const rows = sections.flatMap(({ table, rows: of }) => (table === 'member_photo' ? of : []));
  const [row] = rows as { content: string }[];
  expect((await sharp(Buffer.from(row?.content ?? '', 'base64')).metadata()).width).toBe(256);
  await leaving.caller.must('POST', '/api/privacy/delete-account', {
    password: PASSWORD,
    confirmation: 'DELETE',
  });
  const left = await app.services.db
    .select()
    .from(member_photo)
    .where(eq(member_photo.user_id, leaving.caller.id));
  expect(left).toEqual([]);
  const late = await staff.call('PUT', `/api/customers/${leaving.customer_id}/photo`, {
    content: RED_DOT,
    agreed: true,
  });
  expect(late.status).toBe(404);
});
