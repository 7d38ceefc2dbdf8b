import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayName } from '../../../src/domain/calendar.ts';
import type { WalletConfig } from '../../../src/server/config/wallet-config.ts';
import {
  type GoogleWalletServer,
  openJwt,
  startGoogleWalletServer,
} from '../../support/fakes/google-wallet-server.ts';
import { aRequestId, type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { upload } from '../../support/fixtures/pictures.ts';
import { googleAccount, walletsOf } from '../../support/fixtures/wallets.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
let google: GoogleWalletServer;
let wallets: WalletConfig;
beforeAll(async () => {
  google = await startGoogleWalletServer();
  const { variables, publicKey } = await googleAccount(`${google.url}/token`);
  google.publicKey = publicKey;
  wallets = walletsOf({ ...variables, GOOGLE_WALLET_API_URL: google.url });
  app = await createTestApp({ wallets });
  staff = await app.staff();
});
afterAll(async () => {
  await app.close();
  await google.close();
});
beforeEach(async () => {
  // Removes the passes of other tests.
  await app.services.db.execute(sql`delete from wallet_pass`);
});

interface GoogleObject {
  id: string;
  state: string;
  barcode: { type: string; value: string };
  header: { defaultValue: { value: string } };
  logo?: object;
  wideLogo?: object;
  textModulesData: { id: string; body: string }[];
}
interface Claims {
  payload: { genericObjects: [GoogleObject]; genericClasses: [{ id: string }] };
}

async function linkOf({ caller }: Member): Promise<string> {
  return (await caller.must<{ url: string }>('POST', '/api/wallet-passes/google', {})).url;
}

/** Saves the pass behind a link, like a member on Google's page. */
function save(link: string): GoogleObject {
  const claims = openJwt(link.split('/').at(-1) ?? '', google.publicKey) as unknown as Claims;
  const [object] = claims.payload.genericObjects;
  google.saved.set(object.id, { ...object });
  return object;
}
const saved = (id: string) => google.saved.get(id) as unknown as GoogleObject;
const poursOf = ({ textModulesData }: GoogleObject) => textModulesData.find(({ id }) => id === 'pours')?.body;
const update = () => app.services.deliveries.deliver('wallet');

/** A month more at the venue, recorded by staff. */
async function payMonth({ customer_id }: Member) {
  const path = `/api/customers/${customer_id}/dues`;
  const { paid_until } = await staff.must<{ paid_until: string }>('GET', path);
  const payment = { reference: 'T-2', amount_cents: 3900, months: 1, method: 'cash', paid_until };
  return staff.must<{ paid_until: string }>('POST', path, { request_id: aRequestId(), ...payment });
}

describe('a pass for Google Wallet', () => {
  it('is a signed link to Google, with the member’s name, the balance and the code for paper', async () => {
    const member = await venueMember(app, staff, 'premier');
    const link = await linkOf(member);
    expect(link).toMatch(/^https:\/\/pay\.google\.com\/gp\/v\/save\/[\w-]+\.[\w-]+\.[\w-]+$/);
    // Google says that longer links may be cut.
    expect(link.length).toBeLessThan(1800);
    expect(openJwt(link.split('/').at(-1) ?? '', google.publicKey)).toMatchObject({
      iss: 'passes@club.iam.gserviceaccount.test',
      aud: 'google',
      typ: 'savetowallet',
      iat: app.clock.now().getTime() / 1000,
      origins: [app.services.venue.public_url],
      payload: { genericClasses: [{ id: '3388000000012345678.membership' }] },
    });
    const object = save(link);
    const { token } = await member.caller.must<{ token: string }>('POST', '/api/paper-cards', {});
    expect(object).toMatchObject({
      state: 'ACTIVE',
      barcode: { type: 'QR_CODE', value: token },
      header: { defaultValue: { value: expect.stringMatching(/^Ada Guest/) } },
    });
    expect(object.textModulesData.map((it) => it.body)).toEqual([
      '8',
      'Premier',
      expect.stringMatching(/^\w+ 20\d\d$/),
      expect.stringMatching(/^\w+ \d+, 20\d\d$/),
    ]);
    expect(save(await linkOf(member)).id).toBe(object.id);
  });

  describe('that is too long for a link', () => {
    // Each letter takes three bytes.
    const NAME = 'თამარ'.repeat(16);
    let member: Member;
    beforeEach(async () => {
      member = await venueMember(app, staff, 'premier');
      await member.caller.must('PATCH', '/api/profile', {
        first_name: NAME,
        last_name: NAME,
      });
    });

    it('notifies near the venue’s place, and nowhere without it or without access', async () => {
      const member = await venueMember(app, staff, 'premier');
      expect(save(await linkOf(member))).toMatchObject({ merchantLocations: [] });
      const { version } = await staff.must<{ version: number }>('GET', '/api/club-settings');
      const changes = { coordinates: '48.2082, 16.3738' };
      await staff.must('PATCH', '/api/club-settings', { version, changes });
      app.clock.advance({ days: 1 });
      await update();
      const near = [{ latitude: 48.2082, longitude: 16.3738 }];
      const { id } = save(await linkOf(member));
      expect(saved(id)).toMatchObject({ merchantLocations: near });
      await app.services.db.execute(
        sql`update customers set status = 'inactive' where id = ${member.customer_id}`,
      );
      await update();
      expect(saved(id)).toMatchObject({ state: 'INACTIVE', merchantLocations: [] });
      await staff.must('PATCH', '/api/club-settings', { version: version + 1, reset: ['coordinates'] });
    });

    it('is sent to Google before, and the link names it', async () => {
      const link = await linkOf(member);
      expect(link.length).toBeLessThan(1000);
      const { payload } = openJwt(link.split('/').at(-1) ?? '', google.publicKey) as unknown as Claims;
      const classId = '3388000000012345678.membership';
      const [{ id }] = payload.genericObjects;
      expect(payload).toEqual({ genericObjects: [{ id, classId }] });
      expect(saved(id)).toMatchObject({ state: 'ACTIVE', barcode: { type: 'QR_CODE' } });
      await pour(staff, member.customer_id);
      expect((await linkOf(member)).length).toBeLessThan(1000);
      expect(poursOf(saved(id))).toBe('7');
    });

    it('is in the link while Google does not answer', async () => {
      google.refuses = true;
      const link = await linkOf(member);
      google.refuses = false;
      expect(save(link).header.defaultValue.value).toContain(NAME);
    });
  });

  it('has the club’s logo if Google can load it: a wide one as it is, any other as a circle', async () => {
    const picture = (width: number) =>
      sharp({ create: { width, height: 100, channels: 3, background: '#203010' } });
    /** The logos of a pass while the club has a logo of that width, and after its removal. */
    const logosOf = async (venue: TestApp, owner: Caller, width: number) => {
      const member = await venueMember(venue, owner);
      const logos = async () => {
        const { logo, wideLogo } = save(await linkOf(member));
        return { logo, wideLogo };
      };
      await owner.must('PUT', '/api/club-settings/logo', { content: await upload(picture(width).png()) });
      const { version } = venue.services.club.logo() ?? {};
      const withLogo = await logos();
      await owner.must('DELETE', '/api/club-settings/logo');
      expect(await logos()).toEqual({});
      return { version, ...withLogo };
    };
    const publicUrl = 'https://club.example';
    const open = await createTestApp({ wallets, publicUrl });
    const owner = await open.staff();
    const pictureAt = (version: string | undefined) => ({
      sourceUri: { uri: `${publicUrl}/club-logo.png?v=${version}` },
      contentDescription: { defaultValue: { language: 'en-US', value: 'Test Cellar' } },
    });
    const wide = await logosOf(open, owner, 200);
    expect(wide).toEqual({ version: wide.version, wideLogo: pictureAt(wide.version) });
    const narrow = await logosOf(open, owner, 199);
    expect(narrow).toEqual({ version: narrow.version, logo: pictureAt(narrow.version) });
    await open.close();
    // Google cannot load logos from the venue's own network, without HTTPS.
    expect(await logosOf(app, staff, 200)).toEqual({ version: expect.any(String) });
  });

  it('is not made without access, nor if passes are not configured', async () => {
    const nobody = await app.customer();
    expect(await nobody.call('POST', '/api/wallet-passes/google', {})).toMatchObject({
      status: 409,
      body: { code: 'CUSTOMER_NOT_ACTIVE' },
    });
    expect(await nobody.call('GET', '/api/wallet-passes/apple')).toMatchObject({
      status: 404,
      body: { code: 'NOT_FOUND' },
    });
  });
});

describe('a change', () => {
  it('reaches the saved pass after the pour, with one token for all', async () => {
    const [one, other] = [await venueMember(app, staff, 'premier'), await venueMember(app, staff, 'premier')];
    const [first, second] = [save(await linkOf(one)), save(await linkOf(other))];
    await pour(staff, one.customer_id, { quantity: 2 });
    expect(poursOf(saved(first.id))).toBe('8');
    expect(await update()).toEqual({ sent: 1, failed: 0 });
    expect(poursOf(saved(first.id))).toBe('6');
    const { tokens } = google;
    await pour(staff, other.customer_id);
    expect(await update()).toEqual({ sent: 1, failed: 0 });
    expect(poursOf(saved(second.id))).toBe('7');
    expect(google.tokens).toBe(tokens);
  });

  it('of the day until which it is paid at the venue reaches the saved pass', async () => {
    const member = await venueMember(app, staff);
    const { id } = save(await linkOf(member));
    const { paid_until } = await payMonth(member);
    expect(await update()).toEqual({ sent: 1, failed: 0 });
    expect(saved(id).textModulesData.find((it) => it.id === 'paid')?.body).toBe(dayName(paid_until));
  });

  it('of a pass that was never saved is dropped', async () => {
    const member = await venueMember(app, staff);
    await linkOf(member);
    await pour(staff, member.customer_id);
    expect(await update()).toEqual({ sent: 1, failed: 0 });
  });

  it('waits while Google refuses or hangs, and is sent later', async () => {
    const member = await venueMember(app, staff);
    const object = save(await linkOf(member));
    google.saved.set(object.id, { ...saved(object.id), state: 'BROKEN' });
    // Earlier tokens have expired at Google.
    app.clock.advance({ minutes: 120 });
    google.tokens += 1;
    const publicKey = google.publicKey;
    google.publicKey = (await googleAccount()).publicKey;
    await pour(staff, member.customer_id);
    expect(await update()).toEqual({ sent: 0, failed: 1 });
    google.publicKey = publicKey;
    google.hangs = true;
    app.clock.advance({ minutes: 1 });
    const hanging = update();
    await expect.poll(() => google.waiting).toBe(1);
    expect(await pour(staff, member.customer_id)).toMatchObject({ status: 201 });
    google.drop();
    expect(await hanging).toEqual({ sent: 0, failed: 1 });
    google.hangs = false;
    app.clock.advance({ minutes: 2 });
    expect(await update()).toEqual({ sent: 1, failed: 0 });
    expect(saved(object.id).state).toBe('ACTIVE');
  });
});
