import type { Page } from '@playwright/test';
import type { Gift } from '../../src/contract/gifts/gifts.ts';
import { DEMO, expect, expectNoAxeViolations, openAs, test } from '../support/harness/product.ts';

const DARK_INK = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="100" fill="#2b1d1a">
<script>document.title = 'it ran'</script><rect x="10" y="10" width="80" height="80"/><rect x="110" y="40" width="280" height="20"/></svg>`;

const CODE = '7K2M-Q9XD-4TRB-W0HN-5VCE';
/** A gift of the member's, as a card to print. */
const GIFT: Gift = {
  id: '0197b1f0-0000-7000-8000-0000000000d1',
  tier: 'select',
  months: 6,
  amount: 23_400,
  currency: 'usd',
  from_name: 'Nadia',
  to_name: 'Ben',
  message: null,
  delivery: 'card',
  recipient_email: null,
  send_on: null,
  sent_at: null,
  status: 'paid',
  disputed: false,
  paid_at: '2026-11-15T12:00:00.000Z',
  redeemed_at: null,
};

/** The crest, or the logo in its place: size, top, picture and background. */
const crest = (page: Page) =>
  page
    .locator('.crest')
    .first()
    .evaluate((it) => {
      const { width, height, top } = it.getBoundingClientRect();
      const { backgroundImage, backgroundColor } = getComputedStyle(it);
      return { width, height, top, backgroundImage, backgroundColor };
    });

/** The layout shift since the page began. */
const layoutShift = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((done) => {
        new PerformanceObserver((list) =>
          done(list.getEntries().reduce((sum, it) => sum + (it as unknown as { value: number }).value, 0)),
        ).observe({ type: 'layout-shift', buffered: true });
        // Nothing is observed if nothing moved.
        requestAnimationFrame(() => requestAnimationFrame(() => done(0)));
      }),
  );

test('a logo is chosen as an SVG, previewed and saved by keyboard, and replaces the crest on /login and gift cards', async ({
  page,
  browser,
  product,
}) => {
  await openAs(page, `${product.url}/staff/settings/look`, DEMO.staff);
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose Logo' }).focus();
  await page.keyboard.press('Enter');
  await (await choosing).setFiles({
    name: 'logo.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from(DARK_INK),
  });
  const preview = page.getByRole('img', { name: 'How the logo looks, light and dark' });
  await expect(preview.locator('img').first()).toHaveJSProperty('naturalWidth', 600);
  await expectNoAxeViolations(page);
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Save Logo' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText(/The logo was saved/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Choose Another' })).toBeFocused();
  expect(await page.title()).not.toBe('it ran');

  const visitor = await (await browser.newContext()).newPage();
  const problems: string[] = [];
  visitor.on('console', (message) => message.type() !== 'info' && problems.push(message.text()));
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await visitor.route('**/club-logo.png*', async (route) => {
    await held;
    await route.continue();
  });
  await visitor.goto(`${product.url}/login`, { waitUntil: 'domcontentloaded' });
  await expect(visitor.getByRole('button', { name: 'Sign in' })).toBeVisible();
  // A late font may move a line on a busy machine; the logo must not move anything.
  await visitor.evaluate(() => document.fonts.ready.then(() => undefined));
  const movedBefore = await layoutShift(visitor);
  const before = await crest(visitor);
  expect([before.width, before.height]).toEqual([288, 72]);
  expect(before.backgroundImage).toMatch(/\/club-logo\.png\?v=[\w-]{22}"/);
  const loaded = visitor.waitForResponse(/club-logo/);
  release();
  expect((await loaded).headers()['cache-control']).toContain('immutable');
  expect(await crest(visitor)).toEqual(before);
  expect(await layoutShift(visitor)).toBe(movedBefore);
  expect(before.backgroundColor).toBe('rgba(0, 0, 0, 0)');
  await visitor.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(async () => (await crest(visitor)).backgroundColor).toBe('rgb(246, 240, 228)');
  expect(problems).toEqual([]);
  await visitor.context().close();

  const member = await (await browser.newContext()).newPage();
  await member.route('**/api/gifts', (route) => route.fulfill({ json: [GIFT] }));
  await member.route(`**/api/gifts/${GIFT.id}/code`, (route) => route.fulfill({ json: { code: CODE } }));
  await openAs(member, `${product.url}/gift/${GIFT.id}`, DEMO.member);
  await expect(member.getByText(CODE)).toBeVisible();
  await member.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const onCard = member.getByRole('region', { name: 'Gift card' }).locator('.crest');
  await expect(onCard).toBeVisible();
  await expect(onCard).toHaveCSS('background-image', before.backgroundImage);
  await expect(onCard).toHaveCSS('print-color-adjust', 'exact');

  await page.getByRole('button', { name: 'Remove Logo' }).click();
  await expect(page.getByText('The logo was removed')).toBeVisible();
  await member.reload();
  await expect(member.getByText(CODE)).toBeVisible();
  await expect(onCard).toBeHidden();
  await member.context().close();
  expect((await page.request.get(`${product.url}/club-logo.png`)).status()).toBe(404);
});
