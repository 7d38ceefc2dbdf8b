import { afterEach, beforeEach, expect, test } from 'vitest';
import { setupCodeText } from '../../../src/domain/staff/setup-code.ts';
import { STAFF_PERMISSIONS } from '../../../src/domain/staff/staff-permission.ts';
import { addStaff, removeStaff } from '../../../src/server/auth/staff-accounts.ts';
import { user_roles } from '../../../src/server/db/schema.ts';
import { createTestApp, PASSWORD, type TestApp, VENUE_ZONE } from '../../support/harness/app.ts';

let app: TestApp;
let code: string;
beforeEach(async () => {
  app = await createTestApp({
    web: (c, _, { gone, awaitsSetup } = {}) => c.text(awaitsSetup ? 'awaits setup' : '', gone ? 404 : 200),
  });
  code = (await app.services.firstStart.takeCode()) ?? '';
});
afterEach(() => app.close());

const first = (overrides: object = {}) => ({
  code,
  first_name: 'Olga',
  last_name: 'Berger',
  email: 'Owner@venue.example',
  password: 'a long walk to the cellar',
  club_name: 'Weingut Berger',
  time_zone: 'Europe/Vienna',
  ...overrides,
});
const read = (typed: string) => app.visitor().call('POST', '/api/setup/read', { code: typed });
const create = (overrides?: object) => app.visitor().call('POST', '/api/setup', first(overrides));
const signIn = async () => (await app.visitor().raw('GET', '/login')).text();
const page = async () => (await app.visitor().raw('GET', '/setup')).status;
const staff = () => app.services.db.$count(user_roles);

test('the code of this start creates the first account, with every permission, and names the club', async () => {
  expect(await page()).toBe(200);
  expect(await signIn()).toBe('awaits setup');
  const typed = setupCodeText(code).toLowerCase();
  expect(typed).toMatch(/^(\w{5}-){3}\w{5}$/);
  expect(await read(typed)).toMatchObject({
    status: 200,
    body: { club_name: 'Test Cellar', time_zone: VENUE_ZONE },
  });
  expect(await create({ code: typed })).toMatchObject({
    status: 201,
    body: { email: 'owner@venue.example' },
  });
  expect(await signIn()).toBe('');
  expect(app.services.venue).toMatchObject({ club_name: 'Weingut Berger', time_zone: 'Europe/Vienna' });

  const owner = app.visitor();
  const { email, password } = first();
  await owner.must('POST', '/api/auth/sign-in', { email, password });
  expect(await owner.must('GET', '/api/session')).toMatchObject({
    user: { role: 'staff', first_name: 'Olga', permissions: [...STAFF_PERMISSIONS] },
  });
  const { entries } = await owner.must<{ entries: { act: string }[] }>('GET', '/api/audit');
  expect(entries.map(({ act }) => act).sort()).toEqual(['club_changed', 'club_changed', 'staff_added']);
  expect(await owner.must('GET', '/api/setup/todo')).toEqual({
    two_factor: true,
    tiers: true,
    payments: true,
    team: true,
    email: false,
  });
  const { findings } = await owner.must<{ findings: { about: string }[] }>(
    'POST',
    '/api/setup/payments-check',
  );
  expect(findings.map(({ about }) => about)).toContain('account');
});

test('once there is a staff account, the page and its calls are gone for good', async () => {
  const isGone = async () => {
    expect(await page()).toBe(404);
    expect(await read(code)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(await create()).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
  };
  await addStaff(app.services, 'owner@venue.example', PASSWORD);
  await isGone();
  expect(await removeStaff(app.services, 'owner@venue.example')).toBe(true);
  await isGone();
  // The next start prints no code either.
  const next = await createTestApp({
    database: { ...app.database, close: async () => undefined },
    sandbox: app.sandbox,
  });
  expect(await next.services.firstStart.takeCode()).toBeNull();
  await next.close();
});

test('two browsers at once create one account', async () => {
  const answers = await Promise.all([create(), create({ email: 'other@venue.example' })]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 404]);
  expect(await staff()).toBe(1);
});

test('a wrong code opens nothing, and cannot be guessed for long', async () => {
  const wrong = code.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
  expect(await read('')).toMatchObject({ status: 400, body: { code: 'LINK_INVALID' } });
  expect(await create({ code: wrong })).toMatchObject({ status: 400, body: { code: 'LINK_INVALID' } });
  for (let tries = 1; tries < 20; tries++) await read(wrong);
  expect(await read(code)).toMatchObject({ status: 429, body: { code: 'TOO_MANY_ATTEMPTS' } });
  expect(await staff()).toBe(0);
  expect(app.logged.some((line) => line.includes(code))).toBe(false);
});

test('the password follows the rules of a sign-up, with the new name of the club', async () => {
  const refused = (password: string) => create({ password });
  expect(await refused('short')).toMatchObject({ status: 400 });
  expect(await refused('password1')).toMatchObject({ status: 422, body: { code: 'PASSWORD_COMMON' } });
  expect(await refused('weingutberger')).toMatchObject({ status: 422, body: { code: 'PASSWORD_PERSONAL' } });
  expect(await staff()).toBe(0);
});

test('whoever signed up with that email before cannot sign in afterwards', async () => {
  const squatter = await app.customer({ email: 'owner@venue.example' });
  expect((await create()).status).toBe(201);
  const { body } = await squatter.call<{ user: unknown }>('GET', '/api/session');
  expect(body.user).toBeNull();
  const old = { email: 'owner@venue.example', password: PASSWORD };
  expect((await app.visitor().call('POST', '/api/auth/sign-in', old)).status).toBe(401);
});
