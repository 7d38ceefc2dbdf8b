import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';
import type { Role } from './cast.ts';
import { showsText } from './scene.ts';

const FOLDER = resolve(import.meta.dirname, '../../docs/images');
/** Small enough to be loaded with the page. */
const MAX_BYTES = 150_000;

const desk = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };
const PICTURES: {
  file: string;
  who: Role;
  path: string;
  look: BrowserContextOptions;
  settled: (page: Page) => Promise<unknown>;
}[] = [
  {
    file: 'member.webp',
    who: 'member',
    path: '/dashboard',
    look: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
    settled: showsText('View History'),
  },
  {
    file: 'bar.webp',
    who: 'staff',
    path: '/staff/dashboard',
    look: desk,
    settled: showsText('Recent Members'),
  },
  {
    file: 'office.webp',
    who: 'staff',
    path: '/staff/reports?view=members',
    look: desk,
    settled: (page) => page.getByRole('table').first().waitFor(),
  },
];

/** Takes the pictures of README.md: the member's phone, the bar and the office. Throws if a picture is too large. */
export async function takeReadmePictures(
  browser: Browser,
  url: string,
  cookiesOf: (who: Role) => { name: string; value: string; url: string }[],
): Promise<void> {
  for (const { file, who, path, look, settled } of PICTURES) {
    const context = await browser.newContext({ ...look, colorScheme: 'light', reducedMotion: 'reduce' });
    await context.addCookies(cookiesOf(who));
    const page = await context.newPage();
    await page.goto(url + path);
    await settled(page);
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    // Playwright itself cannot write WebP.
    const session = await context.newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
    const picture = Buffer.from(data, 'base64');
    if (picture.length > MAX_BYTES) throw new Error(`${file} has ${picture.length} bytes`);
    writeFileSync(resolve(FOLDER, file), picture);
    console.log(`${file}: ${Math.round(picture.length / 1000)} KB`);
    await context.close();
  }
}
