import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { stubCaptcha } from '../../support/web/captcha.ts';
import { openApp, refusal, refuse, stubServer } from '../../support/web/member-app.tsx';

const FORGOT = 'POST /api/auth/recover';
const RESET = 'POST /api/auth/reset-password';
const visitor = { 'GET /api/session': { user: null } };

async function ask(email: string) {
  await userEvent.type(await screen.findByLabelText('Email'), `${email}{Enter}`);
}

async function choose(password: string, confirmation: string) {
  await userEvent.type(await screen.findByLabelText('New Password'), password);
  await userEvent.type(await screen.findByLabelText('Confirm Password'), `${confirmation}{Enter}`);
}

test("'Forgot password?' on /login leads to the form, whose answer reveals no account", async () => {
  const server = stubServer({ ...visitor, [FORGOT]: { ok: true } });
  const app = openApp('/login');
  await userEvent.click(await screen.findByRole('link', { name: 'Forgot password?' }));
  // Both pages have a field for the email.
  await screen.findByRole('heading', { name: 'Forgot password?' });
  expect(app.path()).toBe('/forgot-password');
  await ask('ada@demo.test');
  expect((await screen.findByText(/belongs to an account/)).textContent).toMatch(/^If ada@demo.test belongs/);
  expect(server.calls.find(({ call }) => call === FORGOT)?.body).toEqual({ email: 'ada@demo.test' });
});

test('too many requests: the server’s words, read out', async () => {
  stubServer({ ...visitor, [FORGOT]: refuse(429, { message: 'Too many attempts.' }) });
  openApp('/forgot-password');
  await ask('ada@demo.test');
  expect((await screen.findByRole('alert')).textContent).toBe('Too many attempts.');
});

test('with a captcha, nothing is sent before it is solved, and a solution is sent once', async () => {
  const solved = stubCaptcha();
  const server = stubServer({
    ...visitor,
    [FORGOT]: refuse(403, { message: 'Captcha verification failed' }),
  });
  openApp('/forgot-password');
  await ask('ada@demo.test');
  await screen.findByText('Please complete the check below first.');
  expect(server.count(FORGOT)).toBe(0);

  // The button stays busy for an instant longer than the message takes to appear.
  await screen.findByRole('button', { name: 'Send Link' });
  solved('the solution');
  await userEvent.keyboard('{Enter}');
  await screen.findByText('Captcha verification failed');
  await screen.findByRole('button', { name: 'Send Link' });
  await userEvent.keyboard('{Enter}');
  await screen.findByText('Please complete the check below first.');
  expect(server.calls.filter(({ call }) => call === FORGOT).map(({ body }) => body)).toEqual([
    { email: 'ada@demo.test', captcha: 'the solution' },
  ]);
});

test('the link’s token and the new password are sent; then /login', async () => {
  const server = stubServer({ ...visitor, [RESET]: { ok: true }, 'POST /api/auth/sign-out': { ok: true } });
  const app = openApp('/reset-password#the-token');
  await choose('a better one', 'a better one');
  await screen.findByText('Password changed. Please sign in.');
  await waitFor(() => expect(app.path()).toBe('/login'));
  expect(server.calls.find(({ call }) => call === RESET)?.body).toEqual({
    token: 'the-token',
    password: 'a better one',
  });
});

test('two different passwords are not sent', async () => {
  const server = stubServer(visitor);
  openApp('/reset-password#the-token');
  await choose('a better one', 'another one');
  expect((await screen.findByRole('alert')).textContent).toBe('Passwords do not match');
  expect(server.count(RESET)).toBe(0);
});

test.each([
  ['that was used', '#the-token'],
  ['without its token', ''],
])('a link %s offers a new one', async (_, hash) => {
  stubServer({ ...visitor, [RESET]: refusal(400, 'LINK_INVALID', 'Invalid token') });
  openApp(`/reset-password${hash}`);
  if (hash) await choose('a better one', 'a better one');
  const link = await screen.findByRole('link', { name: 'Send a New Link' });
  expect(link.getAttribute('href')).toBe('/forgot-password');
});
