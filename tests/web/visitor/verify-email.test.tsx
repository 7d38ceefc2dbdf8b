import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { site } from '../../../src/web/api/site.ts';
import { ada, openApp, refusal, refuse, stubServer } from '../../support/web/member-app.tsx';

const SEND = 'POST /api/auth/resend-verification';
const VERIFY = 'POST /api/auth/verify-email';
const reminder = 'Confirm your email';

test.each([
  ['/dashboard', false],
  ['/account/security', true],
])('%s reminds and sends the link again; once dismissed it returns: %s', async (path, comesBack) => {
  const server = stubServer({
    'GET /api/session': { user: { ...ada, email_verified: false } },
    [SEND]: { ok: true },
  });
  openApp(path);
  await screen.findByText(reminder);
  await userEvent.click(screen.getByRole('button', { name: 'Send the Link Again' }));
  await screen.findByText('The link is on its way');
  expect(server.calls.find(({ call }) => call === SEND)?.body).toEqual({ email: ada.email });
  server.answers[SEND] = refusal(429, 'TOO_MANY_ATTEMPTS', 'Too many attempts.');
  await userEvent.click(screen.getByRole('button', { name: 'Send the Link Again' }));
  await screen.findByText('Too many attempts.');
  await userEvent.click(screen.getByRole('button', { name: 'Not Now' }));
  expect(screen.queryByText(reminder)).toBeNull();
  cleanup();
  openApp(path);
  await screen.findByText(path === '/dashboard' ? 'Welcome' : 'Where You Are Signed In');
  expect(screen.queryByText(reminder) !== null).toBe(comesBack);
});

test('once confirmed elsewhere, the page says so, and the reminder is gone', async () => {
  const user = { ...ada, email_verified: false };
  stubServer({
    'GET /api/session': () => ({ user }),
    [SEND]: () => {
      user.email_verified = true;
      return Response.json(
        { code: 'EMAIL_ALREADY_VERIFIED', message: 'Email is already verified' },
        { status: 400 },
      );
    },
  });
  openApp('/dashboard');
  await userEvent.click(await screen.findByRole('button', { name: 'Send the Link Again' }));
  await screen.findByText('Your email is already confirmed');
  await waitFor(() => expect(screen.queryByText(reminder)).toBeNull());
});

test.each([
  ['nudge', false, 'Not confirmed'],
  ['nudge', true, 'Confirmed'],
  ['off', false, null],
] as const)('/account with %s, confirmed %s: %s', async (mode, email_verified, words) => {
  site.verify_email = mode;
  stubServer({ 'GET /api/session': { user: { ...ada, email_verified } } });
  openApp('/account');
  await screen.findByRole('heading', { name: 'Profile' });
  expect((await screen.findAllByText(ada.email)).length).toBeGreaterThan(0);
  if (words) screen.getByText(words);
  else expect(screen.queryByText(/confirmed/i)).toBeNull();
  if (mode === 'off' || email_verified) expect(screen.queryByText(reminder)).toBeNull();
});

test('the link, while signed in, confirms the email with one request and leads to the dashboard', async () => {
  const user = { ...ada, email_verified: false };
  const server = stubServer({
    'GET /api/session': () => ({ user }),
    [VERIFY]: () => {
      user.email_verified = true;
      return { ok: true };
    },
  });
  openApp('/verify-email#a.b.good');
  await screen.findByText(/Your email is confirmed/);
  expect(server.calls.filter(({ call }) => call === VERIFY)).toEqual([
    { call: VERIFY, body: { token: 'a.b.good', opened: true } },
  ]);
  expect(screen.getByRole('link', { name: 'Continue' }).getAttribute('href')).toBe('/dashboard');
});

test('the link, where nobody is signed in to its account, confirms the email by a press', async () => {
  const server = stubServer({
    'GET /api/session': { user: null },
    [VERIFY]: { ok: true, press: true },
  });
  openApp('/verify-email#a.b.press');
  const button = await screen.findByRole('button', { name: 'Confirm Email' });
  expect(screen.queryByText(/Your email is confirmed/)).toBeNull();
  server.answers[VERIFY] = { ok: true };
  await userEvent.click(button);
  await screen.findByText(/Your email is confirmed/);
  expect(server.calls.filter(({ call }) => call === VERIFY).map(({ body }) => body)).toEqual([
    { token: 'a.b.press', opened: true },
    { token: 'a.b.press' },
  ]);
});

test('an old link, while signed out, offers a new one for a typed email', async () => {
  const server = stubServer({
    'GET /api/session': { user: null },
    [VERIFY]: refusal(401, 'LINK_EXPIRED', 'This link is too old.'),
    [SEND]: { ok: true },
  });
  openApp('/verify-email#a.b.old');
  await userEvent.type(await screen.findByLabelText('Email'), ' ada@demo.test {Enter}');
  await screen.findByText(/a new link is on its way/);
  expect(server.calls.at(-1)).toEqual({ call: SEND, body: { email: 'ada@demo.test' } });
});

test('an old link shows no error to a signed-in user with a confirmed email', async () => {
  stubServer({
    'GET /api/session': { user: { ...ada, email_verified: true } },
    [VERIFY]: refusal(401, 'LINK_EXPIRED'),
  });
  openApp('/verify-email#a.b.older');
  await screen.findByText(/Your email is confirmed/);
});

test.each([
  ['too many requests', 429],
  ['a server error', 500],
])('after %s the link still works', async (_, status) => {
  const server = stubServer({ 'GET /api/session': { user: null }, [VERIFY]: refuse(status, {}) });
  openApp(`/verify-email#a.b.retry-${status}`);
  await screen.findByText(/couldn’t check your link/);
  server.answers[VERIFY] = { ok: true };
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  await screen.findByText(/Your email is confirmed/);
});

test('where confirmation is required, registering ends at Check your inbox', async () => {
  site.verify_email = 'required';
  stubServer({ 'GET /api/session': { user: null }, 'POST /api/auth/sign-up': { ok: true } });
  const app = openApp('/register');
  await userEvent.type(await screen.findByLabelText('First Name'), 'Ada');
  await userEvent.type(screen.getByLabelText('Last Name'), 'Vine');
  await userEvent.type(screen.getByLabelText('Email'), 'ada@demo.test');
  await userEvent.type(screen.getByLabelText('Password'), 'cellar-door');
  await userEvent.type(screen.getByLabelText('Confirm Password'), 'cellar-door{Enter}');
  await screen.findByRole('heading', { name: 'Check your inbox' });
  screen.getByText('ada@demo.test');
  expect(app.path()).toBe('/register');
});
