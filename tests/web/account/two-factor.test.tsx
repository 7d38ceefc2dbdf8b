import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ada, openApp, refusal, refuse, stubServer } from '../../support/web/member-app.tsx';

const factor = { id: '0197b1f0-0000-7000-8000-0000000000fa', type: 'totp', status: 'verified' };
const TOTP = `POST /api/auth/factors/${factor.id}/verify`;

test('signing in with a second step: the code, then the requested page', async () => {
  let user: typeof ada | null = null;
  const server = stubServer({
    'GET /api/session': () => ({ user }),
    'POST /api/auth/sign-in': { ok: true, two_factor: true },
    'GET /api/auth/factors': [factor],
    [TOTP]: refusal(401, 'CODE_INVALID', 'Invalid code'),
  });
  const app = openApp('/pours');
  await userEvent.type(await screen.findByLabelText('Email'), 'ada@demo.test');
  await userEvent.type(screen.getByLabelText('Password'), 'cellar-door{Enter}');
  await userEvent.type(await screen.findByLabelText('Code'), '123 456{Enter}');
  expect((await screen.findByRole('alert')).textContent).toBe('Invalid code');

  server.answers[TOTP] = () => {
    user = ada;
    return { ok: true };
  };
  await userEvent.click(screen.getByLabelText('Do not ask on this device for 30 days'));
  await userEvent.type(screen.getByLabelText('Code'), '654321{Enter}');
  await waitFor(() => expect(app.path()).toBe('/pours'));
  expect(server.calls.filter(({ call }) => call === TOTP).at(-1)?.body).toMatchObject({ trust_device: true });
});

test('a backup code is sent in place of the app’s code, and a refused one is reported', async () => {
  const server = stubServer({
    'GET /api/session': { user: null },
    'POST /api/auth/backup-codes/verify': refuse(401, { message: 'Invalid backup code' }),
  });
  openApp('/two-factor');
  await userEvent.click(await screen.findByRole('button', { name: 'Use a Backup Code' }));
  await userEvent.type(screen.getByLabelText('Backup Code'), 'aB3dE-fG7hJ{Enter}');
  expect((await screen.findByRole('alert')).textContent).toBe('Invalid backup code');
  expect(server.calls.at(-1)?.body).toEqual({ code: 'aB3dE-fG7hJ', trust_device: false });
});

test('setting up on /account/security: password, code to scan and key, first code, backup codes once', async () => {
  const user = { ...ada, two_factor: false };
  stubServer({
    'GET /api/session': () => ({ user }),
    'POST /api/auth/factors': {
      ...factor,
      status: 'unverified',
      totp_uri: 'otpauth://totp/Cellar:ada@demo.test?secret=ABCDEFGH2345&issuer=Cellar',
      backup_codes: ['aaaaa-11111', 'bbbbb-22222'],
    },
    [TOTP]: () => {
      user.two_factor = true;
      return { ok: true };
    },
  });
  openApp('/account/security');
  await userEvent.click(await screen.findByRole('button', { name: 'Set Up' }));
  await userEvent.type(screen.getByLabelText('Password'), 'cellar-door{Enter}');
  await screen.findByText('ABCD EFGH 2345');
  await userEvent.type(screen.getByLabelText('Code'), '123456{Enter}');
  const codes = await screen.findByRole('list', { name: 'Backup codes' });
  expect(within(codes).getAllByRole('listitem')).toHaveLength(2);
  await userEvent.click(screen.getByRole('button', { name: 'I’ve Saved Them' }));
  await screen.findByRole('button', { name: 'Turn Off' });
  expect(screen.queryByText('aaaaa-11111')).toBeNull();
});

test('staff who must set up two-step sign-in are sent from another page to their account', async () => {
  stubServer({ 'GET /api/session': { user: { ...ada, role: 'staff', must_enrol: true } } });
  const app = openApp('/staff/applications');
  await screen.findByText('Set up two-step sign-in first');
  expect(app.path()).toBe('/staff/account');
});
