import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { accountConsent } from '../../../src/domain/consent.ts';
import { currentUser, forgetSession, SIGNED_IN_KEY, sessionHasEnded } from '../../../src/web/api/session.ts';
import { site } from '../../../src/web/api/site.ts';
import { stubCaptcha } from '../../support/web/captcha.ts';
import { ada, openApp, refusal, refuse, stubServer } from '../../support/web/member-app.tsx';

const fill = async (label: string, text: string) =>
  userEvent.type(await screen.findByLabelText(label, { exact: false, selector: 'input' }), text);

async function fillRegister(password: string, confirmation: string) {
  await fill('First Name', 'Ada');
  await fill('Last Name', 'Vine');
  await fill('Email', 'ada@demo.test');
  await userEvent.type(await screen.findByLabelText('Password'), password);
  await fill('Confirm Password', confirmation);
  await userEvent.keyboard('{Enter}');
}

test('/ leads to /login: club name, subtitle, and a link to /register', async () => {
  stubServer({ 'GET /api/session': { user: null } });
  const app = openApp('/');
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Cellar Door');
  expect(app.path()).toBe('/login');
  screen.getByText('Sign in to your account');
  expect(screen.getByRole('link', { name: 'Create an account' }).getAttribute('href')).toBe('/register');
});

test("signing in: Enter submits once, 'Signing in...', 'Welcome back!', and the requested page", async () => {
  let user: typeof ada | null = null;
  const pressed = Promise.withResolvers<void>();
  const server = stubServer({
    'GET /api/session': () => ({ user }),
    'POST /api/auth/sign-in': async () => {
      await pressed.promise;
      user = ada;
      return {};
    },
  });
  const app = openApp('/pours');
  await fill('Email', 'ada@demo.test');
  expect(app.path()).toBe('/login');
  await fill('Password', 'cellar-door-demo{Enter}');
  const button = await screen.findByRole('button', { name: 'Signing in...' });
  await userEvent.click(button);
  pressed.resolve();
  await screen.findByText('Welcome back!');
  await waitFor(() => expect(app.path()).toBe('/pours'));
  expect(server.count('POST /api/auth/sign-in')).toBe(1);
});

test.each([
  [refuse(401, { message: 'Invalid email or password' }), 'Invalid email or password'],
  [refuse(500, {}), 'Error signing in'],
])('a refused sign-in says why in the form', async (answer, words) => {
  stubServer({ 'GET /api/session': { user: null }, 'POST /api/auth/sign-in': answer });
  openApp('/login');
  await fill('Email', 'ada@demo.test');
  await fill('Password', 'wrong{Enter}');
  expect((await screen.findByRole('alert')).textContent).toContain(words);
});

test.each([
  ['cellar-door', 'cellar-dour', 'Passwords do not match'],
  ['short', 'short', 'Password must be at least 8 characters'],
])('registering with %s and %s: the alert, and nothing is sent', async (password, confirmation, words) => {
  const server = stubServer({ 'GET /api/session': { user: null } });
  openApp('/register');
  await fillRegister(password, confirmation);
  expect((await screen.findByRole('alert')).textContent).toBe(words);
  expect(server.count('POST /api/auth/sign-up')).toBe(0);
});

test("registering: 'Account created successfully!' and the dashboard; no role is sent", async () => {
  let user: typeof ada | null = null;
  const server = stubServer({
    'GET /api/session': () => ({ user }),
    'POST /api/auth/sign-up': () => {
      user = ada;
      return {};
    },
  });
  const app = openApp('/register');
  await fillRegister('cellar-door', 'cellar-door');
  await screen.findByText('Account created successfully!');
  await waitFor(() => expect(app.path()).toBe('/dashboard'));
  expect(server.calls.find(({ call }) => call.includes('sign-up'))?.body).toEqual({
    first_name: 'Ada',
    last_name: 'Vine',
    email: 'ada@demo.test',
    password: 'cellar-door',
    consent_version: accountConsent(site)?.version,
  });
});

test('registering with a captcha: nothing is sent before it is solved, and a solution is sent once', async () => {
  const solved = stubCaptcha();
  const SIGN_UP = 'POST /api/auth/sign-up';
  const server = stubServer({
    'GET /api/session': { user: null },
    [SIGN_UP]: refuse(403, { message: 'Captcha verification failed' }),
  });
  openApp('/register');
  await fillRegister('cellar-door', 'cellar-door');
  await screen.findByText('Please complete the check below first.');
  expect(server.count(SIGN_UP)).toBe(0);

  // The button stays busy for an instant longer than the message takes to appear.
  await screen.findByRole('button', { name: 'Create Account' });
  solved('the solution');
  await userEvent.keyboard('{Enter}');
  await screen.findByText('Captcha verification failed');
  await screen.findByRole('button', { name: 'Create Account' });
  await userEvent.keyboard('{Enter}');
  await screen.findByText('Please complete the check below first.');
  expect(server.calls.filter(({ call }) => call === SIGN_UP).map(({ body }) => body)).toEqual([
    expect.objectContaining({ email: 'ada@demo.test', captcha: 'the solution' }),
  ]);
});

test("a refused registration: the server's words, else 'Error creating account'", async () => {
  const server = stubServer({
    'GET /api/session': { user: null },
    'POST /api/auth/sign-up': refuse(422, { message: 'User already exists' }),
  });
  openApp('/register');
  await fillRegister('cellar-door', 'cellar-door');
  await screen.findByText('User already exists');
  server.answers['POST /api/auth/sign-up'] = refuse(503, {});
  await userEvent.keyboard('{Enter}');
  await screen.findByText('Error creating account');
});

const ENDED = 'Your session has ended. Please sign in again.';

test('/login mentions a session that ended since the last visit, until signing in', async () => {
  let user: typeof ada | null = ada;
  stubServer({ 'GET /api/session': () => ({ user }) });
  const app = openApp('/dashboard');
  await screen.findByText('Welcome');
  user = null;
  // A later visit has only the browser's stored data.
  forgetSession();
  await app.router.navigate({ to: '/account' });
  await screen.findByText(ENDED);
  expect(app.path()).toBe('/login');
  user = ada;
  forgetSession();
  await currentUser();
  expect(sessionHasEnded()).toBe(false);
});

test('a visitor who never signed in here, or signed out here, reads of no ended session', async () => {
  let user: typeof ada | null = null;
  stubServer({ 'GET /api/session': () => ({ user }), 'POST /api/auth/sign-out': {} });
  openApp('/dashboard');
  await screen.findByText('Sign in to your account');
  expect(screen.queryByText(ENDED)).toBeNull();
  cleanup();
  user = ada;
  openApp('/dashboard');
  await screen.findByText('Welcome');
  user = null;
  await userEvent.click(screen.getByRole('button', { name: 'Sign Out' }));
  await screen.findByText('Sign in to your account');
  expect(screen.queryByText(ENDED)).toBeNull();
});

test('signing out on another tab leaves this one at once; other stored values do not', async () => {
  let user: typeof ada | null = ada;
  stubServer({ 'GET /api/session': () => ({ user }) });
  const app = openApp('/dashboard');
  await screen.findByText('Welcome');
  user = null;
  const stored = (key: string) =>
    fireEvent(window, new StorageEvent('storage', { key, oldValue: '1', newValue: null }));
  stored('cellar-door:mute');
  expect(app.path()).toBe('/dashboard');
  stored(SIGNED_IN_KEY);
  await screen.findByText(ENDED);
  expect(app.path()).toBe('/login');
});

test("'Sign Out' on the dashboard: the toast, then /login; 401 counts as signed out", async () => {
  let user: typeof ada | null = ada;
  stubServer({
    'GET /api/session': () => ({ user }),
    'POST /api/auth/sign-out': () => {
      user = null;
      return Response.json({}, { status: 401 });
    },
  });
  const app = openApp('/dashboard');
  await userEvent.click(await screen.findByRole('button', { name: 'Sign Out' }));
  await screen.findByText('Signed out successfully');
  await waitFor(() => expect(app.path()).toBe('/login'));
});

test.each([403, 404])(
  'a sign-out that the server answers with %i ends the session on this device',
  async (status) => {
    // The cookie stays, because scripts cannot delete it.
    const server = stubServer({ 'POST /api/auth/sign-out': refuse(status, {}) });
    openApp('/dashboard');
    await userEvent.click(await screen.findByRole('button', { name: 'Sign Out' }));
    await screen.findByText('Signed out successfully');
    cleanup();
    const app = openApp('/pours');
    await fill('Email', 'ada@demo.test');
    expect(app.path()).toBe('/login');

    server.answers['POST /api/auth/sign-in'] = {};
    await fill('Password', 'cellar-door-demo{Enter}');
    await waitFor(() => expect(app.path()).toBe('/pours'));
  },
);

test('an account without a role sees a dashboard that says so, and makes no calls for it', async () => {
  const server = stubServer({ 'GET /api/session': { user: { ...ada, role: null } } });
  const app = openApp('/account');
  await screen.findByText('Your account has no access');
  expect(app.path()).toBe('/dashboard');
  screen.getByRole('button', { name: 'Sign Out' });
  expect(server.calls.map(({ call }) => call)).toEqual(['GET /api/session']);
});

test("a sign-out that fails: 'Error signing out', and the page stays", async () => {
  stubServer({ 'POST /api/auth/sign-out': refuse(500, {}) });
  const app = openApp('/dashboard');
  await userEvent.click(await screen.findByRole('button', { name: 'Sign Out' }));
  await screen.findByText('Error signing out');
  expect(app.path()).toBe('/dashboard');
});

test('what registering agrees to is shown beside the button, as its description', async () => {
  stubServer({ 'GET /api/session': { user: null } });
  openApp('/register');
  const button = await screen.findByRole('button', { name: 'Create Account' });
  const words = screen.getByText('By creating an account, you confirm that you are at least 21 years old.');
  expect(button.getAttribute('aria-describedby')).toBe(words.id);
});

test('when the words have changed, the new ones appear with their link, the input stays, and they are sent next', async () => {
  const current = accountConsent({
    club_name: 'Cellar Door',
    minimum_age: 18,
    terms_url: 'https://club.example/terms',
  });
  const server = stubServer({
    'GET /api/session': { user: null },
    'POST /api/auth/sign-up': refusal(409, 'CONSENT_OUTDATED', 'Please read them again.', { current }),
  });
  openApp('/register');
  await fillRegister('cellar-door', 'cellar-door');
  expect((await screen.findByRole('alert')).textContent).toBe('Please read them again.');
  const link = screen.getByRole('link', { name: 'the terms of Cellar Door (opens in a new tab)' });
  expect([link.getAttribute('href'), link.getAttribute('target')]).toEqual([
    'https://club.example/terms',
    '_blank',
  ]);
  expect(link.parentElement?.textContent).toContain('at least 18 years old');
  server.answers['POST /api/auth/sign-up'] = {};
  await userEvent.click(screen.getByRole('button', { name: 'Create Account' }));
  await waitFor(() => expect(server.count('POST /api/auth/sign-up')).toBe(2));
  expect(server.calls.findLast(({ call }) => call.includes('sign-up'))?.body).toMatchObject({
    first_name: 'Ada',
    consent_version: current?.version,
  });
});

test('a browser that keeps no cookie says so, at signing in and at registering', async () => {
  stubServer({
    'GET /api/session': { user: null },
    'POST /api/auth/sign-in': {},
    'POST /api/auth/sign-up': { ok: true },
  });
  const app = openApp('/login');
  await fill('Email', 'ada@demo.test');
  await fill('Password', 'cellar-door-demo{Enter}');
  await screen.findByText(/^Your browser blocks cookies/);
  expect(screen.queryByText('Error signing in')).toBeNull();
  cleanup();
  const next = openApp('/register');
  await fillRegister('cellar-door', 'cellar-door');
  await screen.findByText(/^Your account was created\. Your browser blocks cookies/);
  expect(screen.queryByText('Account created successfully!')).toBeNull();
  expect([app.path(), next.path()]).toEqual(['/login', '/register']);
});

test('what a password manager fills in without an event is sent, and stays while others are typed', async () => {
  const server = stubServer({
    'GET /api/session': { user: null },
    'POST /api/auth/sign-in': refuse(401, { message: 'Invalid email or password' }),
  });
  openApp('/login');
  const email = await screen.findByLabelText<HTMLInputElement>('Email');
  const password = screen.getByLabelText<HTMLInputElement>('Password', { selector: 'input' });
  // Past React, which hears of no change.
  const fillIn = (field: HTMLInputElement, value: string) =>
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value);
  fillIn(email, 'ada@demo.test');
  await userEvent.type(password, 'wrong');
  expect(email.value).toBe('ada@demo.test');
  fillIn(password, 'cellar-door-demo');
  fireEvent.submit(password);
  await screen.findByText('Invalid email or password');
  expect(server.calls.find(({ call }) => call === 'POST /api/auth/sign-in')?.body).toEqual({
    email: 'ada@demo.test',
    password: 'cellar-door-demo',
  });
  expect([email.value, password.value]).toEqual(['ada@demo.test', 'cellar-door-demo']);
});
