import { eq, getTableName } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PersonalData } from '../../../src/contract/privacy.ts';
import { accounts, profiles, two_factors } from '../../../src/server/db/schema.ts';
import { PERSONAL_DATA } from '../../../src/server/privacy/inventory.ts';
import { settleImports } from '../../support/fixtures/imports.ts';
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

describe('with a marker in every text column of two members', () => {
  // The test's requests need these values. Each is hidden in the export or checked as it is.
  const skipped = new Set([
    'profiles.email',
    'sessions.token',
    'pours.location',
    'staff_invitation.email',
    'member_import_row.email',
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
    marked = await markRows(app, ada, skipped);
    await markRows(app, grace, skipped);
    data = await ada.caller.must<PersonalData>('GET', PATH);
    text = JSON.stringify(data);
  });

  it('the export contains every column that is not hidden', () => {
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

  it('the export contains no hidden column, and lists what it omits', () => {
    const hidden = PERSONAL_DATA.flatMap(({ table, hidden: columns }) =>
      (typeof columns === 'string'
        ? marked
        : Object.keys(columns).map((it) => `${getTableName(table)}.${it}`)
      ).filter((name) => name.startsWith(`${getTableName(table)}.`)),
    );
    expect(hidden.length).toBeGreaterThan(10);
    expect(hidden.filter((name) => text.includes(`${ada.mark}:${name}:`))).toEqual([]);
    const section = data.sections.find((it) => it.table === 'sessions');
    expect(section?.left_out).toEqual({ token: expect.stringContaining('sign in as you') });
    expect(data.left_out.map((it) => it.table)).toEqual([
      'member_visit',
      'used_totp_codes',
      'verifications',
      'rate_limits',
    ]);
  });

  it('the export contains nothing about another member or the staff', async () => {
    for (const foreign of [grace.mark, grace.email, grace.user_id, grace.customer_id, staff.id]) {
      expect(text).not.toContain(foreign);
    }
  });

  it('the export contains no password, secret or session', () => {
    expect(secrets.length).toBeGreaterThan(6);
    for (const secret of secrets.filter(Boolean)) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(decodeURIComponent(secret).split('.')[0]);
    }
    expect(ada.caller.jar.get(TOKEN)).toBeDefined();
  });
});

it('the export names its version, time and club, and always has the latest data', async () => {
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

it('staff can export their own data, without the members they poured for', async () => {
  const { sections } = await staff.must<PersonalData>('GET', PATH);
  expect(sections.find((it) => it.table === 'user_roles')?.rows).toMatchObject([{ role: 'staff' }]);
  expect(sections.find((it) => it.table === 'pours')?.rows).toEqual([]);
});

it('a user can export ten times an hour', async () => {
  const member = await app.customer();
  for (let times = 0; times < 10; times += 1) await member.must('GET', PATH);
  expect(await member.call('GET', PATH)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
});

describe('rows that are found by an email alone', () => {
  const email = 'walter@neighbors.test';
  const columns = ['Name', 'Email', 'Phone', 'Invited by'];
  const cells = ['Walter Lane', email, '+43 660 1234567', 'clara@neighbors.test'];
  const rowsOf = async (caller: Caller) => {
    const { sections } = await caller.must<PersonalData>('GET', PATH);
    return sections
      .filter(({ table }) => ['member_import_row', 'staff_invitation', 'deliveries'].includes(table))
      .flatMap(({ rows }) => rows);
  };
  let import_id: string;
  beforeAll(async () => {
    const upload = { file_name: 'members.csv', columns };
    import_id = (await staff.must<{ id: string }>('POST', '/api/imports', upload)).id;
    await staff.must('POST', `/api/imports/${import_id}/rows`, { first_row: 1, rows: [cells] });
  });
  const confirm = (caller: Caller) =>
    app.services.db.update(profiles).set({ emailVerified: true }).where(eq(profiles.id, caller.id));

  it('stay out of the export of an account whose email is not confirmed', async () => {
    const stranger = await app.customer({ email });
    expect(await rowsOf(stranger)).toEqual([]);
    await confirm(stranger);
    expect(await rowsOf(stranger)).toMatchObject([{ cells }]);
  });

  it('stay out of the export of someone whom another person’s row only mentions', async () => {
    const mapping = { full_name: 0, email: 1, phone: 2 };
    await staff.must('PUT', `/api/imports/${import_id}/mapping`, { mapping, date_order: 'month_first' });
    await settleImports(app);
    const clara = await app.customer({ email: 'clara@neighbors.test' });
    await confirm(clara);
    expect(await rowsOf(clara)).toEqual([]);
  });
});
