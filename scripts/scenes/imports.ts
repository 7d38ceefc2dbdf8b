import type { Page } from '@playwright/test';
import type { ImportRow, MemberImport } from '../../src/contract/staff/imports.ts';
import { pressed, type Scene, showsText } from './scene.ts';

const COLUMNS = ['E-mail', 'Name', 'Phone', 'Born', 'Plan', 'Joined', 'POS', 'Left', 'Tags', 'Comments'];
const CHECKED: MemberImport = {
  id: '0192f0aa-1b2c-7d3e-8f40-5a6b7c8d9e0f',
  source: 'file',
  prices: null,
  file_name: 'old-system-members.csv',
  status: 'checked',
  columns: COLUMNS,
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

const row = (row_no: number, name: string, email: string, problems: ImportRow['problems']): ImportRow => ({
  row_no,
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

/** The page with these imports: the pictures of the others must not find any. */
const withImports = (imports: MemberImport[]) => async (page: Page, url: string) => {
  await page.route('**/api/imports', (route) => route.fulfill({ json: imports }));
  await page.route('**/api/imports/*/rows*', (route) =>
    route.fulfill({ json: { rows: WRONG, next_cursor: null } }),
  );
  await page.goto(`${url}/staff/members/import`);
};

export const importScenes: Scene[] = [
  {
    name: 'staff-import',
    who: 'staff',
    path: '/staff/members/import',
    settled: showsText('Drop a CSV file here'),
  },
  {
    name: 'staff-import-checked',
    who: 'staff',
    open: withImports([CHECKED]),
    settled: showsText('An earlier row has the same email'),
  },
  {
    name: 'staff-import-asking',
    who: 'staff',
    open: withImports([CHECKED]),
    settled: pressed(/^Import 1,198 M/, 'Nobody is charged, and nobody gets an email.'),
  },
  {
    name: 'staff-import-running',
    who: 'staff',
    open: withImports([{ ...CHECKED, status: 'importing', done_rows: 480 }]),
    settled: showsText('the bar comes first'),
  },
  {
    name: 'staff-import-past',
    who: 'staff',
    open: withImports([{ ...IMPORTED, emailed_rows: 40 }, UNDONE]),
    settled: showsText('Undone, except 2 members'),
  },
];
