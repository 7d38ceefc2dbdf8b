import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queueStore } from '../../../src/web/staff/offline-queue/queue-store.ts';
import {
  type Answer,
  ada,
  adaAtBar,
  adasPage,
  openStaffApp,
  stubStaffServer,
} from '../../support/web/staff-app.tsx';

const LIST = 'GET /api/customers';
const SEARCH = 'POST /api/customers/search';
const row = {
  ...ada,
  user_id: adaAtBar.user_id,
  first_name: 'Berta',
  email: 'berta@demo.test',
  status: 'active',
  member_since: '2026-01-05',
};
let online = true;
/** Whether our server can be reached, whatever the browser says. */
let reached = true;
const page = () => ({ members: [row], next_cursor: null });
/** A server that answers while it can be reached. */
function serve(answers: Record<string, Answer>) {
  const server = stubStaffServer(answers);
  const answer = globalThis.fetch;
  vi.stubGlobal('fetch', (...request: Parameters<typeof fetch>) =>
    reached ? answer(...request) : Promise.reject(new TypeError('Failed to fetch')),
  );
  return server;
}

const network = (back: boolean) =>
  act(async () => {
    online = back;
    reached = back;
    window.dispatchEvent(new Event(back ? 'online' : 'offline'));
  });
const box = () => screen.getByPlaceholderText('Search by name or email');

beforeEach(() => {
  online = true;
  reached = true;
  vi.spyOn(console, 'warn').mockReturnValue();
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online);
  queueStore.noteBalance(ada.id, 7, Date.now(), ada);
});
// The query client listens to the window, which the files of one worker share.
afterEach(() => network(true));

test('a search whose network goes finds the members seen on this device, and the server’s once it is back', async () => {
  serve({ [LIST]: page, [SEARCH]: page });
  const app = openStaffApp('/staff/dashboard');
  await screen.findByRole('link', { name: /Berta Vine/ });
  await network(false);
  await screen.findByRole('link', { name: /Ada Vine/ });
  expect(screen.queryByRole('link', { name: /Berta Vine/ })).toBeNull();
  await userEvent.type(box(), 'berta');
  await screen.findByText('No members match that name.');
  await userEvent.clear(box());
  await userEvent.type(box(), 'vin');
  await userEvent.click(await screen.findByRole('link', { name: /Ada Vine.*7 left/s }));
  await screen.findByRole('button', { name: 'Pour 1' });
  app.back();
  await network(true);
  await screen.findByRole('link', { name: /Berta Vine/ });
});

test('where the browser wrongly says that it is offline, a search asks the server, and other pages load', async () => {
  online = false;
  serve({
    [LIST]: page,
    [SEARCH]: page,
    [`GET /api/customers/${adaAtBar.user_id}`]: () => adasPage,
  });
  openStaffApp('/staff/dashboard');
  await act(async () => void window.dispatchEvent(new Event('offline')));
  await screen.findByRole('link', { name: /Berta Vine/ });
  expect(screen.queryByText('You’re offline')).toBeNull();
  await userEvent.type(box(), 'berta');
  await userEvent.click(await screen.findByRole('link', { name: /Berta Vine/ }));
  await screen.findByRole('heading', { name: 'Ada Vine' });
});

test('a search offline says that no member was opened on this device', async () => {
  localStorage.clear();
  serve({});
  openStaffApp('/staff/dashboard');
  await screen.findByText('No members yet');
  await network(false);
  await screen.findByText(/^No member was opened here in the last day\./);
});

test('a server that does not answer: the members seen on this device, and Try Again', async () => {
  const server = serve({ [LIST]: () => Promise.reject(new TypeError('Failed to fetch')) });
  openStaffApp('/staff/dashboard');
  await screen.findByRole('link', { name: /Ada Vine/ });
  server.answers[LIST] = page;
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  await screen.findByRole('link', { name: /Berta Vine/ });
});

test('the scanner leads to the members seen on this device while it is offline', async () => {
  serve({ [LIST]: page });
  const app = openStaffApp('/staff/search');
  await screen.findByRole('button', { name: 'Enter Code Manually' });
  await network(false);
  await userEvent.click(await screen.findByRole('link', { name: 'Members Seen on This Device' }));
  await waitFor(() => expect(app.path()).toBe('/staff/dashboard'));
  await screen.findByRole('link', { name: /Ada Vine/ });
});

test('a page that waits for the network says so', async () => {
  serve({});
  openStaffApp('/staff/dashboard');
  await screen.findByText('No members yet');
  await network(false);
  await userEvent.click(await screen.findByRole('link', { name: /Ada Vine/ }));
  await userEvent.click(await screen.findByRole('link', { name: 'Back to Customer' }));
  await screen.findByText('You’re offline. This loads once the network is back.');
});
