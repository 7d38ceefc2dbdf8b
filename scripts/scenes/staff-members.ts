import type { Page } from '@playwright/test';
import { pressed, type Scene, showsText } from './scene.ts';
import { atMember, typed } from './staff-steps.ts';

/** Opens a member who pays by card, found in the list. */
async function atPayingMember(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/staff/members?payment=card&standing=active`);
  await page.locator('tbody a').first().click();
  await showsText('Lifetime Pours')(page);
}

async function atApplication(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/staff/applications`);
  await page
    .getByRole('link', { name: /View Details/ })
    .first()
    .click();
  await showsText('Application Details')(page);
}

async function entering(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('First Name').fill('Mira');
  await page.getByLabel('Last Name').fill('Sol');
  await page.getByRole('button', { name: 'Choose Membership' }).click();
}

async function knownPerson(page: Page): Promise<void> {
  await entering(page, 'member@demo.test');
  await showsText('is already a member')(page);
}

async function choosingMembership(page: Page): Promise<void> {
  await entering(page, 'mira.sol@example.test');
  await showsText('Pay on their phone')(page);
}

async function codeToPay(page: Page): Promise<void> {
  const signUp = {
    application_id: '0197b1f0-0000-7000-8000-0000000000e1',
    user_id: '0197b1f0-0000-7000-8000-0000000000e2',
  };
  const expires_at = new Date(Date.now() + 15 * 60_000).toISOString();
  await page.route('**/api/bar-sign-ups', (route) =>
    route.fulfill({
      json: {
        ...signUp,
        customer_id: null,
        link: { url: `https://club.example/join#${'x'.repeat(43)}`, expires_at },
      },
    }),
  );
  const person = { first_name: 'Mira', last_name: 'Sol', email: 'mira.sol@example.test', tier: 'premier' };
  await page.route('**/api/bar-sign-ups/*', (route) =>
    route.request().method() === 'GET'
      ? route.fulfill({ json: { ...signUp, ...person, state: 'waiting', expires_at, customer_id: null } })
      : route.fallback(),
  );
  await choosingMembership(page);
  await pressed('Show the Code', 'Mira scans this code')(page);
}

async function offered(page: Page, url: string): Promise<void> {
  const tier = {
    tier_name: 'premier',
    display_name: 'Premier',
    monthly_price: 69,
    monthly_pours: 8,
    description: 'Eight glasses a month, and first pick of new arrivals.',
    people: 1,
    guest_glasses: 1,
    rollover_glasses: 3,
    is_active: true,
    is_featured: true,
  };
  await page.route('**/api/payment-links/read', (route) =>
    route.fulfill({ json: { state: 'offer', first_name: 'Mira', email: 'mira.sol@example.test', tier } }),
  );
  await page.goto(`${url}/join#${'x'.repeat(43)}`);
}

export const membersScenes: Scene[] = [
  { name: 'staff-customer', who: 'staff', open: atMember, settled: showsText('Pour History') },
  {
    name: 'staff-member-names',
    who: 'staff',
    open: atMember,
    settled: pressed('Edit Name and Phone', 'First Name'),
  },
  {
    name: 'staff-member-email',
    who: 'staff',
    open: atMember,
    settled: pressed('Change Email', 'New Email'),
  },
  {
    name: 'staff-end-dialog',
    who: 'staff',
    open: atPayingMember,
    settled: pressed('End Membership', 'What it means'),
  },
  {
    name: 'staff-glasses-dialog',
    who: 'staff',
    open: atMember,
    settled: pressed('Give or Take Back Pours', 'Staff see it in the timeline'),
  },
  {
    name: 'staff-refund-dialog',
    who: 'staff',
    open: atPayingMember,
    settled: async (page) => {
      await page
        .getByRole('button', { name: /^Refund the payment/ })
        .first()
        .click();
      await page.getByLabel('How much').selectOption('part');
      await page.getByLabel(/^Amount/).fill('1000');
      await pressed(/^Refund \$/, 'Please enter an amount up to')(page);
    },
  },
  {
    name: 'staff-customer-none',
    who: 'staff',
    path: '/staff/customers/00000000-0000-7000-8000-000000000000',
    settled: showsText('Customer not found'),
  },
  {
    name: 'staff-sign-up',
    who: 'staff',
    path: '/staff/members/new',
    settled: showsText('Choose Membership'),
  },
  { name: 'staff-sign-up-known', who: 'staff', path: '/staff/members/new', settled: knownPerson },
  { name: 'staff-sign-up-membership', who: 'staff', path: '/staff/members/new', settled: choosingMembership },
  { name: 'staff-sign-up-code', who: 'staff', path: '/staff/members/new', settled: codeToPay },
  { name: 'join', who: 'visitor', path: `/join#${'x'.repeat(43)}`, settled: showsText('Ask at the bar') },
  { name: 'join-offer', who: 'visitor', open: offered, settled: showsText('Continue to Payment') },
  {
    name: 'staff-add-membership',
    who: 'staff',
    path: '/staff/customers/00000000-0000-7000-8000-000000000000/add-membership',
    settled: showsText('Coming soon'),
  },
  {
    name: 'staff-applications',
    who: 'staff',
    path: '/staff/applications',
    settled: showsText('View Details'),
  },
  {
    name: 'staff-applications-none',
    who: 'staff',
    path: '/staff/applications',
    settled: typed('Search by name or email...', 'zzzz', 'No applications found'),
  },
  {
    name: 'staff-application',
    who: 'staff',
    open: atApplication,
    settled: (page) => page.getByRole('button', { name: 'Approve Application' }).waitFor(),
  },
  {
    name: 'staff-approve',
    who: 'staff',
    open: atApplication,
    settled: pressed('Approve Application', 'point-of-sale reference number'),
  },
  {
    name: 'staff-reject',
    who: 'staff',
    open: atApplication,
    settled: pressed('Reject Application', 'Rejection Notes (Optional)'),
  },
  {
    name: 'staff-members',
    who: 'staff',
    path: '/staff/members',
    settled: showsText(/^\d+ people$/),
    inWindow: true,
  },
  {
    name: 'staff-members-filtered',
    who: 'staff',
    path: '/staff/members?payment=card&standing=active&tier=premier&order=last_visit',
    settled: showsText(/^\d+ (people|person)$/),
  },
  {
    name: 'staff-members-none',
    who: 'staff',
    path: '/staff/members?tier=connoisseur',
    settled: showsText('No members found'),
  },
  {
    name: 'staff-at-risk',
    who: 'staff',
    path: '/staff/at-risk?reason=absent',
    settled: showsText('Nothing is sent until you send it'),
  },
  {
    name: 'staff-at-risk-letter',
    who: 'staff',
    path: '/staff/at-risk?reason=not_mine',
    settled: async (page) => {
      await page
        .getByRole('button', { name: /^Write to/ })
        .first()
        .click();
      await page.getByLabel('Subject').waitFor();
    },
  },
  {
    name: 'staff-application-none',
    who: 'staff',
    path: '/staff/applications/00000000-0000-7000-8000-000000000000',
    settled: showsText('Application not found'),
  },
];
