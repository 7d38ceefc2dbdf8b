import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ada, openApp, refusal, refuse, stubServer } from '../../support/web/member-app.tsx';

const STATE = 'GET /api/auth/email-change';
const ASK = 'POST /api/auth/email-change';
const WITHDRAW = 'DELETE /api/auth/email-change';
const CONFIRM = 'POST /api/auth/email-change/confirm';
const pending = { new_email: 'new@demo.test', expires_at: '2026-06-16T12:00:00.000Z' };

async function openForm() {
  openApp('/account/security');
  await userEvent.click(await screen.findByRole('button', { name: 'Change Email' }));
  return within(screen.getByRole('form', { name: 'Change email' }));
}

test('asks for the new email and the password, then says where the link is', async () => {
  const server = stubServer({ [ASK]: pending });
  const form = await openForm();
  expect(document.activeElement).toBe(form.getByLabelText('New Email'));
  await userEvent.type(form.getByLabelText('New Email'), ' new@demo.test ');
  await userEvent.type(form.getByLabelText('Password'), 'the password{Enter}');
  await screen.findByText('Check your inbox');
  screen.getByText('new@demo.test');
  expect(server.calls.find(({ call }) => call === ASK)?.body).toEqual({
    email: 'new@demo.test',
    password: 'the password',
  });
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Change Email' })),
  );
});

test.each([
  [403, 'WRONG_PASSWORD', 'Password'],
  [409, 'EMAIL_UNCHANGED', 'New Email'],
])('%s %s is shown at its field, and what was typed stays', async (status, code, label) => {
  stubServer({ [ASK]: refusal(status, code, 'No, because.') });
  const form = await openForm();
  await userEvent.type(form.getByLabelText('New Email'), 'new@demo.test');
  await userEvent.type(form.getByLabelText('Password'), 'a guess{Enter}');
  await form.findByText('No, because.');
  expect(document.activeElement).toBe(form.getByLabelText(label));
  expect(form.getByLabelText<HTMLInputElement>('New Email').value).toBe('new@demo.test');
});

test('a pending change is shown, and can be withdrawn', async () => {
  const server = stubServer({
    [STATE]: { email: ada.email, sends_email: true, pending },
    [WITHDRAW]: { removed: true },
  });
  openApp('/account/security');
  await screen.findByText('new@demo.test');
  server.answers[STATE] = { email: ada.email, sends_email: true, pending: null };
  await userEvent.click(screen.getByRole('button', { name: 'Keep My Email' }));
  await screen.findByText('Your email stays the same');
  await waitFor(() => expect(screen.queryByText('new@demo.test')).toBeNull());
});

test('once the link has been followed elsewhere, the page shows the new email', async () => {
  const user = { ...ada };
  const server = stubServer({
    'GET /api/session': () => ({ user }),
    [STATE]: () => {
      // Like the server: this call renews the browser's cached session.
      user.email = 'new@demo.test';
      return { email: user.email, sends_email: true, pending: null };
    },
  });
  openApp('/account/security');
  await screen.findByText('new@demo.test');
  await waitFor(() => expect(screen.queryByText(ada.email)).toBeNull());
  expect(server.count('GET /api/session')).toBeLessThan(5);
});

test('where no mail server is set up, the page says who to write to', async () => {
  stubServer({ [STATE]: { email: ada.email, sends_email: false, pending: null } });
  openApp('/account/security');
  await screen.findByText(/The club can’t send email yet/);
  expect(screen.queryByRole('button', { name: 'Change Email' })).toBeNull();
});

test('the profile links to the change of email', async () => {
  stubServer();
  openApp('/account');
  await userEvent.click(await screen.findByRole('button', { name: 'Edit Profile' }));
  const form = within(screen.getByRole('form', { name: 'Profile' }));
  expect(form.getByRole('link', { name: 'Security' }).getAttribute('href')).toBe('/account/security');
});

test('the link, while signed in, changes the email with one request and leads to the dashboard', async () => {
  const user = { ...ada };
  const server = stubServer({
    'GET /api/session': () => ({ user }),
    [CONFIRM]: { ok: true },
  });
  openApp('/change-email#token-1');
  await screen.findByText(/Your email was changed/);
  expect(server.calls.filter(({ call }) => call === CONFIRM)).toEqual([
    { call: CONFIRM, body: { token: 'token-1', opened: true } },
  ]);
  expect(screen.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe('/dashboard');
});

test('the link, where nobody is signed in to its account, changes the email by a press', async () => {
  const server = stubServer({
    'GET /api/session': { user: null },
    [CONFIRM]: { ok: true, press: true },
  });
  openApp('/change-email#token-press');
  const button = await screen.findByRole('button', { name: 'Change Email' });
  server.answers[CONFIRM] = { ok: true };
  await userEvent.click(button);
  await screen.findByText(/Your email was changed/);
  expect(server.calls.filter(({ call }) => call === CONFIRM).at(-1)?.body).toEqual({ token: 'token-press' });
});

test.each([
  ['used', 400, 'LINK_INVALID', /was already used/],
  ['too old', 401, 'LINK_EXPIRED', /was already used/],
  ['for an email that has an account by now', 422, 'EMAIL_TAKEN', /Another account has this email/],
])('a link that is %s changes nothing, and says so', async (_, status, code, words) => {
  stubServer({ 'GET /api/session': { user: null }, [CONFIRM]: refusal(status, code, '') });
  openApp(`/change-email#token-${code}`);
  await screen.findByText(words);
  expect(screen.getByRole('link', { name: 'Back to sign in' }).getAttribute('href')).toBe('/login');
});

test('without a token nothing is sent', async () => {
  const server = stubServer({ 'GET /api/session': { user: null } });
  openApp('/change-email');
  await screen.findByText(/was already used/);
  expect(server.count(CONFIRM)).toBe(0);
});

test.each([
  ['too many requests', 429],
  ['a server error', 500],
])('after %s the link still works', async (_, status) => {
  const server = stubServer({ 'GET /api/session': { user: null }, [CONFIRM]: refuse(status, {}) });
  openApp(`/change-email#token-retry-${status}`);
  await screen.findByText(/couldn’t check your link/);
  server.answers[CONFIRM] = { ok: true };
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  await screen.findByText(/Your email was changed/);
});
