import { act, cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { install, watchInstall } from '../../../src/web/api/device/install.ts';
import { customer, me, openApp, stubServer } from '../../support/web/member-app.tsx';

const HINT = 'Your card, one tap away';

beforeEach(() => {
  stubServer({ 'GET /api/customers/own': { ...me, customer, membership_ever: true } });
});
afterEach(async () => {
  // The browser's offer stays until accepted.
  await install();
});

/** Opens the page in a new window. */
function visit(): void {
  sessionStorage.clear();
  watchInstall();
}

const offer = (prompt: () => Promise<unknown> = async () => undefined) =>
  act(() => {
    window.dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }), { prompt }));
  });

async function openDashboard() {
  cleanup();
  openApp('/dashboard');
  await screen.findByText('View History');
}

test('the hint shows on the second visit, once the browser offers to install', async () => {
  visit();
  offer();
  await openDashboard();
  expect(screen.queryByText(HINT)).toBeNull();
  // A reload does not count as a visit.
  watchInstall();
  await openDashboard();
  expect(screen.queryByText(HINT)).toBeNull();
  visit();
  const prompt = vi.fn(async () => ({ outcome: 'accepted' }));
  await openDashboard();
  offer(prompt);
  await screen.findByText(HINT);
  await userEvent.click(screen.getByRole('button', { name: 'Add to Home Screen' }));
  expect(prompt).toHaveBeenCalledOnce();
  expect(screen.queryByText(HINT)).toBeNull();
});

test('once dismissed, it never returns on this device', async () => {
  visit();
  visit();
  offer();
  await openDashboard();
  await userEvent.click(screen.getByRole('button', { name: 'Not Now' }));
  expect(screen.queryByText(HINT)).toBeNull();
  visit();
  offer();
  await openDashboard();
  expect(screen.queryByText(HINT)).toBeNull();
});

test('an iPhone, which never offers to install, shows one sentence; the installed app shows none', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0)');
  visit();
  visit();
  await openDashboard();
  screen.getByText(/^Tap Share, then Add to Home Screen\./);
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('standalone'),
    addEventListener: vi.fn(),
    removeEventListener: vi.fn(),
  }));
  await openDashboard();
  expect(screen.queryByText(HINT)).toBeNull();
});
