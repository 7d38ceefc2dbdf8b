import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { blankFrame, qrFrame, writeVideo } from '../tests/support/fixtures/camera-frames.ts';
import { chromiumOptions, fakeCameraFlags } from '../tests/support/harness/chromium.ts';
import { freePort } from '../tests/support/harness/free-port.ts';
import { dataFolder } from '../tests/support/harness/installation.ts';
import { prepareBuilds } from './builds.ts';
import { type Cast, createCast, type Role } from './scenes/cast.ts';
import { takeDocumentPictures } from './scenes/document-pictures.ts';
import { duesScenes } from './scenes/dues.ts';
import { giftScenes } from './scenes/gifts.ts';
import { memberScenes } from './scenes/member.ts';
import { paymentsOffScenes } from './scenes/payments-off.ts';
import type { Scene } from './scenes/scene.ts';
import { staffScenes } from './scenes/staff.ts';
import { tabletScenes } from './scenes/tablet.ts';
import { startInstallation } from './serve/composition.ts';

// Takes a screenshot of every screen in every state, on a phone and a desktop, light and dark, into ./screenshots; screens
// of a shared tablet also on a tablet. `npm run screenshots -- pours card` takes only those with one of the words in their
// names; with `--every-size` also on a small phone, a phone in landscape and a large screen, showing what fits the window.
// `--documents` takes the pictures of README.md and the handbook instead, into docs/images and docs/handbook/images.

const folder = resolve(import.meta.dirname, '../screenshots');
const everySize = process.argv.includes('--every-size');
const forDocuments = process.argv.includes('--documents');
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const touch = { isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
const pointer = { isMobile: false, hasTouch: false, deviceScaleFactor: 1 };
const windows = {
  phone: { viewport: { width: 390, height: 844 }, ...touch },
  desktop: { viewport: { width: 1280, height: 800 }, ...pointer },
  tablet: { viewport: { width: 820, height: 1180 }, ...touch },
  ...(everySize && {
    small: { viewport: { width: 320, height: 568 }, ...touch },
    lying: { viewport: { width: 844, height: 390 }, ...touch },
    large: { viewport: { width: 1920, height: 1080 }, ...pointer },
  }),
};
/** At the other sizes, only the visible part of the page matters. */
const WHOLE_PAGE = ['phone', 'desktop', 'tablet'];
/** On a tablet, only the screens of a shared tablet, or everything with `--every-size`. */
const isTaken = ({ name }: Scene, size: string) =>
  size !== 'tablet' || everySize || name.startsWith('tablet');

const scenes = [
  ...memberScenes,
  ...giftScenes,
  ...duesScenes,
  ...paymentsOffScenes,
  ...staffScenes,
  ...tabletScenes,
];
const selection = scenes.filter(
  ({ name }) => !forDocuments && (words.length === 0 || words.some((word) => name.includes(word))),
);
const data = dataFolder();
const port = await freePort();
const { web: webReady, startsFrom } = prepareBuilds(false);
const installation = await startInstallation(
  { PORT: String(port), DATA_DIR: data.path, LOG_LEVEL: 'error', TERMS_URL: 'https://club.example/terms' },
  { webReady, startsFrom },
);
const failures: string[] = [];
try {
  const cast = await createCast(installation.server);
  const video = join(data.path, 'camera.y4m');
  writeVideo(video, [blankFrame(), qrFrame(cast.cardCode)]);
  const browser = await chromium.launch(await chromiumOptions(...fakeCameraFlags(video)));
  if (forDocuments) {
    await takeDocumentPictures(browser, installation.server.url, scenes, (role) => cookiesOf(cast, role));
  }
  if (words.length === 0 && !forDocuments) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [size, look] of Object.entries(windows)) {
    for (const scene of selection.filter((it) => isTaken(it, size))) {
      const context = await browser.newContext({ ...look, permissions: ['camera'], reducedMotion: 'reduce' });
      await context.addCookies(cookiesOf(cast, scene.who));
      const page = await context.newPage();
      page.setDefaultTimeout(30_000);
      try {
        await takeScreenshots(page, scene, size);
      } catch (error) {
        failures.push(`${scene.name} (${size}): ${(error as Error).message.split('\n')[0]}`);
      }
      await context.close();
    }
  }
  await browser.close();
} finally {
  await installation.close();
  data.remove();
}
if (!forDocuments) console.log(`${selection.length} scenes in ${folder}`);
for (const line of failures) console.error(`✗ ${line}`);
if (failures.length > 0) process.exitCode = 1;

async function takeScreenshots(
  page: Page,
  { name, open, settled, inWindow }: Scene,
  size: string,
): Promise<void> {
  const { url } = installation.server;
  await open(page, url);
  await settled(page);
  // The strip's last link is loaded separately; its place is kept by one that is not seen.
  await page.locator('.demo-strip .invisible').waitFor({ state: 'detached' });
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const fullPage = WHOLE_PAGE.includes(size) && !inWindow;
  // In a window as high as the page, elements pinned to the bottom are at the end of the page.
  const width = page.viewportSize()?.width ?? 0;
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  if (fullPage) await page.setViewportSize({ width, height });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // The new colors are painted a frame later, and some fade in.
    await page.evaluate(async () => {
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const changes = document.getAnimations().filter((it) => it instanceof CSSTransition);
      await Promise.allSettled(changes.map(({ finished }) => finished));
    });
    // A chart takes the space beside its table, which changes with the window.
    await page.waitForFunction(() =>
      [...document.querySelectorAll('.recharts-responsive-container')].every((it) => {
        const chart = it.querySelector('.recharts-wrapper');
        return chart?.clientWidth === it.clientWidth && chart.clientHeight === it.clientHeight;
      }),
    );
    await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage });
  }
}

function cookiesOf(cast: Cast, role: Role) {
  const caller = cast.callers[role];
  if (!caller) return [];
  return [...caller.jar].map(([name, value]) => ({ name, value, url: installation.server.url }));
}
