import type { Page } from '@playwright/test';
import { pressed, type Scene, scene, showsText, stub } from './scene.ts';
import { atMember, typed } from './staff-steps.ts';

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
  await stub(page, '**/api/bar-sign-ups', {
    ...signUp,
    customer_id: null,
    link: { url: `https://club.example/join#${'x'.repeat(43)}`, expires_at },
  });
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
    yearly_price: 690,
    monthly_pours: 8,
    description: 'Eight glasses a month, and first pick of new arrivals.',
    people: 1,
    guest_glasses: 1,
    rollover_glasses: 3,
    benefits: [],
    is_active: true,
    is_featured: true,
  };
  await stub(page, '**/api/payment-links/read', {
    state: 'offer',
    first_name: 'Mira',
    email: 'mira.sol@example.test',
    tier,
  });
  await page.goto(`${url}/join#${'x'.repeat(43)}`);
}

export const membersScenes: Scene[] = [
  scene('staff-customer', 'staff', atMember, 'Pour History'),
  scene('staff-member-names', 'staff', atMember, pressed('Edit Name and Phone', 'First Name')),
  scene('staff-member-email', 'staff', atMember, pressed('Change Email', 'New Email')),
  scene('staff-end-dialog', 'staff', atPayingMember, pressed('End Membership', 'What it means')),
  scene(
    'staff-glasses-dialog',
    'staff',
    atMember,
    pressed('Give or Take Back Pours', 'Staff see it in the timeline'),
  ),
  scene('staff-refund-dialog', 'staff', atPayingMember, async (page) => {
    await page
      .getByRole('button', { name: /^Refund the payment/ })
      .first()
      .click();
    await page.getByLabel('How much').selectOption('part');
    await page.getByLabel(/^Amount/).fill('1000');
    await pressed(/^Refund \$/, 'Please enter an amount up to')(page);
  }),
  scene(
    'staff-customer-none',
    'staff',
    '/staff/customers/00000000-0000-7000-8000-000000000000',
    'Customer not found',
  ),
  scene('staff-sign-up', 'staff', '/staff/members/new', 'Choose Membership'),
  scene('staff-sign-up-known', 'staff', '/staff/members/new', knownPerson),
  scene('staff-sign-up-membership', 'staff', '/staff/members/new', choosingMembership),
  scene('staff-sign-up-code', 'staff', '/staff/members/new', codeToPay),
  scene('join', 'visitor', `/join#${'x'.repeat(43)}`, 'Ask at the bar'),
  scene('join-offer', 'visitor', offered, 'Continue to Payment'),
  scene('join-tier', 'visitor', '/join/premier', 'Continue to Payment'),
  scene('join-tier-gone', 'visitor', '/join/reserve', 'on offer any more'),
  scene(
    'staff-add-membership',
    'staff',
    '/staff/customers/00000000-0000-7000-8000-000000000000/add-membership',
    'Coming soon',
  ),
  scene('staff-applications', 'staff', '/staff/applications', 'View Details'),
  scene(
    'staff-applications-none',
    'staff',
    '/staff/applications',
    typed('Search by name or email...', 'zzzz', 'No applications found'),
  ),
  scene('staff-application', 'staff', atApplication, (page) =>
    page.getByRole('button', { name: 'Approve Application' }).waitFor(),
  ),
  scene(
    'staff-approve',
    'staff',
    atApplication,
    pressed('Approve Application', 'point-of-sale reference number'),
  ),
  scene('staff-reject', 'staff', atApplication, pressed('Reject Application', 'Rejection Notes (Optional)')),
  scene('staff-members', 'staff', '/staff/members', /^\d+ people$/, 'in window'),
  scene(
    'staff-members-filtered',
    'staff',
    '/staff/members?payment=card&standing=active&tier=premier&order=last_visit',
    /^\d+ (people|person)$/,
  ),
  scene('staff-members-none', 'staff', '/staff/members?tier=connoisseur', 'No members found'),
  scene('staff-at-risk', 'staff', '/staff/at-risk?reason=absent', 'Nothing is sent until you send it'),
  scene('staff-at-risk-email', 'staff', '/staff/at-risk?reason=not_mine', async (page) => {
    await page
      .getByRole('button', { name: /^Write to/ })
      .first()
      .click();
    await page.getByLabel('Subject').waitFor();
  }),
  scene(
    'staff-application-none',
    'staff',
    '/staff/applications/00000000-0000-7000-8000-000000000000',
    'Application not found',
  ),
];
