import type { Page } from '@playwright/test';
import type { ImportRow, MemberImport } from '../../src/contract/staff/imports.ts';
import { pressed, type Scene, scene, stub } from './scene.ts';

const COLUMNS = ['E-mail', 'Name', 'Phone', 'Born', 'Plan', 'Joined', 'POS', 'Left', 'Tags', 'Comments'];
const CHECKED: MemberImport = {
  id: '0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e0f',
  source: 'file',
  prices: null,
  file_name: 'old-system-members.csv',
  status: 'checked',
  columns: COLUMNS,
  tier_names: { gold: null },
  mapping: {
    email: 0,
    full_name: 1,
    phone: 2,
    birthday: 3,
    tier: 4,
    member_since: 5,
    payment_reference: 6,
    glasses_left: 7,
    tags: 8,
    notes: 9,
  },
  date_order: 'month_first',
  name_order: 'first_last',
  total_rows: 1204,
  done_rows: 1204,
  ready_rows: 1198,
  venue_rows: 310,
  imported_rows: 0,
  kept_rows: 0,
  created_at: '2026-03-02T10:00:00.000Z',
  finished_at: null,
  has_rows: true,
  emails_wanted: false,
  emailed_rows: 0,
};
const IMPORTED: MemberImport = {
  ...CHECKED,
  id: '0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e10',
  status: 'imported',
  imported_rows: 1198,
  finished_at: '2026-03-02T10:20:00.000Z',
};
const UNDONE: MemberImport = {
  ...IMPORTED,
  id: '0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e11',
  file_name: 'wrong-file.csv',
  status: 'undone',
  imported_rows: 2,
  kept_rows: 2,
};

const price = (
  id: string,
  name: string,
  unit_cents: number,
  interval: string,
  subscriptions: number,
  tier: string | null,
) => ({ price: id, name, unit_cents, currency: 'usd', interval, subscriptions, tier });

const row = (row_no: number, name: string, email: string, problems: ImportRow['problems']): ImportRow => ({
  row_no,
  line: row_no + 1,
  member: null,
  cells: [email, name],
  problems,
  remarks: [],
  becomes: null,
  outcome: null,
  kept_because: null,
  user_id: null,
});
const WRONG = [
  row(12, 'Beatriz Nogueira', 'beatriz.nogueira@', ['email_wrong']),
  row(87, 'Theodora Vandenberghe-Papadopoulos', 'theodora.vandenberghe@example.test', ['has_account']),
  row(88, 'Ola Nordmann', 'theodora.vandenberghe@example.test', ['email_twice', 'tier_unknown']),
  row(301, '', 'info@example.test', ['name_missing']),
  row(777, 'Kofi Mensah', 'kofi@example.test', ['birthday_wrong', 'member_since_future']),
  row(1100, 'Yuki Mori', 'yuki@example.test', ['reference_without_tier']),
];

const FIRST = ['Zoë Müller', 'José Nuñez-Papadopoulos', 'Łukasz Wiśniewski'].map((name, index) => {
  const [first_name = '', last_name = ''] = name.split(' ');
  const email = `${first_name
    .normalize('NFD')
    .replaceAll(/[^a-z]/gi, '')
    .toLowerCase()}@example.test`;
  return {
    ...row(index + 1, name, email, []),
    member: {
      email,
      first_name,
      last_name,
      phone: index === 1 ? null : '+1 555 010 0001',
      birthday: { month: 7, day: 4, year: index === 0 ? null : 1980 },
      tier: index === 2 ? null : 'premier',
      member_since: '2020-03-14',
      payment_reference: index === 2 ? null : 'T-77',
      glasses_left: index === 2 ? null : 3,
      tags: ['VIP', 'Press'],
      allergies: index === 0 ? 'Sulfites, no nuts' : null,
      notes: index === 0 ? ['Likes a table by the window'] : [],
    },
  };
});

const ADOPTION: MemberImport = {
  ...CHECKED,
  id: '0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e12',
  source: 'stripe',
  file_name: 'Subscriptions at Stripe',
  columns: ['Name', 'Email', 'Pays', 'Status at Stripe', 'Subscription', 'Customer'],
  mapping: { full_name: 0, email: 1 },
  prices: [
    price('price_1', 'Founders’ Premier', 5900, 'month', 212, 'premier'),
    price('price_2', 'Select Club', 3900, 'month', 97, 'select'),
    price('price_3', 'Cheese Box', 1500, 'month', 31, null),
    price('price_4', 'Elite, by the Year', 109_900, 'year', 4, 'elite'),
  ],
  total_rows: 344,
  done_rows: 344,
  ready_rows: 301,
  venue_rows: 0,
};
const adopted = (
  row_no: number,
  name: string,
  email: string,
  price: string,
  changes: Partial<ImportRow>,
): ImportRow => ({
  ...row(row_no, name, email, []),
  cells: [name, email, price, 'active', 'sub_1', 'cus_1'],
  ...changes,
});
const READY = [
  adopted(1, 'Beatriz Nogueira', 'beatriz.nogueira@example.test', '$59.00 per month', {
    becomes: 'made',
    remarks: ['other_amount'],
  }),
  adopted(2, 'Kofi Mensah', 'kofi@example.test', '$39.00 per month', { becomes: 'found' }),
  adopted(3, 'Theodora Vandenberghe-Papadopoulos', 'theodora.vandenberghe@example.test', '$59.00 per month', {
    becomes: 'made',
    remarks: ['ending', 'other_amount', 'own_card'],
  }),
];
const LEFT = [
  adopted(4, 'Yuki Mori', 'yuki@example.test', '$1,099.00 per year', { problems: ['not_monthly'] }),
  adopted(5, 'Ola Nordmann', 'ola@example.test', '$59.00 per month', { problems: ['overdue'] }),
  adopted(6, 'Ida Berg', 'ida@example.test', '$15.00 per month', { problems: ['no_membership'] }),
];

/** The page with these imports, stubbed because the other screenshots must not show any. */
const withImports = (imports: MemberImport[]) => async (page: Page, url: string) => {
  await stub(page, '**/api/imports', imports);
  await page.route('**/api/imports/*/rows*', (route) => {
    const isReady = route.request().url().includes('which=ready');
    const isStripe = imports[0]?.source === 'stripe';
    const rows = isReady ? (isStripe ? READY : FIRST) : isStripe ? LEFT : WRONG;
    return route.fulfill({ json: { rows, next_cursor: null } });
  });
  await page.goto(`${url}/staff/members/import`);
};

export const importScenes: Scene[] = [
  scene('staff-import', 'staff', '/staff/members/import', 'Drop a CSV file here'),
  scene('staff-import-checked', 'staff', withImports([CHECKED]), 'An earlier row has the same email'),
  scene(
    'staff-import-asking',
    'staff',
    withImports([CHECKED]),
    pressed(/^Import 1,198 M/, 'Nobody is charged, and nobody gets an email.'),
  ),
  scene(
    'staff-import-running',
    'staff',
    withImports([{ ...CHECKED, status: 'importing', done_rows: 480 }]),
    'does not slow down pouring',
  ),
  scene('staff-adoption-checked', 'staff', withImports([ADOPTION]), 'It isn’t paid monthly'),
  scene(
    'staff-adoption-asking',
    'staff',
    withImports([ADOPTION]),
    pressed(/^Take Over 301 S/, 'Nobody is charged now'),
  ),
  scene(
    'staff-adoption-running',
    'staff',
    withImports([{ ...ADOPTION, status: 'importing', done_rows: 120 }]),
    'does not slow down pouring',
  ),
  scene(
    'staff-import-past',
    'staff',
    withImports([{ ...IMPORTED, emailed_rows: 40 }, UNDONE]),
    'Undone, except 2 members',
  ),
];
