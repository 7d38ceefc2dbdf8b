import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import type { PaymentsReport, PoursReport, RevenueReport } from '../../../src/contract/staff/reports.ts';
import { site } from '../../../src/web/api/site.ts';
import { bruno, openStaffApp, stubStaffServer } from '../../support/web/staff-app.tsx';

beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-11-20T20:00:00Z'), toFake: ['Date'] }));

const none = { count: 0, cents: 0 };
const payments: PaymentsReport = {
  currency: 'usd',
  sums: {
    card: { count: 28, cents: 193_000 },
    till: { count: 2, cents: 13_800 },
    refunded: { count: 1, cents: 3900 },
    disputed: none,
    overdue: none,
  },
  found: 0,
  payments: [],
};
const revenue: RevenueReport = {
  currency: 'usd',
  on_the_house: { members: 0, cents: 0 },
  months: [
    {
      month: '2026-11-01',
      opening: 115,
      joined: 9,
      lost: 4,
      closing: 120,
      churn: 0.03,
      opening_cents: 800_000,
      new_cents: 50_000,
      expansion_cents: 0,
      contraction_cents: 0,
      lost_cents: 6600,
      closing_cents: 843_400,
    },
  ],
  reasons: [],
};
const pours: PoursReport = {
  days: [
    { day: '2026-11-02', pours: 20, glasses: 31 },
    { day: '2026-11-09', pours: 9, glasses: 12 },
  ],
  hours: [],
  places: [],
  staff: [],
};

const open = (received = payments, address = '/staff/reports') => {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: ['see_reports'] } }),
    'GET /api/reports/payments': () => received,
    'GET /api/reports/revenue': () => revenue,
    'GET /api/reports/pours': () => pours,
  });
  openStaffApp(address);
  return server;
};

/** The link of a figure; a report of the same name has a tab above. */
const linkOf = async (name: string) => {
  await screen.findByText('Glasses poured, except voided ones.');
  return within(screen.getByRole('main')).getAllByRole('link', { name }).at(-1);
};

/** A figure's value and what it says that it counts. */
const figure = async (name: string) => {
  const term = (await linkOf(name))?.parentElement;
  return [term?.nextElementSibling?.textContent, term?.parentElement?.lastElementChild?.textContent];
};

test('Reports opens with the month: each figure says what it counts', async () => {
  const server = open();
  expect(await figure('Received by card')).toEqual([
    '$1,930.00',
    'Charged for memberships and gifts, less refunds.',
  ]);
  expect(await figure('Received at the till')).toEqual([
    '$138.00',
    'First months only. Later ones are in your till.',
  ]);
  expect(await figure('Refunded')).toEqual(['$39.00', 'Of this month’s card payments; taken off above.']);
  expect(await figure('Recurring revenue')).toEqual([
    '$8,434',
    'What memberships cost a month, paid or not.',
  ]);
  expect(await figure('Members')).toEqual(['120', 'Memberships today. A household counts once.']);
  expect(await figure('Joined')).toEqual(['9', 'A member today, but not when it began.']);
  expect(await figure('Lost')).toEqual(['4', 'A member when it began, but not today.']);
  expect(await figure('Pours')).toEqual(['43', 'Glasses poured, except voided ones.']);
  for (const report of ['payments', 'revenue', 'pours']) {
    const [request] = server.made(`GET /api/reports/${report}`);
    expect(Object.fromEntries(request?.query ?? [])).toEqual({ from: '2026-11-01', to: '2026-11-20' });
  }
});

test.each([
  ['Received by card', 'payments'],
  ['Refunded', 'payments'],
  ['Recurring revenue', 'revenue'],
  ['Members', 'members'],
  ['Lost', 'revenue'],
  ['Pours', 'pours'],
])('%s leads to its report of the same days', async (name, view) => {
  open();
  const address = new URL((await linkOf(name))?.getAttribute('href') ?? '', 'https://club.example');
  expect(Object.fromEntries(address.searchParams)).toEqual({ view, from: '2026-11-01', to: '2026-11-20' });
});

test('a month that is over is counted to its last day', async () => {
  const server = open();
  await figure('Members');
  fireEvent.change(screen.getByLabelText('Month'), { target: { value: '2026-10-01' } });
  await waitFor(() =>
    expect(Object.fromEntries(server.made('GET /api/reports/revenue').at(-1)?.query ?? [])).toEqual({
      from: '2026-10-01',
      to: '2026-10-31',
    }),
  );
  await screen.findByText(/^Memberships at the end of the month/);
});

test('the month is that of the last day of the other reports', async () => {
  open(payments, '/staff/reports?view=month&from=2026-03-15&to=2026-06-10');
  await figure('Members');
  expect(screen.getByLabelText<HTMLSelectElement>('Month').value).toBe('2026-06-01');
});

test('a club that is paid at the venue has no figures of cards', async () => {
  Object.assign(site, { payments: 'off' });
  open({ ...payments, sums: { ...payments.sums, card: none, refunded: none } });
  await linkOf('Received at the till');
  expect(screen.queryByRole('link', { name: 'Received by card' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Refunded' })).toBeNull();
});
