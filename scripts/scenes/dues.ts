import type { Page } from '@playwright/test';
import { addDays } from '../../src/domain/calendar.ts';
import { changeOwn, pressed, type Scene, scene, showsText, stub } from './scene.ts';

/** The first member of the list with these payments at the venue. */
const atFirst = (query: string) => async (page: Page, url: string) => {
  await page.goto(`${url}/staff/members?${query}`);
  await page.locator('tbody a').first().click();
  await showsText('Lifetime Pours')(page);
};

const atBar = (dues: string) => async (page: Page, url: string) => {
  await atFirst(`dues=${dues}`)(page, url);
  await page.getByRole('link', { name: 'Record Pour' }).click();
};

/** The page of the first member who is found. */
const memberPage = (name: string) => async (page: Page, url: string) => {
  await page.goto(`${url}/staff/members`);
  await page.getByRole('searchbox').first().fill(name);
  await page.locator('tbody a').filter({ hasText: name }).first().click();
  await showsText('Lifetime Pours')(page);
};

/** What a bank has is added to the answers about members. */
const bankPays = (open: Scene['open']) => async (page: Page, url: string) => {
  const since = `${addDays(today, -3)}T20:00:00Z`;
  const bank_payment = { tier: 'select', months: 12, amount_cents: 39_000, since };
  await page.route(/\/api\/customers\/[^/]+(\/bar)?$/, async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: { ...answer, bank_payment } });
  });
  await open(page, url);
};

async function recordedMeanwhile(page: Page): Promise<void> {
  const data = { paid_until: '2027-01-15', by: 'Jonas', at: new Date().toISOString() };
  const refusal = { defined: true, code: 'DUES_CHANGED', status: 409, message: '' };
  const body = { ...refusal, data: { ...data, amount_cents: 3900, months: 1 } };
  await page.getByRole('button', { name: 'Record Payment' }).first().click();
  await page.getByLabel('Toast Reference Number').fill('T-1844');
  await stub(page, '**/api/customers/*/dues', body, 409);
  await page.getByRole('dialog').getByRole('button', { name: 'Record Payment' }).click();
  await showsText('Record This One Too')(page);
}

const today = new Date().toISOString().slice(0, 10);

/** A year that was paid at once. */
const YEAR = { is_year: true, year_cents: 39_000 };

type Paying = 'paid' | 'due' | 'overdue';

/** Days until the first unpaid one. */
const DAYS = { paid: 20, due: 5, overdue: -2 };

const paying =
  (state: Paying, path: string, more: object = {}, days = DAYS[state]) =>
  async (page: Page, url: string) => {
    const paid_until = addDays(today, days);
    const dues = {
      state,
      paid_until,
      grace_until: addDays(paid_until, 7),
      price_cents: 3900,
      year_cents: null,
      ...more,
    };
    await changeOwn(page, ({ pours }) => ({
      dues,
      ...(state === 'overdue' && {
        pours: {
          ...pours,
          available_pours: 1,
          period_pours: 1,
          pours_when_paid: 3,
          grants: [],
          pours_used: 0,
        },
      }),
    }));
    await page.goto(`${url}${path}`);
  };

export const duesScenes: Scene[] = [
  scene('staff-dues-bar-due', 'staff', atBar('due'), 'Pays tonight'),
  scene('staff-dues-bar-overdue', 'staff', atBar('overdue'), 'Overdue since'),
  scene('staff-dues-record', 'staff', atBar('overdue'), pressed('Record Payment', 'Toast Reference Number')),
  scene('staff-dues-changed', 'staff', atBar('due'), recordedMeanwhile),
  scene('staff-dues-page', 'staff', atFirst('payment=venue&standing=venue'), 'Payments at the Venue'),
  scene('staff-dues-page-overdue', 'staff', atFirst('dues=overdue'), 'Unpaid, the membership ends on'),
  scene('staff-dues-page-not-counted', 'staff', atFirst('dues=not_counted'), 'No payments recorded yet'),
  scene('staff-dues-void', 'staff', atFirst('dues=due'), pressed(/^Void /, 'The list keeps it')),
  scene('staff-dues-count', 'staff', atFirst('dues=not_counted'), async (page) => {
    await page.getByRole('button', { name: 'Count from...' }).last().click();
    await showsText('counts as paid')(page);
  }),
  scene('staff-dues-tier-up', 'staff', memberPage('Tobias'), pressed('Change Tier', 'The difference for')),
  scene('staff-dues-bank-page', 'staff', bankPays(memberPage('Tobias')), 'A bank payment of'),
  scene('staff-dues-bank-bar', 'staff', bankPays(atBar('due')), 'A bank payment of'),
  scene('staff-dues-members', 'staff', '/staff/members?dues=not_counted', /^\d+ people$/),
  scene(
    'staff-dues-count-list',
    'staff',
    '/staff/members?dues=not_counted',
    pressed('Count from...', 'For everyone on this list'),
  ),
  scene('dues-dashboard', 'fresh', paying('paid', '/dashboard'), 'View History'),
  scene('dues-dashboard-due', 'fresh', paying('due', '/dashboard'), 'Please pay'),
  scene('dues-dashboard-overdue', 'fresh', paying('overdue', '/dashboard'), 'Please pay'),
  scene('dues-dashboard-year', 'fresh', paying('paid', '/dashboard', YEAR, 200), 'View History'),
  scene('dues-account-paid', 'fresh', paying('paid', '/account'), 'Paid until'),
  scene('dues-account', 'fresh', paying('overdue', '/account'), 'Overdue'),
  scene('dues-account-year', 'fresh', paying('paid', '/account', YEAR, 200), 'Last day'),
  scene('dues-account-year-ending', 'fresh', paying('paid', '/account', YEAR), 'Another Year'),
  scene(
    'dues-account-manage',
    'fresh',
    paying('paid', '/account', { year_cents: 39_000, card_cents: 3900 }),
    pressed('Manage', 'Pay for a Year'),
  ),
];
