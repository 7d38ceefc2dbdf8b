import type { Page } from '@playwright/test';
import { DEMO, expect, openAs, test } from '../support/harness/product.ts';

/** Requested paths in order, and the browser's warnings. */
function watch(page: Page) {
  const asked: string[] = [];
  const warnings: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
  return { asked, warnings };
}

const ending = (paths: string[], end: string) => paths.filter((path) => path.endsWith(end));

/** Preloaded fonts that the page's text does not use. */
const unusedFonts = (page: Page) =>
  page.evaluate(async () => {
    await document.fonts.ready;
    // A name with an accent loads one more.
    const english = [...document.fonts].filter(
      // The device's own fonts cover all letters until these have loaded.
      ({ unicodeRange }) => unicodeRange.startsWith('U+0-') && !unicodeRange.endsWith('-10FFFF'),
    );
    const loaded = english.filter(({ status }) => status === 'loaded').length;
    return document.querySelectorAll('link[rel=preload][as=font]').length - loaded;
  });

test('the sign-in page makes no API call, preloads no unused font and causes no warning', async ({
  page,
  product,
}) => {
  const { asked, warnings } = watch(page);
  await page.goto(`${product.url}/login`);
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);
  expect(await unusedFonts(page)).toBe(0);
  expect(warnings).toEqual([]);
});

test('with reduced motion too, a spinner waits a third of a second, so that fast responses do not flicker', async ({
  page,
  product,
}) => {
  await page.goto(`${product.url}/login`);
  const delay = await page.evaluate(() => {
    const spinner = document.createElement('div');
    spinner.className = 'animate-delayed';
    document.body.append(spinner);
    return getComputedStyle(spinner).animationDelay;
  });
  expect(delay).toBe('0.35s');
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

/** Holds back scripts until `release`, and fonts until `end`. */
async function holdFiles(page: Page) {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { promise: read, resolve: end } = Promise.withResolvers<void>();
  await page.route(/\.(js|woff2)$/, async (route) => {
    await (/woff2$/.test(route.request().url()) ? read : held);
    await route.continue();
  });
  return { release, end };
}

/** The position and style of each element. */
const appearanceOf = (page: Page, selectors: string[]) =>
  page.evaluate(
    (all) =>
      all.map((selector) => {
        const element = document.querySelector(selector);
        if (!element) return selector;
        const { top, left, width } = element.getBoundingClientRect();
        const { color, backgroundColor, fontFamily, fontSize, fontWeight, boxShadow } =
          getComputedStyle(element);
        return { top, left, width, color, backgroundColor, fontFamily, fontSize, fontWeight, boxShadow };
      }),
    selectors,
  );

/** Waits for the stylesheet: the text can be there a moment before it. */
const untilStyled = (page: Page) =>
  expect(page.locator('html')).not.toHaveCSS('background-color', 'rgba(0, 0, 0, 0)');

for (const [chosen, background] of [
  ['light', 'rgb(246, 240, 228)'],
  ['dark', 'rgb(23, 17, 16)'],
] as const) {
  test(`the sign-in page in ${chosen} colors looks the same before its scripts run as when fully loaded`, async ({
    page,
    product,
  }) => {
    await page.goto(`${product.url}/login`);
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    await page.evaluate((theme) => localStorage.setItem('cellar-door:theme', JSON.stringify(theme)), chosen);
    await page.reload();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();

    const { release, end } = await holdFiles(page);
    const drawn = () => appearanceOf(page, ['html', 'h1', 'h1 + p', 'main > section', 'aside']);
    await page.goto(`${product.url}/login`, { waitUntil: 'commit' });
    await expect(page.getByText('Sign in to your account')).toBeVisible();
    await untilStyled(page);
    const before = await drawn();
    expect(before[0]).toMatchObject({ backgroundColor: background });
    expect(await page.locator('input').count()).toBe(0);
    release();
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
    expect(before).toEqual(await drawn());
    end();
  });
}

for (const [device, viewport] of [
  ['phone', { width: 390, height: 844 }],
  ['computer', { width: 1280, height: 800 }],
] as const) {
  test(`on a ${device} the dashboard shows the glasses left before its scripts run, as when fully loaded`, async ({
    page,
    product,
  }) => {
    await page.setViewportSize(viewport);
    await openAs(page, `${product.url}/dashboard`, DEMO.member);
    await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
    const { release, end } = await holdFiles(page);
    const parts = [
      'aside',
      '.nav-bar',
      'h1',
      'article',
      'section h2',
      'section h2 + span',
      '[role=img]',
      '.h-2 > *',
    ];
    await page.goto(`${product.url}/dashboard`, { waitUntil: 'commit' });
    await expect(page.getByText('Resets on your monthly billing date')).toBeVisible();
    await untilStyled(page);
    const before = await appearanceOf(page, parts);
    expect(await page.locator('main').locator('a, button').count()).toBe(0);
    release();
    await expect(page.getByRole('button', { name: 'Sign Out' })).toBeVisible();
    expect(before).toEqual(await appearanceOf(page, parts));
    end();
  });
}

const HOMES = [
  ['member', DEMO.member, '/dashboard', 'View History', '/api/customers/own'],
  ['staff', DEMO.staff, '/staff/dashboard', 'Scan Customer QR Code', '/api/customers'],
] as const;

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  for (const [who, email, path, content, call] of HOMES) {
    test(`the document of a ${who}’s home names its scripts and the user, and no font or preload is unused`, async ({
      page,
      product,
    }) => {
      const { asked, warnings } = watch(page);
      await openAs(page, `${product.url}${path}`, email);
      await expect(page.getByText(content)).toBeVisible();
      const document = await (await page.request.get(`${product.url}${path}`)).text();
      const named = [...document.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, url]) => url);
      // The scanner is loaded ahead, after the page, and the button of the demo's strip beside the page.
      const scripts = ending(asked, '.js').filter(
        (url) => !/service-worker|verify-page|decoder|start-over/.test(url),
      );
      expect(scripts.filter((url) => !named.includes(url))).toEqual([]);
      // A member's own membership is in the document, and is requested only when its stream is open: to catch up, and when
      // the product has changed something.
      expect(named.includes(call)).toBe(who === 'staff');
      const stream = asked.indexOf('/api/events');
      expect(who === 'member' ? asked.slice(0, stream === -1 ? undefined : stream) : []).not.toContain(call);
      expect(asked.filter((url) => url === call).length).toBeLessThanOrEqual(2);
      expect(asked).not.toContain('/api/session');
      // Only users who share request the household.
      expect(asked).not.toContain('/api/household');
      expect(scripts.length).toBeLessThan(12);
      expect(await unusedFonts(page)).toBe(0);
      // Again, through the service worker. The browser warns of unused preloads.
      await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
      await page.reload();
      await expect(page.getByText(content)).toBeVisible();
      expect(warnings).toEqual([]);
    });
  }
});
