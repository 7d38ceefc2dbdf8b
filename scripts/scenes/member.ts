import type { Page } from '@playwright/test';
import type { Subscription } from '../../src/contract/functions.ts';
import { answering, changeOwn, pressed, type Scene, scene, showsText } from './scene.ts';
import { sharingScenes } from './sharing.ts';

/** Opens what can be done about billing. */
const managing = (page: Page) => page.getByRole('button', { name: 'Manage' }).click();

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

async function onBirthday(page: Page, url: string): Promise<void> {
  const celebrations = [{ kind: 'birthday', occasion: 'birthday:2026', years: null, glasses: 1 }];
  const grant = { kind: 'celebration', occasion: 'birthday', pours: 1, until: '2027-01-01T05:00:00.000Z' };
  await changeOwn(page, ({ pours }) => ({
    celebrations,
    pours: {
      ...pours,
      available_pours: Number(pours.available_pours) + 1,
      grants: [...(pours.grants as unknown[]), grant],
    },
  }));
  await page.goto(`${url}/dashboard`);
}

async function withPoursOfTwoMonths(page: Page, url: string): Promise<void> {
  const until = new Date(Date.now() + 86_400_000 * 12).toISOString();
  await changeOwn(page, ({ pours }) => ({
    pours: {
      ...pours,
      available_pours: 9,
      tier_max: 8,
      pours_used: 1,
      held_pours: 1,
      grants: [
        { kind: 'rollover', occasion: null, pours: 1, until },
        { kind: 'period', occasion: null, pours: 8, until },
      ],
    },
  }));
  await page.goto(`${url}/dashboard`);
}

const notAsked = answering('**/api/personal-emails/own', { wanted: null }, '/dashboard');

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

const whilePaused = (path: string) => async (page: Page, url: string) => {
  const day = 86_400;
  const now = Math.floor(Date.now() / 1000);
  const pause = { from: now - 9 * day, until: now + 51 * day, begun: true };
  await page.route('**/get-subscription-details', async (route) => {
    const { subscription } = await (await route.fetch()).json();
    const { next_charge } = subscription;
    const dates = { next_charge: { ...next_charge, at: pause.until }, return_amount: next_charge.amount };
    await route.fulfill({ json: { subscription: { ...subscription, pause, ...dates } } });
  });
  await changeOwn(page, ({ pours }) => ({ pours: { ...pours, access: false, available_pours: 0 } }));
  await page.goto(url + path);
};

const DAY = 86_400;
const seconds = () => Math.floor(Date.now() / 1000);

/** A page with a subscription that the change makes of the real one. */
const withSubscription =
  (path: string, change: (of: Subscription) => Partial<Subscription>) => async (page: Page, url: string) => {
    await page.route('**/get-subscription-details', async (route) => {
      const { subscription } = await (await route.fetch()).json();
      await route.fulfill({ json: { subscription: { ...subscription, ...change(subscription) } } });
    });
    await page.goto(url + path);
  };

/** A renewal that failed, and what came of a new card. */
const withDue = (path: string, state: 'declined' | 'authentication' | null) =>
  withSubscription(path, ({ payment_method }) => ({
    status: 'past_due',
    grace_until: seconds() + 5 * DAY,
    collection: state &&
      payment_method && {
        state,
        code: state === 'declined' ? 'insufficient_funds' : null,
        method: payment_method,
      },
  }));

const endsLater = ({ current_period_end }: Subscription) => ({ ends_at: current_period_end + 40 * DAY });

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
  scene('wines-tonight', 'member', '/wines', 'Barolo'),
  scene('wines-none', 'member', answering('**/api/wines/tonight', [], '/wines'), 'Nothing is open right now'),
  scene('dashboard-imported', 'member', asImported, 'Your Membership Moved Here'),
  scene('login', 'visitor', '/login', 'Sign in to your account'),
  scene('help', 'visitor', '/help', 'For the owner'),
  scene('help-found', 'visitor', '/help', async (page) => {
    await page.getByLabel('Search the handbook').fill('friend');
    await showsText(/^Can I bring a friend/)(page);
  }),
  scene('help-page', 'visitor', '/help/the-team', 'Invite someone'),
  scene('public-club', 'visitor', '/club', 'Contact'),
  scene('public-privacy', 'visitor', '/privacy', 'What we store, and for how long'),
  scene('public-imprint', 'visitor', '/imprint', 'This website is run by'),
  scene('login-refused', 'visitor', '/login', signedInWrongly),
  scene('register', 'visitor', '/register', 'Create your account'),
  scene('register-alert', 'visitor', '/register', filledWrongly),
  scene(
    'setup',
    'visitor',
    answering(
      '**/api/setup/read',
      { club_name: 'Cellar Door', time_zone: 'Europe/Vienna' },
      '/setup#ABCDE-FGHJK-MNPQR-STVWX',
    ),
    'Name it and create your account',
  ),
  scene('not-found', 'visitor', '/no/such/page', 'Oops! Page not found'),

  scene('dashboard-welcome', 'newcomer', '/dashboard', 'Get Started'),
  scene('dashboard', 'member', '/dashboard', dashboard),
  scene('dashboard-personal-emails', 'member', notAsked, 'May we write to you now and then?'),
  scene('dashboard-birthday', 'member', onBirthday, 'Happy birthday!'),
  scene('dashboard-rolled-over', 'member', withPoursOfTwoMonths, async (page) => {
    await page.getByText('used this billing period').click();
    await showsText('1 held')(page);
  }),
  scene('dashboard-household', 'fresh', '/dashboard', dashboard),
  ...sharingScenes,
  scene('dashboard-renew', 'lapsed', '/dashboard', 'Renew Membership'),
  scene('dashboard-unpaid', 'unpaid', '/dashboard', 'Complete Your Payment'),
  scene('dashboard-unpaid-later', 'unpaid', '/dashboard', pressed('Later', 'Show Application Code')),
  scene('dashboard-offline', 'member', lostNetwork, 'You’re offline'),

  scene('apply-taste', 'newcomer', '/apply', 'How would you rate'),
  scene('apply-tiers', 'halfway', '/apply', 'Choose Your Membership'),
  scene(
    'payment-success-waiting',
    'newcomer',
    stopped('/payment-success?session_id=cs_1', 0),
    'Your membership is now being activated',
  ),
  scene(
    'payment-success-active',
    'cardholder',
    stopped('/payment-success?session_id=cs_1', 1),
    'Welcome to our wine club!',
  ),
  scene(
    'payment-success-late',
    'newcomer',
    stopped('/payment-success?session_id=cs_1', 60),
    'This is taking a little longer',
  ),

  scene('card', 'member', '/qr-code', card),
  scene('card-elite', 'cardholder', '/qr-code', 'Lost it?'),
  scene(
    'card-replace',
    'cardholder',
    '/qr-code',
    pressed('Lost it? Get a new one', 'Replace your printed card?'),
  ),
  scene('card-print', 'cardholder', onPaper, 'If you lose it'),
  scene('card-application', 'unpaid', '/qr-code', 'Your Application QR Code'),
  scene('card-none', 'newcomer', '/qr-code', 'No Membership Found'),
  scene('card-ended', 'lapsed', '/qr-code', 'does not work any more'),
  scene('card-offline', 'member', offline, 'Valid for'),
  scene(
    'card-offline-gone',
    'member',
    async (page, url) => {
      await page.clock.install();
      await offline(page, url);
      await showsText('Valid for')(page);
      await page.clock.fastForward('11:00');
    },
    'Your code has expired',
  ),

  scene('pours', 'member', '/pours', / since [A-Z]/),
  scene('pours-empty', 'fresh', '/pours', 'No pour history yet'),

  scene('account-venue', 'fresh', '/account', 'billed at the venue'),
  scene('account-card', 'cardholder', '/account', 'Cancel Subscription'),
  scene('account-cancel-dialog', 'cardholder', '/account', pressed('Cancel Subscription', 'Keep Membership')),
  scene('account-skip-month', 'cardholder', '/account', pressed(/^Skip /, 'Your next charge is on')),
  scene('account-manage', 'cardholder', '/account', async (page) => {
    await managing(page);
    await showsText('Change Tier')(page);
  }),
  scene('account-pause-dialog', 'cardholder', '/account', async (page) => {
    await managing(page);
    await pressed('Pause Membership', 'back on')(page);
  }),
  scene('account-pausing', 'pausing', '/account', 'Don’t Pause'),
  scene('account-paused', 'pausing', whilePaused('/account'), 'Come Back Now'),
  scene('account-come-back', 'pausing', whilePaused('/account'), pressed('Come Back Now', 'Stay Paused')),
  scene('account-pause-extend', 'pausing', '/account', pressed('Pause One More Month', /^You come back on/)),
  scene('card-paused', 'pausing', whilePaused('/qr-code'), 'Your membership is paused'),
  scene('dashboard-paused', 'pausing', whilePaused('/dashboard'), 'Come Back Now'),
  scene('account-change-tier', 'cardholder', '/account', async (page) => {
    await managing(page);
    await page.getByRole('button', { name: 'Change Tier' }).click();
    await page.getByRole('radio').first().click();
    await showsText('Charged now')(page);
  }),
  scene('account-upgrade', 'cardholder', '/account', async (page) => {
    await managing(page);
    await page.getByRole('button', { name: 'Change Tier' }).click();
    await page.getByRole('radio', { name: /Household/ }).click();
    await showsText(/today, /)(page);
  }),
  scene('account-due', 'cardholder', withDue('/account', null), 'Pay Now'),
  scene('account-declined', 'cardholder', withDue('/account', 'declined'), 'was declined'),
  scene('dashboard-due', 'cardholder', withDue('/dashboard', null), 'Pay Now'),
  scene('dashboard-confirm', 'cardholder', withDue('/dashboard', 'authentication'), 'Confirm Payment'),
  scene('account-ends-later', 'cardholder', withSubscription('/account', endsLater), 'Ends'),
  scene(
    'dashboard-ends-later',
    'cardholder',
    withSubscription('/dashboard', endsLater),
    'Until then it renews',
  ),
  scene('account-cancelled', 'cancelled', '/account', 'Cancels at period end'),
  scene('account-ended', 'lapsed', '/account', 'Renew Membership'),
  scene('account-newcomer', 'newcomer', '/account', 'You are not a member yet'),
  scene('account-edit', 'member', '/account', pressed('Edit Profile', 'First Name')),
  scene('account-password', 'member', '/account/security', pressed('Change Password', 'Current Password')),
  scene('account-security', 'member', '/account/security', async (page) => {
    await showsText('This device')(page);
    await showsText('Set Up')(page);
  }),
  scene('account-email', 'member', '/account/security', pressed('Change Email', 'New Email')),
  scene('account-email-waits', 'fresh', '/account/security', 'Check your inbox'),
  scene('account-photo', 'cardholder', '/account', pressed('Edit Profile', 'Choose Photo')),
  scene('account-notifications', 'cardholder', '/account/notifications', 'Personal Emails'),
  scene('account-payments', 'cardholder', '/account/payments', 'Paid'),
  scene('account-taste', 'member', '/account/taste', 'Save Taste'),
  scene('account-taste-newcomer', 'newcomer', '/account/taste', 'Tell us about your taste'),
  scene('account-data', 'member', '/account/data', 'Delete My Account'),
  scene('account-data-delete', 'member', '/account/data', pressed('Delete My Account', 'Delete Permanently')),
  scene('change-email-used', 'visitor', '/change-email#used', 'It was already used'),

  scene(
    'checkout',
    'unpaid',
    async (page, url) => {
      await page.goto(`${url}/apply`);
      await page
        .getByRole('button', { name: /Continue to Payment/ })
        .first()
        .click();
    },
    (page) => page.getByLabel('Card number').waitFor(),
  ),
];
