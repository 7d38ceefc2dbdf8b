import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { BarDevice } from '../../../src/contract/staff/bar-devices.ts';
import type { TeamMember } from '../../../src/contract/staff/team.ts';
import { type Answer, bruno, openStaffApp, refusal, stubStaffServer } from '../../support/web/staff-app.tsx';

// docs/rules/staff.md, "A shared tablet": tablets for staff who manage staff, and everyone's own PIN.

const tablet: BarDevice = {
  id: '0197b1f0-0000-7000-8000-0000000000f7',
  name: 'Bar Left',
  idle_minutes: 5,
  opened_by: 'Bruno Keller',
  opened_at: '2026-06-15T12:00:00.000Z',
  last_used_at: null,
  used_by: 'Jonas',
};
const jonas: TeamMember = {
  user_id: '0197b1f0-0000-7000-8000-0000000000b2',
  first_name: 'Jonas',
  last_name: 'Weber',
  email: 'jonas@demo.test',
  permissions: [],
  two_factor: false,
  pin: 'locked',
  last_seen_at: null,
};

function openTeam(answers: Record<string, Answer>) {
  const server = stubStaffServer({
    'GET /api/session': () => ({ user: { ...bruno, permissions: ['manage_staff'] } }),
    'GET /api/team': () => [jonas],
    'GET /api/team-invitations': () => [],
    'GET /api/bar-devices': () => [],
    ...answers,
  });
  return { server, app: openStaffApp('/staff/team') };
}

test('a tablet shows who set it up and who works there, and is signed out after a confirmation', async () => {
  let open = [tablet];
  const { server } = openTeam({
    'GET /api/bar-devices': () => open,
    [`DELETE /api/bar-devices/${tablet.id}`]: () => {
      open = [];
      return { ended: true };
    },
  });
  await screen.findByText('Jonas is pouring');
  screen.getByText(/Opened by Bruno Keller, .* No PIN used yet\. Locks after 5 minutes without use\./);
  await userEvent.click(screen.getByRole('button', { name: 'Sign out Bar Left' }));
  expect(server.made(`DELETE /api/bar-devices/${tablet.id}`)).toHaveLength(0);
  await userEvent.click(screen.getByRole('button', { name: 'Sign Out' }));
  await screen.findByText('Bar Left is signed out');
  await waitFor(() => expect(screen.queryByText('Jonas is pouring')).toBeNull());
});

test('a browser becomes a tablet with a name and the user’s password, then asks who is pouring', async () => {
  const path = 'POST /api/bar-devices';
  const { server, app } = openTeam({ [path]: () => refusal(403, 'WRONG_PASSWORD', 'Wrong password.') });
  await userEvent.click(await screen.findByRole('button', { name: 'Make This a Shared Tablet' }));
  await userEvent.type(screen.getByLabelText('Name of the Tablet'), 'Bar Left');
  await userEvent.selectOptions(screen.getByLabelText('Ask for a PIN Again'), '2 minutes');
  await userEvent.type(screen.getByLabelText('Your Password'), 'wrong');
  const dialog = within(screen.getByRole('dialog'));
  const submit = () => userEvent.click(dialog.getByRole('button', { name: 'Make This a Shared Tablet' }));
  await submit();
  await screen.findByText('Wrong password.');
  const here = { name: 'Bar Left', idle_minutes: 2 };
  server.answers[path] = () => ({ id: tablet.id });
  server.answers['GET /api/session'] = () => ({ user: null, tablet: here });
  server.answers['GET /api/bar-device'] = () => ({ device: { ...here, people: [] } });
  await userEvent.clear(screen.getByLabelText('Your Password'));
  await userEvent.type(screen.getByLabelText('Your Password'), 'right');
  await submit();
  await screen.findByRole('heading', { name: 'Who is pouring?' });
  expect(server.made(path).at(-1)?.body).toEqual({ ...here, password: 'right' });
  expect(app.path()).toBe('/bar');
});

test('a locked PIN is shown, and reset after a confirmation', async () => {
  let team = [jonas];
  openTeam({
    'GET /api/team': () => team,
    [`DELETE /api/team/${jonas.user_id}/pin`]: () => {
      team = [{ ...jonas, pin: 'none' }];
      return { removed: true };
    },
  });
  await screen.findByText('PIN locked');
  await userEvent.click(screen.getByRole('button', { name: 'Reset PIN of Jonas Weber' }));
  await userEvent.click(screen.getByRole('button', { name: 'Reset PIN' }));
  await screen.findByText('Jonas Weber can choose a new PIN');
  await waitFor(() => expect(screen.queryByText('PIN locked')).toBeNull());
});

test('setting one’s own PIN takes the password, and shows the server’s message for an easy PIN at its field', async () => {
  const path = 'PUT /api/staff-pin';
  let pin = { set: false, locked: false };
  const server = stubStaffServer({
    'GET /api/staff-pin': () => pin,
    [path]: () => refusal(422, 'PIN_EASY', 'This PIN is easy to guess.'),
  });
  openStaffApp('/staff/account');
  await userEvent.click(await screen.findByRole('button', { name: 'Set a PIN' }));
  const field = screen.getByLabelText('New PIN') as HTMLInputElement;
  await userEvent.type(field, '12');
  await userEvent.type(screen.getByLabelText('Your Password'), 'mine{Enter}');
  await screen.findByText('A PIN has four digits.');
  expect(server.made(path)).toHaveLength(0);
  await userEvent.type(field, '34{Enter}');
  await screen.findByText('This PIN is easy to guess.');
  expect(field.getAttribute('aria-invalid')).toBe('true');
  server.answers[path] = () => {
    pin = { set: true, locked: false };
    return { ok: true };
  };
  await userEvent.clear(field);
  await userEvent.type(field, '8042{Enter}');
  await screen.findByText('You have a PIN');
  expect(server.made(path).at(-1)?.body).toEqual({ pin: '8042', password: 'mine' });
});
