import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { dateAndTime } from '../../src/web/features/staff/date-and-time.ts';
import { ada, openStaffApp, refusal, stubStaffServer } from './staff-app.tsx';

const user_id = '0197b1f0-0000-7000-8000-000000000001';
const member = {
  customer: {
    id: ada.id,
    user_id,
    tier: 'premier',
    status: 'active',
    member_since: '2024-03-01',
    pours_balance: 7,
    total_pours_lifetime: 31,
    last_activity: null,
  },
  profile: { id: user_id, email: 'ada@demo.test', first_name: 'Ada', last_name: 'Vine', phone: '555 0100' },
  tier_display_name: 'Premier',
  has_active_membership: true,
  standing: null,
  next_billing_date: null,
  available_pours: 7,
  tier_max: 10,
  has_preferences: false,
};
const pour = (id: string, quantity: number, notes: string | null) => ({
  id: `0197b1f0-0000-7000-8000-0000000000d${id}`,
  quantity,
  location: 'private_event',
  notes,
  status: 'redeemed',
  toast_reference_number: 'POUR-1',
  created_at: '2026-03-04T19:05:00.000Z',
});
const detail = `GET /api/customers/${user_id}`;
const history = `GET /api/customers/${ada.id}/pours`;

function open(answer: unknown = member, pours: unknown = []) {
  stubStaffServer({ [detail]: () => answer, [history]: () => pours });
  return openStaffApp(`/staff/customers/${user_id}`);
}

beforeEach(() => {
  vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(cleanup);

test('name, email, phone, tier and the three tiles', async () => {
  open();
  await screen.findByRole('heading', { name: 'Ada Vine' });
  for (const text of [
    'ada@demo.test',
    '555 0100',
    'Premier',
    'Available Pours',
    '7',
    'Lifetime Pours',
    '31',
  ]) {
    screen.getByText(text);
  }
  screen.getByText('Member Since');
  screen.getByText('March 2024');
  await screen.findByText('No pours recorded yet');
});

describe('membership status', () => {
  test('active, with an active membership', async () => {
    open();
    await screen.findByText('Active');
    screen.getByText('Active Membership');
  });
  test('inactive reads Canceled; any other status reads Active', async () => {
    open({ ...member, has_active_membership: false, customer: { ...member.customer, status: 'inactive' } });
    await screen.findByText('Canceled');
    expect(screen.queryByText('Active Membership')).toBeNull();
    cleanup();
    open({ ...member, has_active_membership: false, customer: { ...member.customer, status: 'paused' } });
    await screen.findByText('Active');
  });
});

test('pour history: date and time, place, notes, how many', async () => {
  open(member, [pour('1', 1, 'Barolo'), pour('2', 3, null)]);
  await screen.findByText('1 pour');
  screen.getByText('3 pours');
  screen.getByText('Barolo');
  expect(screen.getAllByText('Private Event')).toHaveLength(2);
  expect(screen.getAllByText(dateAndTime('2026-03-04T19:05:00.000Z'))).toHaveLength(2);
});

test('recording a pour takes the member along', async () => {
  const app = open();
  await userEvent.click(await screen.findByRole('link', { name: 'Record Pour' }));
  await waitFor(() => expect(app.path()).toBe(`/staff/customers/${user_id}/add-pour`));
  expect(app.state().customer).toEqual(ada);
});

test.each([
  ['an id nobody has', user_id],
  ['no id at all', 'somebody'],
])('%s', async (_name, id) => {
  stubStaffServer({ [detail]: () => refusal(404, 'NOT_FOUND', 'Not found.', { what: 'customer' }) });
  openStaffApp(`/staff/customers/${id}`);
  await screen.findByText('Customer not found');
});

test('adding a membership is for later', async () => {
  stubStaffServer({});
  openStaffApp(`/staff/customers/${user_id}/add-membership`);
  await screen.findByText('Add Membership - Coming soon');
});

test('date and time read MMM dd, yyyy • h:mm a', () => {
  const local = new Date(2026, 2, 4, 19, 5).toISOString();
  expect(dateAndTime(local)).toBe('Mar 04, 2026 • 7:05 PM');
  expect(dateAndTime(new Date(2026, 8, 30, 0, 0).toISOString())).toBe('Sep 30, 2026 • 12:00 AM');
});
