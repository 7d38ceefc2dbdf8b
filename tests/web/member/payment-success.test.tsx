import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { customer, me, openApp, refuse, stubServer } from '../../support/web/member-app.tsx';
import { pass } from '../../support/web/pass.ts';

const mine = 'GET /api/customers/own';
const verify = 'POST /api/functions/verify-subscription-status';
const activating = 'Your membership is now being activated';
const welcome = 'Welcome to our wine club! Your membership is now active';

beforeEach(() => {
  vi.useFakeTimers();
});

test('without a session_id: to /dashboard', async () => {
  stubServer();
  const app = openApp('/payment-success');
  await pass(10);
  expect(app.path()).toBe('/dashboard');
});

test('polls every second until the member is active, counts down 3 seconds, opens the dashboard', async () => {
  const inactive = { ...customer, status: 'inactive' };
  const server = stubServer({ [mine]: { ...me, customer: inactive } });
  const app = openApp('/payment-success?session_id=cs_1');
  await pass(10);
  screen.getByRole('heading', { name: 'Payment Successful' });
  screen.getByText(activating);
  expect(server.count(verify)).toBe(1);
  await pass(2_000);
  expect(server.count(mine)).toBe(2);
  server.answers[mine] = { ...me, customer };
  await pass(1_000);
  expect(server.count(mine)).toBe(3);
  screen.getByText(welcome);
  screen.getByText('Your dashboard opens in 3 seconds');
  await pass(1_000);
  screen.getByText('Your dashboard opens in 2 seconds');
  await pass(1_000);
  screen.getByText('Your dashboard opens in 1 second');
  expect(app.path()).toBe('/payment-success');
  await pass(1_000);
  expect(app.path()).toBe('/dashboard');
  expect(server.count(verify)).toBeLessThanOrEqual(2);
});

test.each([
  [true, '/household'],
  [false, undefined],
])('in a tier for two with a free place (%s), the next step is to invite the partner', async (free, to) => {
  stubServer({ [mine]: { ...me, customer, has_free_seat: free } });
  openApp('/payment-success?session_id=cs_1');
  await pass(1_010);
  screen.getByText(welcome);
  expect(screen.queryByRole('link', { name: 'Invite Your Partner' })?.getAttribute('href')).toBe(to);
});

test('after ten polls: an explanation, Check Again, dashboard, support', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  const server = stubServer({ [verify]: refuse(502, {}) });
  openApp('/payment-success?session_id=cs_1');
  await pass(9_990);
  expect(server.count(mine)).toBe(9);
  screen.getByText(activating);
  await pass(20_000);
  expect(server.count(mine)).toBe(10);
  screen.getByText('This is taking a little longer than usual');
  screen.getByRole('link', { name: 'Back to Dashboard' });
  expect(screen.getAllByRole('link').some((link) => link.getAttribute('href')?.startsWith('mailto:'))).toBe(
    true,
  );
  server.answers[mine] = { ...me, customer };
  fireEvent.click(screen.getByRole('button', { name: 'Check Again' }));
  await pass(1_000);
  screen.getByText(welcome);
  expect(server.count(verify)).toBe(2);
});

test('a failed poll counts as one, and polling continues', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const server = stubServer({ [mine]: refuse(500, {}) });
  openApp('/payment-success?session_id=cs_1');
  await pass(1_010);
  expect(warn).toHaveBeenCalled();
  server.answers[mine] = { ...me, customer };
  await pass(1_000);
  screen.getByText(welcome);
});
