import type { Page } from '@playwright/test';
import { createStripe } from '../../../src/server/billing/stripe-client.ts';
import { uploadFile } from '../../support/fixtures/imports.ts';
import { expect, test } from '../../support/forms/form-test.ts';

// Forms for importing members. Only one import is open at a time, so each test ends its own.

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const asked = (page: Page, name: string | RegExp) =>
  page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();

/** The page before the check is shown again until the server has begun: a question opened there would go with it. */
async function checkAgain(page: Page): Promise<void> {
  await press(page, 'Check Again');
  await expect(page.getByRole('button', { name: 'Check Again', disabled: false })).toBeVisible();
}

test.describe.configure({ mode: 'serial' });

async function upload(page: Page, name: string, text: string): Promise<void> {
  await page
    .getByLabel('CSV file with members')
    .setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

test('members are imported, emailed and taken back', {
  tag: [
    '@form:staff/imports/open-import-cards#MappingForm',
    '@form:staff/imports/open-import-cards#PreviewCard',
    '@form:staff/imports/past-imports-card',
    '@form:staff/imports/past-imports-card',
  ],
}, async ({ page, open }) => {
  await open('/staff/members/import');
  await upload(
    page,
    'old.csv',
    'Email,Name,Plan,POS\nada@old.test,Ada Vine,Select,T-1\nfrida@old.test,Frida Kahn,,\n',
  );
  await checkAgain(page);
  await press(page, 'Import 2 Members');
  await asked(page, 'Import');
  await press(page, 'Email Them');
  await asked(page, 'Send Emails');
  await expect(page.getByText(/Emails?: \d of 2|2 emails sent/)).toBeVisible();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await asked(page, 'Undo Import');
  await expect(page.getByText(/undone|removed/i).first()).toBeVisible();
});

test('imported members who pay at the venue are counted from a day', {
  tag: '@form:staff/dues/count-list-dialog',
}, async ({ page, open, people: { owner } }) => {
  const file = 'Email,Name,Tier,Receipt\nolga@old.test,Olga Marsh,Select,T-1\n';
  let id = '';
  // The import before may still be undone.
  await expect(async () => {
    ({ id } = await uploadFile(owner, file));
  }).toPass();
  await expect(() => owner.must('POST', `/api/imports/${id}/start`, {})).toPass();
  await expect(async () =>
    expect(await owner.must('POST', '/api/directory/count', { dues: 'not_counted' })).not.toMatchObject({
      count: 0,
    }),
  ).toPass();
  await open('/staff/members?dues=not_counted');
  await press(page, 'Count from...');
  await page.getByRole('dialog').getByRole('button', { name: 'Start Counting', exact: true }).click();
  await expect(page.getByText(/^\d+ memberships? (is|are) counted\./)).toBeVisible();
});

test('a file shows its first rows as they will be stored, and is read again in another format', async ({
  page,
  open,
  allowErrors,
}) => {
  // Without a column for the email, the page asks for it; a list may be loaded again while its file is replaced.
  allowErrors(/422 .*mapping/, /404 .*rows/);
  await open('/staff/members/import');
  const buffer = Buffer.from('Email,Name\nm1@mac.test,Zo\x91 M\x9Fller\n', 'latin1');
  await page
    .getByLabel('CSV file with members')
    .setInputFiles({ name: 'mac.csv', mimeType: 'text/csv', buffer });
  const stored = page.getByRole('region', { name: 'First rows, as they will be stored' });
  await expect(page.getByLabel('Encoding')).toHaveValue('macintosh');
  await expect(stored).toContainText('Müller');
  await page.getByLabel('Encoding').selectOption({ label: 'Cyrillic (Windows)' });
  await expect(stored).toContainText('Mџller');
  await page.getByLabel('Separator').selectOption({ label: 'Semicolon' });
  await expect(page.getByText('1 row of mac.csv arrived')).toBeVisible();
  await page.getByLabel('Separator').selectOption({ label: 'Comma' });
  await page.getByLabel('Full names have').selectOption({ label: 'Last name first' });
  await checkAgain(page);
  await expect(stored.getByRole('rowheader')).toHaveText('Mџller');
  await press(page, 'Discard File');
  await expect(page.getByText('Drop a CSV file here')).toBeVisible();
});

test('a workbook is refused with what to do', async ({ page, open }) => {
  await open('/staff/members/import');
  await upload(page, 'members.csv', 'PK\x03\x04xl/workbook.xml');
  await expect(page.getByRole('alert')).toContainText('save or download it there as CSV');
});

test('subscriptions are taken over from Stripe', {
  tag: ['@form:staff/imports/adoption-cards#PriceTiersForm', '@form:staff/imports/adoption-cards#TakeOver'],
}, async ({ page, open, product }) => {
  const stripe = createStripe({ secretKey: 'sk_test_cellar_door_sandbox', apiUrl: product.sandboxUrl });
  const { id: of } = await stripe.products.create({ name: 'Old Club' });
  const recurring = { interval: 'month' as const };
  const price = await stripe.prices.create({ product: of, currency: 'usd', unit_amount: 3000, recurring });
  const customer = await stripe.customers.create({ email: 'ana@old.test', name: 'Ana Ruiz' });
  const card = await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id });
  await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price.id }],
    default_payment_method: card.id,
  });
  await open('/staff/members/import');
  await press(page, 'Find Subscriptions');
  await page.getByLabel('Old Club').selectOption({ label: 'Select' });
  await checkAgain(page);
  await press(page, 'Take Over 1 Subscription');
  await asked(page, 'Take Over');
  await expect(page.getByText(/1 subscription/).first()).toBeVisible();
});
