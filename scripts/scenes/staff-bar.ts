import type { Page } from '@playwright/test';
import type { StaffNotice } from '../../src/contract/staff-notices.ts';
import { pressed, type Scene, scene, showsText, stub } from './scene.ts';
import { atMember, find } from './staff-steps.ts';

async function addingPour(page: Page, url: string): Promise<void> {
  await atMember(page, url);
  await page.getByRole('link', { name: /pour/i }).first().click();
}

const atTheBar = (page: Page) => page.getByRole('radio', { name: 'Bar' }).check();

async function pourRecorded(page: Page): Promise<void> {
  await atTheBar(page);
  await pressed(/^Pour \d+/, / recorded$/)(page);
}

async function pourQueued(page: Page): Promise<void> {
  await atTheBar(page);
  await page.context().setOffline(true);
  await page.getByRole('button', { name: /^Pour \d+/ }).click();
  // The button is found by its role: the navigation, hidden here on a phone, also shows how many applications are waiting.
  await page.getByRole('button', { name: /waiting$/ }).waitFor();
}

async function answerLost(page: Page): Promise<void> {
  await page.route('**/api/pours', (route) => route.fulfill({ status: 500 }));
  await page.getByRole('radio', { name: 'Restaurant' }).check();
  await pressed(/^Pour \d+/, 'The server did not respond')(page);
}

async function nothingLeft(page: Page, url: string): Promise<void> {
  await page.route('**/api/customers/*/bar', async (route) => {
    const bar = await (await route.fetch()).json();
    await route.fulfill({ json: { ...bar, pours_balance: 0 } });
  });
  await addingPour(page, url);
}

const afterGlasses = (quantity: number) => async (page: Page, url: string) => {
  await page.route('**/api/customers/*/bar', async (route) => {
    const bar = await (await route.fetch()).json();
    const created_at = new Date().toISOString();
    const celebrations = [{ kind: 'birthday', occasion: 'birthday:2026', years: null, glasses: 1 }];
    const service = { ...bar.service, pours: [{ quantity, created_at }] };
    const grant = { kind: 'celebration', occasion: 'birthday', pours: 1, until: bar.grants[0].until };
    const grants = [...bar.grants, grant];
    const pours_balance = bar.pours_balance + 1;
    const last_pour = { ...bar.last_pour, quantity, created_at };
    await route.fulfill({
      json: { ...bar, celebrations, service, grants, pours_balance, last_pour, last_visit: created_at },
    });
  });
  await addingPour(page, url);
};

const CLARA = { id: '0197b1f0-0000-7000-8000-0000000000c1', first_name: 'Clara', last_name: 'Voss' };

async function refusedCode(page: Page): Promise<void> {
  const holder = { ...CLARA, standing: 'ended', no_access_since: '2026-11-03' };
  await verifying(page, { valid: false, refused: holder });
  await pressed('Verify Code', 'Clara Voss: membership ended')(page);
}

async function verifying(page: Page, answer: object): Promise<void> {
  await stub(page, '**/verify-qr-token', answer);
  await page.getByRole('button', { name: 'Enter Code Manually' }).click();
  await page.getByPlaceholder('Paste QR code here...').fill('a printed card');
}

async function replacedCode(page: Page): Promise<void> {
  const replacement = { ...CLARA, replaced_at: '2026-11-20T18:05:00.000Z' };
  await verifying(page, { valid: false, replaced: replacement });
  await pressed('Verify Code', 'this printed card was replaced')(page);
}

async function printedCode(page: Page): Promise<void> {
  const { members } = await (await page.request.get(new URL('/api/customers', page.url()).href)).json();
  await verifying(page, { valid: true, customer: members[0], paper_card_id: members[0].id });
  await pressed('Verify Code', 'Printed card')(page);
}

/** Longer than the scanner remembers a code that is out of sight, on a busy machine. */
const FORGETS_MS = 6000;

/** The camera alternates between a code and none: its picture is held where the scanner says `text`. */
const heldAt =
  (text: string) =>
  async (page: Page): Promise<void> => {
    const video = page.locator('video');
    const element = page.getByText(text).first();
    const isReached = (state: 'visible' | 'hidden') =>
      element.waitFor({ state, timeout: FORGETS_MS }).then(
        () => true,
        () => false,
      );
    await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) > 2);
    for (let tries = 0; tries < 20; tries += 1) {
      // The page would play a paused video again, and then open the camera again.
      await video.evaluate((it: HTMLVideoElement) => {
        it.play = () => Promise.resolve();
        Object.defineProperty(it, 'paused', { configurable: true, value: false });
        it.pause();
      });
      if ((await isReached('visible')) && !(await isReached('hidden'))) return;
      await video.evaluate((it: HTMLVideoElement) => HTMLMediaElement.prototype.play.call(it));
    }
    throw new Error(`The scanner does not stay at '${text}'`);
  };

/** Notices of three kinds; the last one is settled. */
async function withNotices(page: Page, url: string): Promise<void> {
  const member = {
    user_id: '0197b1f0-0000-7000-8000-000000000001',
    first_name: 'Clara',
    last_name: 'Voss',
    email: 'clara@example.test',
    has_record: true,
  };
  const base = { created_at: '2026-11-20T18:05:00.000Z', settled: null, member };
  const money = { amount_cents: 3900, currency: 'usd' };
  const notices: StaffNotice[] = [
    {
      ...base,
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
      ...base,
      id: '0197b1f0-0000-7000-8000-0000000000d2',
      kind: 'reversal_impossible',
      facts: { ...money, stripe_invoice_id: 'in_1SVqeHKZ8wQp3xYb', why: 'it was paid outside of Stripe' },
    },
    {
      ...base,
      id: '0197b1f0-0000-7000-8000-0000000000d3',
      kind: 'customer_missing',
      facts: { stripe_customer_id: 'cus_TSkO3kQ9' },
      settled: { at: '2026-11-21T09:30:00.000Z', by: 'Sam Rivera' },
    },
  ];
  await stub(page, '**/api/staff-notices', notices);
  await page.goto(`${url}/staff/dashboard`);
}

export const barScenes: Scene[] = [
  scene('staff-dashboard', 'staff', '/staff/dashboard', 'Recent Members'),
  scene('staff-dashboard-notices', 'staff', withNotices, 'Needs Attention'),
  scene('staff-found', 'staff', '/staff/dashboard', find('mar', 'Marguerite')),
  scene('staff-none', 'staff', '/staff/dashboard', find('zzzz', 'No customers found')),
  scene('staff-scanner', 'staff', '/staff/search', heldAt('Position the QR code')),
  scene('staff-scanner-detected', 'staff', '/staff/search', heldAt('QR code detected! Click')),
  scene('staff-manual', 'staff', '/staff/search', async (page) => {
    await page.getByRole('button', { name: 'Enter Code Manually' }).click();
    await page.getByPlaceholder('Paste QR code here...').waitFor();
  }),
  scene('staff-manual-refused', 'staff', '/staff/search', async (page) => {
    await page.getByRole('button', { name: 'Enter Code Manually' }).click();
    await page.getByPlaceholder('Paste QR code here...').fill('not a card');
    await pressed('Verify Code', 'Invalid or expired QR code')(page);
  }),
  scene('staff-manual-ended', 'staff', '/staff/search', refusedCode),
  scene('staff-manual-replaced', 'staff', '/staff/search', replacedCode),
  scene('staff-pour-printed', 'staff', '/staff/search', printedCode),
  scene('staff-add-pour', 'staff', addingPour, 'Record Pour'),
  scene('staff-pour-wine', 'staff', addingPour, async (page) => {
    await atTheBar(page);
    await page.getByRole('button', { name: /^Red Barolo/ }).click();
  }),
  scene('staff-pour-form-error', 'staff', addingPour, pressed(/^Pour \d+/, 'Please select a location')),
  scene('staff-pour-none', 'staff', nothingLeft, 'No pours left'),
  scene('staff-pour-service-amber', 'staff', afterGlasses(3), '3 glasses'),
  scene('staff-pour-service-water', 'staff', afterGlasses(5), async (page) => {
    await atTheBar(page);
    await showsText('glasses within 2 hours, with this pour')(page);
  }),
  scene('staff-pour-recorded', 'staff', addingPour, pourRecorded),
  scene('staff-pour-answer-lost', 'staff', addingPour, answerLost),
  scene('staff-pour-queued', 'staff', addingPour, pourQueued),
  scene('staff-queue', 'staff', addingPour, async (page) => {
    await pourQueued(page);
    await pressed(/waiting$/, 'Waiting to be sent')(page);
  }),
  scene('staff-void-dialog', 'staff', atMember, async (page) => {
    await page
      .getByLabel(/^More for/)
      .first()
      .click();
    await page.getByRole('button', { name: /^Undo/ }).filter({ visible: true }).last().click();
    await pressed('Undo Pour', 'Please enter a reason.')(page);
  }),
  scene(
    'staff-add-pour-unknown',
    'staff',
    '/staff/customers/00000000-0000-7000-8000-000000000000/add-pour',
    'Customer information not available',
  ),
];
