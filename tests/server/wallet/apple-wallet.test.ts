import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dayName } from '../../../src/domain/calendar.ts';
import type { WalletConfig } from '../../../src/server/config/wallet-config.ts';
import { rowsOf } from '../../../src/server/db/results.ts';
import { type ApplePushServer, startApplePushServer } from '../../support/fakes/apple-push-server.ts';
import { aRequestId, cardMember, type Member, pour, venueMember } from '../../support/fixtures/members.ts';
import { upload } from '../../support/fixtures/pictures.ts';
import { openPkpass } from '../../support/fixtures/pkpass.ts';
import { appleCertificates, PASS_TYPE, walletsOf } from '../../support/fixtures/wallets.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

let app: TestApp;
let staff: Caller;
let push: ApplePushServer;
let config: WalletConfig;
beforeAll(async () => {
  const { variables, server } = await appleCertificates();
  setDefaultCACertificates([...getCACertificates('default'), server.ca]);
  push = await startApplePushServer(server);
  config = walletsOf({ ...variables, APPLE_PUSH_URL: push.url });
  app = await createTestApp({ wallets: config });
  staff = await app.staff();
});
afterAll(async () => {
  await app.close();
  await push.close();
});
beforeEach(async () => {
  // Removes the passes of other tests.
  await app.services.db.execute(sql`delete from wallet_pass`);
  push.pushed.length = 0;
  push.answers.clear();
});

interface Field {
  key: string;
  value: unknown;
}
interface Pass {
  serialNumber: string;
  authenticationToken: string;
  webServiceURL: string;
  voided?: boolean;
  barcodes: { message: string; format: string }[];
  generic: Record<'headerFields' | 'primaryFields' | 'secondaryFields', Field[]>;
}

const opened = (file: Buffer) => {
  const { certificate = '', issuer = '' } = config.apple ?? {};
  return openPkpass(file, { certificate, issuer }) as unknown as Pass;
};
const fieldsOf = ({ generic }: Pass) =>
  Object.fromEntries(Object.values(generic).flatMap((fields) => fields.map((it) => [it.key, it.value])));

async function added({ caller }: Member): Promise<Pass> {
  const response = await caller.raw('GET', '/api/wallet-passes/apple');
  expect(response.headers.get('content-type')).toBe('application/vnd.apple.pkpass');
  return opened(Buffer.from(await response.arrayBuffer()));
}

/** A phone that knows only the pass. */
function phone({ serialNumber, authenticationToken, webServiceURL }: Pass, device = 'phone-1') {
  const headers = { authorization: `ApplePass ${authenticationToken}` };
  const registration = `${webServiceURL}/v1/devices/${device}/registrations/${PASS_TYPE}`;
  return {
    register: (pushToken = 'abc123', more: Record<string, string> = headers) =>
      fetch(`${registration}/${serialNumber}`, {
        method: 'POST',
        headers: more,
        body: JSON.stringify({ pushToken }),
      }),
    unregister: (more: Record<string, string> = headers) =>
      fetch(`${registration}/${serialNumber}`, { method: 'DELETE', headers: more }),
    changed: (since = '') => fetch(registration + (since && `?passesUpdatedSince=${since}`)),
    latest: (more: Record<string, string> = {}) =>
      fetch(`${webServiceURL}/v1/passes/${PASS_TYPE}/${serialNumber}`, { headers: { ...headers, ...more } }),
  };
}
const update = () => app.services.deliveries.deliver('wallet');

/** A month more at the venue, recorded by staff. */
async function payMonth({ customer_id }: Member) {
  const path = `/api/customers/${customer_id}/dues`;
  const { paid_until } = await staff.must<{ paid_until: string }>('GET', path);
  const payment = { reference: 'T-2', amount_cents: 3900, months: 1, method: 'cash', paid_until };
  return staff.must<{ paid_until: string }>('POST', path, { request_id: aRequestId(), ...payment });
}

describe('a pass for Apple Wallet', () => {
  it('is signed, and has the member’s name, the balance and the code for paper', async () => {
    const member = await venueMember(app, staff, 'premier');
    await pour(staff, member.customer_id, { quantity: 2 });
    const pass = await added(member);
    const { token } = await member.caller.must<{ token: string }>('POST', '/api/paper-cards', {});
    expect(pass).toMatchObject({
      passTypeIdentifier: PASS_TYPE,
      teamIdentifier: 'ABCDE12345',
      organizationName: 'Test Cellar',
      sharingProhibited: true,
      voided: false,
      barcodes: [{ message: token, format: 'PKBarcodeFormatQR' }],
    });
    expect(fieldsOf(pass)).toMatchObject({
      pours: 6,
      name: expect.stringMatching(/^Ada Guest/),
      tier: 'Premier',
      since: expect.stringMatching(/^\w+ 20\d\d$/),
    });
    expect((await added(member)).serialNumber).toBe(pass.serialNumber);
  });

  it('has the club’s logo in place of the crest, and no name beside a logo as wide as a name', async () => {
    const member = await venueMember(app, staff);
    const file = async () => {
      const response = await member.caller.raw('GET', '/api/wallet-passes/apple');
      return Buffer.from(await response.arrayBuffer());
    };
    expect(await file()).toSatisfy((it: Buffer) => it.includes('"logoText":"Test Cellar"'));
    const wide = sharp({ create: { width: 300, height: 100, channels: 3, background: '#203010' } });
    await staff.must('PUT', '/api/club-settings/logo', { content: await upload(wide.png()) });
    const withLogo = await file();
    opened(withLogo);
    expect(withLogo.includes(Buffer.from(app.services.club.logo()?.content ?? ''))).toBe(true);
    expect(withLogo.includes('logoText')).toBe(false);
    await staff.must('DELETE', '/api/club-settings/logo');
  });

  it('names the venue’s place with the pours left, and is fetched again once that changes', async () => {
    const member = await venueMember(app, staff, 'premier');
    expect(await added(member)).not.toHaveProperty('locations');
    const { version } = await staff.must<{ version: number }>('GET', '/api/club-settings');
    const changes = { coordinates: '48.2082, 16.3738' };
    await staff.must('PATCH', '/api/club-settings', { version, changes });
    expect(await added(member)).toMatchObject({
      locations: [{ latitude: 48.2082, longitude: 16.3738, relevantText: 'Test Cellar: 8 pours left' }],
    });
    app.clock.advance({ days: 1 });
    expect(await update()).toMatchObject({ sent: 1 });
    await staff.must('PATCH', '/api/club-settings', { version: version + 1, reset: ['coordinates'] });
  });

  it('is not made without access, nor if passes are not configured', async () => {
    const refused = await (await app.customer()).call('GET', '/api/wallet-passes/apple');
    expect(refused).toMatchObject({ status: 409, body: { code: 'CUSTOMER_NOT_ACTIVE' } });
    const former = await venueMember(app, staff);
    await app.services.db.execute(
      sql`update customers set status = 'inactive' where id = ${former.customer_id}`,
    );
    expect(await former.caller.call('GET', '/api/wallet-passes/apple')).toMatchObject({
      status: 409,
      body: { code: 'CUSTOMER_NOT_ACTIVE' },
    });
    const google = await (await app.customer()).call('POST', '/api/wallet-passes/google', {});
    expect(google).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  });

  it('changed in one byte is not valid', async () => {
    const response = await (await venueMember(app, staff)).caller.raw('GET', '/api/wallet-passes/apple');
    const file = Buffer.from(await response.arrayBuffer());
    const at = file.indexOf('POURS LEFT');
    file.write('B', at);
    expect(() => opened(file)).toThrow('The hash of pass.json is wrong');
  });
});

describe('a phone with the pass', () => {
  it('registers once, and finds no changes after unregistering', async () => {
    const { register, unregister, changed } = phone(await added(await venueMember(app, staff)));
    expect((await register()).status).toBe(201);
    expect((await register('def456')).status).toBe(200);
    expect((await changed()).status).toBe(200);
    expect((await unregister()).status).toBe(200);
    expect((await changed()).status).toBe(204);
  });

  it('that registers again is pushed to at its new token alone', async () => {
    const member = await venueMember(app, staff);
    const { register } = phone(await added(member));
    await register();
    await register('def456');
    await pour(staff, member.customer_id);
    await update();
    expect(push.pushed.map(({ token }) => token)).toEqual(['def456']);
  });

  it('may write the scheme in any case, and with more spaces', async () => {
    const pass = await added(await venueMember(app, staff));
    const authorization = `applepass  ${pass.authenticationToken}`;
    expect((await phone(pass).latest({ authorization })).status).toBe(200);
  });

  it('without the token of that pass has no access', async () => {
    const pass = await added(await venueMember(app, staff));
    const others = await added(await venueMember(app, staff));
    const { register, unregister, latest, changed } = phone(pass);
    const strangers = [
      {},
      { authorization: 'ApplePass ' },
      { authorization: `ApplePass ${others.authenticationToken}` },
      { authorization: `Bearer ${pass.authenticationToken}` },
    ] as Record<string, string>[];
    for (const headers of strangers) {
      expect((await register('abc123', headers)).status).toBe(401);
      expect((await unregister(headers)).status).toBe(401);
      if (headers.authorization) expect((await latest(headers)).status).toBe(401);
    }
    expect((await changed()).status).toBe(204);
    const unknown = phone({ ...pass, serialNumber: app.services.newId() });
    expect((await unknown.latest()).status).toBe(401);
  });

  it('cannot send malformed ids or dates', async () => {
    const pass = await added(await venueMember(app, staff));
    expect((await phone(pass).register('../../etc')).status).toBe(400);
    expect((await phone(pass, 'x'.repeat(101)).register()).status).toBe(400);
    expect((await phone(pass).changed('yesterday')).status).toBe(400);
  });

  it('can report errors, which are truncated', async () => {
    const { webServiceURL } = await added(await venueMember(app, staff));
    const body = JSON.stringify({ logs: ['x'.repeat(5000)] });
    expect((await fetch(`${webServiceURL}/v1/log`, { method: 'POST', body })).status).toBe(200);
    const line = app.logged.find((it) => it.includes('a phone reports')) ?? '';
    expect(line.length).toBeGreaterThan(200);
    expect(line.length).toBeLessThan(500);
  });

  it('is one of at most twenty; the first to register is forgotten', async () => {
    const pass = await added(await venueMember(app, staff));
    for (let n = 0; n < 21; n++) {
      await phone(pass, `phone-${n}`).register(`token${n}`);
      app.clock.advance({ seconds: 1 });
    }
    expect((await phone(pass, 'phone-0').changed()).status).toBe(204);
    expect((await phone(pass, 'phone-1').changed()).status).toBe(200);
  });
});

describe('a change', () => {
  it('of the balance is pushed after the pour, and the phone gets the current pass', async () => {
    const member = await venueMember(app, staff, 'premier');
    const pass = await added(member);
    const { register, changed, latest } = phone(pass);
    await register('abc123');
    const { lastUpdated } = (await (await changed()).json()) as { lastUpdated: string };
    const before = await latest();
    const modified = before.headers.get('last-modified') ?? '';
    await before.arrayBuffer();
    app.clock.advance({ minutes: 1 });
    await pour(staff, member.customer_id, { quantity: 3 });
    expect(push.pushed).toEqual([]);
    expect((await changed(lastUpdated)).status).toBe(204);

    expect(await update()).toEqual({ sent: 1, failed: 0 });
    expect(push.pushed).toEqual([{ token: 'abc123', topic: PASS_TYPE, by: `Pass Type ID: ${PASS_TYPE}` }]);
    expect(await (await changed(lastUpdated)).json()).toMatchObject({ serialNumbers: [pass.serialNumber] });
    const after = await latest({ 'if-modified-since': modified });
    expect(after.status).toBe(200);
    const now = opened(Buffer.from(await after.arrayBuffer()));
    expect(fieldsOf(now)).toMatchObject({ pours: 5 });
    expect(now).toMatchObject({ authenticationToken: pass.authenticationToken });
    const again = await latest({ 'if-modified-since': after.headers.get('last-modified') ?? '' });
    expect(again.status).toBe(304);
    expect(await update()).toEqual({ sent: 0, failed: 0 });
  });

  it('is stored before it is pushed: a phone that asks at once finds it', async () => {
    const member = await venueMember(app, staff, 'premier');
    const pass = await added(member);
    const { register, changed, latest } = phone(pass);
    await register('quick');
    const { lastUpdated } = (await (await changed()).json()) as { lastUpdated: string };
    const modified = (await latest()).headers.get('last-modified') ?? '';
    app.clock.advance({ minutes: 1 });
    await pour(staff, member.customer_id, { quantity: 3 });
    push.answers.set('quick', 'hang');
    const updating = update();
    await expect.poll(push.waiting).toBe(1);
    // The push has arrived, and is not answered yet.
    expect((await changed(lastUpdated)).status).toBe(200);
    const now = await latest({ 'if-modified-since': modified });
    expect(now.status).toBe(200);
    expect(fieldsOf(opened(Buffer.from(await now.arrayBuffer())))).toMatchObject({ pours: 5 });
    push.drop();
    expect(await updating).toEqual({ sent: 0, failed: 1 });
  });

  it('of the day until which it is paid at the venue is pushed, and no card member has one', async () => {
    const member = await venueMember(app, staff);
    const pass = await added(member);
    const { register, latest } = phone(pass);
    await register();
    const before = fieldsOf(pass).paid;
    expect(before).toMatch(/^[A-Z][a-z]+ \d+, \d{4}$/);
    const { paid_until } = await payMonth(member);
    expect(await update()).toEqual({ sent: 1, failed: 0 });
    const now = fieldsOf(opened(Buffer.from(await (await latest()).arrayBuffer())));
    expect(now.paid).toBe(dayName(paid_until));
    expect(now.paid).not.toBe(before);
    expect(fieldsOf(await added(await cardMember(app)))).not.toHaveProperty('paid');
  });

  it('that does not affect the pass is not pushed', async () => {
    const member = await venueMember(app, staff);
    await phone(await added(member)).register();
    const { body } = await pour(staff, member.customer_id);
    await staff.must('POST', `/api/pours/${(body.pour as { id: string }).id}/void`, {});
    expect(await update()).toEqual({ sent: 0, failed: 0 });
    expect(push.pushed).toEqual([]);
  });

  it('of the code for paper ends the pass: a lost phone must not get the new code', async () => {
    const member = await venueMember(app, staff);
    const { register, latest } = phone(await added(member));
    await register();
    const { token } = await member.caller.must<{ token: string }>('POST', '/api/paper-cards/replace', {});
    app.clock.advance({ seconds: 10 });
    expect(await update()).toMatchObject({ sent: 0 });
    expect((await latest()).status).toBe(401);
    const again = phone(await added(member));
    await again.register();
    expect(opened(Buffer.from(await (await again.latest()).arrayBuffer()))).toMatchObject({
      barcodes: [{ message: token }],
      voided: false,
    });
  });

  it('of access reaches the pass', async () => {
    const member = await venueMember(app, staff);
    const { register, latest } = phone(await added(member));
    await register();
    app.clock.advance({ seconds: 10 });
    await app.services.db.execute(
      sql`update customers set status = 'inactive' where id = ${member.customer_id}`,
    );
    expect(await update()).toMatchObject({ sent: 1 });
    expect(opened(Buffer.from(await (await latest()).arrayBuffer()))).toMatchObject({ voided: true });
  });

  it('that comes with time, such as the next period, is pushed too', async () => {
    const member = await venueMember(app, staff, 'premier');
    await pour(staff, member.customer_id, { quantity: 3 });
    await phone(await added(member)).register();
    await update();
    app.clock.advance({ days: 32 });
    expect(await update()).toEqual({ sent: 1, failed: 0 });
  });

  it('waits for a push service that fails or hangs; pours and other passes do not', async () => {
    const [slow, quick] = [await venueMember(app, staff), await venueMember(app, staff)];
    await phone(await added(slow)).register('slow');
    await phone(await added(quick), 'phone-2').register('quick');
    push.answers.set('slow', { status: 503, reason: 'ServiceUnavailable' });
    await pour(staff, slow.customer_id);
    expect(await update()).toEqual({ sent: 0, failed: 1 });
    app.clock.advance({ seconds: 29 });
    expect(await update()).toEqual({ sent: 0, failed: 0 });
    app.clock.advance({ seconds: 1 });
    push.answers.set('slow', 'hang');
    await pour(staff, quick.customer_id);
    const hanging = update();
    // Each has a separate connection, so either may arrive first.
    const state = () => ({ tokens: push.pushed.map((it) => it.token).sort(), waiting: push.waiting() });
    await expect.poll(state).toEqual({ tokens: ['quick', 'slow', 'slow'], waiting: 1 });
    expect(await pour(staff, slow.customer_id)).toMatchObject({ status: 201 });
    // Ends the connection like the server; otherwise the wait is ten seconds.
    push.answers.clear();
    push.drop();
    expect(await hanging).toEqual({ sent: 1, failed: 1 });
    app.clock.advance({ minutes: 1 });
    expect(await update()).toEqual({ sent: 1, failed: 0 });
  });

  it('is not pushed to a device that deleted the pass', async () => {
    const member = await venueMember(app, staff);
    const pass = await added(member);
    for (const name of ['gone', 'wrong', 'here']) await phone(pass, name).register(name);
    push.answers.set('gone', { status: 410, reason: 'Unregistered' });
    push.answers.set('wrong', { status: 400, reason: 'BadDeviceToken' });
    await pour(staff, member.customer_id);
    expect(await update()).toEqual({ sent: 1, failed: 0 });
    const devices = await rowsOf(app.services.db, sql`select push_token from wallet_device`);
    expect(devices).toEqual([{ push_token: 'here' }]);
  });
});
