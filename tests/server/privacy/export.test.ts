import { getTableName } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PersonalData } from '../../../src/contract/privacy.ts';
import { accounts, two_factors } from '../../../src/server/db/schema.ts';
import { PERSONAL_DATA } from '../../../src/server/privacy/inventory.ts';
import { markRows, type WholeMember, wholeMember } from '../../support/fixtures/whole-member.ts';
import { createTestApp, type TestApp } from '../../support/harness/app.ts';
import type { Caller } from '../../support/harness/caller.ts';

const PATH = '/api/privacy/export';
const TOKEN = 'cellar-door.session_token';

let app: TestApp;
let staff: Caller;
beforeAll(async () => {
  app = await createTestApp();
  staff = await app.staff();
});
afterAll(() => app.close());

describe('with a marker in every text of two members', () => {
  // By these the requests of the test find their way; all of them are hidden, or looked for as they are.
  const spared = new Set([
    'profiles.email',
    'sessions.token',
    'pours.location',
    'billing_customer.stripe_customer_id',
    'stripe_event.stripe_customer_id',
  ]);
  let ada: WholeMember;
  let grace: WholeMember;
  let marked: string[];
  let data: PersonalData;
  let text: string;
  let secrets: string[];
  beforeAll(async () => {
    ada = await wholeMember(app, staff, 'ada');
    grace = await wholeMember(app, staff, 'grace');
    const { db } = app.services;
    const passwords = (await db.select().from(accounts)).map((it) => it.password ?? '');
    const factors = (await db.select().from(two_factors)).flatMap((it) => [it.secret, it.backupCodes]);
    secrets = [...passwords, ...factors, ...[...ada.caller.jar.values(), ...grace.caller.jar.values()]];
    marked = await markRows(app, ada, spared);
    await markRows(app, grace, spared);
    data = await ada.caller.must<PersonalData>('GET', PATH);
    text = JSON.stringify(data);
  });

  it('all that is not hidden is there', () => {
    const shown = marked.filter((name) => {
      const [table, column = ''] = name.split('.');
      const { hidden } = PERSONAL_DATA.find((it) => getTableName(it.table) === table)!;
      return typeof hidden !== 'string' && !(column in hidden);
    });
    expect(shown.length).toBeGreaterThan(30);
    const missing = shown.filter((name) => !text.includes(`${ada.mark}:${name}:`));
    expect(missing).toEqual([]);
    expect(text).toContain(`${ada.mark}:preferences`);
    expect(text).toContain(ada.email);
  });

  it('what is hidden is not, and the document says so', () => {
    const hidden = PERSONAL_DATA.flatMap(({ table, hidden: which }) =>
      (typeof which === 'string'
        ? marked
        : Object.keys(which).map((it) => `${getTableName(table)}.${it}`)
      ).filter((name) => name.startsWith(`${getTableName(table)}.`)),
    );
    expect(hidden.length).toBeGreaterThan(10);
    expect(hidden.filter((name) => text.includes(`${ada.mark}:${name}:`))).toEqual([]);
    const told = data.sections.find((it) => it.table === 'sessions');
    expect(told?.left_out).toEqual({ token: expect.stringContaining('act as you') });
    expect(data.left_out.map((it) => it.table)).toEqual(['used_totp_codes', 'verifications', 'rate_limits']);
  });

  it('nothing of the other member is there, nor of the staff', async () => {
    for (const foreign of [grace.mark, grace.email, grace.user_id, grace.customer_id, staff.id]) {
      expect(text).not.toContain(foreign);
    }
  });

  it('no password, secret or session is there', () => {
    expect(secrets.length).toBeGreaterThan(6);
    for (const secret of secrets.filter(Boolean)) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(decodeURIComponent(secret).split('.')[0]);
    }
    expect(ada.caller.jar.get(TOKEN)).toBeDefined();
  });
});

it('names its version, its time and the club, and is read anew each time', async () => {
  const member = await app.customer({ first_name: 'Ada' });
  const first = await member.must<PersonalData>('GET', PATH);
  expect(first).toMatchObject({ version: 1, made_at: app.clock.now().toISOString(), club: 'Test Cellar' });
  expect(first.sections[0]).toMatchObject({
    about: 'Your profile',
    rows: [{ first_name: 'Ada', id: member.id }],
  });
  expect(first.sections.find((it) => it.table === 'pours')?.rows).toEqual([]);
  await member.must('PATCH', '/api/profile', { first_name: 'Grace' });
  const second = await member.must<PersonalData>('GET', PATH);
  expect(second.sections[0]?.rows).toMatchObject([{ first_name: 'Grace' }]);
});

it('staff have theirs, without the members they poured for', async () => {
  const { sections } = await staff.must<PersonalData>('GET', PATH);
  expect(sections.find((it) => it.table === 'user_roles')?.rows).toMatchObject([{ role: 'staff' }]);
  expect(sections.find((it) => it.table === 'pours')?.rows).toEqual([]);
});

it('ten an hour are enough', async () => {
  const member = await app.customer();
  for (let times = 0; times < 10; times += 1) await member.must('GET', PATH);
  expect(await member.call('GET', PATH)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
});
