import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { test as base, expect } from '@playwright/test';
import type { Frame } from '../fixtures/camera-frames.ts';
import { writeVideo } from '../fixtures/camera-frames.ts';
import { fakeCameraFlags } from './chromium.ts';

export { expect };

type Pattern = RegExp | string;

type Fixtures = {
  /** Allows console and page errors that the test causes on purpose. */
  allowErrors: (...patterns: Pattern[]) => void;
  /** Watches a context opened by the test. The `context` and `page` fixtures are always watched. */
  watchErrors: (context: BrowserContext) => void;
  /** Opens a page in a new browser whose camera shows these frames in a loop. */
  openWithCamera: (frames: Frame[]) => Promise<Page>;
};

type Inner = { allowed: Pattern[]; errorGuard: undefined };

/** Playwright's test, which also fails when a watched page throws or writes an error to the console. */
export const test = base.extend<Fixtures & Inner>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  allowed: async ({}, use) => {
    await use([]);
  },
  allowErrors: async ({ allowed }, use) => {
    await use((...patterns) => allowed.push(...patterns));
  },
  watchErrors: async ({ allowed }, use) => {
    const errors: string[] = [];
    await use((context) => {
      context.on('weberror', (error) => errors.push(error.error().stack ?? String(error.error())));
      context.on('console', (message) => {
        if (message.type() !== 'error') return;
        const { url } = message.location();
        errors.push(url ? `${message.text()} (${url})` : message.text());
      });
    });
    const matches = (line: string) => (pattern: Pattern) =>
      typeof pattern === 'string' ? line.includes(pattern) : pattern.test(line);
    const unexpected = errors.filter((line) => !allowed.some(matches(line)));
    expect(unexpected, 'errors in the browser').toEqual([]);
  },
  errorGuard: [
    async ({ context, watchErrors }, use) => {
      watchErrors(context);
      await use(undefined);
    },
    { auto: true },
  ],
  openWithCamera: async ({ playwright, launchOptions, watchErrors }, use, testInfo) => {
    const opened: Browser[] = [];
    const video = testInfo.outputPath('camera.y4m');
    const { baseURL, viewport, hasTouch, isMobile, deviceScaleFactor, colorScheme } = testInfo.project.use;
    await use(async (frames) => {
      writeVideo(video, frames);
      const args = [...(launchOptions.args ?? []), ...fakeCameraFlags(video)];
      const browser = await playwright.chromium.launch({ ...launchOptions, args });
      opened.push(browser);
      const look = { viewport, hasTouch, isMobile, deviceScaleFactor, colorScheme };
      const context = await browser.newContext({ baseURL, permissions: ['camera'], ...look });
      watchErrors(context);
      return context.newPage();
    });
    for (const browser of opened) await browser.close();
    rmSync(video, { force: true });
  },
});

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WCAG_22_AA = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Fails if axe finds a violation of WCAG 2.2 A or AA on the page. */
export async function expectNoAxeViolations(page: Page): Promise<void> {
  // axe does not check other frames from here, and no page has one.
  await expect(page.locator('iframe')).toHaveCount(0);
  // 650 KB, loaded once per document.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const found = await page.evaluate(async (values) => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const { violations } = await axe.run(document, {
      runOnly: { type: 'tag', values },
      // Describes one element instead of each for passing rules.
      resultTypes: ['violations'],
    });
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      where: nodes.map((node) => `${node.target.join(' ')}: ${node.failureSummary ?? ''}`),
    }));
  }, WCAG_22_AA);
  expect(found, `accessibility of ${page.url()}`).toEqual([]);
}

/** Checks the dark theme, then the light one, in which the page stays. */
export async function expectNoAxeViolationsInBothSchemes(page: Page): Promise<void> {
  for (const scheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await expectNoAxeViolations(page);
  }
}
