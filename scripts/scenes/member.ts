import type { Page } from '@playwright/test';
import { pressed, type Scene, words } from './scene.ts';

const dashboard = words('Resets on your monthly billing date');
const card = words('It renews itself');

async function registerWithErrors(page: Page): Promise<void> {
  await page.getByLabel('First Name').fill('Nadia');
  await page.getByLabel('Last Name').fill('Ferro');
  await page.getByLabel('Email').fill('nadia@example.test');
  await page.getByLabel('Password', { exact: true }).fill('open sesame');
  await page.getByLabel('Confirm Password').fill('open says me');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await words('Passwords do not match')(page);
}

async function signInWithWrongPassword(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('nadia@example.test');
  await page.getByLabel('Password', { exact: true }).fill('a wrong one');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await words('Invalid email or password')(page);
}

/** Stops the page's clock after so many seconds, so that a short state stays on screen. */
const stoppedAfter = (path: string, seconds: number) => async (page: Page, url: string) => {
  await page.clock.install();
  await page.goto(url + path);
  await words('Payment Successful')(page);
  for (let second = 0; second < seconds; second++) {
    await page.clock.runFor(1_000);
    await page.waitForLoadState();
  }
};

async function cardWithoutNetwork(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/dashboard`);
  await dashboard(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.waitForFunction(() => localStorage.getItem('cellar-door:card'));
  await page.context().setOffline(true);
  await page.goto(`${url}/qr-code`);
}

async function dashboardWithoutNetwork(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/dashboard`);
  await dashboard(page);
  await page.context().setOffline(true);
}

export const memberScenes: Scene[] = [
  { name: 'login', who: 'visitor', path: '/login', settled: words('Sign in to your account') },
  { name: 'login-refused', who: 'visitor', path: '/login', settled: signInWithWrongPassword },
  { name: 'register', who: 'visitor', path: '/register', settled: words('Create your account') },
  { name: 'register-alert', who: 'visitor', path: '/register', settled: registerWithErrors },
  { name: 'not-found', who: 'visitor', path: '/no/such/page', settled: words('Oops! Page not found') },

  { name: 'dashboard-welcome', who: 'newcomer', path: '/dashboard', settled: words('Get Started') },
  { name: 'dashboard', who: 'member', path: '/dashboard', settled: dashboard },
  { name: 'dashboard-household', who: 'fresh', path: '/dashboard', settled: dashboard },
  { name: 'dashboard-renew', who: 'lapsed', path: '/dashboard', settled: words('Renew Membership') },
  { name: 'dashboard-unpaid', who: 'unpaid', path: '/dashboard', settled: words('Complete Your Payment') },
  {
    name: 'dashboard-unpaid-later',
    who: 'unpaid',
    path: '/dashboard',
    settled: pressed('Later', 'Show Application Code'),
  },
  {
    name: 'dashboard-offline',
    who: 'member',
    open: dashboardWithoutNetwork,
    settled: words('You are offline'),
  },

  { name: 'apply-taste', who: 'newcomer', path: '/apply', settled: words('How would you rate') },
  { name: 'apply-tiers', who: 'halfway', path: '/apply', settled: words('Choose Your Membership') },
  {
    name: 'payment-success-waiting',
    who: 'newcomer',
    open: stoppedAfter('/payment-success?session_id=cs_1', 0),
    settled: words('Your membership is now being activated'),
  },
  {
    name: 'payment-success-active',
    who: 'cardholder',
    open: stoppedAfter('/payment-success?session_id=cs_1', 1),
    settled: words('Welcome to our wine club!'),
  },
  {
    name: 'payment-success-late',
    who: 'newcomer',
    open: stoppedAfter('/payment-success?session_id=cs_1', 60),
    settled: words('This is taking a little longer'),
  },

  { name: 'card', who: 'member', path: '/qr-code', settled: card },
  { name: 'card-elite', who: 'cardholder', path: '/qr-code', settled: card },
  {
    name: 'card-application',
    who: 'unpaid',
    path: '/qr-code',
    settled: words('Your Application QR Code'),
  },
  { name: 'card-none', who: 'newcomer', path: '/qr-code', settled: words('No Membership Found') },
  { name: 'card-offline', who: 'member', open: cardWithoutNetwork, settled: words('Good for another') },
  {
    name: 'card-offline-gone',
    who: 'member',
    open: async (page, url) => {
      await page.clock.install();
      await cardWithoutNetwork(page, url);
      await words('Good for another')(page);
      await page.clock.fastForward('11:00');
    },
    settled: words('Your code is resting'),
  },

  { name: 'pours', who: 'member', path: '/pours', settled: words('in the last twelve months') },
  { name: 'pours-empty', who: 'fresh', path: '/pours', settled: words('No pour history yet') },

  { name: 'account-venue', who: 'member', path: '/account', settled: words('billed at the venue') },
  { name: 'account-card', who: 'cardholder', path: '/account', settled: words('Cancel Subscription') },
  {
    name: 'account-cancel-dialog',
    who: 'cardholder',
    path: '/account',
    settled: pressed('Cancel Subscription', 'Keep Membership'),
  },
  { name: 'account-cancelled', who: 'cancelled', path: '/account', settled: words('Cancels at period end') },
  { name: 'account-newcomer', who: 'newcomer', path: '/account', settled: words('You are not a member yet') },
  { name: 'account-edit', who: 'member', path: '/account', settled: pressed('Edit Profile', 'First Name') },

  {
    name: 'checkout',
    who: 'unpaid',
    open: async (page, url) => {
      await page.goto(`${url}/apply`);
      await page
        .getByRole('button', { name: /Continue to Payment/ })
        .first()
        .click();
    },
    settled: (page) => page.getByLabel('Card number').waitFor(),
  },
];
