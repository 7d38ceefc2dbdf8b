import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ada, openApp, refusal, stubServer } from '../../support/web/member-app.tsx';

const BEGIN = 'POST /api/auth/sign-in/passkey/options';
const FINISH = 'POST /api/auth/sign-in/passkey';

const laptop = {
  id: '0197b1f0-0000-7000-8000-0000000000f1',
  name: 'Chrome on Linux',
  created_at: '2026-01-02T10:00:00.000Z',
  last_used_at: null as string | null,
};

/** A browser with passkeys, and its device's responses. */
function deviceThat(get: () => Promise<unknown>) {
  vi.stubGlobal(
    'PublicKeyCredential',
    Object.assign(() => undefined, {
      parseCreationOptionsFromJSON: (options: unknown) => options,
      parseRequestOptionsFromJSON: (options: unknown) => options,
    }),
  );
  Object.defineProperty(navigator, 'credentials', { configurable: true, value: { get } });
}

const bytes = (...values: number[]) => new Uint8Array(values).buffer;

test('signing in with a passkey sends the device’s answer, and returns to the requested page', async () => {
  let user: typeof ada | null = null;
  const server = stubServer({
    'GET /api/session': () => ({ user }),
    [BEGIN]: { challenge: 'AAAA' },
    [FINISH]: () => {
      user = ada;
      return { ok: true };
    },
  });
  deviceThat(async () => ({
    rawId: bytes(255, 254, 253, 252),
    response: {
      clientDataJSON: bytes(1),
      authenticatorData: bytes(2),
      signature: bytes(3),
      userHandle: bytes(4),
    },
  }));
  const app = openApp('/pours');
  await userEvent.click(await screen.findByRole('button', { name: 'Use a Passkey' }));
  await waitFor(() => expect(app.path()).toBe('/pours'));
  expect(server.calls.find(({ call }) => call === FINISH)?.body).toEqual({
    response: {
      id: '__79_A',
      rawId: '__79_A',
      type: 'public-key',
      response: { clientDataJSON: 'AQ', authenticatorData: 'Ag', signature: 'Aw', userHandle: 'BA' },
    },
  });
});

test.each([
  ['NotAllowedError', 'No passkey was used. You can try again.'],
  ['SecurityError', 'Passkeys do not work at this address.'],
  ['UnknownError', 'Error signing in'],
])('a device that answers %s: the message says so', async (name, words) => {
  stubServer({ 'GET /api/session': { user: null }, [BEGIN]: {} });
  deviceThat(() => Promise.reject(new DOMException('', name)));
  openApp('/login');
  await userEvent.click(await screen.findByRole('button', { name: 'Use a Passkey' }));
  await screen.findByText(words);
});

test('a browser without passkeys offers to add none, and can still remove them', async () => {
  stubServer({ 'GET /api/session': { user: null } });
  openApp('/login');
  await screen.findByRole('button', { name: 'Sign In' });
  expect(screen.queryByRole('button', { name: 'Use a Passkey' })).toBeNull();
  cleanup();

  const list = [laptop];
  const server = stubServer({
    'GET /api/passkeys': () => list,
    [`POST /api/passkeys/${laptop.id}/remove`]: refusal(403, 'WRONG_PASSWORD', 'That is not your password.'),
  });
  openApp('/account/security');
  await screen.findByText('Added 1/2/2026, not used yet');
  expect(screen.queryByRole('button', { name: 'Add a Passkey' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Remove Chrome on Linux' }));
  const form = screen.getByLabelText('Password').closest('form');
  if (!form) throw new Error('no form');
  await userEvent.type(within(form).getByLabelText('Password'), 'a guess{Enter}');
  expect((await screen.findByRole('alert')).textContent).toBe('That is not your password.');
  server.answers[`POST /api/passkeys/${laptop.id}/remove`] = () => {
    list.pop();
    return { removed: true };
  };
  await userEvent.type(within(form).getByLabelText('Password'), 'cellar-door{Enter}');
  await screen.findByText('Passkey removed');
  await waitFor(() => expect(screen.queryByText('Chrome on Linux')).toBeNull());
});

test('renaming sends only the new name, and the page shows it', async () => {
  const server = stubServer({
    'GET /api/passkeys': [laptop],
    [`PATCH /api/passkeys/${laptop.id}`]: { ...laptop, name: 'My laptop' },
  });
  openApp('/account/security');
  await userEvent.click(await screen.findByRole('button', { name: 'Rename Chrome on Linux' }));
  const field = screen.getByLabelText('Name');
  await userEvent.clear(field);
  await userEvent.type(field, ' My laptop {Enter}');
  await screen.findByText('My laptop');
  expect(server.calls.find(({ call }) => call.startsWith('PATCH'))?.body).toEqual({ name: 'My laptop' });
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Rename My laptop' }));
});
