import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { application, customer, me, openApp, refuse, stubServer } from '../../support/web/member-app.tsx';

const mine = 'GET /api/customers/own';
const token = 'POST /api/functions/generate-qr-token';
const minute = 60_000;
let online = true;

beforeEach(() => {
  online = true;
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online);
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const network = (state: 'online' | 'offline') =>
  act(async () => {
    online = state === 'online';
    window.dispatchEvent(new Event(state));
    await vi.advanceTimersByTimeAsync(10);
  });
const code = () => screen.queryByRole('img', { name: 'QR code of your membership' });

async function openCard(answers: Record<string, unknown> = {}) {
  const server = stubServer({ [mine]: { ...me, customer }, ...answers });
  openApp('/qr-code');
  await pass(50);
  return server;
}

test('a member: title, a code of 300 px, details, download, print, back link', async () => {
  const server = await openCard();
  screen.getByRole('heading', { level: 1, name: 'Your Digital Membership Card' });
  expect(code()?.getAttribute('width')).toBe('300');
  screen.getByText('Ada Vine');
  screen.getByText('Premier');
  screen.getByText('Member since 3/1/2024');
  screen.getByRole('button', { name: 'Download QR' });
  screen.getByRole('button', { name: 'Print Card' });
  expect(screen.getByRole('link', { name: 'Back to Dashboard' }).getAttribute('href')).toBe('/dashboard');
  expect(server.count(token)).toBe(1);
});

test('the code is replaced every eight minutes', async () => {
  const server = await openCard();
  await pass(8 * minute - 1_000);
  expect(server.count(token)).toBe(1);
  await pass(1_000);
  expect(server.count(token)).toBe(2);
  await pass(8 * minute);
  expect(server.count(token)).toBe(3);
});

test('a tab that wakes after a long sleep requests a new code at once', async () => {
  const server = await openCard();
  vi.setSystemTime(Date.now() + 30 * minute);
  await act(async () => {
    document.dispatchEvent(new Event('visibilitychange'));
    window.dispatchEvent(new Event('visibilitychange'));
    await vi.advanceTimersByTimeAsync(10);
  });
  expect(server.count(token)).toBe(2);
  expect(code()).not.toBeNull();
});

test('offline: the last code and how long it is valid, then that it has expired, then a new one', async () => {
  const server = await openCard();
  await pass(minute + 2_000);
  await network('offline');
  screen.getByText("You're offline. This code still works.", { exact: false });
  screen.getByText('Valid for 8 more minutes');
  await pass(8 * minute + 28_000);
  expect(code()).not.toBeNull();
  screen.getByText(/^Valid for (29|30) more seconds$/);
  await pass(31_000);
  expect(code()).toBeNull();
  screen.getByText(/A new one will appear when you're back online/);
  await network('online');
  await pass(50);
  expect(code()).not.toBeNull();
  expect(server.count(token)).toBe(2);
});

test('a code that cannot be loaded: no error shown, logged, requested again after fifteen seconds', async () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  const server = await openCard({ [token]: refuse(500, {}) });
  expect(code()).toBeNull();
  expect(warn).toHaveBeenCalled();
  expect(screen.queryByRole('alert')).toBeNull();
  screen.getByText('Your code has expired');
  server.answers[token] = { token: 'B'.repeat(40), expires_at: 1 };
  await pass(15_000);
  expect(code()).not.toBeNull();
});

test("a pending applicant: 'Your Application QR Code', 'Application Pending', no token requested", async () => {
  const server = await openCard({ [mine]: { ...me, application } });
  screen.getByRole('heading', { level: 1, name: 'Your Application QR Code' });
  screen.getByText('Application Pending');
  expect(screen.getByRole('img', { name: 'QR code of your application' }).getAttribute('width')).toBe('300');
  expect(server.count(token)).toBe(0);
});

test("neither: 'No Membership Found' with a link to /apply", async () => {
  await openCard({ [mine]: { ...me, customer: { ...customer, status: 'inactive' } } });
  screen.getByRole('heading', { level: 1, name: 'No Membership Found' });
  expect(screen.getByRole('link', { name: 'Apply for Membership' }).getAttribute('href')).toBe('/apply');
});
