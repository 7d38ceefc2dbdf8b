import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { deviceName } from '../../../src/domain/staff/device-name.ts';
import { ada, openApp, stubServer } from '../../support/web/member-app.tsx';

const phone = {
  id: '0197b1f0-0000-7000-8000-0000000000d1',
  tablet: null,
  user_agent:
    'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
  signed_in_at: '2026-01-02T10:00:00.000Z',
  last_used_at: '2026-01-05T10:00:00.000Z',
  app: false,
  current: false,
};
const here = { ...phone, id: '0197b1f0-0000-7000-8000-0000000000d2', user_agent: null, current: true };

test.each([
  [phone.user_agent, 'Chrome on Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1',
    'Safari on iPhone',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    'Edge on Windows',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['curl/8.5', 'Unknown device'],
  [null, 'Unknown device'],
])('%s is called %s', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name);
});

test('an app is labeled as an app, whatever its user agent says', () => {
  expect(deviceName('Dalvik/2.1.0 (Linux; U; Android 16; Pixel 9)', true)).toBe('App on Android');
  expect(deviceName(phone.user_agent, true)).toBe('App on Android');
  expect(deviceName('node', true)).toBe('App');
});

test('the list marks this device, and another one can be signed out', async () => {
  let devices = [here, phone];
  const server = stubServer({
    'GET /api/sessions': () => devices,
    [`DELETE /api/sessions/${phone.id}`]: () => {
      devices = [here];
      return { ended: 1 };
    },
  });
  openApp('/account/security');
  const item = (await screen.findByText('Chrome on Android')).closest('li')!;
  within(screen.getByText('This device').closest('li')!).getByText('Unknown device');
  await userEvent.click(within(item).getByRole('button', { name: 'Sign out Chrome on Android' }));
  await waitFor(() => expect(screen.queryByText('Chrome on Android')).toBeNull());
  expect(server.count(`DELETE /api/sessions/${phone.id}`)).toBe(1);
});

test("'Sign Out Everywhere' asks first, and ends the other sessions and this one", async () => {
  let user: typeof ada | null = ada;
  const server = stubServer({
    'GET /api/session': () => ({ user }),
    'GET /api/sessions': [here, phone],
    'POST /api/sessions/delete-others': { ended: 1 },
    'POST /api/auth/sign-out': () => {
      user = null;
      return { ok: true };
    },
  });
  const app = openApp('/account/security');
  await userEvent.click(await screen.findByRole('button', { name: 'Sign Out Everywhere' }));
  expect(server.count('POST /api/sessions/delete-others')).toBe(0);
  const dialog = await screen.findByRole('alertdialog');
  await userEvent.click(within(dialog).getByRole('button', { name: 'Sign Out Everywhere' }));
  await waitFor(() => expect(app.path()).toBe('/login'));
  expect(server.calls.map(({ call }) => call).filter((call) => call.startsWith('POST'))).toEqual(
    expect.arrayContaining(['POST /api/sessions/delete-others', 'POST /api/auth/sign-out']),
  );
});
