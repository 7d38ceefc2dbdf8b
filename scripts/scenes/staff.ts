import type { Page } from '@playwright/test';
import type { StaffNotice } from '../../src/contract/staff-notices.ts';
import type { SystemStatus } from '../../src/contract/system.ts';
import { letterDraft } from '../../src/domain/reports/at-risk.ts';
import { importScenes } from './imports.ts';
import { pressed, type Scene, showsText } from './scene.ts';

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" fill="none" stroke="#3a1118" stroke-width="8">
<circle cx="100" cy="100" r="90"/><path d="M66 52h68c4 66-12 84-34 84s-38-18-34-84zM100 136v26m-24 0h48"/></svg>`;

/** One is ready, one is wrong. */
const WINE_FILE = `name,producer,vintage,region,country,grape,color,sweetness,body,tannin,acidity
Etna Rosso,Tenuta Alba,2021,Sicily,Italy,Nerello Mascalese,red,1,3,3,4
Nameless,,,,,,purple,1,3,3,4`;

const typed = (placeholder: string, text: string, then: string) => async (page: Page) => {
  await page.getByPlaceholder(placeholder).fill(text);
  await showsText(then)(page);
};
const find = (text: string, then: string) => typed('Search by name or email', text, then);

/** Opens the page of the demo member by search, as staff do. */
async function atMember(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/staff/dashboard`);
  await find('Okafor', 'Marguerite')(page);
  await page.getByRole('link', { name: /Marguerite/ }).click();
  await showsText('Lifetime Pours')(page);
}

/** A member who pays by card, as found in the list. */
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

async function addingPour(page: Page, url: string): Promise<void> {
  await atMember(page, url);
  await page.getByRole('link', { name: /pour/i }).first().click();
}

const atTheBar = (page: Page) => page.getByLabel('Location').selectOption({ label: 'Bar' });

async function pourRecorded(page: Page): Promise<void> {
  await atTheBar(page);
  await pressed(/^Pour \d+/, / recorded$/)(page);
}

async function pourQueued(page: Page): Promise<void> {
  await atTheBar(page);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: /^Pour \d+/ }).click();
  // By its role: the navigation, hidden on this page of a phone, says how many applications are waiting.
  await page.getByRole('button', { name: /waiting$/ }).waitFor();
}

async function answerLost(page: Page): Promise<void> {
  await page.route('**/api/pours', (route) => route.fulfill({ status: 500 }));
  await page.getByLabel('Location').selectOption({ label: 'Restaurant' });
  await pressed(/^Pour \d+/, 'The server did not respond')(page);
}

async function nothingLeft(page: Page, url: string): Promise<void> {
  await page.route('**/api/customers/*/bar', async (route) => {
    const bar = await (await route.fetch()).json();
    await route.fulfill({ json: { ...bar, pours_balance: 0 } });
  });
  await addingPour(page, url);
}

/** Two members at risk; the demo's have just been here. */
async function atRisk(page: Page, url: string): Promise<void> {
  const member = {
    customer_id: '0197b1f0-0000-7000-8000-0000000000c1',
    user_id: '0197b1f0-0000-7000-8000-0000000000c2',
    name: 'Clara Voss',
    tier: 'premier',
    risks: [
      { kind: 'payment', text: 'A payment is overdue' },
      { kind: 'absent', text: 'Last here 45 days ago' },
    ],
    act: 'Ask them to look at their payment',
    draft: letterDraft('payment', 'Cellar Door'),
    last_letter: null,
    obstacle: null,
  };
  const written = {
    ...member,
    customer_id: '0197b1f0-0000-7000-8000-0000000000c3',
    name: 'Henrik Falk',
    tier: 'select',
    risks: [{ kind: 'not_mine', text: 'Said ‘not mine’ of the last 2 wines' }],
    act: 'Offer to choose the next glass with them',
    last_letter: new Date().toISOString(),
    obstacle: 'too_soon',
  };
  await page.route('**/api/members-at-risk', (route) =>
    route.fulfill({ json: { total: 2, members: [member, written] } }),
  );
  await page.goto(`${url}/staff/at-risk`);
  await showsText('Clara Voss')(page);
}

/** The member has had so many glasses within the last hour, on their birthday. */
const afterGlasses = (quantity: number) => async (page: Page, url: string) => {
  await page.route('**/api/customers/*/bar', async (route) => {
    const bar = await (await route.fetch()).json();
    const created_at = new Date().toISOString();
    const celebrations = [{ kind: 'birthday', occasion: 'birthday:2026', years: null, glasses: 1 }];
    const service = { ...bar.service, pours: [{ quantity, created_at }] };
    await route.fulfill({ json: { ...bar, celebrations, service } });
  });
  await addingPour(page, url);
};

async function refusedCode(page: Page): Promise<void> {
  const holder = {
    id: '0197b1f0-0000-7000-8000-0000000000c1',
    first_name: 'Clara',
    last_name: 'Voss',
    standing: 'ended',
    no_access_since: '2026-11-03',
  };
  await verifying(page, { valid: false, refused: holder });
  await pressed('Verify Code', 'Clara Voss: membership ended')(page);
}

async function verifying(page: Page, answer: object): Promise<void> {
  await page.route('**/verify-qr-token', (route) => route.fulfill({ json: answer }));
  await page.getByRole('button', { name: 'Enter Code Manually' }).click();
  await page.getByPlaceholder('Paste QR code here...').fill('a printed card');
}

async function replacedCode(page: Page): Promise<void> {
  const replaced = {
    id: '0197b1f0-0000-7000-8000-0000000000c1',
    first_name: 'Clara',
    last_name: 'Voss',
    replaced_at: '2026-11-20T18:05:00.000Z',
  };
  await verifying(page, { valid: false, replaced });
  await pressed('Verify Code', 'this printed card was replaced')(page);
}

/** A printed card of the newest member. */
async function printedCode(page: Page): Promise<void> {
  const { members } = await (await page.request.get(new URL('/api/customers', page.url()).href)).json();
  await verifying(page, { valid: true, customer: members[0], paper_card_id: members[0].id });
  await pressed('Verify Code', 'Printed card')(page);
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
  const expires_at = '2026-11-20T18:20:00.000Z';
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

/** A notice of each kind; the last one is settled. */
async function withNotices(page: Page, url: string): Promise<void> {
  const member = {
    user_id: '0197b1f0-0000-7000-8000-000000000001',
    first_name: 'Clara',
    last_name: 'Voss',
    email: 'clara@example.test',
    has_record: true,
  };
  const common = { created_at: '2026-11-20T18:05:00.000Z', settled: null, member };
  const money = { amount_cents: 3900, currency: 'usd' };
  const notices: StaffNotice[] = [
    {
      ...common,
      id: '0197b1f0-0000-7000-8000-0000000000d1',
      kind: 'payment_unmatched',
      member: { ...member, has_record: false },
      facts: {
        amount_cents: 39_000,
        currency: 'usd',
        stripe_subscription_id: 'sub_1SVqeHKZ8wQp3xYb',
        product: 'Select membership',
      },
    },
    {
      ...common,
      id: '0197b1f0-0000-7000-8000-0000000000d2',
      kind: 'reversal_impossible',
      facts: { ...money, stripe_invoice_id: 'in_1SVqeHKZ8wQp3xYb', why: 'it was paid outside of Stripe' },
    },
    {
      ...common,
      id: '0197b1f0-0000-7000-8000-0000000000d3',
      kind: 'customer_missing',
      facts: { stripe_customer_id: 'cus_TSkO3kQ9' },
      settled: { at: '2026-11-21T09:30:00.000Z', by: 'Sam Rivera' },
    },
  ];
  await page.route('**/api/staff-notices', (route) => route.fulfill({ json: notices }));
  await page.goto(`${url}/staff/dashboard`);
}

const PAYMENTS = {
  mode: 'test',
  findings: [
    { verdict: 'ok', about: 'account', text: 'acct_1SV may take payments' },
    {
      verdict: 'look',
      about: 'statement',
      text: 'no statement descriptor is set, so members may not know the charge',
    },
    { verdict: 'wrong', about: 'webhook endpoint', text: 'there is none yet', setup: true },
  ],
};
const PAYMENTS_PLAN = {
  mode: 'live',
  plan: '0'.repeat(32),
  steps: [
    { outcome: 'make', text: 'a webhook endpoint that sends 26 kinds of events to https://club.example' },
    { outcome: 'change', text: 'portal configuration bpc_1SV: members change their payment method there' },
    { outcome: 'unchanged', text: 'price price_1SV of select' },
  ],
};
const at = '2026-11-20T18:05:00.000Z';
const ALL_WELL: SystemStatus = {
  at,
  database: { health: 'well', kind: 'postgres', own_version: true, answered_ms: 3 },
  payments: {
    health: 'well',
    mode: 'live',
    last_event_at: '2026-11-20T17:52:00.000Z',
    last_sweep_at: '2026-11-20T18:04:30.000Z',
    oldest_open_event_at: null,
  },
  email: { health: 'well', sends: true, waiting: 0, retrying: 0, oldest_at: null },
  backup: { health: 'well', made_here: true, last_at: '2026-11-20T03:00:00.000Z', failed_at: null },
  disk: { health: 'well', free_bytes: 53e9, total_bytes: 252e9 },
  clock: { health: 'well', database_skew_ms: 2, stripe_skew_ms: -300 },
  leftovers: { health: 'well', events: 0, emails: 0, refunds: 0, notices: 0 },
  version: { version: '0.2.0', node: 'v24.21.0', started_at: '2026-11-12T09:00:00.000Z' },
};

const NOT_WELL: SystemStatus = {
  ...ALL_WELL,
  payments: { ...ALL_WELL.payments, health: 'failing', oldest_open_event_at: '2026-11-19T09:00:00.000Z' },
  email: {
    health: 'attention',
    sends: true,
    waiting: 12,
    retrying: 9,
    oldest_at: '2026-11-20T17:20:00.000Z',
  },
  disk: { health: 'unknown', free_bytes: null, total_bytes: null },
  clock: { health: 'failing', database_skew_ms: 2, stripe_skew_ms: 95_000 },
  leftovers: { health: 'attention', events: 3, emails: 9, refunds: 0, notices: 1 },
};

const atSystem = (status: SystemStatus) => async (page: Page, url: string) => {
  await page.route('**/api/system', (route) => route.fulfill({ json: status }));
  await page.goto(`${url}/staff/system`);
};

async function atSilentSystem(page: Page, url: string): Promise<void> {
  await page.route('**/api/system', (route) =>
    route.fulfill({
      status: 503,
      headers: { 'x-request-id': '7K3M-9QX2-D4FT' },
      json: { code: 'SERVICE_UNAVAILABLE', message: 'Not now.' },
    }),
  );
  await page.goto(`${url}/staff/system`);
}

export const staffScenes: Scene[] = [
  { name: 'staff-dashboard', who: 'staff', path: '/staff/dashboard', settled: showsText('Recent Members') },
  {
    name: 'staff-dashboard-notices',
    who: 'staff',
    open: withNotices,
    settled: showsText('Needs Attention'),
  },
  { name: 'staff-found', who: 'staff', path: '/staff/dashboard', settled: find('a', 'Marguerite') },
  { name: 'staff-none', who: 'staff', path: '/staff/dashboard', settled: find('zzzz', 'No customers found') },
  {
    name: 'staff-scanner',
    who: 'staff',
    path: '/staff/search',
    settled: (page) => page.getByRole('button', { name: 'Enter Code Manually' }).waitFor(),
  },
  {
    name: 'staff-scanner-detected',
    who: 'staff',
    path: '/staff/search',
    settled: showsText('QR Code Detected!'),
  },
  {
    name: 'staff-manual',
    who: 'staff',
    path: '/staff/search',
    settled: async (page) => {
      await page.getByRole('button', { name: 'Enter Code Manually' }).click();
      await page.getByPlaceholder('Paste QR code here...').waitFor();
    },
  },
  {
    name: 'staff-manual-refused',
    who: 'staff',
    path: '/staff/search',
    settled: async (page) => {
      await page.getByRole('button', { name: 'Enter Code Manually' }).click();
      await page.getByPlaceholder('Paste QR code here...').fill('not a card');
      await pressed('Verify Code', 'Invalid or expired QR code')(page);
    },
  },
  { name: 'staff-manual-ended', who: 'staff', path: '/staff/search', settled: refusedCode },
  { name: 'staff-manual-replaced', who: 'staff', path: '/staff/search', settled: replacedCode },
  { name: 'staff-pour-printed', who: 'staff', path: '/staff/search', settled: printedCode },
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
    settled: pressed('Give or Take Back Glasses', 'Staff see it in the timeline'),
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
      await pressed(/^Refund$/, 'Please enter an amount up to')(page);
    },
  },
  {
    name: 'staff-customer-none',
    who: 'staff',
    path: '/staff/customers/00000000-0000-7000-8000-000000000000',
    settled: showsText('Customer not found'),
  },
  { name: 'staff-add-pour', who: 'staff', open: addingPour, settled: showsText('Record Pour') },
  {
    name: 'staff-pour-wine',
    who: 'staff',
    open: addingPour,
    settled: async (page) => {
      await atTheBar(page);
      await page.getByRole('button', { name: /^Red Barolo/ }).click();
    },
  },
  {
    name: 'staff-pour-form-error',
    who: 'staff',
    open: addingPour,
    settled: pressed(/^Pour \d+/, 'Please select a location'),
  },
  { name: 'staff-pour-none', who: 'staff', open: nothingLeft, settled: showsText('No pours left') },
  { name: 'staff-pour-service-amber', who: 'staff', open: afterGlasses(3), settled: showsText('3 glasses') },
  {
    name: 'staff-pour-service-water',
    who: 'staff',
    open: afterGlasses(5),
    settled: async (page) => {
      await atTheBar(page);
      await pressed(/^Pour \d+/, /Tap .Offered Water/)(page);
    },
  },
  { name: 'staff-pour-recorded', who: 'staff', open: addingPour, settled: pourRecorded },
  { name: 'staff-pour-answer-lost', who: 'staff', open: addingPour, settled: answerLost },
  { name: 'staff-pour-queued', who: 'staff', open: addingPour, settled: pourQueued },
  {
    name: 'staff-queue',
    who: 'staff',
    open: addingPour,
    settled: async (page) => {
      await pourQueued(page);
      await pressed(/waiting$/, 'Waiting to be sent')(page);
    },
  },
  {
    name: 'staff-void-dialog',
    who: 'staff',
    open: atMember,
    settled: async (page) => {
      await page.getByRole('button', { name: /^Undo/ }).first().click();
      await pressed('Undo Pour', 'Please enter a reason.')(page);
    },
  },
  {
    name: 'staff-add-pour-unknown',
    who: 'staff',
    path: '/staff/customers/00000000-0000-7000-8000-000000000000/add-pour',
    settled: showsText('Customer information not available'),
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
  { name: 'staff-wines', who: 'staff', path: '/staff/wines', settled: showsText('Next Bottle') },
  {
    name: 'staff-wines-add',
    who: 'staff',
    path: '/staff/wines',
    settled: async (page) => {
      await pressed('Add Wine', 'Notes for members')(page);
      await page.getByRole('dialog').getByRole('button', { name: 'Add Wine' }).click();
      await showsText('Enter the name of the wine')(page);
    },
  },
  {
    name: 'staff-wines-edit',
    who: 'staff',
    path: '/staff/wines',
    settled: async (page) => {
      await page.getByRole('button', { name: /^Red Barolo/ }).click();
      await showsText('Replace Picture')(page);
    },
  },
  {
    name: 'staff-wines-none',
    who: 'staff',
    open: async (page, url) => {
      await page.route('**/api/wines', (route) => route.fulfill({ json: [] }));
      await page.goto(`${url}/staff/wines`);
    },
    settled: showsText('No wines yet'),
  },
  {
    name: 'staff-wines-file',
    who: 'staff',
    path: '/staff/wines',
    settled: async (page) => {
      await page.getByRole('button', { name: 'Import or Export' }).click();
      const buffer = Buffer.from(WINE_FILE);
      await page
        .getByLabel('CSV file with wines')
        .setInputFiles({ name: 'wines.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('button', { name: /^Add \d/ }).waitFor();
    },
  },
  { name: 'staff-members', who: 'staff', path: '/staff/members', settled: showsText(/^\d+ members$/) },
  {
    name: 'staff-members-filtered',
    who: 'staff',
    path: '/staff/members?payment=card&standing=active&tier=premier&order=last_visit',
    settled: showsText(/^\d+ members?$/),
  },
  {
    name: 'staff-members-none',
    who: 'staff',
    path: '/staff/members?tier=connoisseur',
    settled: showsText('No members found'),
  },
  { name: 'staff-more', who: 'staff', path: '/staff/more', settled: showsText('Colors and the scanner') },
  { name: 'staff-start', who: 'staff', path: '/staff/start', settled: showsText('What you sell') },
  {
    name: 'staff-start-payments',
    who: 'staff',
    path: '/staff/start',
    open: async (page, url) => {
      await page.route('**/api/setup/payments-check', (route) => route.fulfill({ json: PAYMENTS }));
      await page.goto(`${url}/staff/start`);
      await pressed('Later', 'Asks Stripe')(page);
    },
    settled: pressed('Check Payments', 'Worth a look'),
  },
  {
    name: 'staff-payments',
    who: 'staff',
    path: '/staff/payments',
    open: async (page, url) => {
      await page.route('**/api/setup/payments-check', (route) => route.fulfill({ json: PAYMENTS }));
      await page.route('**/api/setup/payments-plan', (route) => route.fulfill({ json: PAYMENTS_PLAN }));
      await page.goto(`${url}/staff/payments`);
      await pressed('Check Payments', 'Set up at Stripe')(page);
    },
    settled: pressed('Show What Would Change', 'Set Up Payments'),
  },
  { name: 'staff-tiers', who: 'staff', path: '/staff/tiers', settled: showsText('Retire') },
  {
    name: 'staff-tiers-edit',
    who: 'staff',
    path: '/staff/tiers',
    settled: async (page) => {
      await pressed('Edit Select', 'Price per Month')(page);
      await page.getByLabel('Price per Month').fill('45');
      await showsText('from now on')(page);
    },
  },
  {
    name: 'staff-tiers-move',
    who: 'staff',
    path: '/staff/tiers',
    settled: pressed('Move members of Premier', /email today|Nobody would/),
  },
  {
    name: 'staff-at-risk',
    who: 'staff',
    path: '/staff/at-risk',
    settled: showsText('Nothing is sent until you send it'),
  },
  {
    name: 'staff-at-risk-letter',
    who: 'staff',
    open: atRisk,
    settled: async (page) => {
      await page
        .getByRole('button', { name: /^Write to/ })
        .first()
        .click();
      await page.getByLabel('Subject').waitFor();
    },
  },
  { name: 'staff-team', who: 'staff', path: '/staff/team', settled: showsText('Jonas Weber') },
  {
    name: 'staff-team-remove',
    who: 'staff',
    path: '/staff/team',
    settled: pressed(/^Remove Jonas/, 'keep their name'),
  },
  {
    name: 'staff-webhooks-none',
    who: 'staff',
    path: '/staff/webhooks',
    settled: showsText('No other system'),
  },
  {
    name: 'staff-webhooks-add',
    who: 'staff',
    path: '/staff/webhooks',
    settled: pressed('Add Endpoint', 'Member joined'),
  },
  {
    name: 'staff-team-tablet',
    who: 'staff',
    path: '/staff/team',
    settled: pressed('Make This a Shared Tablet', 'Name of the Tablet'),
  },
  ...importScenes,
  { name: 'staff-audit', who: 'staff', path: '/staff/audit', settled: showsText('Application approved') },
  {
    name: 'staff-audit-none',
    who: 'staff',
    path: '/staff/audit?what=staff_removed',
    settled: showsText('No matching entries'),
  },
  { name: 'staff-account', who: 'staff', path: '/staff/account', settled: showsText('Add API Client') },
  {
    name: 'staff-account-pin',
    who: 'staff',
    path: '/staff/account',
    settled: pressed('Change PIN', 'New PIN'),
  },
  {
    name: 'staff-settings',
    who: 'staff',
    path: '/staff/settings',
    settled: showsText('Start in the scanner'),
  },
  {
    name: 'staff-settings-club',
    who: 'staff',
    path: '/staff/settings',
    settled: async (page) => {
      await page.getByLabel('Name of the Club', { exact: true }).fill(' ');
      await page.getByRole('button', { name: 'Save', exact: true }).first().click();
      await showsText('Enter a name.')(page);
    },
  },
  {
    name: 'staff-settings-color',
    who: 'staff',
    path: '/staff/settings',
    settled: async (page) => {
      await page.getByLabel('Color', { exact: true }).fill('#1f7a8c');
      await page.getByLabel('Days after a Failed Payment', { exact: true }).fill('10');
      await showsText('Use #')(page);
    },
  },
  {
    name: 'staff-settings-logo',
    who: 'staff',
    path: '/staff/settings',
    settled: async (page) => {
      const file = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) };
      await page.getByLabel('Picture file').setInputFiles(file);
      await page.getByRole('button', { name: 'Save Logo' }).waitFor();
    },
  },
  {
    name: 'staff-settings-places',
    who: 'staff',
    path: '/staff/settings',
    settled: async (page) => {
      await page.getByLabel('Place 1', { exact: true }).fill('Terrace');
      await page.getByRole('button', { name: 'Retire Event' }).click();
      await page.getByRole('button', { name: 'Add Place' }).click();
      await page.getByLabel('Place 4', { exact: true }).fill('Roof Garden');
      await showsText('Offer Again')(page);
    },
  },
  {
    name: 'staff-emails',
    who: 'staff',
    path: '/staff/settings/emails',
    settled: async (page) => {
      await page.getByLabel('Before', { exact: true }).fill('Lovely to have you, {first_name}.');
      const email = page.frameLocator('iframe[title="The email as HTML"]');
      // The first is what a list of emails shows beside the subject.
      await email.getByText('Lovely to have you, Ada.').last().waitFor();
    },
  },
  {
    name: 'staff-emails-refused',
    who: 'staff',
    path: '/staff/settings/emails',
    settled: async (page) => {
      await page.getByLabel('Subject', { exact: true }).fill('For {nobody}');
      await showsText('does not know {nobody}')(page);
    },
  },
  { name: 'staff-system', who: 'staff', path: '/staff/system', settled: showsText('As of') },
  {
    name: 'staff-system-well',
    who: 'staff',
    open: atSystem(ALL_WELL),
    settled: showsText('Everything is well'),
  },
  {
    name: 'staff-system-not-well',
    who: 'staff',
    open: atSystem(NOT_WELL),
    settled: showsText('things need your attention'),
  },
  {
    name: 'staff-system-silent',
    who: 'staff',
    open: atSilentSystem,
    settled: showsText('The database does not answer'),
  },
  {
    name: 'staff-application-none',
    who: 'staff',
    path: '/staff/applications/00000000-0000-7000-8000-000000000000',
    settled: showsText('Application not found'),
  },
];
