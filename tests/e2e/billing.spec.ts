import { newCardMember } from '../support/fixtures/accounts.ts';
import { expect, expectNoAxeViolations, openAs, test } from '../support/harness/product.ts';

test('a member upgrades a tier at the price shown, schedules a downgrade, and cancels it', async ({
  page,
  product,
}) => {
  const member = await newCardMember(product.url);
  await openAs(page, `${product.url}/account`, member.email, member.password);
  await page.getByRole('button', { name: 'Manage' }).click();
  await page.getByRole('button', { name: 'Change Tier' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change Tier' });
  await dialog.getByRole('radio', { name: /Elite/ }).check();
  // The period has just started: the whole difference and all 10 pours within its first second, then 9, rounded down.
  await expect(dialog.getByText(/^(13 of 13|14 of 14), instead of 4 of 4$/)).toBeVisible();
  await expectNoAxeViolations(page);
  const pay = dialog.getByRole('button', { name: /^Pay \$\d+\.\d{2}$/ });
  const price = (await pay.textContent())?.match(/\$[\d.]+/)?.[0] ?? '';
  await pay.click();
  await expect(page.getByText('You are now on Elite.')).toBeVisible();
  await page.goto(`${product.url}/account/payments`);
  await expect(page.getByRole('row').filter({ hasText: price })).toBeVisible();

  await page.goto(`${product.url}/account`);
  await page.getByRole('button', { name: 'Manage' }).click();
  await page.getByRole('button', { name: 'Change Tier' }).click();
  await dialog.getByRole('radio', { name: /Select/ }).check();
  await expect(dialog.getByText('Nothing', { exact: true })).toBeVisible();
  await dialog.getByRole('button', { name: /^Change on / }).click();
  await expect(page.getByRole('paragraph').filter({ hasText: /^Select from / })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Change Tier' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Stay on Elite' }).click();
  await expect(page.getByText('You stay on Elite.')).toBeVisible();
  await expect(page.getByText(/^Select from /)).toHaveCount(0);
  await page.goto(`${product.url}/dashboard`);
  await expect(page.getByText(/^1[34] \/ 14$/)).toBeVisible();
});
