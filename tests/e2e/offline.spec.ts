import type { Page } from '@playwright/test';
import { newVenueMember } from '../support/fixtures/accounts.ts';
import { DEMO, expect, expectNoAxeViolations, openAs, signIn, test } from '../support/harness/product.ts';

test.use({ serviceWorkers: 'allow' });

const savedCard = (page: Page) => page.evaluate(() => localStorage.getItem('cellar-door:card'));

/** The number of pours queued on this device. */
const queued = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('cellar-door:pour:')).length);

/** The paths in the service worker's caches. */
const keptPaths = (page: Page) =>
  page.evaluate(async () => {
    const requests = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });

async function shownBalance(page: Page): Promise<number> {
  const tile = page.getByText('Available Pours').locator('..');
  await expect(tile).toContainText(/\d/);
  return Number((await tile.textContent())?.match(/\d+/)?.[0]);
}

/** Signs in, and waits until the device has everything it needs to work offline. */
async function visit(page: Page, url: string, email: string, password: string): Promise<void> {
  await openAs(page, `${url}/dashboard`, email, password);
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await expect.poll(() => savedCard(page)).toContain('"token"');
}

test('without a network the app shows the card and how long it is valid, then that it has expired', async ({
  page,
  context,
  product,
  allowErrors,
}) => {
  allowErrors('ERR_INTERNET_DISCONNECTED');
  const member = await newVenueMember(product.url);
  await page.clock.install();
  await visit(page, product.url, member.email, member.password);

  await context.setOffline(true);
  await page.goto(`${product.url}/dashboard`);
  await expect(page.getByRole('heading', { name: 'Your Digital Membership Card' })).toBeVisible();
  const code = page.getByRole('img', { name: 'QR code of your membership' });
  await expect(code).toBeVisible();
  await expect(page.getByText('Ada Lovelace')).toBeVisible();
  await expect(page.getByText('Select', { exact: true })).toBeVisible();
  await expect(page.getByText(/Valid for \d+ more minutes/)).toBeVisible();
  await expect(page.getByText('You’re offline. This page may be outdated.')).toBeVisible();
  await expectNoAxeViolations(page);

  await page.clock.fastForward('10:00');
  await expect(page.getByText('Your code has expired')).toBeVisible();
  await expect(code).toBeHidden();
  await expect(page.getByText('Ada Lovelace')).toBeVisible();

  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: /^Good / })).toBeVisible();
});

test('the service worker stores no answer of the API', async ({ page, product }) => {
  const member = await newVenueMember(product.url);
  await visit(page, product.url, member.email, member.password);
  await page.reload();
  await page.goto(`${product.url}/pours`);
  await expect(page.getByText('No pour history yet. Visit us soon!')).toBeVisible();
  const paths = await keptPaths(page);
  expect(paths).toContain('/');
  expect(paths.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([]);
  const kept = await page.evaluate(async () => (await caches.match('/'))?.text());
  expect(kept).toContain('id="site"');
  expect(kept).not.toContain('id="session"');
  expect(kept).not.toContain(member.email);
});

test('signing out removes the card from the device', async ({ page, product }) => {
  const member = await newVenueMember(product.url);
  await visit(page, product.url, member.email, member.password);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await savedCard(page)).toBeNull();
});

/** Opens a member's page as staff, so that this device stores them. */
async function openMemberAsStaff(page: Page, url: string, member: { customer_id: string }): Promise<void> {
  // Every pour of the device is at the bar: otherwise staff choose a place first.
  await page.addInitScript(() => localStorage.setItem('cellar-door:fixed-place', '"bar"'));
  await signIn(page, url, DEMO.staff);
  await expect(page.getByRole('heading', { name: 'Bar', exact: true })).toBeVisible();
  await page.goto(`${url}/staff/customers/${member.customer_id}`);
  await expect(page.getByRole('link', { name: 'Record Pour' })).toBeVisible();
}

test('without a network the bar opens, pours for a member it has seen, and sends it once', async ({
  page,
  context,
  product,
  allowErrors,
}) => {
  // The dashboard preloads the scanner, at a moment when the network has only just returned.
  allowErrors('ERR_INTERNET_DISCONNECTED', /ERR_FAILED .*(verify-page|decoder)/, 'Decoder stopped');
  const member = await newVenueMember(product.url);
  await openMemberAsStaff(page, product.url, member);
  const glasses = await shownBalance(page);
  await expect.poll(async () => (await keptPaths(page)).join(' '), { timeout: 20_000 }).toContain('add-pour');

  await context.setOffline(true);
  await page.goto(`${product.url}/staff/dashboard`);
  await expect(page.getByRole('heading', { name: 'The Bar, Offline' })).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByLabel('Find a member').fill('lovel');
  await page.getByRole('link', { name: `Ada Lovelace ${glasses} left` }).click();
  await page.getByRole('button', { name: /^Pour 1/ }).click();
  await expect(page.getByText('1 pour waiting').first()).toBeVisible();

  await page.goto(`${product.url}/staff/dashboard`);
  await expect(page.getByText('Waiting to be sent')).toBeVisible();
  await expect(page.getByRole('link', { name: `Ada Lovelace ${glasses - 1} left` })).toBeVisible();

  await context.setOffline(false);
  await expect(page.getByRole('heading', { name: 'Bar', exact: true })).toBeVisible();
  await expect.poll(() => queued(page)).toBe(0);
  await page.goto(`${product.url}/staff/customers/${member.customer_id}`);
  expect(await shownBalance(page)).toBe(glasses - 1);
});

test('two tabs of one device send each waiting pour once, one tab at a time', async ({
  page,
  context,
  product,
  allowErrors,
}) => {
  allowErrors('ERR_INTERNET_DISCONNECTED', 'ERR_FAILED');
  const member = await newVenueMember(product.url);
  await openMemberAsStaff(page, product.url, member);
  const other = await context.newPage();
  await other.goto(`${product.url}/staff/dashboard`);
  await expect(other.getByRole('heading', { name: 'Bar', exact: true })).toBeVisible();

  const sent: string[] = [];
  let underWay = 0;
  let most = 0;
  let away = true;
  await context.route('**/api/pours', async (route) => {
    if (away) return route.abort();
    underWay += 1;
    most = Math.max(most, underWay);
    sent.push((route.request().postDataJSON() as { request_id: string }).request_id);
    const response = await route.fetch();
    underWay -= 1;
    await route.fulfill({ response });
  });
  await page.getByRole('link', { name: 'Record Pour' }).click();
  for (let nth = 1; nth <= 3; nth += 1) {
    await page.getByRole('button', { name: /^Pour 1/ }).click();
    await expect(page.getByText(`${nth} pours waiting`.replace('1 pours', '1 pour')).first()).toBeVisible();
    if (nth < 3) await page.getByRole('button', { name: 'Pour Another' }).click();
  }
  away = false;
  // The events in each tab when the network returns.
  await Promise.all(
    [page, other].map((tab) => tab.evaluate(() => window.dispatchEvent(new Event('online')))),
  );
  await expect.poll(() => queued(page), { timeout: 20_000 }).toBe(0);
  expect(sent.toSorted()).toEqual([...new Set(sent)].toSorted());
  expect(sent).toHaveLength(3);
  expect(most).toBe(1);
});
