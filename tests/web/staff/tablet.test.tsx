import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import {
  type Answer,
  ada,
  adasPage,
  bruno,
  openStaffApp,
  stubStaffServer,
} from '../../support/web/staff-app.tsx';
import { wine } from '../../support/web/wines.ts';

// docs/rules/staff.md, "A shared tablet".

const tablet = { name: 'Bar Left', idle_minutes: 2 };
const switchOut = 'DELETE /api/bar-device/person';
const stay = 'PUT /api/bar-device/person';

/** Bruno, who has every permission elsewhere, works on a tablet. */
function open(path = '/staff/dashboard', answers: Record<string, Answer> = {}) {
  let user: object | null = { ...bruno, permissions: [] };
  const server = stubStaffServer({
    'GET /api/session': () => ({ user, tablet }),
    'GET /api/customers': () => ({ members: [], next_cursor: null }),
    'GET /api/bar-device': () => ({ device: { ...tablet, people: [] } }),
    [switchOut]: () => {
      user = null;
      return { ok: true };
    },
    [stay]: () => ({ ok: true }),
    ...answers,
  });
  return { server, app: openStaffApp(path) };
}

describe('who works on a tablet', () => {
  test('is named, with the tablet, and can let someone else in with one tap', async () => {
    const { server, app } = open();
    await screen.findByText('Bruno Keller');
    screen.getByText('Bar Left');
    await userEvent.click(screen.getByRole('button', { name: 'Switch' }));
    await waitFor(() => expect(app.path()).toBe('/bar'));
    expect(server.made(switchOut)).toHaveLength(1);
  });

  test('sees the pages of the bar, and requests nothing for the office', async () => {
    const { server } = open();
    await screen.findByRole('link', { name: /Scan Customer QR Code/ });
    await screen.findByText('Recent Members');
    const links = screen.getAllByRole('link').map((link) => link.getAttribute('href'));
    expect(links.filter((href) => href?.startsWith('/staff'))).toEqual([
      '/staff/search',
      '/staff/wines',
      '/staff/dashboard',
      '/staff/search',
    ]);
    expect(screen.queryByRole('button', { name: 'Sign Out' })).toBeNull();
    for (const call of ['GET /api/staff-notices', 'GET /api/applications/count']) {
      expect(server.made(call), call).toHaveLength(0);
    }
  });

  test.each(['/staff/team', '/staff/account', '/staff/applications', '/staff/customers/x/add-membership'])(
    '%s is not for a tablet',
    async (path) => {
      const { app } = open(path);
      await waitFor(() => expect(app.path()).toBe('/staff/dashboard'));
    },
  );

  test('can open and finish bottles, and change nothing else about wines', async () => {
    const barolo = wine(1, 'Barolo');
    const { server } = open('/staff/wines', {
      'GET /api/wines': () => [barolo, wine(2, 'Riesling', { state: 'gone', bottle: null })],
      [`POST /api/wines/${barolo.id}/bottles`]: () => barolo,
      [`POST /api/wines/${barolo.id}/put-away`]: () => ({ ...barolo, state: 'gone', bottle: null }),
    });
    await userEvent.click(await screen.findByRole('button', { name: /^Next bottle of .*Barolo/ }));
    await userEvent.click(await screen.findByRole('button', { name: /^Finish .*Barolo/ }));
    await screen.findByText('Nothing is open. Open a bottle below.');
    screen.getByRole('button', { name: /^Open a bottle of .*Barolo/, hidden: true });
    expect(server.made(`POST /api/wines/${barolo.id}/bottles`).map(({ body }) => body)).toEqual([
      { instead_of: barolo.bottle?.id },
    ]);
    for (const name of [/Add Wine/, /a File/, /^Move/, /^Red Barolo/]) {
      expect(screen.queryByRole('button', { name })).toBeNull();
    }
    expect(screen.queryByRole('link', { name: 'Back to More' })).toBeNull();
  });

  test('can leave even when the server cannot be reached', async () => {
    const { app } = open('/staff/dashboard', {
      [switchOut]: () => Promise.reject(new TypeError('offline')),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Switch' }));
    await waitFor(() => expect(app.path()).toBe('/bar'));
    // The session may still be valid at the server, but is ignored here until a PIN is entered.
    expect(localStorage.getItem('cellar-door:signed-out')).toBe('true');
    expect(localStorage.getItem('cellar-door:staff')).toBeNull();
  });

  test('leaves after the set minutes without a touch, and not before', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { server, app } = open();
    await screen.findByText('Bruno Keller');
    await act(() => vi.advanceTimersByTimeAsync(100_000));
    fireEvent.pointerDown(document.body);
    await act(() => vi.advanceTimersByTimeAsync(100_000));
    expect(app.path()).toBe('/staff/dashboard');
    expect(server.made(stay)).toHaveLength(1);
    expect(server.made(switchOut)).toHaveLength(0);
    await act(() => vi.advanceTimersByTimeAsync(30_000));
    await waitFor(() => expect(app.path()).toBe('/bar'));
  });

  test('stays while the server is away, because nobody could get in again', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { app } = open('/staff/dashboard', {
      [switchOut]: () => Promise.reject(new TypeError('offline')),
    });
    await screen.findByText('Bruno Keller');
    await act(() => vi.advanceTimersByTimeAsync(200_000));
    expect(app.path()).toBe('/staff/dashboard');
  });

  test('can undo their own pours, and no one else’s', async () => {
    const member = adasPage.customer.user_id;
    const pour = (id: string, own: boolean, recorded_by: string) => ({
      id: `0197b1f0-0000-7000-8000-0000000000d${id}`,
      quantity: 1,
      location: 'main_bar',
      notes: null,
      status: 'redeemed',
      toast_reference_number: 'POUR-1',
      created_at: '2026-03-04T19:05:00.000Z',
      wine: null,
      wine_id: null,
      printed_card: false,
      recorded_by,
      own,
      tablet: own ? 'Bar Left' : null,
      voided: null,
    });
    open(`/staff/customers/${member}`, {
      [`GET /api/customers/${member}`]: () => ({ ...adasPage, has_preferences: true }),
      [`GET /api/customers/${ada.id}/pours`]: () => [
        pour('1', true, 'Bruno Keller'),
        pour('2', false, 'Noor Haddad'),
      ],
    });
    await screen.findByText('By Bruno Keller, Bar Left');
    screen.getByText('By Noor Haddad');
    expect(screen.getAllByRole('button', { name: /^Undo/ })).toHaveLength(1);
    // The model's summary and the timeline are not for the bar.
    expect(screen.queryByText('Timeline')).toBeNull();
  });
});
