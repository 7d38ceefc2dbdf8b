import type { Page } from '@playwright/test';
import { importScenes } from './imports.ts';
import { pressed, type Scene, showsText } from './scene.ts';

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" fill="none" stroke="#3a1118" stroke-width="8">
<circle cx="100" cy="100" r="90"/><path d="M66 52h68c4 66-12 84-34 84s-38-18-34-84zM100 136v26m-24 0h48"/></svg>`;

/** One wine is ready, one is wrong. */
const WINE_FILE = `name,producer,vintage,region,country,grape,color,sweetness,body,tannin,acidity
Etna Rosso,Tenuta Alba,2021,Sicily,Italy,Nerello Mascalese,red,1,3,3,4
Nameless,,,,,,purple,1,3,3,4`;

const PAYMENTS = {
  mode: 'test',
  findings: [
    { verdict: 'ok', about: 'account', text: 'acct_1SV can take payments' },
    {
      verdict: 'look',
      about: 'statement',
      text: 'no statement descriptor is set, so members may not recognize the charge',
    },
    { verdict: 'wrong', about: 'webhook endpoint', text: 'there is none yet', setup: true },
  ],
};

const PAYMENTS_PLAN = {
  mode: 'live',
  plan: '0'.repeat(32),
  steps: [
    { outcome: 'make', text: 'a webhook endpoint that sends 26 kinds of events to https://club.example' },
    { outcome: 'change', text: 'customer portal (bpc_1SV): members change their payment method there' },
    { outcome: 'unchanged', text: 'price of select (price_1SV)' },
  ],
};

/** The library of the charts loads beside the figures, and each chart is drawn once its size is known. */
async function chartsDrawn(page: Page): Promise<void> {
  await page.getByRole('table').first().waitFor();
  await page.locator('.recharts-surface').last().waitFor();
}

export const officeScenes: Scene[] = [
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
  { name: 'staff-more', who: 'staff', path: '/staff/more', settled: showsText('Who did what') },
  { name: 'staff-start', who: 'staff', path: '/staff/start', settled: showsText('What You Sell') },
  {
    name: 'staff-start-payments',
    who: 'staff',
    path: '/staff/start',
    open: async (page, url) => {
      await page.route('**/api/setup/payments-check', (route) => route.fulfill({ json: PAYMENTS }));
      await page.goto(`${url}/staff/start`);
      await pressed('Later', 'Checks your Stripe setup')(page);
    },
    settled: pressed('Check Stripe', 'Worth a look'),
  },
  {
    name: 'staff-payments',
    who: 'staff',
    path: '/staff/payments',
    open: async (page, url) => {
      await page.route('**/api/setup/payments-check', (route) => route.fulfill({ json: PAYMENTS }));
      await page.route('**/api/setup/payments-plan', (route) => route.fulfill({ json: PAYMENTS_PLAN }));
      await page.goto(`${url}/staff/payments`);
      await pressed('Check Stripe', 'Set Up at Stripe')(page);
    },
    settled: pressed('Show What Will Change', 'Set Up Stripe'),
  },
  {
    name: 'staff-reports-payments',
    who: 'staff',
    path: '/staff/reports?view=payments',
    settled: (page) => page.getByRole('table', { name: 'Payments' }).waitFor(),
  },
  {
    name: 'staff-reports-overdue',
    who: 'staff',
    path: '/staff/reports?view=payments&state=overdue',
    settled: showsText('The card was declined'),
  },
  {
    name: 'staff-reports-members',
    who: 'staff',
    path: '/staff/reports?view=members',
    settled: chartsDrawn,
  },
  {
    name: 'staff-reports-revenue',
    who: 'staff',
    path: '/staff/reports?view=revenue',
    settled: chartsDrawn,
  },
  {
    name: 'staff-reports-pours',
    who: 'staff',
    path: '/staff/reports?view=pours',
    settled: chartsDrawn,
  },
  {
    name: 'staff-reports-unused',
    who: 'staff',
    path: '/staff/reports?view=unused',
    settled: chartsDrawn,
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
    settled: pressed('Move members of Premier', /email today|Nobody will/),
  },
  { name: 'staff-team', who: 'staff', path: '/staff/team', settled: showsText('Jonas Weber') },
  {
    name: 'staff-team-remove',
    who: 'staff',
    path: '/staff/team',
    settled: pressed(/^Remove Jonas/, 'their name stays'),
  },
  {
    name: 'staff-webhooks-none',
    who: 'staff',
    path: '/staff/webhooks',
    settled: showsText('No endpoints yet'),
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
  {
    name: 'staff-audit',
    who: 'staff',
    path: '/staff/audit',
    settled: (page) => page.getByRole('list', { name: 'Entries, newest first' }).waitFor(),
  },
  {
    name: 'staff-audit-none',
    who: 'staff',
    path: '/staff/audit?what=staff_removed',
    settled: showsText('No matching entries'),
  },
  { name: 'staff-account', who: 'staff', path: '/staff/account', settled: showsText('Start in the scanner') },
  {
    name: 'staff-settings-api',
    who: 'staff',
    path: '/staff/settings/api',
    settled: showsText('Add API Client'),
  },
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
    settled: showsText('Name of the Club'),
  },
  {
    name: 'staff-settings-club',
    who: 'staff',
    path: '/staff/settings',
    settled: async (page) => {
      await page.getByLabel('Name of the Club', { exact: true }).fill(' ');
      await page.getByRole('button', { name: 'Save Club' }).click();
      await showsText('Enter a name.')(page);
    },
  },
  {
    name: 'staff-settings-color',
    who: 'staff',
    path: '/staff/settings/look',
    settled: async (page) => {
      await page.getByLabel('Hex Code', { exact: true }).fill('#1f7a8c');
      await showsText('Use #')(page);
    },
  },
  {
    name: 'staff-settings-logo',
    who: 'staff',
    path: '/staff/settings/look',
    settled: async (page) => {
      const file = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) };
      await page.getByLabel('Picture file').setInputFiles(file);
      await page.getByRole('button', { name: 'Save Logo' }).waitFor();
    },
  },
  {
    name: 'staff-settings-places',
    who: 'staff',
    path: '/staff/settings/places',
    settled: async (page) => {
      await page.getByLabel('Place 1', { exact: true }).fill('Terrace');
      await page.getByRole('button', { name: 'Retire Event' }).click();
      await page.getByRole('button', { name: 'Add Place' }).click();
      await page.getByLabel('Place 4', { exact: true }).fill('Roof Garden');
      await showsText('Offer Again')(page);
    },
  },
  {
    name: 'staff-public-pages',
    who: 'staff',
    path: '/staff/settings/public-pages',
    settled: async (page) => {
      await page.getByLabel('Hours').fill('Tuesday to Saturday\n5 to 11 pm');
      await page.getByLabel('Show Tonight’s Wines').check();
      await page.getByText('Tonight’s Wines', { exact: true }).last().waitFor();
    },
  },
  {
    name: 'staff-public-pages-terms',
    who: 'staff',
    path: '/staff/settings/public-pages',
    settled: async (page) => {
      await page.getByLabel('Page', { exact: true }).selectOption('Privacy');
      await showsText('This is a default text')(page);
    },
  },
  {
    name: 'staff-emails',
    who: 'staff',
    path: '/staff/settings/emails',
    settled: async (page) => {
      await page.getByLabel('Before', { exact: true }).fill('Lovely to have you, {first_name}.');
      const email = page.frameLocator('iframe[title="The email as HTML"]');
      // The first match is the preview text that a list of emails shows beside the subject.
      await email.getByText('Lovely to have you, Ada.').last().waitFor();
    },
  },
  {
    name: 'staff-emails-refused',
    who: 'staff',
    path: '/staff/settings/emails',
    settled: async (page) => {
      await page.getByLabel('Subject', { exact: true }).fill('For {nobody}');
      await showsText('{nobody} isn’t available')(page);
    },
  },
];
