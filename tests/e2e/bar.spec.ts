import type { Locator, Page } from '@playwright/test';
import type { BarCard } from '../../src/contract/members.ts';
import {
  atTheBar,
  placeFixed,
  pourButton,
  serverBalance,
  verifyByHand,
} from '../support/fixtures/at-the-bar.ts';
import { qrFrame } from '../support/fixtures/camera-frames.ts';
import { memberCard } from '../support/fixtures/member-card.ts';
import {
  DEMO,
  expect,
  expectNoAxeViolationsInBothSchemes,
  openAs,
  test,
} from '../support/harness/product.ts';

// Each test pours for its own member: all share one venue.
const MARGUERITE = DEMO.member;
const WREN = 'wren@demo.test';
const HIDEO = 'hideo@demo.test';

test('two taps from scan to recorded, and undo returns the pour', async ({ product, openWithCamera }) => {
  const token = await memberCard(product.url, MARGUERITE);
  const page = await openWithCamera([qrFrame(token, { width: 1280, height: 720, size: 420, ecc: 'H' })]);
  await placeFixed(page);
  await openAs(page, `${product.url}/staff/dashboard`, DEMO.staff);
  await page.getByRole('link', { name: 'Scan Customer QR Code' }).click();
  await expect(page.getByText('QR Code Detected!', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Capture & Scan QR Code' }).click();
  await expect(page.getByRole('heading', { name: 'Marguerite Okafor' })).toBeVisible();
  await expect(page.getByText('Active', { exact: true })).toBeVisible();
  await expect(page.getByText(/^\d+\s?Available Pours$/)).toBeVisible();
  const before = await serverBalance(page, product.url);
  await expectNoAxeViolationsInBothSchemes(page);

  await page.getByRole('button', { name: 'Pour 1', exact: true }).click();
  await expect(page.getByText('1 pour recorded')).toBeVisible();
  await expect(page.getByText('Pour recorded successfully!')).toBeVisible();
  await expect(page.getByText(/^Found: /)).toBeHidden();
  await expect(page.getByRole('link', { name: 'Scan Next' })).toBeFocused();
  await expect(page.locator('[data-seconds]')).toBeVisible();
  expect(await serverBalance(page, product.url)).toBe(before - 1);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(page.getByText('1 pour undone')).toBeVisible();
  expect(await serverBalance(page, product.url)).toBe(before);
  await expectNoAxeViolationsInBothSchemes(page);

  await page.getByRole('link', { name: 'Scan Next' }).click();
  await expect(page).toHaveURL(/\/staff\/search$/);
});

/** How many pixels of the form reach below the pinned bar of the button. */
async function belowTheBar(page: Page): Promise<number> {
  const [notes, bar] = await Promise.all(
    [page.getByLabel('Notes'), page.locator('[data-action-bar]')].map((it) => it.boundingBox()),
  );
  return Math.max(0, Math.ceil(notes!.y + notes!.height - bar!.y));
}

test('the first pour with a wine takes four taps from the scan, the next three where the place is fixed, and nothing is below the button', async ({
  product,
  openWithCamera,
}) => {
  const token = await memberCard(product.url, MARGUERITE);
  const page = await openWithCamera([qrFrame(token, { width: 1280, height: 720, size: 420, ecc: 'H' })]);
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(page, `${product.url}/staff/search`, DEMO.staff);
  let taps = 0;
  const tap = async (it: Locator) => {
    taps += 1;
    await it.click();
  };
  const scanAndChooseWine = async () => {
    await expect(page.getByText('QR Code Detected!', { exact: true })).toBeVisible();
    await tap(page.getByRole('button', { name: 'Capture & Scan QR Code' }));
    await tap(page.getByRole('group', { name: /^Wine/ }).getByRole('button').first());
  };
  const pourIt = async () => {
    expect(await belowTheBar(page)).toBe(0);
    await tap(page.getByRole('button', { name: 'Pour 1', exact: true }));
    await expect(page.getByText('1 pour recorded')).toBeVisible();
  };
  const always = page.getByRole('checkbox', { name: 'Always on this device' });

  await scanAndChooseWine();
  await expect(always).toBeHidden();
  await tap(page.getByRole('radio', { name: 'Tasting Room' }));
  await expect(page.getByText('1 pour recorded')).toBeHidden();
  // Once for every evening of this phone.
  await always.check();
  await pourIt();
  expect(taps).toBe(4);

  // The scanner opens again by itself when the time to undo is over.
  taps = 0;
  await expect(page).toHaveURL(/\/staff\/search$/, { timeout: 20_000 });
  await scanAndChooseWine();
  await expect(page.getByText('Always on this device')).toBeVisible();
  await pourIt();
  expect(taps).toBe(3);
});

test('with a birthday, an allergy and the water question, all of the form is above the button', async ({
  product,
  page,
}) => {
  const created_at = new Date().toISOString();
  await page.route('**/api/customers/*/bar', async (route) => {
    const bar = await (await route.fetch()).json();
    await route.fulfill({
      json: {
        ...bar,
        celebrations: [{ kind: 'birthday', occasion: 'birthday:2026', years: null, glasses: 1 }],
        allergies: 'Sulfites',
        service: { ...bar.service, pours: [{ quantity: 5, created_at }] },
      },
    });
  });
  await page.setViewportSize({ width: 390, height: 844 });
  await atTheBar(page, product.url, MARGUERITE);
  await expect(page.getByRole('button', { name: 'Offered Water' })).toBeVisible();
  await expect(page.getByText(/^Birthday today/)).toBeVisible();
  expect(await belowTheBar(page)).toBe(0);
  await page.getByRole('button', { name: 'Offered Water' }).click();
  await pourButton(page).click();
  await expect(page.getByText('1 pour recorded')).toBeVisible();
  // After the pour, the page requests the card again.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('no name and no window moves the button', async ({ page, product }) => {
  await atTheBar(page, product.url, WREN);
  await page.getByRole('button', { name: 'One more' }).click();
  await page.getByRole('button', { name: /^Location Change/ }).click();
  await page.getByRole('radio', { name: 'Tasting Room' }).check();
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
    // Within reach of the thumb, and fully visible.
    expect((before?.y ?? 0) + (before?.height ?? 0)).toBeLessThanOrEqual(height);
    expect(before?.y).toBeGreaterThan(height * 0.6);
    // In landscape, what the button will pour is in the window with it.
    if (width > height) {
      const place = await page.getByRole('group', { name: 'Location' }).boundingBox();
      expect((place?.y ?? height) + (place?.height ?? 0)).toBeLessThan(before?.y ?? 0);
      const stepper = await page.getByRole('button', { name: 'One more' }).boundingBox();
      expect((stepper?.y ?? height) + (stepper?.height ?? 0)).toBeLessThanOrEqual(place?.y ?? 0);
    }
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
});

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 800 },
]) {
  test(`at ${viewport.width} px the location stays under the thumb while the rest of the page arrives`, async ({
    page,
    product,
  }) => {
    await page.setViewportSize(viewport);
    const { promise: arrival, resolve: arrive } = Promise.withResolvers<void>();
    for (const call of ['customers/*/palate', 'wines/open']) {
      await page.route(`**/api/${call}`, async (route) => {
        await arrival;
        await route.continue();
      });
    }
    // Pours of several sources take two lines on a phone.
    await page.route('**/api/customers/*/bar', async (route) => {
      await arrival;
      const response = await route.fetch();
      const bar: BarCard = await response.json();
      const [month] = bar.grants;
      const grants = [
        { ...month, kind: 'rollover', pours: 1 },
        { ...month, kind: 'celebration', occasion: 'birthday', pours: 1 },
        { ...month, pours: bar.pours_balance - 2 },
      ];
      await route.fulfill({ response, json: { ...bar, grants, last_pour: null } });
    });
    await openAs(page, `${product.url}/staff/search`, DEMO.staff);
    await verifyByHand(page, await memberCard(product.url, MARGUERITE));
    const place = page.getByRole('radio', { name: 'Restaurant' });
    const { x, y, width, height } = (await place.boundingBox())!;
    arrive();
    await expect(page.getByText('Active', { exact: true })).toBeVisible();
    await expect(page.getByText('1 for their birthday')).toBeVisible();
    await expect(page.getByRole('group', { name: 'Wine (optional)' })).toBeVisible();
    expect((await place.boundingBox())!.y).toBe(y);
    await page.mouse.click(x + width / 2, y + height / 2);
    await expect(place).toBeChecked();
  });
}

test('a double tap is one pour', async ({ page, product }) => {
  await atTheBar(page, product.url, WREN);
  const before = await serverBalance(page, product.url);
  await pourButton(page).dblclick();
  await expect(page.getByText('1 pour recorded')).toBeVisible();
  expect(await serverBalance(page, product.url)).toBe(before - 1);
});

test('on a laptop, twenty glasses stand above the lines below them, and the longest month in its tile', async ({
  page,
  product,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 });
  await atTheBar(page, product.url, WREN);
  const glasses = page.getByRole('img', { name: 'of 20 pours left' }).locator('svg');
  await expect(glasses).toHaveCount(20);
  const [glass, line] = await Promise.all([glasses.last().boundingBox(), page.locator('dl').boundingBox()]);
  expect(glass!.y + glass!.height).toBeLessThanOrEqual(line!.y);

  await page.getByRole('link', { name: 'Back to Customer' }).click();
  const month = page.getByText('Member Since').locator('..').locator('span');
  await month.evaluate((it) => (it.textContent = 'September 2026'));
  const room = await month.evaluate((it) => {
    const tile = it.closest('div')!;
    return tile.clientWidth - tile.scrollWidth;
  });
  expect(room).toBe(0);
});

test('a pour is undone on the member’s page with a reason, and stays in the history as voided', async ({
  page,
  product,
}) => {
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
  await expectNoAxeViolationsInBothSchemes(page);
  await page.getByLabel('Reason').fill('Wrong member');
  await page.getByRole('button', { name: 'Undo Pour' }).click();
  await expect(page.getByText('“Wrong member”')).toBeVisible();
  await expect(page.getByText(/^Voided by Noor Haddad/).first()).toBeVisible();
  expect(await serverBalance(page, product.url)).toBe(after + 1);
  await expectNoAxeViolationsInBothSchemes(page);
});
