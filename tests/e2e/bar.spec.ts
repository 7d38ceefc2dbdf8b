import type { Page } from '@playwright/test';
import { qrFrame } from '../support/fixtures/camera-frames.ts';
import { memberCard } from '../support/fixtures/member-card.ts';
import {
  DEMO,
  expect,
  expectNoAxeViolations,
  openAs,
  setColourScheme,
  signIn,
  test,
} from '../support/harness/product.ts';

const networkErrors = 'net::ERR_';

// Each test pours for its own member: all share one venue.
const MARGUERITE = DEMO.member;
const TOBIAS = 'tobias@demo.test';
const INES = 'ines@demo.test';
const WREN = 'wren@demo.test';
const HIDEO = 'hideo@demo.test';

const pourButton = (page: Page) => page.getByRole('button', { name: /^Pour \d+/ });
const waiting = (page: Page) => page.getByRole('button', { name: /pours? waiting$/ });
const customerId = (page: Page) => page.url().match(/customers\/([^/]+)/)?.[1] ?? '';

/** The balance as the server reports it. */
async function serverBalance(page: Page, url: string): Promise<number> {
  const answer = await page.request.post(`${url}/api/functions/get-available-pours`, {
    data: { customer_id: customerId(page) },
    headers: { origin: url },
  });
  return ((await answer.json()) as { available_pours: number }).available_pours;
}

/** As a device that has poured at the bar before: otherwise staff choose a place first. */
const pouredHere = (page: Page) =>
  page.addInitScript(() => {
    if (!localStorage.getItem('cellar-door:place')) localStorage.setItem('cellar-door:place', '"bar"');
  });

/** Verifies a card by hand, on the page that scans, which opens the pour page of that member. */
async function verifyByHand(page: Page, token: string): Promise<void> {
  await page.getByRole('button', { name: 'Enter Code Manually' }).click();
  await page.getByPlaceholder('Paste QR code here...').fill(token);
  await page.getByRole('button', { name: 'Verify Code' }).click();
  await expect(page).toHaveURL(/\/add-pour$/);
  await expect(page.getByRole('img', { name: /pours left$/ })).toBeVisible();
}

async function atTheBar(page: Page, url: string, email: string): Promise<void> {
  await pouredHere(page);
  await openAs(page, `${url}/staff/search`, DEMO.staff);
  await verifyByHand(page, await memberCard(url, email));
}

/** Keeps pours from reaching the server, while everything else still loads. */
const cutPours = (page: Page) => page.route('**/api/pours', (route) => route.abort());

/** Lets them through again, with the event that a browser sends when the network returns. */
async function restorePours(page: Page): Promise<void> {
  await page.unroute('**/api/pours');
  await page.evaluate(() => window.dispatchEvent(new Event('online')));
}

async function expectNoBreachInBothSchemes(page: Page): Promise<void> {
  for (const scheme of ['dark', 'light'] as const) {
    await setColourScheme(page, scheme);
    await expectNoAxeViolations(page);
  }
}

test('two taps from scan to recorded, and undo returns the pour', async ({ product, openWithCamera }) => {
  const token = await memberCard(product.url, MARGUERITE);
  const page = await openWithCamera([qrFrame(token, { width: 1280, height: 720, size: 420, ecc: 'H' })]);
  await pouredHere(page);
  await openAs(page, `${product.url}/staff/dashboard`, DEMO.staff);
  await page.getByRole('link', { name: 'Scan Customer QR Code' }).click();
  await expect(page.getByText('QR Code Detected!', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Capture & Scan QR Code' }).click();
  await expect(page.getByRole('heading', { name: 'Marguerite Okafor' })).toBeVisible();
  await expect(page.getByText('Active, billed here')).toBeVisible();
  await expect(page.getByRole('img', { name: /of \d+ pours left$/ })).toBeVisible();
  const before = await serverBalance(page, product.url);
  await expectNoBreachInBothSchemes(page);

  await page.getByRole('button', { name: 'Pour 1, Bar', exact: true }).click();
  await expect(page.getByText('1 pour recorded')).toBeVisible();
  await expect(page.getByText('Pour recorded successfully!')).toBeVisible();
  await expect(page.getByText(/^Found: /)).toBeHidden();
  await expect(page.getByRole('link', { name: 'Scan Next' })).toBeFocused();
  await expect(page.locator('[data-seconds]')).toBeVisible();
  expect(await serverBalance(page, product.url)).toBe(before - 1);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByText('1 pour undone')).toBeVisible();
  expect(await serverBalance(page, product.url)).toBe(before);
  await expectNoBreachInBothSchemes(page);

  await page.getByRole('link', { name: 'Scan Next' }).click();
  await expect(page).toHaveURL(/\/staff\/search$/);
});

test('the place is remembered on this device, and no name and no window moves the button', async ({
  page,
  product,
}) => {
  await atTheBar(page, product.url, WREN);
  await page.getByRole('button', { name: 'One more' }).click();
  await page.getByLabel('Location').selectOption({ label: 'Tasting Room' });
  const box = () => pourButton(page).boundingBox();
  for (const [width, height] of [
    [390, 844],
    [320, 568],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBe(0);
    const before = await box();
    // Within reach of the thumb, and whole.
    expect((before?.y ?? 0) + (before?.height ?? 0)).toBeLessThanOrEqual(height);
    expect(before?.y).toBeGreaterThan(height * 0.6);
    const name = await page.locator('main h2').first().innerText();
    const rename = (text: string) =>
      page
        .locator('main h2')
        .first()
        .evaluate((heading, value) => (heading.textContent = value), text);
    await rename('Maximiliane-Theodora Wolfeschlegelsteinhausenbergerdorff '.repeat(3));
    expect(await box()).toEqual(before);
    await rename(name);
  }
  await pourButton(page).click();
  await expect(page.getByText('2 pours recorded')).toBeVisible();
  await page.getByRole('button', { name: 'Pour Another' }).click();
  await expect(page.getByRole('button', { name: 'Pour 1, Tasting Room' })).toBeVisible();
});

test('a double tap is one pour', async ({ page, product }) => {
  await atTheBar(page, product.url, WREN);
  const before = await serverBalance(page, product.url);
  await pourButton(page).dblclick();
  await expect(page.getByText('1 pour recorded')).toBeVisible();
  expect(await serverBalance(page, product.url)).toBe(before - 1);
});

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
  await expect(page.getByRole('img', { name: new RegExp(`^${before - 1} of`) })).toBeVisible();
  await expectNoBreachInBothSchemes(page);
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
  await expectNoBreachInBothSchemes(page);
  await page.keyboard.press('Escape');

  await restorePours(page);
  await expect(waiting(page)).toBeHidden({ timeout: 30_000 });
  await page.goto(`${product.url}/staff/search`);
  await verifyByHand(page, await memberCard(product.url, INES));
  await expect(page.getByRole('img', { name: new RegExp(`^${before - 2} of`) })).toBeVisible();
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
  await expect(page.getByText(/^Back on /)).toBeVisible();
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
  await expectNoBreachInBothSchemes(page);
  await page.getByRole('button', { name: 'Dismiss the pour for Tobias Lindqvist' }).click();
  await expect(refused).toBeHidden();
});

test("a queued pour is never sent under another user's name", async ({ page, product, allowErrors }) => {
  // 401: what the dashboard was still asking when its member signed out.
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

test('later, any staff can undo a pour with a reason; the history keeps both', async ({ page, product }) => {
  await atTheBar(page, product.url, HIDEO);
  await pourButton(page).click();
  await expect(page.getByText('1 pour recorded')).toBeVisible();
  const after = await serverBalance(page, product.url);
  await page.getByRole('link', { name: 'View Customer' }).click();
  await page
    .getByRole('button', { name: /^Undo 1 pour,/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Undo Pour' }).click();
  await expect(page.getByText('Please enter a reason.')).toBeVisible();
  await expectNoBreachInBothSchemes(page);
  await page.getByLabel('Reason').fill('Wrong member');
  await page.getByRole('button', { name: 'Undo Pour' }).click();
  await expect(page.getByText('“Wrong member”')).toBeVisible();
  await expect(page.getByText(/^Voided by Noor Haddad/).first()).toBeVisible();
  expect(await serverBalance(page, product.url)).toBe(after + 1);
  await expectNoBreachInBothSchemes(page);
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
  await expect(page.getByText('Cards can only be verified online.')).toBeVisible();
  await page.getByPlaceholder('Paste QR code here...').fill('any-code-of-a-member-at-all');
  await page.getByRole('button', { name: 'Verify Code' }).click();
  await expect(page.getByText('Failed to verify QR code')).toBeVisible();
  await context.setOffline(false);
  await page.getByRole('button', { name: 'Verify Code' }).click();
  await expect(page.getByText('Invalid or expired QR code')).toBeVisible();
});
