import { act, cleanup, screen } from '@testing-library/react';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { cardBody, encodeCard } from '../../../src/domain/card.ts';
import { readOfflineCard, saveOfflineCard } from '../../../src/web/api/offline-card.ts';
import { ada, customer, me, openApp, stubServer } from '../../support/web/member-app.tsx';
import { pass } from '../../support/web/pass.ts';

const mine = 'GET /api/customers/own';
const code = 'POST /api/functions/generate-qr-token';
const session = 'GET /api/session';
const minute = 60_000;
let online = true;

const tokenOf = (customer_id: string) =>
  encodeCard(cardBody({ customer_id, expires_at: 1_800_000_000 }), new Uint8Array(10));
const token = tokenOf(customer.id);
const member = { [mine]: { ...me, customer }, [code]: { token, expires_at: 1_800_000_000 } };
const offline = () => {
  throw new TypeError('Failed to fetch');
};

// The app loads it on demand, which takes real time that fake timers do not cover.
beforeAll(() => import('../../../src/web/member/card/offline-page.tsx'));
beforeEach(() => {
  online = true;
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online);
  vi.useFakeTimers();
});

const picture = () => screen.queryByRole('img', { name: 'QR code of your membership' });

/** A visit while online, which saves the card on the device. */
async function visit() {
  stubServer(member);
  openApp('/dashboard');
  await pass(200);
  cleanup();
}

test('the dashboard saves name, tier and the latest code on the device', async () => {
  await visit();
  expect(readOfflineCard()).toEqual({
    user_id: ada.id,
    first_name: 'Ada',
    last_name: 'Vine',
    tier: 'premier',
    tier_label: 'Premier',
    member_since: '2024-03-01',
    token,
    arrived_at: expect.any(Number),
  });
});

test.each(['/dashboard', '/pours', '/account', '/qr-code'])(
  'without a network %s shows the card and how long it is valid',
  async (path) => {
    await visit();
    online = false;
    stubServer({ [session]: offline });
    await pass(3 * minute);
    openApp(path);
    await pass(200);
    screen.getByRole('heading', { level: 1, name: 'Your Digital Membership Card' });
    expect(picture()).not.toBeNull();
    screen.getByText('Ada Vine');
    screen.getByText('Premier');
    expect(screen.getByText(/^Valid for/).textContent).toBe('Valid for 7 more minutes');
    await pass(7 * minute);
    expect(picture()).toBeNull();
    screen.getByText('Your code has expired');
    screen.getByText(/A new one will appear when you’re back online/);
    screen.getByText('You can download or print your card when you’re back online.');
    screen.getByText('Ada Vine');
  },
);

test('a server that does not answer times out after three seconds', async () => {
  await visit();
  stubServer({ [session]: () => new Promise(() => undefined) });
  openApp('/qr-code');
  await pass(2_900);
  expect(picture()).toBeNull();
  await pass(200);
  expect(picture()).not.toBeNull();
});

test('when the server answers again, the requested page opens', async () => {
  await visit();
  online = false;
  const server = stubServer({ ...member, [session]: offline });
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

test('a code from before the clock was set back is not trusted', async () => {
  await visit();
  online = false;
  saveOfflineCard({ ...readOfflineCard()!, arrived_at: Date.now() + minute });
  stubServer({ [session]: offline });
  openApp('/qr-code');
  await pass(200);
  expect(picture()).toBeNull();
  screen.getByText('Your code has expired');
});

test('without a card on the device there is no card to show', async () => {
  online = false;
  vi.spyOn(console, 'error').mockReturnValue();
  stubServer({ [session]: offline });
  openApp('/qr-code');
  await pass(200);
  expect(picture()).toBeNull();
  expect(screen.queryByText('Ada Vine')).toBeNull();
});

test('signing out removes the card', async () => {
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
  ['another member', { ...ada, id: '0197b1f0-0000-7000-8000-000000000002', first_name: 'Bo' }],
  ['staff', { ...ada, id: '0197b1f0-0000-7000-8000-000000000003', role: 'staff' as const }],
  ['no user', null],
])('the card is removed once the server says that %s is signed in', async (_, user) => {
  await visit();
  stubServer({ [session]: { user } });
  openApp('/login');
  await pass(200);
  expect(readOfflineCard()).toBeNull();
});

test("another member's code is not saved under this name", async () => {
  stubServer({
    ...member,
    [code]: { token: tokenOf('0197b1f0-0000-7000-8000-0000000000c2'), expires_at: 1_800_000_000 },
  });
  openApp('/dashboard');
  await pass(200);
  expect(readOfflineCard()).toBeNull();
});

test("a former member's card is removed", async () => {
  await visit();
  stubServer({ [mine]: { ...me, customer: { ...customer, status: 'inactive' }, membership_ever: true } });
  openApp('/dashboard');
  await pass(200);
  expect(readOfflineCard()).toBeNull();
});
