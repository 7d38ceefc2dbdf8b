import { newApplicantAtCheckout, newVenueMember, signedInStaff } from '../support/fixtures/accounts.ts';
import { expect, openAs, test } from '../support/harness/product.ts';

test('pours and voids show on the open dashboard and history without a reload', async ({
  page,
  context,
  product,
}) => {
  const member = await newVenueMember(product.url);
  await openAs(page, `${product.url}/dashboard`, member.email, member.password);
  await expect(page.getByText('4 / 4')).toBeVisible();
  const history = await context.newPage();
  await history.goto(`${product.url}/pours`);
  await expect(history.getByText('No pour history yet. Visit us soon!')).toBeVisible();
  for (const open of [page, history]) {
    await open.evaluate(() => document.documentElement.setAttribute('data-not-reloaded', ''));
  }

  const pour = await member.pour(3);
  await expect(page.getByText('1 / 4')).toBeVisible();
  await expect(page.getByText('3 used this billing period')).toBeVisible();
  await expect(history.getByRole('row').filter({ hasText: 'Main Bar' })).toContainText('3');
  await expect(history.getByText('1 visit', { exact: true })).toBeVisible();

  await member.staff.must('POST', `/api/pours/${pour}/void`, { reason: 'spilled' });
  await expect(page.getByText('4 / 4')).toBeVisible();
  await expect(history.getByRole('row').filter({ hasText: 'Main Bar' })).toContainText('voided');
  for (const open of [page, history]) {
    await expect(open.locator('html')).toHaveAttribute('data-not-reloaded');
  }
});

test('an approval at the bar turns the open application page into the membership card', async ({
  page,
  product,
}) => {
  const applicant = await newApplicantAtCheckout(product.url);
  await openAs(page, `${product.url}/qr-code`, applicant.email, applicant.password);
  await expect(page.getByRole('heading', { name: 'Your Application QR Code' })).toBeVisible();
  const staff = await signedInStaff(product.url);
  const { application } = await applicant.caller.must<{ application: { id: string } }>(
    'GET',
    '/api/customers/own',
  );
  await staff.must('POST', `/api/applications/${application.id}/approve`, { toast_reference_number: 'T-2' });
  await expect(page.getByRole('heading', { name: 'Your Digital Membership Card' })).toBeVisible();
  await expect(page.getByRole('img', { name: 'QR code of your membership' })).toBeVisible();
});
