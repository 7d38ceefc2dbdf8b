import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { site } from '../../../src/web/api/site.ts';
import { openApp, refusal, stubServer } from '../../support/web/member-app.tsx';

const ID = '0197b1f0-0000-7000-8000-0000000000fb';
const vineyard = {
  id: null as string | null,
  provider: 'vineyard',
  label: 'Vineyard ID',
  linked_at: null as string | null,
};
const visitor = { 'GET /api/session': { user: null } };
const leaving = vi.fn();

beforeEach(() => {
  site.providers = [{ id: 'vineyard', label: 'Vineyard ID' }];
  leaving.mockReset();
  vi.spyOn(window.location, 'assign').mockImplementation(leaving);
});

test('/login has a button for each provider, and none where none is configured', async () => {
  const server = stubServer({
    ...visitor,
    'POST /api/auth/sign-in/provider': { url: 'https://id.example/authorize' },
  });
  openApp('/login?redirect=%2Fpours');
  await userEvent.click(await screen.findByRole('button', { name: 'Continue with Vineyard ID' }));
  await waitFor(() => expect(leaving).toHaveBeenCalledWith('https://id.example/authorize'));
  expect(server.calls.at(-1)?.body).toEqual({ provider: 'vineyard', redirect: '/pours' });

  cleanup();
  site.providers = [];
  openApp('/login');
  await screen.findByLabelText('Email');
  expect(screen.queryByRole('button', { name: /Continue with/ })).toBeNull();
});

test('when a provider does not answer, the server’s message is shown and the form stays', async () => {
  const message = 'Vineyard ID does not answer at the moment.';
  stubServer({
    ...visitor,
    'POST /api/auth/sign-in/provider': refusal(503, 'PROVIDER_UNREACHABLE', message),
  });
  openApp('/login');
  await userEvent.click(await screen.findByRole('button', { name: 'Continue with Vineyard ID' }));
  await screen.findByText(message);
  expect(leaving).not.toHaveBeenCalled();
});

test('a user without a linked account reads what to do, and the page repeats no text from its URL', async () => {
  stubServer(visitor);
  openApp('/login?problem=not-linked');
  expect((await screen.findByRole('alert')).textContent).toBe(
    'This account is not linked yet. Sign in with your password, then link it on your account page.',
  );
  cleanup();
  openApp('/login?problem=You+won');
  expect((await screen.findByRole('alert')).textContent).not.toContain('You won');
});

test('linking on /account/security asks for the password, then goes to the provider', async () => {
  const server = stubServer({
    'GET /api/auth/user/identities': [vineyard],
    'GET /api/auth/user/identities/authorize': refusal(403, 'WRONG_PASSWORD', 'Invalid password'),
  });
  openApp('/account/security');
  await userEvent.click(await screen.findByRole('button', { name: 'Link Vineyard ID' }));
  await userEvent.type(screen.getByLabelText('Password'), 'wrong{Enter}');
  expect((await screen.findByRole('alert')).textContent).toBe('Invalid password');
  server.answers['GET /api/auth/user/identities/authorize'] = { url: 'https://id.example/authorize' };
  await userEvent.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(leaving).toHaveBeenCalledWith('https://id.example/authorize'));
  expect(server.calls.at(-1)?.query).toEqual({ provider: 'vineyard', return_to: '/account/security' });
});

test('on return the page says what happened; unlinking asks for the password', async () => {
  let identities = [
    { ...vineyard, id: ID as string | null, linked_at: '2026-01-02T10:00:00.000Z' as string | null },
  ];
  const server = stubServer({
    'GET /api/auth/user/identities': () => identities,
    [`DELETE /api/auth/user/identities/${ID}`]: (body: unknown) => {
      if ((body as { password: string }).password !== 'right') {
        return refusal(403, 'WRONG_PASSWORD', 'Wrong password. Please try again.')();
      }
      identities = [vineyard];
      return { unlinked: 'vineyard' };
    },
  });
  openApp('/account/security?linked=vineyard');
  await screen.findByText('Vineyard ID is linked. You can now sign in with it.');
  await userEvent.click(screen.getByRole('button', { name: 'Unlink Vineyard ID' }));
  expect(server.count(`DELETE /api/auth/user/identities/${ID}`)).toBe(0);
  await userEvent.type(screen.getByLabelText('Password'), 'wrong{Enter}');
  expect((await screen.findByRole('alert')).textContent).toBe('Wrong password. Please try again.');
  await userEvent.clear(screen.getByLabelText('Password'));
  await userEvent.type(screen.getByLabelText('Password'), 'right{Enter}');
  await screen.findByText('Not linked');
  expect(screen.queryByText(/is linked\./)).toBeNull();
});
