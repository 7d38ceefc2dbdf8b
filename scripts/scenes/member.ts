import type { Page } from '@playwright/test';
import { changeOwn, pressed, type Scene, showsText } from './scene.ts';
import { sharingScenes } from './sharing.ts';

const dashboard = showsText('View History');
const card = showsText('It changes every few minutes');

async function filledWrongly(page: Page): Promise<void> {
  await page.getByLabel('First Name').fill('Nadia');
  await page.getByLabel('Last Name').fill('Ferro');
  await page.getByLabel('Email').fill('nadia@example.test');
  await page.getByLabel('Password', { exact: true }).fill('open sesame');
  await page.getByLabel('Confirm Password').fill('open says me');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await showsText('Passwords do not match')(page);
}

async function signedInWrongly(page: Page): Promise<void> {
  await page.getByLabel('Email').fill('nadia@example.test');
  await page.getByLabel('Password', { exact: true }).fill('a wrong one');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await showsText('Invalid email or password')(page);
}

/** The dashboard of a member from an import, before they have agreed to anything. */
async function asImported(page: Page, url: string): Promise<void> {
  const label = 'the terms of Cellar Door';
  const text = `By continuing, you confirm that you are at least 21 years old and accept ${label}.`;
  const terms = { label, url: 'https://club.example/terms' };
  await changeOwn(page, () => ({ consent_due: { version: '0'.repeat(16), text, terms } }));
  await page.goto(`${url}/dashboard`);
}

/** The dashboard on a birthday, with a glass on the house. */
async function onBirthday(page: Page, url: string): Promise<void> {
  const celebrations = [{ kind: 'birthday', occasion: 'birthday:2026', years: null, glasses: 1 }];
  const given = { kind: 'celebration', occasion: 'birthday', pours: 1, until: '2027-01-01T05:00:00.000Z' };
  await changeOwn(page, ({ pours }) => ({
    celebrations,
    pours: {
      ...pours,
      available_pours: Number(pours.available_pours) + 1,
      grants: [...(pours.grants as unknown[]), given],
    },
  }));
  await page.goto(`${url}/dashboard`);
}

/** The dashboard of a member who was not asked about personal emails yet. */
async function notAsked(page: Page, url: string): Promise<void> {
  await page.route('**/api/letters/own', (route) => route.fulfill({ json: { wanted: null } }));
  await page.goto(`${url}/dashboard`);
}

/** A page with a stopped clock, to capture what shows only for a moment. */
const stopped = (path: string, seconds: number) => async (page: Page, url: string) => {
  await page.clock.install();
  await page.goto(url + path);
  await showsText('Payment Successful')(page);
  for (let second = 0; second < seconds; second++) {
    await page.clock.runFor(1_000);
    await page.waitForLoadState();
  }
};

/** A member's page during a pause, made from an upcoming one, so that its price is known. */
const whilePaused = (path: string) => async (page: Page, url: string) => {
  const day = 86_400;
  const now = Math.floor(Date.now() / 1000);
  const pause = { from: now - 9 * day, until: now + 51 * day, begun: true };
  await page.route('**/get-subscription-details', async (route) => {
    const { subscription } = await (await route.fetch()).json();
    const { next_charge } = subscription;
    const charged = { next_charge: { ...next_charge, at: pause.until }, return_amount: next_charge.amount };
    await route.fulfill({ json: { subscription: { ...subscription, pause, ...charged } } });
  });
  await changeOwn(page, ({ pours }) => ({ pours: { ...pours, access: false, available_pours: 0 } }));
  await page.goto(url + path);
};

async function offline(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/dashboard`);
  await dashboard(page);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.waitForFunction(() => localStorage.getItem('cellar-door:card'));
  await page.context().setOffline(true);
  await page.goto(`${url}/qr-code`);
}

async function onPaper(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/qr-code`);
  await showsText('Lost it?')(page);
  await page.emulateMedia({ media: 'print' });
}

async function lostNetwork(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/dashboard`);
  await dashboard(page);
  await page.context().setOffline(true);
}

export const memberScenes: Scene[] = [
  { name: 'wines-tonight', who: 'member', path: '/wines', settled: showsText('Barolo') },
  {
    name: 'wines-none',
    who: 'member',
    open: async (page, url) => {
      await page.route('**/api/wines/tonight', (route) => route.fulfill({ json: [] }));
      await page.goto(`${url}/wines`);
    },
    settled: showsText('Nothing is open right now'),
  },
  {
    name: 'dashboard-imported',
    who: 'member',
    open: asImported,
    settled: showsText('Your Membership Moved Here'),
  },
  { name: 'login', who: 'visitor', path: '/login', settled: showsText('Sign in to your account') },
  { name: 'help', who: 'visitor', path: '/help', settled: showsText('For the owner') },
  {
    name: 'help-found',
    who: 'visitor',
    path: '/help',
    settled: async (page) => {
      await page.getByLabel('Search the handbook').fill('friend');
      await showsText(/^Can I bring a friend/)(page);
    },
  },
  { name: 'help-page', who: 'visitor', path: '/help/the-team', settled: showsText('Invite someone') },
  { name: 'public-club', who: 'visitor', path: '/club', settled: showsText('Contact') },
  {
    name: 'public-privacy',
    who: 'visitor',
    path: '/privacy',
    settled: showsText('What we store, and for how long'),
  },
  { name: 'public-imprint', who: 'visitor', path: '/imprint', settled: showsText('This website is run by') },
  { name: 'login-refused', who: 'visitor', path: '/login', settled: signedInWrongly },
  { name: 'register', who: 'visitor', path: '/register', settled: showsText('Create your account') },
  { name: 'register-alert', who: 'visitor', path: '/register', settled: filledWrongly },
  {
    name: 'setup',
    who: 'visitor',
    open: async (page, url) => {
      const club = { club_name: 'Cellar Door', time_zone: 'Europe/Vienna' };
      await page.route('**/api/setup/read', (route) => route.fulfill({ json: club }));
      await page.goto(`${url}/setup#ABCDE-FGHJK-MNPQR-STVWX`);
    },
    settled: showsText('Name it and create your account'),
  },
  { name: 'not-found', who: 'visitor', path: '/no/such/page', settled: showsText('Oops! Page not found') },

  { name: 'dashboard-welcome', who: 'newcomer', path: '/dashboard', settled: showsText('Get Started') },
  { name: 'dashboard', who: 'member', path: '/dashboard', settled: dashboard },
  {
    name: 'dashboard-personal-emails',
    who: 'member',
    open: notAsked,
    settled: showsText('May we write to you now and then?'),
  },
  { name: 'dashboard-birthday', who: 'member', open: onBirthday, settled: showsText('Happy birthday!') },
  { name: 'dashboard-household', who: 'fresh', path: '/dashboard', settled: dashboard },
  ...sharingScenes,
  { name: 'dashboard-renew', who: 'lapsed', path: '/dashboard', settled: showsText('Renew Membership') },
  {
    name: 'dashboard-unpaid',
    who: 'unpaid',
    path: '/dashboard',
    settled: showsText('Complete Your Payment'),
  },
  {
    name: 'dashboard-unpaid-later',
    who: 'unpaid',
    path: '/dashboard',
    settled: pressed('Later', 'Show Application Code'),
  },
  { name: 'dashboard-offline', who: 'member', open: lostNetwork, settled: showsText('You’re offline') },

  { name: 'apply-taste', who: 'newcomer', path: '/apply', settled: showsText('How would you rate') },
  { name: 'apply-tiers', who: 'halfway', path: '/apply', settled: showsText('Choose Your Membership') },
  {
    name: 'apply-consent',
    who: 'halfway',
    path: '/apply',
    settled: async (page) => {
      await page.getByRole('button', { name: 'Continue to Payment' }).first().click();
      await showsText('every month until you cancel')(page);
    },
  },
  {
    name: 'payment-success-waiting',
    who: 'newcomer',
    open: stopped('/payment-success?session_id=cs_1', 0),
    settled: showsText('Your membership is now being activated'),
  },
  {
    name: 'payment-success-active',
    who: 'cardholder',
    open: stopped('/payment-success?session_id=cs_1', 1),
    settled: showsText('Welcome to our wine club!'),
  },
  {
    name: 'payment-success-late',
    who: 'newcomer',
    open: stopped('/payment-success?session_id=cs_1', 60),
    settled: showsText('This is taking a little longer'),
  },

  { name: 'card', who: 'member', path: '/qr-code', settled: card },
  { name: 'card-elite', who: 'cardholder', path: '/qr-code', settled: showsText('Lost it?') },
  {
    name: 'card-replace',
    who: 'cardholder',
    path: '/qr-code',
    settled: pressed('Lost it? Get a new one', 'Replace your printed card?'),
  },
  { name: 'card-print', who: 'cardholder', open: onPaper, settled: showsText('If you lose it') },
  {
    name: 'card-application',
    who: 'unpaid',
    path: '/qr-code',
    settled: showsText('Your Application QR Code'),
  },
  { name: 'card-none', who: 'newcomer', path: '/qr-code', settled: showsText('No Membership Found') },
  { name: 'card-offline', who: 'member', open: offline, settled: showsText('Valid for') },
  {
    name: 'card-offline-gone',
    who: 'member',
    open: async (page, url) => {
      await page.clock.install();
      await offline(page, url);
      await showsText('Valid for')(page);
      await page.clock.fastForward('11:00');
    },
    settled: showsText('Your code has expired'),
  },

  { name: 'pours', who: 'member', path: '/pours', settled: showsText(/ since [A-Z]/) },
  { name: 'pours-empty', who: 'fresh', path: '/pours', settled: showsText('No pour history yet') },

  { name: 'account-venue', who: 'member', path: '/account', settled: showsText('billed at the venue') },
  { name: 'account-card', who: 'cardholder', path: '/account', settled: showsText('Cancel Subscription') },
  {
    name: 'account-cancel-dialog',
    who: 'cardholder',
    path: '/account',
    settled: pressed('Cancel Subscription', 'Keep Membership'),
  },
  {
    name: 'account-pause-dialog',
    who: 'cardholder',
    path: '/account',
    settled: async (page) => {
      await page.getByRole('button', { name: 'Pause Membership' }).click();
      await showsText('back on')(page);
    },
  },
  { name: 'account-pausing', who: 'pausing', path: '/account', settled: showsText('Don’t Pause') },
  {
    name: 'account-paused',
    who: 'pausing',
    open: whilePaused('/account'),
    settled: showsText('Come Back Now'),
  },
  {
    name: 'account-come-back',
    who: 'pausing',
    open: whilePaused('/account'),
    settled: pressed('Come Back Now', 'Stay Paused'),
  },
  {
    name: 'card-paused',
    who: 'pausing',
    open: whilePaused('/qr-code'),
    settled: showsText('Your membership is paused'),
  },
  {
    name: 'dashboard-paused',
    who: 'pausing',
    open: whilePaused('/dashboard'),
    settled: showsText('Come Back Now'),
  },
  {
    name: 'account-change-tier',
    who: 'cardholder',
    path: '/account',
    settled: async (page) => {
      await page.getByRole('button', { name: 'Change Tier' }).click();
      await page.getByRole('radio').first().click();
      await showsText('Charged now')(page);
    },
  },
  {
    name: 'account-upgrade',
    who: 'cardholder',
    path: '/account',
    settled: async (page) => {
      await page.getByRole('button', { name: 'Change Tier' }).click();
      await page.getByRole('radio', { name: /Household/ }).click();
      await showsText(/today, /)(page);
    },
  },
  {
    name: 'account-cancelled',
    who: 'cancelled',
    path: '/account',
    settled: showsText('Cancels at period end'),
  },
  {
    name: 'account-newcomer',
    who: 'newcomer',
    path: '/account',
    settled: showsText('You are not a member yet'),
  },
  { name: 'account-edit', who: 'member', path: '/account', settled: pressed('Edit Profile', 'First Name') },
  {
    name: 'account-password',
    who: 'member',
    path: '/account/security',
    settled: pressed('Change Password', 'Current Password'),
  },
  {
    name: 'account-security',
    who: 'member',
    path: '/account/security',
    settled: async (page) => {
      await showsText('This device')(page);
      await showsText('Set Up')(page);
    },
  },
  {
    name: 'account-email',
    who: 'member',
    path: '/account/security',
    settled: pressed('Change Email', 'New Email'),
  },
  {
    name: 'account-email-waits',
    who: 'fresh',
    path: '/account/security',
    settled: showsText('Check your inbox'),
  },
  { name: 'account-photo', who: 'cardholder', path: '/account/photo', settled: showsText('Choose Photo') },
  {
    name: 'account-notifications',
    who: 'cardholder',
    path: '/account/notifications',
    settled: showsText('Personal Emails'),
  },
  {
    name: 'account-appearance',
    who: 'cardholder',
    path: '/account/appearance',
    settled: showsText('Colors'),
  },
  { name: 'account-payments', who: 'cardholder', path: '/account/payments', settled: showsText('Paid') },
  { name: 'account-taste', who: 'member', path: '/account/taste', settled: showsText('Save Taste') },
  {
    name: 'account-taste-newcomer',
    who: 'newcomer',
    path: '/account/taste',
    settled: showsText('Tell us about your taste'),
  },
  { name: 'account-data', who: 'member', path: '/account/data', settled: showsText('Delete My Account') },
  {
    name: 'account-data-delete',
    who: 'member',
    path: '/account/data',
    settled: pressed('Delete My Account', 'Delete Permanently'),
  },
  {
    name: 'change-email-used',
    who: 'visitor',
    path: '/change-email#used',
    settled: showsText('It was already used'),
  },

  {
    name: 'checkout',
    who: 'unpaid',
    open: async (page, url) => {
      await page.goto(`${url}/apply`);
      await page
        .getByRole('button', { name: /Continue to Payment/ })
        .first()
        .click();
      await page.getByRole('dialog').getByRole('button', { name: 'Continue to Payment' }).click();
    },
    settled: (page) => page.getByLabel('Card number').waitFor(),
  },
];
