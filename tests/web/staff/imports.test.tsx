import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { MemberImport } from '../../../src/contract/staff/imports.ts';
import { bruno, openStaffApp, stubStaffServer } from '../../support/web/staff-app.tsx';

// docs/rules/imports.md: what the page reads in a file, from all of its rows.

const ID = '0197b1f0-0000-7000-8000-0000000000f1';

const opened: MemberImport = {
  id: ID,
  source: 'file',
  file_name: 'members.csv',
  status: 'checked',
  columns: ['Email', 'First name', 'Birthday'],
  mapping: { email: 0, first_name: 1, birthday: 2 },
  tier_names: {},
  date_order: 'month_first',
  name_order: 'first_last',
  total_rows: 201,
  done_rows: 0,
  prices: null,
  ready_rows: 0,
  venue_rows: 0,
  imported_rows: 0,
  kept_rows: 0,
  created_at: '2026-11-03T10:00:00.000Z',
  finished_at: null,
  has_rows: true,
  emails_wanted: false,
  emailed_rows: 0,
};

async function upload(text: string) {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: ['manage_members'] } }),
    'GET /api/imports': () => (server.made('POST /api/imports').length > 0 ? [opened] : []),
    'POST /api/imports': () => opened,
    [`POST /api/imports/${ID}/rows`]: () => ({ total_rows: opened.total_rows }),
    [`PUT /api/imports/${ID}/mapping`]: () => opened,
    [`GET /api/imports/${ID}/rows`]: () => ({ rows: [], next_cursor: null }),
  });
  openStaffApp('/staff/members/import');
  await userEvent.upload(
    await screen.findByLabelText('CSV file with members'),
    new File([text], 'members.csv'),
  );
  return server;
}

const many = `Email,First name,Birthday\n${'ana@b.test,Ana,1/2/1980\n'.repeat(200)}`;

test('a day above 12 in the last row shows the order of all dates', async () => {
  const server = await upload(`${many}bo@b.test,Bo,31/2/1980\n`);
  await waitFor(() => expect(server.made(`PUT /api/imports/${ID}/mapping`)).toHaveLength(1));
  expect(server.made(`PUT /api/imports/${ID}/mapping`)[0]?.body).toMatchObject({ date_order: 'day_first' });
});

test('a letter beyond A to Z in the last row is shown, so that staff see whether the encoding is right', async () => {
  await upload(`${many}bo@b.test,Zoë,1/2/1980\n`);
  expect(await screen.findByText(/Are these letters right\? “Zoë”\./)).toBeTruthy();
});
