import type { Page } from '@playwright/test';
import { DEMO, expect, newEmail, test } from '../support/harness/product.ts';

async function signIn(page: Page, email = DEMO.member): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(DEMO.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('signing in opens the page that was asked for, and its heading has the focus; a member is led from the office to the dashboard', {
  tag: '@journey',
}, async ({ page, product }) => {
  await page.goto(`${product.url}/pours?from=here#latest`);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/login');
  expect(new URL(page.url()).searchParams.get('redirect')).toBe('/pours?from=here#latest');
  await signIn(page);
  await expect(page.getByRole('heading', { name: 'Pour History' })).toBeVisible();
  await expect(page.getByText('Welcome back!')).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/pours');
  await expect(page.getByRole('heading', { name: 'Pour History' })).toBeFocused();
  await page.goto(`${product.url}/staff/dashboard`);
  await expect(page).toHaveURL(`${product.url}/dashboard`);
});

test('the sign-in page’s link to register loads no new document and takes no error along, and going back shows the form again', async ({
  page,
  product,
  allowErrors,
}) => {
  allowErrors(/status of 401/);
  await page.goto(`${product.url}/login?redirect=/qr-code`);
  await signIn(page, newEmail());
  await expect(page.getByText('Invalid email or password')).toBeVisible();
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await page.getByRole('link', { name: 'Create an account' }).click();
  await expect(page.getByLabel('First name')).toBeVisible();
  await expect(page.getByText('Invalid email or password')).toHaveCount(0);
  expect(new URL(page.url()).searchParams.get('redirect')).toBe('/qr-code');
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe('/login');
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
  await signIn(page);
  await expect(page.getByRole('heading', { name: 'Your Digital Membership Card' })).toBeVisible();
  await page.goBack();
  await page.goBack();
  expect(page.url()).toBe('about:blank');
});
