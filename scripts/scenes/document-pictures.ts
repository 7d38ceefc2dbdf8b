import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Browser, BrowserContextOptions } from '@playwright/test';
import type { Role } from './cast.ts';
import type { Scene } from './scene.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** Small enough to be loaded with the page. */
const MAX_BYTES = 150_000;
/** Every release has them twice: in the documents, and in the web app. */
const MAX_BYTES_OF_HANDBOOK = 1_000_000;

const desk = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };
const lowScreen = { viewport: { width: 1200, height: 640 }, deviceScaleFactor: 1 };
const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 1.5,
  isMobile: true,
  hasTouch: true,
};

interface Picture {
  /** Without the ending. */
  file: string;
  scene: string;
  look: BrowserContextOptions;
}

const README: Picture[] = [
  { file: 'docs/images/member', scene: 'dashboard', look: { ...phone, deviceScaleFactor: 2 } },
  { file: 'docs/images/bar', scene: 'staff-dashboard', look: desk },
  { file: 'docs/images/office', scene: 'staff-reports-members', look: desk },
];

const inHandbook = (look: BrowserContextOptions, scenes: Record<string, string>): Picture[] =>
  Object.entries(scenes).map(([name, scene]) => ({ file: `docs/handbook/images/${name}`, scene, look }));

const HANDBOOK: Picture[] = [
  ...inHandbook(phone, {
    pour: 'staff-add-pour',
    'pour-queued': 'staff-pour-queued',
    dashboard: 'dashboard',
    guest: 'household-guest',
    card: 'card',
  }),
  ...inHandbook(lowScreen, {
    'getting-started': 'staff-start',
    system: 'staff-system-not-well',
  }),
  ...inHandbook(desk, {
    tiers: 'staff-tiers',
    team: 'staff-team',
    tonight: 'staff-dashboard',
    wines: 'staff-wines',
    member: 'staff-customer',
    payments: 'staff-reports-payments',
    import: 'staff-import-checked',
    members: 'staff-reports-members',
    club: 'public-club',
    'public-pages': 'staff-public-pages',
  }),
];

/** Throws if a picture is too large, or the handbook's together are. */
export async function takeDocumentPictures(
  browser: Browser,
  url: string,
  scenes: readonly Scene[],
  cookiesOf: (who: Role) => { name: string; value: string; url: string }[],
): Promise<void> {
  const take = async ({ file, scene: name, look }: Picture) => {
    const scene = scenes.find((it) => it.name === name);
    if (!scene) throw new Error(`There is no scene ${name}`);
    const context = await browser.newContext({
      ...look,
      permissions: ['camera'],
      colorScheme: 'light',
      reducedMotion: 'reduce',
    });
    await context.addCookies(cookiesOf(scene.who));
    const page = await context.newPage();
    await scene.open(page, url);
    await scene.settled(page);
    await page.evaluate(async () => {
      document.querySelector('.demo-strip')?.remove();
      await document.fonts.ready;
    });
    // Playwright itself cannot write WebP.
    const session = await context.newCDPSession(page);
    const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 80 });
    const picture = Buffer.from(data, 'base64');
    if (picture.length > MAX_BYTES) throw new Error(`${file} has ${picture.length} bytes`);
    writeFileSync(resolve(ROOT, `${file}.webp`), picture);
    console.log(`${file}.webp: ${Math.round(picture.length / 1000)} KB`);
    await context.close();
    return picture.length;
  };
  for (const picture of README) await take(picture);
  let total = 0;
  for (const picture of HANDBOOK) total += await take(picture);
  if (total > MAX_BYTES_OF_HANDBOOK) throw new Error(`The handbook's pictures have ${total} bytes`);
}
