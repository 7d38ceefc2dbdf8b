import type { Page } from '@playwright/test';
import {
  DEMO,
  expect,
  expectNoAxeViolations,
  newEmail,
  openAs,
  payWith,
  signIn,
  test,
} from '../support/harness/product.ts';

const PASSWORD = 'a cellar full of maps';

async function fillIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('First Name').fill('Mira');
  await page.getByLabel('Last Name').fill('Sol');
  await page.getByLabel('Email').fill(email);
}

const toPayment = (page: Page) => page.getByRole('button', { name: 'Continue to Payment' }).click();

const SIZES = { phone: { width: 390, height: 844 }, laptop: { width: 1280, height: 800 } };

for (const [name, viewport] of Object.entries(SIZES)) {
  test(`a visitor on a ${name} joins from a tier, pays, and then chooses a password`, {
    tag: ['@form:visitor/join/join-tier-page', '@form:member/dashboard/finish-joining'],
  }, async ({ browser, product, watchErrors }) => {
    test.setTimeout(120_000);
    const context = await browser.newContext({ viewport, reducedMotion: 'reduce', serviceWorkers: 'block' });
    watchErrors(context);
    const page = await context.newPage();
    const email = newEmail();
    await page.goto(`${product.url}/club`);
    await expectNoAxeViolations(page);
    expect(await page.locator('script:not([type="application/ld+json"])').count()).toBe(0);
    await page.getByRole('link', { name: 'Join Premier' }).click();

    await expect(page).toHaveURL(/\/join\/premier$/);
    await expect(page.getByRole('heading', { name: 'Join Premier' })).toBeVisible();
    await expectNoAxeViolations(page);
    // Everything is reached by keyboard, and a missing name gets the focus.
    await page.getByRole('button', { name: 'Continue to Payment' }).press('Enter');
    await expect(page.getByLabel('First Name')).toBeFocused();
    await fillIn(page, email);
    await page.getByLabel('Email').press('Enter');
    await expect(page).toHaveURL(/\/c\/pay\/cs_/);
    await payWith(page);

    await expect(page).toHaveURL(/\/payment-success\?session_id=cs_/);
    await page.getByRole('link', { name: 'Go to Dashboard' }).click();
    await expect(page.getByText('8 / 8')).toBeVisible();
    await expect(page.getByText('Confirm your email')).toBeHidden();
    await expectNoAxeViolations(page);
    await page.getByRole('link', { name: 'Show QR Code' }).click();
    await expect(page.getByRole('heading', { name: 'Your Digital Membership Card' })).toBeVisible();

    await page.goto(`${product.url}/dashboard`);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByLabel('Confirm Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Save Password' }).click();
    await expect(page.getByText('Password saved')).toBeVisible();
    await expectNoAxeViolations(page);
    await page.getByRole('link', { name: 'Take the Survey' }).click();
    await expect(page.getByRole('heading', { name: 'My Taste' })).toBeVisible();
    await expect(page.getByRole('slider')).toHaveCount(5);

    await context.clearCookies();
    await signIn(page, product.url, email, PASSWORD);
    await expect(page).toHaveURL(/\/dashboard$/);
    await expect(page.getByText('8 / 8')).toBeVisible();
    await context.close();
  });
}

test('who leaves the payment goes on where they left, and on another device signs in first', async ({
  page,
  product,
  browser,
}) => {
  test.setTimeout(120_000);
  const email = newEmail();
  await page.goto(`${product.url}/join/premier`);
  await fillIn(page, email);
  await page.getByRole('radio', { name: /year/ }).check();
  await expect(page.getByText('once, for a year of Premier')).toBeVisible();
  await page.getByRole('button', { name: 'Continue to Payment' }).dblclick();
  await expect(page).toHaveURL(/\/c\/pay\/cs_/);
  const payment = page.url();
  await page.goBack();
  await expect(page.getByText('You are signed in as')).toContainText(email);
  await expect(page.getByRole('radio', { name: /year/ })).toBeChecked();
  await toPayment(page);
  await expect(page).toHaveURL(payment);

  await page.goto(`${product.url}/dashboard`);
  await expect(page.getByText('Complete Your Payment')).toBeVisible();

  const laptop = await (await browser.newContext({ serviceWorkers: 'block' })).newPage();
  await laptop.goto(`${product.url}/join/premier?period=year`);
  await fillIn(laptop, email);
  await toPayment(laptop);
  await expect(laptop.getByRole('alert').filter({ hasText: 'This email has an account' })).toBeVisible();
  await expectNoAxeViolations(laptop);
  await page.getByRole('button', { name: 'Later' }).click();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Save Password' }).click();
  await expect(page.getByText('Password saved')).toBeVisible();

  await laptop.getByRole('link', { name: 'Sign In', exact: true }).click();
  await laptop.getByLabel('Email').fill(email);
  await laptop.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await laptop.getByRole('button', { name: 'Sign In' }).click();
  await expect(laptop).toHaveURL(/\/join\/premier\?period=year$/);
  await toPayment(laptop);
  await expect(laptop).toHaveURL(payment);
  await laptop.context().close();
});

test('a member is sent to the dashboard, and a tier that is gone says so', async ({
  page,
  product,
  allowErrors,
}) => {
  allowErrors('/api/tiers/reserve/offer');
  await page.goto(`${product.url}/join/reserve`);
  await expect(page.getByText('isn’t on offer any more')).toBeVisible();
  await expect(page.getByRole('link', { name: 'All memberships' })).toBeVisible();
  await openAs(page, `${product.url}/join/premier`, DEMO.member);
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('the tier that was pressed is marked in the survey', async ({ page, product }) => {
  await page.goto(`${product.url}/join/elite`);
  await expect(page.getByRole('heading', { name: 'Join Elite' })).toBeVisible();
  const email = newEmail();
  await page.goto(`${product.url}/register`);
  await fillIn(page, email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByRole('link', { name: 'Get Started' }).click();
  await page.getByRole('button', { name: 'Continue to Membership Selection' }).click();
  await expect(page.getByRole('article', { name: 'Elite' }).getByText('Your current choice')).toBeVisible();
});
