import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { PaymentsReport } from '../../../src/contract/staff/reports.ts';
import { bruno, openStaffApp, stubStaffServer } from '../../support/web/staff-app.tsx';

const at = '2026-06-15T20:30:00.000Z';
const user_id = '0197b1f0-0000-7000-8000-000000000001';
const none = { count: 0, cents: 0 };
const report: PaymentsReport = {
  currency: 'usd',
  sums: {
    card: { count: 1, cents: 10_000 },
    till: { count: 301, cents: 6900 },
    refunded: { count: 1, cents: 900 },
    disputed: none,
    overdue: { count: 2, cents: 7800 },
  },
  found: 302,
  payments: [
    {
      id: '0197b1f0-0000-7000-8000-0000000000a1',
      kind: 'till',
      state: 'paid',
      day: '2026-06-15',
      at,
      user_id,
      name: 'Ada Vine',
      by: 'Sam Staff',
      reference: 'T-4711',
      tier: 'premier',
      cents: 6900,
      refunded_cents: 0,
      tax_cents: null,
      currency: 'usd',
    },
    {
      id: 'in_1',
      kind: 'gift',
      state: 'refunded',
      day: '2026-06-15',
      at,
      user_id: null,
      name: null,
      by: null,
      reference: null,
      tier: 'premier',
      cents: 10_900,
      refunded_cents: 900,
      tax_cents: null,
      currency: 'usd',
    },
  ],
};

const cells = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));

test('one list has payments at the till and by card, with what was refunded', async () => {
  stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: ['see_reports'] } }),
    'GET /api/reports/payments': () => report,
  });
  openStaffApp('/staff/reports?view=payments&from=2026-06-15&to=2026-06-15');
  await screen.findByText(/^T-4711/);
  expect(cells('Payments')).toEqual([
    ['Ada Vine6/15/2026', 'At the till, PremierT-4711, approved by Sam Staff', 'Paid', '$69.00'],
    ['Deleted account6/15/2026', 'Gift, Premier', 'Partly refunded', '$109.00$9.00 refunded'],
  ]);
  screen.getByText(/The latest 2 of 302; the file has them all/);
  expect(screen.getByRole('link', { name: 'Ada Vine' }).getAttribute('href')).toBe(
    `/staff/customers/${user_id}`,
  );
});

test('a filter is part of the URL, of the request and of the file', async () => {
  const asked: string[] = [];
  stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: ['see_reports'] } }),
    'GET /api/reports/payments': ({ query }: { query: URLSearchParams }) => {
      asked.push(query.toString());
      return report;
    },
  });
  openStaffApp('/staff/reports?view=payments&from=2026-06-15&to=2026-06-15');
  fireEvent.click(await screen.findByRole('link', { name: '2 payments' }));
  await waitFor(() => expect(asked.at(-1)).toContain('state=overdue'));
  expect(screen.getByLabelText<HTMLSelectElement>('State').value).toBe('overdue');
  expect(screen.getByRole('link', { name: 'Payments as a CSV file' }).getAttribute('href')).toContain(
    'state=overdue',
  );
});
