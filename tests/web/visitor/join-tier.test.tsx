import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { subscriptionConsent } from '../../../src/domain/consent.ts';
import { keepLeftToDo, readChosenTier, readLeftToDo } from '../../../src/web/api/joining.ts';
import { site } from '../../../src/web/api/site.ts';
import { stubCaptcha } from '../../support/web/captcha.ts';
import { ada, customer, me, openApp, refusal, stubServer } from '../../support/web/member-app.tsx';

const JOIN = 'POST /api/auth/join';
const OFFER = 'GET /api/tiers/premier/offer';
const TIER = 'PUT /api/applications/own/tier';
const CHECKOUT = 'POST /api/functions/create-checkout';
const words = subscriptionConsent(site, { tier: 'Premier', price: '$69.00' });
const offer = {
  ...{ tier_name: 'premier', display_name: 'Premier', monthly_price: 69, yearly_price: null },
  ...{ monthly_pours: 8, description: 'Two glasses a week.', people: 1, guest_glasses: 1 },
  ...{ rollover_glasses: 0, is_active: true, is_featured: false, benefits: [] },
};
const taken = refusal(422, 'EMAIL_TAKEN', 'An account with this email already exists.', undefined);

let user: typeof ada | null;
let server: ReturnType<typeof stubServer>;
beforeEach(() => {
  user = null;
  server = stubServer({
    'GET /api/session': () => ({ user }),
    'GET /api/customers/own': { customer: null, application: null },
    [OFFER]: offer,
    [JOIN]: () => {
      user = ada;
      return { ok: true };
    },
    [TIER]: { id: 'application' },
    [CHECKOUT]: { url: 'https://pay.example/' },
  });
  vi.spyOn(window.location, 'assign').mockReturnValue();
});

async function fillIn(email = ada.email) {
  await userEvent.type(await screen.findByLabelText('First Name'), 'Ada');
  await userEvent.type(screen.getByLabelText('Last Name'), 'Vine');
  await userEvent.type(screen.getByLabelText('Email'), email);
}
const pay = async () => userEvent.click(await screen.findByRole('button', { name: 'Continue to Payment' }));
const leaves = () =>
  waitFor(() => expect(window.location.assign).toHaveBeenCalledWith('https://pay.example/'));

test('name and email make an account, and the consent of the page goes to the payment', async () => {
  openApp('/join/premier');
  await fillIn();
  screen.getByText(words.text);
  await pay();
  await leaves();
  expect(server.calls).toContainEqual({
    call: JOIN,
    body: { first_name: 'Ada', last_name: 'Vine', email: ada.email },
  });
  expect(server.calls).toContainEqual({ call: TIER, body: { tier: 'premier' } });
  const order = { tierName: 'premier', applicationId: 'application', consentVersion: words.version };
  expect(server.calls).toContainEqual({ call: CHECKOUT, body: { ...order, userId: ada.id } });
  expect(readChosenTier()).toBeNull();
});

test('a payment page that fails makes no second account: the next press goes on as that user', async () => {
  server.answers[CHECKOUT] = refusal(502, 'PAYMENTS_UNAVAILABLE', 'Our payment service is slow.', undefined);
  openApp('/join/premier');
  await fillIn();
  await pay();
  await screen.findByText('Failed to start payment process. Please try again.');
  await screen.findByText('You are signed in as', { exact: false });
  server.answers[CHECKOUT] = { url: 'https://pay.example/' };
  await pay();
  await leaves();
  expect(server.count(JOIN)).toBe(1);
});

test('an email that has an account leads to sign-in, which leads back', async () => {
  server.answers[JOIN] = taken;
  openApp('/join/premier');
  await fillIn();
  await pay();
  await screen.findByText('This email has an account');
  const link = screen.getByRole('link', { name: 'Sign In' });
  expect(new URL(link.getAttribute('href') ?? '', 'http://x').searchParams.get('redirect')).toBe(
    '/join/premier',
  );
  expect(server.count(TIER)).toBe(0);
  await userEvent.type(screen.getByLabelText('Email'), 'x');
  expect(screen.queryByText('This email has an account')).toBeNull();
});

test('an email that is signed in here by now, as in another tab, goes on', async () => {
  server.answers[JOIN] = () => {
    user = ada;
    return taken();
  };
  openApp('/join/premier');
  await fillIn(ada.email.toUpperCase());
  await pay();
  await leaves();
});

test('where a membership is paid under the email already, the link that confirms it is sent', async () => {
  server.answers[CHECKOUT] = refusal(
    403,
    'EMAIL_NOT_VERIFIED',
    'Please confirm your email first.',
    undefined,
  );
  server.answers['POST /api/auth/resend-verification'] = { ok: true };
  openApp('/join/premier');
  await fillIn();
  await pay();
  await screen.findByText('Please confirm your email first.');
  await waitFor(() => expect(server.count('POST /api/auth/resend-verification')).toBe(1));
});

test('the server’s words replace those of an outdated page, for the next press', async () => {
  const current = { ...words, version: '1'.repeat(16), text: 'Premier is $75.00 now.' };
  server.answers[CHECKOUT] = refusal(409, 'CONSENT_OUTDATED', 'Read the text again.', { current });
  openApp('/join/premier');
  await fillIn();
  await pay();
  await screen.findByText(current.text);
});

test('with a captcha, nothing is sent before it is solved', async () => {
  const solve = stubCaptcha();
  try {
    openApp('/join/premier');
    await fillIn();
    await pay();
    await screen.findByText('Please complete the check below first.');
    expect(server.count(JOIN)).toBe(0);
    solve('solved');
    await pay();
    await leaves();
    expect(server.calls).toContainEqual({ call: JOIN, body: expect.objectContaining({ captcha: 'solved' }) });
  } finally {
    site.captcha = null;
  }
});

test('joining that is closed says so before anything is typed', async () => {
  server.answers[OFFER] = refusal(409, 'JOINING_CLOSED', 'Please ask at the bar.', undefined);
  openApp('/join/premier');
  await screen.findByText('Please ask at the bar.');
  expect(screen.queryByLabelText('Email')).toBeNull();
});

test.each([
  ['payments', 'off', '/register', '/apply'],
  ['verify_email', 'required', '/register', '/join/premier'],
] as const)(
  'with %s %s: a visitor registers, and the tier is kept',
  async (name, value, visitor, signedIn) => {
    const before = site[name];
    Object.assign(site, { [name]: value });
    try {
      const app = openApp('/join/premier');
      await waitFor(() => expect(app.path()).toBe(visitor));
      expect(readChosenTier()).toBe('premier');
      user = ada;
      const own = openApp('/join/premier');
      await waitFor(() => expect(own.path()).toBe(signedIn));
    } finally {
      Object.assign(site, { [name]: before });
    }
  },
);

test('signing out without a password asks first, and one that there is by now is not asked for', async () => {
  user = ada;
  keepLeftToDo(ada.id, 'password');
  server.answers['GET /api/customers/own'] = { ...me, customer };
  server.answers['POST /api/auth/choose-password'] = refusal(409, 'PASSWORD_CHOSEN', 'There is one.');
  openApp('/dashboard');
  await userEvent.click(await screen.findByRole('button', { name: 'Sign Out' }));
  await screen.findByText('Sign out without a password?');
  await userEvent.click(screen.getByRole('button', { name: 'Stay' }));
  await userEvent.type(screen.getByLabelText('Password'), 'a cellar full of maps');
  await userEvent.type(screen.getByLabelText('Confirm Password'), 'a cellar full of maps{Enter}');
  await screen.findByText('Tell us your taste');
  expect(readLeftToDo(ada.id)).toBe('survey');
  await userEvent.click(screen.getByRole('button', { name: 'Not Now' }));
  expect(readLeftToDo(ada.id)).toBeNull();
});
