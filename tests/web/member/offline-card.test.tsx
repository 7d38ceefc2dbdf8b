import { act, cleanup, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { cardBody, encodeCard } from '../../../src/domain/card.ts';
import { readOfflineCard, saveOfflineCard } from '../../../src/web/api/offline-card.ts';
import { ada, customer, me, openApp, stubServer } from '../../support/web/member-app.tsx';

const mine = 'GET /api/customers/own';
const code = 'POST /api/functions/generate-qr-token';
const session = 'GET /api/session';
const minute = 60_000;
let online = true;

const tokenOf = (customer_id: string) =>
  encodeCard(cardBody({ customer_id, expires_at: 1_800_000_000 }), new Uint8Array(10));
const token = tokenOf(customer.id);
const member = { [mine]: { ...me, customer }, [code]: { token, expires_at: 1_800_000_000 } };
const away = () => {
  throw new TypeError('Failed to fetch');
};

// Split off in the app: loading it takes real time, which the tests' clock knows nothing of.
beforeAll(() => import('../../../src/web/member/card/offline-page.tsx'));
beforeEach(() => {
  localStorage.clear();
  online = true;
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online);
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const picture = () => screen.queryByRole('img', { name: 'QR code of your membership' });

/** A visit with network, which leaves the card on the device. */
async function visit() {
  stubServer(member);
  openApp('/dashboard');
  await pass(200);
  cleanup();
}

test('the dashboard leaves name, tier and the latest code on the device', async () => {
  await visit();
  expect(readOfflineCard()).toEqual({
    user_id: ada.id,
    first_name: 'Ada',
    last_name: 'Vine',
    tier: 'premier',
    member_since: '2024-03-01',
    token,
    arrived_at: expect.any(Number),
  });
});

test.each(['/dashboard', '/pours', '/account', '/qr-code'])(
  'without network %s opens with the card and what is left of it',
  async (path) => {
    await visit();
    online = false;
    stubServer({ [session]: away });
    await pass(3 * minute);
    openApp(path);
    await pass(200);
    screen.getByRole('heading', { level: 1, name: 'Your Digital Membership Card' });
    expect(picture()).not.toBeNull();
    screen.getByText('Ada Vine');
    screen.getByText('Premier');
    expect(screen.getByText(/^Good for another/).textContent).toBe('Good for another 7 minutes');
    await pass(7 * minute);
    expect(picture()).toBeNull();
    screen.getByText('Your code is resting');
    screen.getByText(/you are offline/);
    screen.getByText('Ada Vine');
  },
);

test('a server that does not answer is waited for three seconds', async () => {
  await visit();
  stubServer({ [session]: () => new Promise(() => undefined) });
  openApp('/qr-code');
  await pass(2_900);
  expect(picture()).toBeNull();
  await pass(200);
  expect(picture()).not.toBeNull();
});

test('when the server answers again, the page that was asked for opens', async () => {
  await visit();
  online = false;
  const server = stubServer({ ...member, [session]: away });
  openApp('/pours');
  await pass(200);
  expect(picture()).not.toBeNull();
  server.answers[session] = { user: ada };
  online = true;
  await act(async () => {
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(200);
  });
  screen.getByRole('heading', { level: 1, name: 'Pour History' });
});

test('a code of before the clock was set back is not trusted', async () => {
  await visit();
  online = false;
  saveOfflineCard({ ...readOfflineCard()!, arrived_at: Date.now() + minute });
  stubServer({ [session]: away });
  openApp('/qr-code');
  await pass(200);
  expect(picture()).toBeNull();
  screen.getByText('Your code is resting');
});

test('without a card on the device there is nothing to show', async () => {
  online = false;
  vi.spyOn(console, 'error').mockReturnValue();
  stubServer({ [session]: away });
  openApp('/qr-code');
  await pass(200);
  expect(picture()).toBeNull();
  expect(screen.queryByText('Ada Vine')).toBeNull();
});

test('signing out takes the card away', async () => {
  stubServer({ ...member, 'POST /api/auth/sign-out': { ok: true } });
  openApp('/dashboard');
  await pass(200);
  expect(readOfflineCard()).not.toBeNull();
  await act(async () => {
    screen.getByRole('button', { name: 'Sign Out' }).click();
    await vi.advanceTimersByTimeAsync(200);
  });
  expect(readOfflineCard()).toBeNull();
});

test.each([
  ['somebody else', { ...ada, id: '0197b1f0-0000-7000-8000-000000000002', first_name: 'Bo' }],
  ['staff', { ...ada, id: '0197b1f0-0000-7000-8000-000000000003', role: 'staff' as const }],
  ['nobody', null],
])('the card goes as soon as the server says that %s is signed in', async (_, user) => {
  await visit();
  stubServer({ [session]: { user } });
  openApp('/login');
  await pass(200);
  expect(readOfflineCard()).toBeNull();
});

test('a code that is of somebody else by now is not kept under this name', async () => {
  stubServer({
    ...member,
    [code]: { token: tokenOf('0197b1f0-0000-7000-8000-0000000000c2'), expires_at: 1_800_000_000 },
  });
  openApp('/dashboard');
  await pass(200);
  expect(readOfflineCard()).toBeNull();
});

test('who is no member any more has no card here either', async () => {
  await visit();
  stubServer({ [mine]: { ...me, customer: { ...customer, status: 'inactive' }, membership_ever: true } });
  openApp('/dashboard');
  await pass(200);
  expect(readOfflineCard()).toBeNull();
});
