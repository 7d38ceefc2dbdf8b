import type { Page } from '@playwright/test';
import { newApplicantAtCheckout, newCardMember, newVenueMember } from '../support/fixtures/accounts.ts';
import {
  DEMO,
  expect,
  expectNoAxeViolations,
  expectNoAxeViolationsInBothSchemes,
  openAs,
  test,
} from '../support/harness/product.ts';

/** Each page with some text that it shows last. */
const pages = {
  '/dashboard': 'View History',
  '/qr-code': 'Show this code to our staff. It changes every few minutes.',
  '/pours': 'Main Bar',
  '/account': 'Questions? Write to',
  '/account/notifications': 'Personal Emails',
  '/household': 'Give a Pour',
  '/gift': 'Give a Membership',
  '/wines': 'What is open at the bar right now.',
  '/account/security': 'Where You Are Signed In',
  '/account/taste': 'Save Taste',
};

const DESKTOP = { viewport: { width: 1280, height: 800 }, hasTouch: false, isMobile: false };

/** Checks every page in one visit: a sign-in and an empty cache for each would show no more. */
async function eachPage(page: Page, url: string, check: (path: string) => Promise<void>): Promise<void> {
  for (const [nth, [path, last]] of Object.entries(pages).entries()) {
    await test.step(path, async () => {
      await (nth === 0 ? openAs(page, url + path, DEMO.member) : page.goto(url + path));
      await expect(page.getByText(last).first(), `the end of ${path}`).toBeVisible();
      await check(path);
    });
  }
}

async function expectAccessible(page: Page, path: string): Promise<void> {
  await expectNoAxeViolationsInBothSchemes(page);
  if (path !== '/account') return;
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await expectNoAxeViolations(page);
}

/** Checks that the open page fits 320 pixels, 1280 at a zoom of 200 %, and 640 with text of 200 %. */
async function expectFits(page: Page, path: string): Promise<void> {
  const before = page.viewportSize();
  for (const [width, height, text] of [
    [320, 640, '100%'],
    [640, 400, '100%'],
    [640, 800, '200%'],
  ] as const) {
    await page.setViewportSize({ width, height });
    const widest = await page.evaluate((size) => {
      document.documentElement.style.setProperty('font-size', size);
      return document.documentElement.scrollWidth;
    }, text);
    expect(widest, `${path} at ${width} px with text of ${text}`).toBeLessThanOrEqual(width);
  }
  if (before) await page.setViewportSize(before);
}

/** A row whose state is long keeps the words of its title. */
async function expectWords(page: Page): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  await expect(page.getByText(/Two-step sign-in is/)).toBeVisible();
  const row = await page.getByRole('link', { name: /^Security/ }).boundingBox();
  expect(row?.height, 'of the row Security at 320 px').toBeLessThan(72);
  if (before) await page.setViewportSize(before);
}

test('on a phone, no member page breaks a rule of accessibility, light or dark, and each fits a screen of 320, and one of 1280 at 200 %', async ({
  page,
  product,
}) => {
  test.slow();
  await eachPage(page, product.url, async (path) => {
    await expectAccessible(page, path);
    // The account with its form open, and without.
    await expectFits(page, path);
    if (path !== '/account') return;
    await page.reload();
    await expect(page.getByText(pages[path])).toBeVisible();
    await expectWords(page);
    await expectFits(page, path);
  });
});

test.describe('on a desktop', () => {
  test.use(DESKTOP);
  test('no member page breaks a rule of accessibility, light or dark', async ({ page, product }) => {
    test.slow();
    await eachPage(page, product.url, (path) => expectAccessible(page, path));
  });
});

test('the pages of visitors and applicants fit a screen of 320, and one of 1280 at 200 %', async ({
  page,
  product,
}) => {
  const { email, password } = await newApplicantAtCheckout(product.url);
  const check = async (path: string) => {
    await page.goto(product.url + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectFits(page, path);
  };
  for (const path of ['/login', '/register']) await check(path);
  await openAs(page, `${product.url}/dashboard`, email, password);
  await expect(page.getByRole('dialog', { name: 'Complete Your Payment' })).toBeVisible();
  for (const path of ['/dashboard', '/qr-code', '/apply']) await check(path);
});

test('the code and the button that leads to it are whole in the window of a small phone, upright and on its side', async ({
  page,
  product,
}) => {
  await openAs(page, `${product.url}/dashboard`, DEMO.member);
  const code = page.getByRole('img', { name: 'QR code of your membership' });
  for (const [width, height] of [
    [320, 568],
    [844, 390],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const [path, part] of [
      ['/dashboard', page.getByRole('link', { name: 'Show QR Code' })],
      ['/qr-code', code],
    ] as const) {
      await page.goto(product.url + path);
      await expect(part).toBeInViewport({ ratio: 1 });
      const [box, bar] = await Promise.all([part, page.locator('.nav-list')].map((it) => it.boundingBox()));
      // Upright, the tabs are below; in landscape at the side.
      const end = width < height ? bar?.y : height;
      expect((box?.y ?? 0) + (box?.height ?? 0), `${path} at ${width} px`).toBeLessThanOrEqual(end ?? 0);
    }
  }
});

test('the cancellation can be opened, declined and confirmed by keyboard alone', async ({
  page,
  product,
}) => {
  const member = await newCardMember(product.url);
  await openAs(page, `${product.url}/account`, member.email, member.password);
  const opener = page.getByRole('button', { name: 'Cancel Subscription' });
  await opener.waitFor();
  for (let step = 0; step < 22; step++) {
    await page.keyboard.press('Tab');
    if (await opener.evaluate((it) => it === document.activeElement)) break;
  }
  await expect(opener).toBeFocused();

  await page.keyboard.press('Enter');
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByRole('button', { name: 'Keep Membership' })).toBeFocused();
  for (let step = 0; step < 6; step++) {
    await page.keyboard.press('Tab');
    const behind = await page.evaluate(() => {
      const at = document.activeElement;
      return at !== document.body && !at?.closest('dialog');
    });
    expect(behind, 'the focus is behind the dialog').toBe(false);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(opener).toBeFocused();

  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('button', { name: 'Keep Membership' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Yes, Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Subscription Cancelled')).toBeVisible();
  await expect(page.getByText('Cancels at period end')).toBeVisible();
});

test('what can be done about billing is reached by keyboard, and the focus stays near it', async ({
  page,
  product,
}) => {
  const member = await newCardMember(product.url);
  await openAs(page, `${product.url}/account`, member.email, member.password);
  const manage = page.getByRole('button', { name: 'Manage' });
  const pause = page.getByRole('button', { name: 'Pause Membership' });
  await manage.press('Enter');
  await expect(manage).toHaveAttribute('aria-expanded', 'true');
  await expect(manage).toBeFocused();
  await expectNoAxeViolationsInBothSchemes(page);
  await page.keyboard.press('Tab');
  await expect(pause).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Pause Your Membership' });
  await expect(dialog).toBeVisible();
  // The dialog closes, and what opened it stays.
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(pause).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(pause).toBeHidden();
  await expect(manage).toBeFocused();

  const skip = page.getByRole('button', { name: /^Skip / });
  await skip.press('Enter');
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Skip / })
    .press('Enter');
  await expect(page.getByText(/ is skipped$/)).toBeVisible();
  await expect(skip).toHaveCount(0);
  await expect(manage).toBeFocused();
});

test('the profile is edited by keyboard, and the dashboard greets by the new name', async ({
  page,
  product,
}) => {
  const member = await newVenueMember(product.url);
  await openAs(page, `${product.url}/dashboard`, member.email, member.password);
  await page.getByRole('main').getByRole('link', { name: 'Account', exact: true }).click();
  await page.getByRole('button', { name: 'Edit Profile' }).press('Enter');
  await expect(page.getByLabel('First Name')).toBeFocused();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type('Augusta');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Profile saved')).toBeVisible();
  await expect(page.getByText('Augusta Lovelace')).toBeVisible();
  await page.goto(`${product.url}/dashboard`);
  await expect(page.getByRole('heading', { name: /Augusta$/ })).toBeVisible();
});
