import { eq } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ListedWine, StaffWine } from '../../../src/contract/wine/wines.ts';
import { audit_entry } from '../../../src/server/db/schema.ts';
import { RED_DOT, upload } from '../../support/fixtures/pictures.ts';
import { openWine } from '../../support/fixtures/wines.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

// docs/rules/wines.md, "Wines".

let app: TestApp;
let staff: Caller;
let customer: Caller;
let wine: StaffWine;
let at: string;
beforeAll(async () => {
  app = await createTestApp();
  [staff, customer] = [await app.staff(), await app.customer()];
  wine = await openWine(staff);
  at = `/api/wines/${wine.id}/picture`;
});
afterAll(() => app.close());

const changes = async () => {
  const rows = await app.services.db.select().from(audit_entry).where(eq(audit_entry.act, 'wine_changed'));
  return rows.map(({ facts }) => facts);
};

it('a picture is scaled whole into 240 by 320 pixels, and is in the members’ list by its version', async () => {
  const tall = sharp({ create: { width: 300, height: 900, channels: 3, background: '#203010' } });
  const { picture } = await staff.must<StaffWine>('PUT', at, { content: await upload(tall.jpeg()) });
  const listed = await customer.must<ListedWine[]>('GET', '/api/wines/tonight');
  expect(listed.map((it) => it.picture)).toEqual([picture]);
  const response = await customer.raw('GET', `${at}?v=${picture}`);
  expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
  expect(response.headers.get('content-type')).toBe('image/webp');
  const { width, height } = await sharp(Buffer.from(await response.arrayBuffer())).metadata();
  expect({ width, height }).toEqual({ width: 107, height: 320 });
});

it('a small picture is not enlarged', async () => {
  await staff.must('PUT', at, { content: RED_DOT });
  const response = await customer.raw('GET', at);
  expect((await sharp(Buffer.from(await response.arrayBuffer())).metadata()).width).toBe(2);
});

it('a picture can be removed, a second time without effect; setting and removing it is in the audit once', async () => {
  const before = (await changes()).length;
  await staff.must('PUT', at, { content: RED_DOT });
  const { picture } = await staff.must<StaffWine>('DELETE', at);
  await staff.must('DELETE', at);
  expect(picture).toBeNull();
  expect((await customer.raw('GET', at)).status).toBe(404);
  expect((await changes()).slice(before)).toEqual([expect.objectContaining({ fields: 'picture' })]);
});

it('a picture of an unknown wine, or from a member, is refused, and a visitor is shown none', async () => {
  const unknown = `/api/wines/${app.services.newId()}/picture`;
  expect((await staff.call('PUT', unknown, { content: RED_DOT })).status).toBe(404);
  expect((await customer.call('PUT', at, { content: RED_DOT })).status).toBe(403);
  expect((await app.visitor().call('GET', at)).status).toBe(401);
});
