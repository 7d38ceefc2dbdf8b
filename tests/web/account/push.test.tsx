import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { signOut } from '../../../src/web/api/sign-out.ts';
import { ada, openApp, stubServer } from '../../support/web/member-app.tsx';

const ID = '0197b1f0-0000-7000-8000-0000000000e1';
const ENDPOINT = 'https://push.example.com/send/1';
const KEY = 'BAAB';
const SWITCH = { name: 'Show notifications on this device' };

/** The browser's side: the subscription, and the user's permission. */
let subscription: { endpoint: string; key: number[] } | null;
let answer: NotificationPermission;

beforeEach(() => {
  subscription = null;
  answer = 'granted';
  const asSubscription = () =>
    subscription && {
      endpoint: subscription.endpoint,
      options: { applicationServerKey: Uint8Array.from(subscription.key).buffer },
      toJSON: () => ({ endpoint: subscription?.endpoint, keys: { p256dh: 'public', auth: 'secret' } }),
      unsubscribe: async () => {
        subscription = null;
      },
    };
  const pushManager = {
    getSubscription: async () => asSubscription(),
    subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array }) => {
      subscription = { endpoint: ENDPOINT, key: [...applicationServerKey] };
      return asSubscription();
    },
  };
  vi.stubGlobal('PushManager', class {});
  const Notification = {
    permission: 'default' as NotificationPermission,
    async requestPermission() {
      Notification.permission = answer;
      return answer;
    },
  };
  vi.stubGlobal('Notification', Notification);
  const serviceWorker = { getRegistration: async () => ({ pushManager }) };
  vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { serviceWorker }));
});

/** A server that stores its devices. */
function serverWith(known: { endpoint: string }[] = []) {
  let devices = known.map((it) => ({ ...it, id: ID, created_at: '2026-01-02T10:00:00.000Z' }));
  return stubServer({
    'GET /api/push-devices': () => ({ server_key: KEY, devices }),
    'POST /api/push-devices': (body: unknown) => {
      const { endpoint } = body as { endpoint: string };
      devices = [{ endpoint, id: ID, created_at: '2026-01-02T10:00:00.000Z' }];
      return { id: ID };
    },
    [`DELETE /api/push-devices/${ID}`]: () => {
      devices = [];
      return { removed: true };
    },
  });
}

test('the switch asks for permission, subscribes with the server’s key, and turns off again', async () => {
  const server = serverWith();
  openApp('/account/notifications');
  const toggle = await screen.findByRole('checkbox', SWITCH);
  await waitFor(() => expect(toggle).toHaveProperty('disabled', false));
  expect(toggle).toHaveProperty('checked', false);
  await userEvent.click(toggle);
  await waitFor(() => expect(screen.getByRole('checkbox', SWITCH)).toHaveProperty('checked', true));
  expect(subscription?.key).toEqual([4, 0, 1]);
  expect(server.calls.find(({ call }) => call === 'POST /api/push-devices')?.body).toEqual({
    endpoint: ENDPOINT,
    keys: { p256dh: 'public', auth: 'secret' },
  });
  await waitFor(() => expect(screen.getByRole('checkbox', SWITCH)).toHaveProperty('disabled', false));
  await userEvent.click(screen.getByRole('checkbox', SWITCH));
  await waitFor(() => expect(screen.getByRole('checkbox', SWITCH)).toHaveProperty('checked', false));
  expect(server.count(`DELETE /api/push-devices/${ID}`)).toBe(1);
  expect(subscription).toBeNull();
});

test('a user who refused permission reads how to change that, and nothing is sent', async () => {
  answer = 'denied';
  const server = serverWith();
  openApp('/account/notifications');
  const toggle = await screen.findByRole('checkbox', SWITCH);
  await waitFor(() => expect(toggle).toHaveProperty('disabled', false));
  await userEvent.click(toggle);
  await screen.findByText(/Allow them for this site in the settings of your browser/);
  expect(screen.queryByRole('checkbox', SWITCH)).toBeNull();
  expect(server.count('POST /api/push-devices')).toBe(0);
});

test('a browser without notifications shows no switch; an iPhone says to install the app first', async () => {
  vi.stubGlobal('PushManager', undefined);
  // @ts-expect-error: `in` finds a property that is undefined.
  delete globalThis.PushManager;
  serverWith();
  openApp('/account/notifications');
  await screen.findByRole('heading', { level: 1, name: 'Notifications and Emails' });
  await screen.findByText('This browser can’t show notifications.');
  expect(screen.queryByRole('checkbox', SWITCH)).toBeNull();
  cleanup();
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0)');
  openApp('/account/notifications');
  await screen.findByText(/First add the app to your home screen/);
});

test('opening the app renews the device with the current session and key', async () => {
  subscription = { endpoint: ENDPOINT, key: [9] };
  Object.assign(Notification, { permission: 'granted' });
  // The session in which it was turned on has ended, and its device with it.
  localStorage.setItem('cellar-door:push-user', JSON.stringify(ada.id));
  const server = serverWith();
  openApp('/pours');
  await waitFor(() => expect(server.count('POST /api/push-devices')).toBe(1));
  expect(subscription?.key).toEqual([4, 0, 1]);
});

test('a subscription ends when another user opens the app on the device, and at sign-out', async () => {
  subscription = { endpoint: ENDPOINT, key: [4, 0, 1] };
  Object.assign(Notification, { permission: 'granted' });
  localStorage.setItem('cellar-door:push-user', JSON.stringify('somebody else'));
  const server = serverWith();
  openApp('/pours');
  await waitFor(() => expect(subscription).toBeNull());
  expect(server.count('POST /api/push-devices')).toBe(0);
  cleanup();
  subscription = { endpoint: ENDPOINT, key: [4, 0, 1] };
  stubServer({ 'POST /api/auth/sign-out': { ok: true } });
  await signOut();
  await waitFor(() => expect(subscription).toBeNull());
});
