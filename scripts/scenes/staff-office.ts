import type { Page } from '@playwright/test';
import { importScenes } from './imports.ts';
import { answering, pressed, type Scene, scene, showsText, stub } from './scene.ts';

const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200" fill="none" stroke="#3a1118" stroke-width="8">
<circle cx="100" cy="100" r="90"/><path d="M66 52h68c4 66-12 84-34 84s-38-18-34-84zM100 136v26m-24 0h48"/></svg>`;

const WINE_FILE = `name,producer,vintage,region,country,grape,color,sweetness,body,tannin,acidity
Etna Rosso,Tenuta Alba,2021,Sicily,Italy,Nerello Mascalese,red,1,3,3,4
Nameless,,,,,,purple,1,3,3,4`;

const PAYMENTS = {
  mode: 'test',
  findings: [
    { health: 'well', about: 'account', text: 'acct_1SV can take payments' },
    {
      health: 'attention',
      about: 'statement',
      text: 'no statement descriptor is set, so members may not recognize the charge',
    },
    { health: 'failing', about: 'webhook endpoint', text: 'there is none yet', setup: true },
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
  scene('staff-wines', 'staff', '/staff/wines', 'Next Bottle'),
  scene('staff-wines-add', 'staff', '/staff/wines', async (page) => {
    await pressed('Add Wine', 'Notes for members')(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Add Wine' }).click();
    await showsText('Enter the name of the wine')(page);
  }),
  scene('staff-wines-edit', 'staff', '/staff/wines', pressed(/^Red Barolo/, 'Replace Picture')),
  scene('staff-wines-none', 'staff', answering('**/api/wines', [], '/staff/wines'), 'No wines yet'),
  scene('staff-wines-file', 'staff', '/staff/wines', async (page) => {
    await page.getByRole('button', { name: 'Import or Export' }).click();
    const buffer = Buffer.from(WINE_FILE);
    await page
      .getByLabel('CSV file with wines')
      .setInputFiles({ name: 'wines.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('button', { name: /^Add \d/ }).waitFor();
  }),
  scene('staff-more', 'staff', '/staff/more', 'Who did what'),
  scene('staff-start', 'staff', '/staff/start', 'What You Sell'),
  scene(
    'staff-start-payments',
    'staff',
    async (page, url) => {
      await stub(page, '**/api/setup/payments-check', PAYMENTS);
      await page.goto(`${url}/staff/start`);
      await pressed('Later', 'Checks your Stripe setup')(page);
    },
    pressed('Check Stripe', 'Worth a look'),
  ),
  scene(
    'staff-payments',
    'staff',
    async (page, url) => {
      await stub(page, '**/api/setup/payments-check', PAYMENTS);
      await stub(page, '**/api/setup/payments-plan', PAYMENTS_PLAN);
      await page.goto(`${url}/staff/payments`);
      await pressed('Check Stripe', 'Set Up at Stripe')(page);
    },
    pressed('Show What Will Change', 'Set Up Stripe'),
  ),
  scene('staff-reports-month', 'staff', '/staff/reports', 'Glasses poured'),
  scene('staff-reports-payments', 'staff', '/staff/reports?view=payments', (page) =>
    page.getByRole('table', { name: 'Payments' }).waitFor(),
  ),
  scene(
    'staff-reports-overdue',
    'staff',
    '/staff/reports?view=payments&state=overdue',
    'The card was declined',
  ),
  scene('staff-reports-members', 'staff', '/staff/reports?view=members', chartsDrawn),
  scene('staff-reports-revenue', 'staff', '/staff/reports?view=revenue', chartsDrawn),
  scene('staff-reports-pours', 'staff', '/staff/reports?view=pours', chartsDrawn),
  scene('staff-reports-unused', 'staff', '/staff/reports?view=unused', chartsDrawn),
  scene('staff-tiers', 'staff', '/staff/tiers', 'Retire'),
  scene('staff-tiers-edit', 'staff', '/staff/tiers', async (page) => {
    await pressed('Edit Select', 'Price per Month')(page);
    await page.getByLabel('Price per Month').fill('45');
    await showsText('from now on')(page);
  }),
  scene(
    'staff-tiers-move',
    'staff',
    '/staff/tiers',
    pressed('Move members of Premier', /email today|Nobody will/),
  ),
  scene('staff-team', 'staff', '/staff/team', 'Jonas Weber'),
  scene('staff-team-grant', 'staff', '/staff/team', async (page) => {
    const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: /^Jonas/ }) });
    await card.getByRole('checkbox', { name: /^Manage staff/ }).click();
    await showsText('can then invite')(page);
  }),
  scene('staff-team-invite', 'staff', '/staff/team', pressed('Invite', 'Their Email')),
  scene('staff-team-remove', 'staff', '/staff/team', pressed(/^Remove Jonas/, 'their name stays')),
  scene('staff-webhooks-none', 'staff', '/staff/webhooks', 'No endpoints yet'),
  scene('staff-webhooks-add', 'staff', '/staff/webhooks', pressed('Add Endpoint', 'Member joined')),
  scene(
    'staff-team-tablet',
    'staff',
    '/staff/team',
    pressed('Make This a Shared Tablet', 'Name of the Tablet'),
  ),
  ...importScenes,
  scene('staff-audit', 'staff', '/staff/audit', (page) =>
    page.getByRole('list', { name: 'Entries, newest first' }).waitFor(),
  ),
  scene('staff-audit-none', 'staff', '/staff/audit?what=staff_removed', 'No matching entries'),
  scene('staff-account', 'staff', '/staff/account', 'Start in the scanner'),
  scene('staff-settings-api', 'staff', '/staff/settings/api', 'Add API Client'),
  scene('staff-account-pin', 'staff', '/staff/account', pressed('Change PIN', 'New PIN')),
  scene('staff-settings', 'staff', '/staff/settings', 'Name of the Club'),
  scene('staff-settings-club', 'staff', '/staff/settings', async (page) => {
    await page.getByLabel('Name of the Club', { exact: true }).fill(' ');
    await page.getByRole('button', { name: 'Save Club' }).click();
    await showsText('Enter a name.')(page);
  }),
  scene('staff-settings-color', 'staff', '/staff/settings/look', async (page) => {
    await page.getByLabel('Hex Code', { exact: true }).fill('#1f7a8c');
    await showsText('Use #')(page);
  }),
  scene('staff-settings-logo', 'staff', '/staff/settings/look', async (page) => {
    const file = { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(LOGO) };
    await page.getByLabel('Picture file').setInputFiles(file);
    await page.getByRole('button', { name: 'Save Logo' }).waitFor();
  }),
  scene('staff-settings-places', 'staff', '/staff/settings/places', async (page) => {
    await page.getByLabel('Place 1', { exact: true }).fill('Terrace');
    await page.getByRole('button', { name: 'Retire Event' }).click();
    await page.getByRole('button', { name: 'Add Place' }).click();
    await page.getByLabel('Place 4', { exact: true }).fill('Roof Garden');
    await showsText('Offer Again')(page);
  }),
  scene('staff-public-pages', 'staff', '/staff/settings/public-pages', async (page) => {
    await page.getByLabel('Hours').fill('Tuesday to Saturday\n5 to 11 pm');
    await page.getByLabel('Show Tonight’s Wines').check();
    await page.getByText('Tonight’s Wines', { exact: true }).last().waitFor();
  }),
  scene('staff-public-pages-terms', 'staff', '/staff/settings/public-pages', async (page) => {
    await page.getByLabel('Page', { exact: true }).selectOption('Privacy');
    await showsText('This is a default text')(page);
  }),
  scene('staff-emails', 'staff', '/staff/settings/emails', async (page) => {
    await page.getByLabel('Before', { exact: true }).fill('Lovely to have you, {first_name}.');
    const email = page.frameLocator('iframe[title="The email as HTML"]');
    // The first match is the preview text that a list of emails shows beside the subject.
    await email.getByText('Lovely to have you, Ada.').last().waitFor();
  }),
  scene('staff-emails-refused', 'staff', '/staff/settings/emails', async (page) => {
    await page.getByLabel('Subject', { exact: true }).fill('For {nobody}');
    await showsText('{nobody} isn’t available')(page);
  }),
];
