import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { openApp, refusal, stubServer } from '../../support/web/member-app.tsx';

const CHANGE = 'POST /api/auth/change-password';

async function openForm() {
  openApp('/account/security');
  await userEvent.click(await screen.findByRole('button', { name: 'Change Password' }));
  return screen.getByLabelText('Current Password').closest('form')!;
}
const type = (form: HTMLElement, label: string, text: string) =>
  userEvent.type(within(form).getByLabelText(label), text);

test('the settings change the password: the current one, and the new one twice', async () => {
  const server = stubServer({ [CHANGE]: { ok: true } });
  const form = await openForm();
  await type(form, 'Current Password', 'the old password');
  await type(form, 'New Password', 'a better password');
  await type(form, 'Confirm Password', 'a bitter password{Enter}');
  expect((await within(form).findByRole('alert')).textContent).toBe('Passwords do not match');
  expect(server.count(CHANGE)).toBe(0);

  await userEvent.clear(within(form).getByLabelText('Confirm Password'));
  await type(form, 'Confirm Password', 'a better password{Enter}');
  await screen.findByText('All your other devices were signed out.');
  expect(server.calls.find(({ call }) => call === CHANGE)?.body).toEqual({
    current_password: 'the old password',
    password: 'a better password',
  });
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change Password' })),
  );
});

test('a wrong current password is reported at its field, a guessable new one in an alert', async () => {
  const server = stubServer({
    [CHANGE]: refusal(403, 'WRONG_PASSWORD', 'Wrong password. Please try again.'),
  });
  const form = await openForm();
  await type(form, 'Current Password', 'a guess');
  await type(form, 'New Password', 'password1');
  await type(form, 'Confirm Password', 'password1{Enter}');
  await within(form).findByText('Wrong password. Please try again.');
  expect(document.activeElement).toBe(within(form).getByLabelText('Current Password'));

  const message = 'Many people use this password.';
  server.answers[CHANGE] = refusal(422, 'PASSWORD_COMMON', message);
  await userEvent.click(within(form).getByRole('button', { name: 'Save Password' }));
  expect((await within(form).findByRole('alert')).textContent).toBe(message);
});
