import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { Answer } from '../../support/web/staff-app.tsx';
import { openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const list = 'GET /api/customers';
const search = 'POST /api/customers/search';
const row = (number: number, first_name: string) => ({
  id: `0197b1f0-0000-7000-8000-00000000c${number.toString().padStart(3, '0')}`,
  user_id: `0197b1f0-0000-7000-8000-00000000a${number.toString().padStart(3, '0')}`,
  first_name,
  last_name: 'Vine',
  email: `${first_name.toLowerCase()}@demo.test`,
  tier: 'elite',
  status: 'active',
  member_since: '2026-01-05',
  pours_balance: 7,
});
const page = (members: unknown[], next_cursor: string | null = null) => ({ members, next_cursor });

async function open(recent: Answer, found: Answer = () => page([])) {
  const server = stubStaffServer({ [list]: recent, [search]: found });
  const app = openStaffApp('/staff/dashboard');
  await screen.findByRole('heading', { name: 'Bar' });
  return { server, app };
}
const box = () => screen.getByPlaceholderText('Search by name or email');

/** Scrolls to the end of the list, where it asks for more; null while the list watches no end. */
let reachEnd: (() => void) | null = null;

beforeEach(() => {
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      private readonly reach: () => void;
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        this.reach = () => callback([{ isIntersecting: true }]);
      }
      observe() {
        reachEnd = this.reach;
      }
      disconnect() {
        reachEnd = null;
      }
    },
  );
  vi.spyOn(console, 'warn').mockReturnValue();
});

test('scan, Sign Out, and the recent members as links', async () => {
  await open(() => page([row(1, 'Ada'), row(2, 'Berta')]));
  expect(screen.getByRole('link', { name: 'Scan Customer QR Code' }).getAttribute('href')).toBe(
    '/staff/search',
  );
  screen.getByRole('button', { name: 'Sign Out' });
  const ada = await screen.findByRole('link', { name: /Ada Vine/ });
  expect(ada.getAttribute('href')).toBe(`/staff/customers/${row(1, '').user_id}`);
  within(ada).getByText('ada@demo.test');
  within(ada).getByText('Elite');
  within(ada).getByText('7 left');
  screen.getByRole('heading', { name: 'Recent Members' });
});

test('Loading, then no members yet', async () => {
  const { promise, resolve: answer } = Promise.withResolvers<unknown>();
  await open(() => promise);
  await screen.findByText('Loading');
  await waitFor(() => expect(screen.getByText('Loading')).toBeTruthy());
  answer(page([]));
  await screen.findByText('No members yet');
});

describe('searching', () => {
  test('one request once typing stops; an empty box shows the recent members again', async () => {
    const { server } = await open(
      () => page([row(1, 'Ada')]),
      () => page([row(3, 'Cora')]),
    );
    await screen.findByText('Ada Vine');
    await userEvent.type(box(), 'cora', { delay: 20 });
    screen.getByRole('heading', { name: 'Search Results' });
    expect(screen.queryByText('Ada Vine')).toBeNull();
    await screen.findByText('Cora Vine');
    expect(server.made(search).map(({ body }) => body)).toEqual([{ search: 'cora' }]);
    await userEvent.clear(box());
    await screen.findByText('Ada Vine');
    screen.getByRole('heading', { name: 'Recent Members' });
  });

  test('Back restores the text from the URL', async () => {
    const { server, app } = await open(
      () => page([row(1, 'Ada')]),
      () => page([row(3, 'Cora')]),
    );
    server.answers[`GET /api/customers/${row(3, '').user_id}`] = () =>
      refusal(404, 'NOT_FOUND', 'Not found.', { what: 'customer' });
    const typed = 'cora +&%41 é';
    await userEvent.type(box(), typed);
    await userEvent.click(await screen.findByRole('link', { name: /Cora Vine/ }));
    await screen.findByText('Customer not found');
    // The text is the list's: on the next page it would also keep the scroll position.
    expect(app.hash()).toBe('');
    app.back();
    await screen.findByRole('link', { name: /Cora Vine/ });
    expect(box()).toHaveProperty('value', typed);
    await userEvent.clear(box());
    await screen.findByText('Ada Vine');
    await waitFor(() => expect(app.hash()).toBe(''));
  });

  test('no results', async () => {
    await open(() => page([row(1, 'Ada')]));
    await userEvent.type(box(), 'zz');
    await screen.findByText('No customers found');
  });

  test('scrolling loads the next page', async () => {
    const { server } = await open(
      () => page([row(1, 'Ada')]),
      ({ body }) => (body.cursor ? page([row(5, 'Edith')]) : page([row(4, 'Dora')], 'p2')),
    );
    await userEvent.type(box(), 'vine');
    await screen.findByText('Dora Vine');
    await waitFor(() => expect(reachEnd).not.toBeNull());
    reachEnd?.();
    await screen.findByText('Edith Vine');
    screen.getByText('Dora Vine');
    expect(server.made(search).at(-1)?.body).toEqual({ search: 'vine', cursor: 'p2' });
  });
});

test('members that cannot be loaded: logged, no message, not shown as empty, loaded again on request', async () => {
  const { server } = await open(() => refusal(400, 'BAD_REQUEST', 'Bad'));
  const again = await screen.findByRole('button', { name: 'Try Again' });
  expect(screen.queryByText('No members yet')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(console.warn).toHaveBeenCalled();
  server.answers[list] = () => page([row(1, 'Ada')]);
  await userEvent.click(again);
  await screen.findByText('Ada Vine');
});

test('signing out leaves no balances on the device, even when the server cannot be reached; queued pours stay', async () => {
  const { server } = await open(() => page([]));
  localStorage.setItem('cellar-door:balance:someone', JSON.stringify({ balance: 3, at: 1 }));
  localStorage.setItem('cellar-door:pour:queued', '{}');
  server.answers['POST /api/auth/sign-out'] = () => Promise.reject(new TypeError('offline'));
  await userEvent.click(screen.getByRole('button', { name: 'Sign Out' }));
  await screen.findByText('Error signing out');
  expect(localStorage.getItem('cellar-door:balance:someone')).toBeNull();
  expect(localStorage.getItem('cellar-door:pour:queued')).toBe('{}');
  localStorage.clear();
});
