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
  '/account/photo': 'Nobody else sees it',
  '/household': 'Give a Pour',
  '/gift': 'Give a Membership',
  '/wines': 'What is open at the bar right now.',
  '/account/security': 'Where You Are Signed In',
  '/account/taste': 'Save Taste',
};

for (const [path, last] of Object.entries(pages)) {
  test(`${path} breaks no rule of accessibility, light or dark`, { tag: '@sizes' }, async ({
    page,
    product,
  }) => {
    await openAs(page, product.url + path, DEMO.member);
    await expect(page.getByText(last).first()).toBeVisible();
    await expectNoAxeViolationsInBothSchemes(page);
    if (path !== '/account') return;
    await page.getByRole('button', { name: 'Edit Profile' }).click();
    await expectNoAxeViolations(page);
  });
}

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

test('every member page fits a screen of 320, and one of 1280 at 200 %', async ({ page, product }) => {
  await openAs(page, `${product.url}/dashboard`, DEMO.member);
  const member = await newApplicantAtCheckout(product.url);
  const check = async (path: string, last?: string) => {
    await page.goto(product.url + path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    if (last) await expect(page.getByText(last).first()).toBeVisible();
    for (const [width, height, text] of [
      [320, 640, '100%'],
      [640, 400, '100%'],
      [640, 800, '200%'],
    ] as const) {
      await page.setViewportSize({ width, height });
      await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), text);
      const widest = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(widest, `${path} at ${width} px with text of ${text}`).toBeLessThanOrEqual(width);
    }
  };
  for (const [path, last] of Object.entries(pages).filter(([path]) => path !== '/account')) {
    await check(path, last);
  }
  await check('/account', 'Questions? Write to');
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(640);

  await page.context().clearCookies();
  for (const path of ['/login', '/register']) await check(path);
  await openAs(page, `${product.url}/dashboard`, member.email, member.password);
  await expect(page.getByRole('dialog', { name: 'Complete Your Payment' })).toBeVisible();
  for (const path of ['/dashboard', '/qr-code', '/apply']) await check(path);
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

test('the profile is changed by keyboard, and shows everywhere at once', async ({ page, product }) => {
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
