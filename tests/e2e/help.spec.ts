import { DEMO, expect, expectNoAxeViolations, openAs, test } from '../support/harness/product.ts';

test('anyone can read the handbook, and its search and links need no network', async ({
  page,
  context,
  product,
  allowErrors,
}) => {
  allowErrors('ERR_INTERNET_DISCONNECTED');
  await page.setViewportSize({ width: 320, height: 568 });
  await page.goto(`${product.url}/help`);
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('For members');
  await expectNoAxeViolations(page);
  await page.getByRole('link', { name: /^The team/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'The team' })).toBeVisible();
  await context.setOffline(true);
  await page.getByRole('link', { name: 'All Help' }).click();
  await page.getByLabel('Search the handbook').fill('corkscrew');
  await expect(page.getByText('Nothing found')).toBeVisible();
  await page.getByLabel('Search the handbook').fill('bring a friend');
  await page.getByRole('link', { name: /^Can I bring a friend\?/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your membership' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Can I bring a friend?' })).toBeInViewport();
  expect(new URL(page.url()).hash).toBe('#can-i-bring-a-friend');
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBe(320);
});

test('a link within a page opens another page at its heading, without loading the app again', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/help/reports`);
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.getByRole('link', { name: 'Who may leave' }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Your members' })).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Who may leave' })).toBeInViewport();
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
  await expectNoAxeViolations(page);
});

test('the page for the bar prints on one sheet of A4', async ({ page, product }) => {
  await page.goto(`${product.url}/help/behind-the-bar`);
  await expect(page.getByRole('heading', { level: 1, name: 'Behind the bar' })).toBeVisible();
  await expect
    .poll(() => page.locator('.handbook img').evaluate((it: HTMLImageElement) => it.complete))
    .toBe(true);
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1');
  expect(pdf.match(/\/Type\s*\/Page\b(?!s)/g)).toHaveLength(1);
});

test('the help link of the team page opens its heading, and staff see the pages about the bar first', async ({
  page,
  context,
  product,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await openAs(page, `${product.url}/staff/team`, DEMO.staff, DEMO.password);
  const opened = context.waitForEvent('page');
  await page.getByRole('link', { name: 'Help with this page' }).click();
  const help = await opened;
  await expect(help.getByRole('heading', { name: 'Invite someone' })).toBeInViewport();
  await help.getByRole('link', { name: 'All Help' }).click();
  await expect(help.getByRole('heading', { level: 2 }).first()).toHaveText('At the bar');
});
