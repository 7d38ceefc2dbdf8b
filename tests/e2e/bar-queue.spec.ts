import type { Page } from '@playwright/test';
import { atTheBar, pourButton, serverBalance, verifyByHand } from '../support/fixtures/at-the-bar.ts';
import { memberCard } from '../support/fixtures/member-card.ts';
import {
  DEMO,
  expect,
  expectNoAxeViolationsInBothSchemes,
  openAs,
  signIn,
  test,
} from '../support/harness/product.ts';

const networkErrors = 'net::ERR_';

// Each test pours for its own member: all share one venue.
const TOBIAS = 'tobias@demo.test';
const INES = 'ines@demo.test';
const HIDEO = 'hideo@demo.test';

const waiting = (page: Page) => page.getByRole('button', { name: /pours? waiting$/ });

/** Keeps pours from reaching the server, while everything else still loads. */
const cutPours = (page: Page) => page.route('**/api/pours', (route) => route.abort());

/** Lets pours through again, with the event that a browser sends when the network returns. */
async function restorePours(page: Page): Promise<void> {
  await page.unroute('**/api/pours');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
}

test('a pour without a network is queued, survives a reload and is sent once', async ({
  page,
  context,
  product,
  allowErrors,
}) => {
  test.slow();
  allowErrors(networkErrors);
  await atTheBar(page, product.url, INES);
  const before = await serverBalance(page, product.url);

  await context.setOffline(true);
  await pourButton(page).click();
  await expect(page.getByText('1 pour waiting').first()).toBeVisible();
  await expect(page.getByText(new RegExp(`^${before - 1}\\s?Available Pours$`))).toBeVisible();
  await expectNoAxeViolationsInBothSchemes(page);
  await page.getByRole('button', { name: 'Pour Another' }).click();
  await pourButton(page).click();
  await expect(waiting(page)).toHaveText('2 pours waiting');

  // Pages load again, but pours still fail.
  await cutPours(page);
  await context.setOffline(false);
  await page.reload();
  await expect(waiting(page)).toHaveText('2 pours waiting');
  await page.goto(`${product.url}/staff/dashboard`);
  await waiting(page).click();
  await expect(page.getByRole('dialog').getByText('Inés Carvalho')).toHaveCount(2);
  await expectNoAxeViolationsInBothSchemes(page);
  await page.keyboard.press('Escape');

  await restorePours(page);
  await expect(waiting(page)).toBeHidden({ timeout: 30_000 });
  await page.goto(`${product.url}/staff/search`);
  await verifyByHand(page, await memberCard(product.url, INES));
  await expect(page.getByText(new RegExp(`^${before - 2}\\s?Available Pours$`))).toBeVisible();
  expect(await serverBalance(page, product.url)).toBe(before - 2);
});

test('a pour whose answer was lost counts once, and can still be undone', async ({
  page,
  product,
  allowErrors,
}) => {
  allowErrors(networkErrors);
  await atTheBar(page, product.url, INES);
  const before = await serverBalance(page, product.url);
  const ids: string[] = [];
  let lost = true;
  await page.route('**/api/pours', async (route) => {
    ids.push((route.request().postDataJSON() as { request_id: string }).request_id);
    if (!lost) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await pourButton(page).click();
  await expect(waiting(page)).toBeVisible();
  expect(await serverBalance(page, product.url)).toBe(before - 1);
  lost = false;
  await expect(waiting(page)).toBeHidden({ timeout: 30_000 });
  expect(await serverBalance(page, product.url)).toBe(before - 1);
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(1);

  lost = true;
  await page.getByRole('button', { name: 'Pour Another' }).click();
  await pourButton(page).click();
  await expect(waiting(page)).toBeVisible();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByText('1 pour undone')).toBeVisible();
  lost = false;
  await expect.poll(() => serverBalance(page, product.url), { timeout: 30_000 }).toBe(before - 1);
});

test('the queue never exceeds the last known balance; a refusal is shown by name and stays', async ({
  page,
  context,
  product,
  allowErrors,
}) => {
  test.slow();
  // The browser itself logs the 409 of a refusal.
  allowErrors(networkErrors, '409');
  await atTheBar(page, product.url, TOBIAS);
  const before = await serverBalance(page, product.url);
  expect(before).toBeGreaterThan(1);
  await context.setOffline(true);
  for (let glass = 1; glass < before; glass += 1) {
    await page.getByRole('button', { name: 'One more' }).click();
  }
  await pourButton(page).click();
  await expect(waiting(page)).toHaveText(`${before} pours waiting`);
  await cutPours(page);
  await context.setOffline(false);
  await page.goto(`${product.url}/staff/dashboard`);
  await page.getByPlaceholder('Search by name or email').fill('tobias');
  await page.getByRole('link', { name: /Tobias Lindqvist/ }).click();
  await page.getByRole('link', { name: 'Record Pour' }).click();
  await expect(page.getByText('No pours left in this billing period')).toBeVisible();
  await expect(page.getByText(/^New pours on /)).toBeVisible();
  await expect(pourButton(page)).toBeHidden();

  // Meanwhile another device records one.
  const token = await memberCard(product.url, TOBIAS);
  const verified = await page.request.post(`${product.url}/api/functions/verify-qr-token`, {
    data: { token },
    headers: { origin: product.url },
  });
  const { customer } = (await verified.json()) as { customer: { id: string } };
  const other = { request_id: crypto.randomUUID(), customer_id: customer.id, quantity: 1, location: 'bar' };
  await page.request.post(`${product.url}/api/pours`, { data: other, headers: { origin: product.url } });

  await restorePours(page);
  const refused = page.getByRole('button', { name: 'Not recorded: Tobias Lindqvist' });
  await expect(refused).toBeVisible({ timeout: 30_000 });
  await page.goto(`${product.url}/staff/applications`);
  await refused.click();
  await expect(
    page.getByRole('dialog').getByText(`Only ${before - 1} pours available in current billing period`),
  ).toBeVisible();
  await expectNoAxeViolationsInBothSchemes(page);
  await page.getByRole('button', { name: 'Dismiss the pour for Tobias Lindqvist' }).click();
  await expect(refused).toBeHidden();
});

test("a queued pour is never sent under another user's name", {
  tag: '@form:account/sign-out-button',
}, async ({ page, product, allowErrors }) => {
  // 401: requests that were still open when the member signed out.
  allowErrors(networkErrors, /401 /);
  await atTheBar(page, product.url, HIDEO);
  const before = await serverBalance(page, product.url);
  const bar = page.url();
  await cutPours(page);
  await pourButton(page).click();
  await expect(waiting(page)).toBeVisible();
  await page.goto(`${product.url}/staff/dashboard`);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('alertdialog', { name: '1 pour waiting to be sent' })).toBeVisible();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.unroute('**/api/pours');

  const sent: string[] = [];
  page.on('request', (request) => request.url().endsWith('/api/pours') && sent.push(request.method()));
  await signIn(page, product.url, HIDEO);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(sent).toEqual([]);

  await signIn(page, product.url, DEMO.staff);
  await expect(page.getByText('Pour recorded successfully!')).toBeVisible();
  expect(sent).toEqual(['POST']);
  await page.goto(bar);
  expect(await serverBalance(page, product.url)).toBe(before - 1);
});

test('offline, the scanner says that cards cannot be checked', async ({
  page,
  context,
  product,
  allowErrors,
}) => {
  allowErrors(networkErrors);
  await openAs(page, `${product.url}/staff/search`, DEMO.staff);
  await page.getByRole('button', { name: 'Enter Code Manually' }).click();
  await context.setOffline(true);
  await expect(page.getByText('Cards can only be verified online. You can still pour')).toBeVisible();
  await expect(page.getByRole('link', { name: 'Members Seen on This Device' })).toBeVisible();
  await page.getByPlaceholder('Paste QR code here...').fill('any-code-of-a-member-at-all');
  await page.getByRole('button', { name: 'Verify Code' }).click();
  await expect(page.getByText('Failed to verify QR code')).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Verify Code' }).click();
  await expect(page.getByText('Invalid or expired QR code')).toBeVisible();
});
