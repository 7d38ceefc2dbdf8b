import type { Page } from '@playwright/test';
import { newVenueMember } from '../support/fixtures/accounts.ts';
import { expect, expectNoAxeViolations, signIn, test } from '../support/harness/product.ts';

const savedCard = (page: Page) => page.evaluate(() => localStorage.getItem('cellar-door:card'));

/** Signs in, and waits until the device has everything it needs to work offline. */
async function visit(page: Page, url: string, email: string, password: string): Promise<void> {
  await signIn(page, url, email, password);
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
  await expect(page.getByText("You're offline. This page may be outdated.")).toBeVisible();
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
  const paths = await page.evaluate(async () => {
    const requests = await Promise.all(
      (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
    );
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  expect(paths).toContain('/');
  expect(paths.filter((path) => path !== '/' && !path.startsWith('/assets/'))).toEqual([]);
});

test('signing out removes the card from the device', async ({ page, product }) => {
  const member = await newVenueMember(product.url);
  await visit(page, product.url, member.email, member.password);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await savedCard(page)).toBeNull();
});

test('the app can be installed: a manifest with the name of the club, and icons that exist', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/login`);
  const href = await page.locator('link[rel=manifest]').getAttribute('href');
  const answer = await page.request.get(new URL(href ?? '', product.url).href);
  expect(answer.headers()['content-type']).toContain('application/manifest+json');
  const manifest = (await answer.json()) as { name: string; display: string; icons: { src: string }[] };
  expect(manifest).toMatchObject({ name: 'Cellar Door', display: 'standalone' });
  expect(manifest.icons.length).toBeGreaterThanOrEqual(3);
  for (const { src } of [...manifest.icons, { src: '/icons/apple-touch-icon.png' }]) {
    const icon = await page.request.get(new URL(src, product.url).href);
    expect(icon.headers()['content-type'], src).toBe('image/png');
  }
});
