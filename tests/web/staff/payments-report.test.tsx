import { cleanup, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { PaymentsReport } from '../../../src/contract/staff/reports.ts';
import { formatDateTime } from '../../../src/web/format/dates.ts';
import { bruno, openStaffApp, stubStaffServer } from '../../support/web/staff-app.tsx';

afterEach(cleanup);

const at = '2026-06-15T20:30:00.000Z';
const user_id = '0197b1f0-0000-7000-8000-000000000001';
const report: PaymentsReport = {
  currency: 'usd',
  charged: { count: 1, cents: 10_000 },
  approved: { count: 301, cents: 6900 },
  charges: [
    {
      id: 'in_1',
      paid_for: 'gift',
      at,
      user_id: null,
      name: null,
      status: 'partially_refunded',
      cents: 10_900,
      refunded_cents: 900,
      currency: 'usd',
    },
  ],
  approvals: [
    {
      id: '0197b1f0-0000-7000-8000-0000000000a1',
      day: '2026-06-15',
      at,
      user_id,
      name: 'Ada Vine',
      by: 'Sam Staff',
      reference: 'T-4711',
      tier: 'premier',
      cents: 6900,
    },
  ],
};

const cells = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent));

test('approvals stand beside the charges, each with its reference and who approved it', async () => {
  stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: ['see_reports'] } }),
    'GET /api/reports/payments': () => report,
  });
  openStaffApp('/staff/reports?view=payments&from=2026-06-15&to=2026-06-15');
  await screen.findByText('T-4711');
  const when = formatDateTime(at);
  expect(cells('Approved at the till')).toEqual([
    [when, 'T-4711', 'Sam Staff', 'Ada Vine', 'Premier', '$69.00'],
  ]);
  expect(cells('Paid by card')).toEqual([
    [when, 'Deleted account', 'A gift', 'Partially refunded', '$100.00'],
  ]);
  screen.getByText(/The latest 1 of 301; the file has them all/);
  expect(screen.getByRole('link', { name: 'Ada Vine' }).getAttribute('href')).toBe(
    `/staff/customers/${user_id}`,
  );
});
