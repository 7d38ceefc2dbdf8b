import { join } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { newVenueMember } from '../tests/support/fixtures/accounts.ts';
import { qrFrame, writeVideo } from '../tests/support/fixtures/camera-frames.ts';
import { chromiumOptions, fakeCameraFlags } from '../tests/support/harness/chromium.ts';
import { dataFolder, startProcess } from '../tests/support/harness/installation.ts';
import { DEMO, openAs } from '../tests/support/harness/product.ts';
import { median } from './parts/timing.ts';

const rounds = Number(process.argv[2] ?? 4);
const folder = dataFolder();
const product = await startProcess({ DATA_DIR: folder.path });
const member = await newVenueMember(product.url);
const { token } = await member.caller.must<{ token: string }>('POST', '/api/functions/generate-qr-token', {});
const video = join(folder.path, 'camera.y4m');
writeVideo(video, [qrFrame(token, { width: 1280, height: 720, size: 420, ecc: 'H', noise: 12, rotate: 10 })]);
const browser = await chromium.launch(await chromiumOptions(...fakeCameraFlags(video)));

const STEPS = {
  'Scan Customer QR Code, until the code is detected': async (page: Page) => {
    await page.getByRole('link', { name: 'Scan Customer QR Code' }).click();
    await page.getByText('QR Code Detected!', { exact: true }).waitFor();
  },
  'Capture & Scan QR Code, until the member is shown': async (page: Page) => {
    await page.getByRole('button', { name: 'Capture & Scan QR Code' }).click();
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
  },
  'Pour 1, until it is recorded': async (page: Page) => {
    await page.getByRole('button', { name: /^Pour 1/ }).click();
    await page.getByText('Pour recorded successfully!').waitFor();
  },
};
const times: Record<string, number[]> = {};
try {
  for (let round = 0; round < rounds; round += 1) {
    const context = await browser.newContext({
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
      permissions: ['camera'],
    });
    const page = await context.newPage();
    // Like a device at the bar.
    await page.addInitScript(() => localStorage.setItem('cellar-door:fixed-place', '"bar"'));
    await openAs(page, `${product.url}/staff/dashboard`, DEMO.staff);
    await page.getByRole('link', { name: 'Scan Customer QR Code' }).waitFor();
    for (const [step, take] of Object.entries(STEPS)) {
      const startedAt = performance.now();
      await take(page);
      times[step] = [...(times[step] ?? []), performance.now() - startedAt];
    }
    await context.close();
  }
} finally {
  await browser.close();
  await product.stop();
  folder.remove();
}

console.log(`| tap | ms (median of ${rounds}) |\n|---|---|`);
for (const [step, ms] of Object.entries(times)) console.log(`| ${step} | ${median(ms).toFixed(0)} |`);
const total = Object.values(times).reduce((sum, ms) => sum + median(ms), 0);
console.log(`| all three | ${total.toFixed(0)} |`);
