import { readFileSync } from 'node:fs';
import { newCardMember } from '../support/fixtures/accounts.ts';
import {
  expect,
  expectNoAxeViolations,
  expectNoAxeViolationsInBothSchemes,
  openAs,
  test,
} from '../support/harness/product.ts';

test.use({ serviceWorkers: 'allow' });

test('a member downloads their data and deletes their account, which signs out their other browser', async ({
  page,
  browser,
  context,
  product,
  watchErrors,
  allowErrors,
}) => {
  // For the wrong password, and for calls after the account is deleted.
  allowErrors(/403 .*delete-account/, /401 /);
  const member = await newCardMember(product.url);
  await openAs(page, `${product.url}/account/data`, member.email, member.password);
  const arrived = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download My Data' }).click();
  const download = await arrived;
  expect(download.suggestedFilename()).toMatch(/^cellar-door-my-data-\d{4}-\d\d-\d\d\.json$/);
  const data = JSON.parse(readFileSync(await download.path(), 'utf8'));
  expect(data).toMatchObject({ version: 1, sections: expect.any(Array) });
  expect(JSON.stringify(data)).toContain(member.email);

  const elsewhere = await browser.newContext();
  watchErrors(elsewhere);
  const other = await elsewhere.newPage();
  await openAs(other, `${product.url}/dashboard`, member.email, member.password);
  await expect(other.getByText('4 / 4')).toBeVisible();

  await page.getByRole('button', { name: 'Delete My Account' }).click();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await expectNoAxeViolationsInBothSchemes(page);
  const size = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  if (size) await page.setViewportSize(size);
  const confirm = page.getByRole('button', { name: 'Delete Permanently' });
  await confirm.click();
  await expect(page.getByText('Please type DELETE')).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByLabel('Type DELETE to confirm').fill('delete');
  await confirm.click();
  await expect(page.getByText('Wrong password. Please try again.')).toBeVisible();
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();
  await expectNoAxeViolations(page);

  await page.getByLabel('Password', { exact: true }).fill(member.password);
  await confirm.click();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText('Your account was deleted')).toBeVisible();
  // Only a random number is left, which no row contains.
  expect((await context.cookies()).map(({ name }) => name)).toEqual(['cellar-door.device']);
  await expect(other).toHaveURL(/\/login/);
  await expect(other.getByText('You’ve been signed out')).toBeVisible();
  await elsewhere.close();
});
