import type { Page } from '@playwright/test';
import {
  DEMO,
  expect,
  expectNoAxeViolations,
  openAs,
  payWith,
  register,
  test,
} from '../support/harness/product.ts';

test.use({ serviceWorkers: 'allow' });

/** The header's controls and titles that the toast covers. */
const underToast = (page: Page) =>
  page.locator('[data-toast]').evaluate((it) => {
    const { top, bottom, left } = it.getBoundingClientRect();
    const controls = [...document.querySelectorAll('header :is(a, button), [data-nav-bar] a, #main h1')];
    // What is drawn of a title, which is itself as wide as the page.
    const boxOf = (control: Element) => {
      const range = document.createRange();
      range.selectNodeContents(control);
      return range.getBoundingClientRect();
    };
    return controls
      .map((control) => ({ name: control.textContent, box: boxOf(control) }))
      .filter(({ box }) => box.height > 0 && box.top < bottom && box.bottom > top && box.right > left)
      .map(({ name }) => name);
  });

test('a visitor registers, joins, pays, and gets a first pour', { tag: '@journey' }, async ({
  page,
  product,
  browser,
  watchErrors,
  viewport,
  hasTouch,
}) => {
  test.setTimeout(120_000);
  await page.goto(product.url);
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('Sign in to your account')).toBeVisible();
  await expectNoAxeViolations(page);

  const member = await register(page, product.url, { first: 'Grace', last: 'Hopper' });
  await expect(page.getByText('Account created successfully!')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  expect(await underToast(page)).toEqual([]);
  await page.getByRole('link', { name: 'Get Started' }).click();

  await expect(page).toHaveURL(/\/apply$/);
  const adventure = page.getByRole('slider').nth(4);
  await adventure.focus();
  for (let i = 0; i < 4; i++) await adventure.press('ArrowRight');
  await page.getByRole('button', { name: 'Continue to Membership Selection' }).click();
  await expect(page.getByText('Progress saved')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Choose Your Membership' })).toBeVisible();
  const underToasts = () =>
    page.evaluate(() => {
      const boxes = (of: string) =>
        [...document.querySelectorAll(of)].map((it) => it.getBoundingClientRect());
      const toasts = boxes('[data-toast]').map(({ bottom }) => bottom);
      return toasts.length > 0 && boxes('article').filter(({ top }) => top < Math.max(...toasts)).length;
    });
  await expect.poll(underToasts).toBe(0);

  // A reload in the middle of the survey loses nothing.
  if (!hasTouch) await page.setViewportSize({ width: 820, height: 1180 });
  await page.reload();
  await expect(page.getByText('Resuming your survey from where you left off')).toBeVisible();
  expect(await underToast(page)).toEqual([]);
  if (viewport) await page.setViewportSize(viewport);
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(page.getByRole('slider').nth(4)).toHaveValue('9');
  await page.getByRole('button', { name: 'Continue to Membership Selection' }).click();
  await expectNoAxeViolations(page);

  const premier = page
    .getByRole('article')
    .or(page.getByRole('listitem'))
    .filter({ hasText: 'Premier' })
    .first();
  await premier.getByRole('button', { name: /Continue to Payment/ }).click();
  await expect(page).toHaveURL(/\/c\/pay\/cs_/);
  await payWith(page);

  await expect(page).toHaveURL(/\/payment-success\?session_id=cs_/);
  await expect(page.getByText('Welcome to our wine club! Your membership is now active')).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard$/);
  await expect(page.getByText('Premier').first()).toBeVisible();
  await expect(page.getByText('8 / 8')).toBeVisible();
  await expectNoAxeViolations(page);

  // Staff at the bar, in another browser.
  await page.goto(`${product.url}/qr-code`);
  await expect(page.getByRole('heading', { name: 'Your Digital Membership Card' })).toBeVisible();
  const token = await page.evaluate(async () => {
    const answer = await fetch('/api/functions/generate-qr-token', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    return ((await answer.json()) as { token: string }).token;
  });
  const context = await browser.newContext({ viewport, hasTouch });
  watchErrors(context);
  const bar = await context.newPage();
  await openAs(bar, `${product.url}/staff/dashboard`, DEMO.staff);
  await bar.getByRole('link', { name: 'Scan Customer QR Code' }).click();
  await bar.getByRole('button', { name: 'Enter Code Manually' }).click();
  await bar.getByPlaceholder('Paste QR code here...').fill(token);
  await bar.getByRole('button', { name: 'Verify Code' }).click();
  await expect(bar.getByText('Found: Grace Hopper')).toBeVisible();
  await expect(bar).toHaveURL(/\/staff\/customers\/.+\/add-pour$/);
  await bar.getByLabel('Quantity').fill('2');
  await bar.getByRole('radio', { name: 'Bar' }).check();
  await bar.getByRole('button', { name: /^Pour 2/ }).click();
  await expect(bar.getByText('Pour recorded successfully!')).toBeVisible();
  expect(await bar.getByText(/^Found: /).count()).toBe(0);

  await page.goto(`${product.url}/dashboard`);
  await expect(page.getByText('6 / 8')).toBeVisible();
  await expect(page.getByText('2 used this billing period')).toBeVisible();
  await page.goto(`${product.url}/pours`);
  const row = page.getByRole('row').filter({ hasText: 'Main Bar' });
  await expect(row).toContainText('2');
  await expectNoAxeViolations(page);

  await bar.goto(`${product.url}/staff/dashboard`);
  await bar.getByPlaceholder('Search by name or email').fill(member.email);
  await bar.getByRole('link', { name: /Grace Hopper/ }).click();
  await expect(bar.getByText('2 pours', { exact: true })).toBeVisible();
  await expect(bar.getByText('Available Pours').locator('..')).toContainText('6');
  await expectNoAxeViolations(bar);
  await context.close();
});

test('an unknown URL shows the 404 page and is logged', { tag: '@journey' }, async ({
  page,
  product,
  allowErrors,
}) => {
  allowErrors('/cellar/secret');
  const logged = page.waitForEvent('console', (message) => message.text().includes('/cellar/secret'));
  await page.goto(`${product.url}/cellar/secret`);
  await expect(page.getByText('Oops! Page not found')).toBeVisible();
  await logged;
});
