import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { type Answer, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

const TOKEN = 'x'.repeat(43);
const READ = 'POST /api/team-invitations/read';
const ACCEPT = 'POST /api/team-invitations/accept';

function openInvitation(needs: string, answers: Record<string, Answer> = {}) {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: null }),
    [READ]: () => ({ email: 'mira@venue.example', needs }),
    [ACCEPT]: () => ({ email: 'mira@venue.example' }),
    'POST /api/auth/sign-out': () => ({ ok: true }),
    ...answers,
  });
  return { server, app: openStaffApp(`/invitation#${TOKEN}`) };
}

test('someone new gives a name and a password, and signs in next', async () => {
  const { server, app } = openInvitation('name and password');
  await userEvent.type(await screen.findByLabelText('First Name'), 'Mira');
  await userEvent.type(screen.getByLabelText('Last Name'), 'Sol');
  await userEvent.type(screen.getByLabelText('Password'), 'a long password');
  await userEvent.type(screen.getByLabelText('Confirm Password'), 'another');
  await userEvent.click(screen.getByRole('button', { name: 'Accept' }));
  await screen.findByText('Passwords do not match');
  await userEvent.clear(screen.getByLabelText('Confirm Password'));
  await userEvent.type(screen.getByLabelText('Confirm Password'), 'a long password');
  await userEvent.click(screen.getByRole('button', { name: 'Accept' }));
  await waitFor(() => expect(app.path()).toBe('/login'));
  expect(server.made(ACCEPT).map(({ body }) => body)).toEqual([
    { token: TOKEN, first_name: 'Mira', last_name: 'Sol', password: 'a long password' },
  ]);
});

test('someone with an account enters its password', async () => {
  const { server, app } = openInvitation('own password');
  await screen.findByText(/becomes a staff account with the same password/);
  await userEvent.type(screen.getByLabelText('Password'), 'my old password');
  await userEvent.click(screen.getByRole('button', { name: 'Accept' }));
  await waitFor(() => expect(app.path()).toBe('/login'));
  expect(server.made(ACCEPT)[0]?.body).toEqual({ token: TOKEN, own_password: 'my old password' });
});

test('who does not know the password of the account chooses a new one, which ends what was there', async () => {
  const { server, app } = openInvitation('own password');
  await userEvent.click(await screen.findByRole('button', { name: 'I Don’t Know the Password' }));
  screen.getByText(/two-step sign-in, passkeys, programs and every other way to sign in will stop working/);
  await userEvent.type(screen.getByLabelText('Password'), 'a long password');
  await userEvent.type(screen.getByLabelText('Confirm Password'), 'a long password');
  await userEvent.click(screen.getByRole('button', { name: 'Accept' }));
  await waitFor(() => expect(app.path()).toBe('/login'));
  expect(server.made(ACCEPT)[0]?.body).toEqual({ token: TOKEN, password: 'a long password' });
});

test('a link that no longer works says why and who to ask', async () => {
  openInvitation('own password', {
    [READ]: () => refusal(400, 'LINK_INVALID', 'This link was already used.'),
  });
  await screen.findByText(/Ask the person who invited you for a new one/);
});
