import { defineConfig } from '@playwright/test';
import { chromiumOptions } from './tests/support/harness/chromium.ts';
import { dataRoot } from './tests/support/harness/data-root.ts';

process.env.TEST_DATA_ROOT ??= dataRoot();

// One pixel of the screen for each of CSS: drawing four times as many would show nothing that is tested.
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export default defineConfig({
  testDir: 'tests/e2e',
  globalSetup: './tests/support/harness/installation.ts',
  outputDir: 'test-results/browser',
  fullyParallel: true,
  forbidOnly: true,
  // A shared machine can stall for seconds; a test that passes only the second time is reported as flaky.
  retries: process.env.CI ? 1 : 0,
  // More than processors: a test often waits, for a video frame or the ten seconds of an undo.
  workers: 3,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: 'list',
  use: {
    browserName: 'chromium',
    // Tracing costs a quarter of a test's time: `npx playwright test --trace on FILE` shows what a failure did.
    trace: 'on-first-retry',
    screenshot: 'only-on-failure',
    reducedMotion: 'reduce',
    // Installing one compiles all the app's scripts: a second of processor time in each test. Files that are about what it
    // does allow it: the whole journey, pages without a network, downloads and returns through the API.
    serviceWorkers: 'block',
    launchOptions: await chromiumOptions(),
  },
  // Each worker starts a server of its own. The one on Postgres begins first.
  projects: [
    {
      name: 'postgres',
      // With DATABASE_URL set to a real server, and on a desktop: the journey, signing in and the 404 page.
      grep: /@journey/,
      workers: 1,
      use: { viewport: { width: 1280, height: 800 } },
    },
    // Forms change the club that the rest expects.
    { name: 'forms', testMatch: 'forms/**', workers: 1, use: PHONE },
    { name: 'phone', testIgnore: 'forms/**', workers: 2, use: PHONE },
  ],
});
