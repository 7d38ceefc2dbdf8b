import type { Page } from '@playwright/test';
import { expect, test } from '../../support/forms/form-test.ts';
import { DEMO } from '../../support/harness/product.ts';

// Forms of the office, filled in by the owner.

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const asked = (page: Page, name: string | RegExp) =>
  page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();
const inDialog = (page: Page, name: string | RegExp) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const ownPassword = (page: Page) => page.getByLabel('Your Password').fill(DEMO.password);

test('the wording of an email is saved', { tag: '@form:staff/emails/emails-page' }, async ({
  page,
  open,
}) => {
  await open('/staff/settings/emails');
  await page.getByLabel('Subject').fill('Come in');
  await press(page, 'Save');
  await expect(page.getByText('The email was saved')).toBeVisible();
});

test('the texts of the club’s page are saved', {
  tag: '@form:staff/settings/public-pages/club-page-form',
}, async ({ page, open }) => {
  await open('/staff/settings/public-pages');
  await page.getByLabel('Hours').fill('Tuesday to Saturday, 5 to 11 pm');
  await press(page, 'Save Page');
  await expect(page.getByText('The club’s page was saved')).toBeVisible();
  await page.goto(new URL('/club', page.url()).href);
  await expect(page.getByText('Tuesday to Saturday, 5 to 11 pm')).toBeVisible();
});

test('the text of a legal page is saved', {
  tag: '@form:staff/settings/public-pages/public-pages-page',
}, async ({ page, open }) => {
  await open('/staff/settings/public-pages');
  await page.getByLabel('Page', { exact: true }).selectOption('Imprint');
  await page.getByLabel('Imprint', { exact: true }).fill('The Copper Vine, 12 Mill Lane');
  await press(page, 'Save Page');
  await expect(page.getByText('The page was saved')).toBeVisible();
  await page.goto(new URL('/imprint', page.url()).href);
  await expect(page.getByText('The Copper Vine, 12 Mill Lane')).toBeVisible();
});

test('the name of the club is saved', { tag: '@form:staff/settings/club-page' }, async ({ page, open }) => {
  await open('/staff/settings');
  await page.getByLabel('Name of the Club').fill('The Copper Vine');
  await press(page, 'Save Club');
  await expect(page.getByText('The club’s settings were saved')).toBeVisible();
});

test('the months until an unused account is deleted are saved', async ({ page, open }) => {
  await open('/staff/settings');
  const months = page.getByLabel('Delete Unused Accounts after (months)', { exact: true });
  await months.fill('24');
  await press(page, 'Save Club');
  await expect(page.getByText('The club’s settings were saved')).toBeVisible();
  await page.reload();
  await expect(months).toHaveValue('24');
});

test('the color of the club is saved', { tag: '@form:staff/settings/look-page' }, async ({ page, open }) => {
  await open('/staff/settings/look');
  await page.getByLabel('Hex Code', { exact: true }).fill('#14532d');
  await press(page, 'Save Color');
  await expect(page.getByText(/^The color was saved/)).toBeVisible();
});

test('the places of the club are saved', { tag: '@form:staff/settings/places-page' }, async ({
  page,
  open,
}) => {
  await open('/staff/settings/places');
  await press(page, 'Add Place');
  await page.getByLabel('Place 5').fill('Garden');
  await press(page, 'Save Places');
  await expect(page.getByText('The places were saved')).toBeVisible();
});

test('a PIN is set', { tag: '@form:staff/settings/account-page' }, async ({ page, open }) => {
  await open('/staff/account');
  await press(page, /^(Set a|Change) PIN$/);
  await page.getByLabel('New PIN').fill('8042');
  await ownPassword(page);
  await press(page, 'Save PIN');
  await expect(page.getByText('Your PIN is set')).toBeVisible();
});

test('an API client is added and removed', {
  tag: ['@form:staff/settings/api-client-form', '@form:staff/settings/api-page'],
}, async ({ page, open }) => {
  await open('/staff/settings/api');
  await press(page, 'Add API Client');
  await page.getByLabel('Name', { exact: true }).fill('Till');
  await page.getByLabel('Record and void pours').check();
  await ownPassword(page);
  await press(page, 'Add');
  await press(page, 'I’ve Saved Them');
  await press(page, 'Remove access for Till');
  await asked(page, 'Remove');
  await expect(page.getByText('Access for Till was removed')).toBeVisible();
});

test('a tier is added', { tag: '@form:staff/tiers/tier-dialog' }, async ({ page, open }) => {
  await open('/staff/tiers');
  await press(page, 'Add Tier');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Short Name').fill('copper');
  await dialog.getByLabel('Name', { exact: true }).fill('Copper');
  await dialog.getByLabel('Description').fill('Two glasses a month.');
  await dialog.getByLabel(/^Price per Month/).fill('25');
  await dialog.getByLabel('Pours per Month').fill('2');
  await inDialog(page, 'Add Tier');
  await expect(page.getByRole('button', { name: 'Edit Copper' })).toBeVisible();
});

test('a tier is retired', { tag: '@form:staff/tiers/tiers-page#TiersPage' }, async ({ page, open }) => {
  await open('/staff/tiers');
  await press(page, 'Retire Elite');
  await asked(page, 'Retire');
  await expect(page.getByText('Elite is retired')).toBeVisible();
});

test('members are moved to a new price, and the move is withdrawn', {
  tag: ['@form:staff/tiers/move-dialog', '@form:staff/tiers/tiers-page#WithdrawDialog'],
}, async ({ page, open, people }) => {
  await people.cardMember();
  await people.owner.must('PATCH', '/api/tier-settings/select', { monthly_price_cents: 4500 });
  await open('/staff/tiers');
  await press(page, 'Move members of Select');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^(Email|Move|Announce)/ })
    .click();
  await expect(page.getByText(/emailed$/)).toBeVisible();
  await press(page, 'Withdraw move to Select');
  await asked(page, 'Withdraw');
  await expect(page.getByText(/^Withdrawn: /)).toBeVisible();
});

test('a wine is added', { tag: '@form:staff/wines/wine-dialog' }, async ({ page, open }) => {
  await open('/staff/wines');
  await press(page, 'Add Wine');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name', { exact: true }).fill('Gamay of the House');
  await dialog.getByLabel('Color', { exact: true }).selectOption({ label: 'Red' });
  await inDialog(page, 'Add Wine');
  await expect(dialog).toBeHidden();
  await expect(page.getByText('Gamay of the House is on the list')).toBeVisible();
});

test('wines come from a file', { tag: '@form:staff/wines/wine-file-dialog' }, async ({ page, open }) => {
  await open('/staff/wines');
  await press(page, 'Import or Export');
  const file = page.getByLabel('CSV file with wines');
  const text = 'name,color,sweetness,body,tannin,acidity\nHouse Red,red,1,3,3,3\n';
  await file.setInputFiles({ name: 'wines.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await inDialog(page, 'Add 1 Wine');
  await expect(page.getByText('House Red').first()).toBeVisible();
});

test.describe('webhooks', () => {
  const added = async (page: Page, open: (path: string) => Promise<void>, description: string) => {
    await open('/staff/webhooks');
    await press(page, 'Add Endpoint');
    await page.getByLabel('URL').fill('https://127.0.0.1:9/hooks');
    await page.getByLabel('Description').fill(description);
    await inDialog(page, 'Add Endpoint');
    await expect(page.getByRole('dialog', { name: 'Save the Secret' })).toBeVisible();
    await inDialog(page, 'I’ve Saved It');
    await page.getByRole('link', { name: description }).click();
  };

  test('an endpoint is added and removed', {
    tag: ['@form:staff/webhooks/webhooks-page', '@form:staff/webhooks/webhook-page#EndpointCard'],
  }, async ({ page, open }) => {
    await added(page, open, 'Accountant');
    await press(page, 'Remove');
    await asked(page, 'Remove');
    await expect(page.getByText('Endpoint removed')).toBeVisible();
  });

  test('its secret is replaced, and messages are sent again', {
    tag: [
      '@form:staff/webhooks/webhook-page#EndpointCard',
      '@form:staff/webhooks/webhook-page#EndpointCard',
      '@form:staff/webhooks/webhook-page#ReplayDialog',
    ],
  }, async ({ page, open }) => {
    await added(page, open, 'Till');
    await press(page, 'Replace Secret');
    await asked(page, 'Replace');
    const secret = page.getByRole('dialog', { name: 'Save the New Secret' });
    await inDialog(page, 'I’ve Saved It');
    await expect(secret).toBeHidden();
    await press(page, 'Send Again');
    await inDialog(page, 'Send Again');
    await expect(page.getByText(/^Sending \d+ messages? again$/)).toBeVisible();
  });
});
