import type { Page } from '@playwright/test';
import { blankFrame, qrFrame } from '../support/fixtures/camera-frames.ts';
import { memberCard } from '../support/fixtures/member-card.ts';
import { DEMO, expect, expectNoAxeViolations, openAs, test } from '../support/harness/product.ts';

const qrStyle = { width: 1280, height: 720, size: 420, ecc: 'H', noise: 12, rotate: 10 } as const;
const denied = 'Camera access denied. Please enable camera permissions.';
const unreadable = 'Could not read QR code. Please try again or adjust lighting.';

/** Records every camera that the page opens. Returns how many are still on. */
async function watchCameras(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const opened: MediaStream[] = [];
    const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
    navigator.mediaDevices.getUserMedia = async (wanted) => {
      const stream = await open(wanted);
      opened.push(stream);
      return stream;
    };
    Object.assign(window, {
      liveTracks: () =>
        opened.flatMap((stream) => stream.getTracks()).filter((track) => track.readyState === 'live').length,
    });
  });
  return () => page.evaluate(() => (window as unknown as { liveTracks: () => number }).liveTracks());
}

async function openScanner(page: Page, url: string): Promise<void> {
  await openAs(page, `${url}/staff/dashboard`, DEMO.staff);
  await page.getByRole('link', { name: 'Scan Customer QR Code' }).click();
  await expect(page.getByRole('heading', { name: 'Scan QR Code' })).toBeVisible();
}

const detected = (page: Page) => page.getByText('QR Code Detected!', { exact: true });
const capture = (page: Page) => page.getByRole('button', { name: 'Capture & Scan QR Code' });

for (const invert of [false, true]) {
  test(`a card ${invert ? 'in light on dark' : 'as printed'} is marked, captured and opens the pour page`, async ({
    product,
    openWithCamera,
  }) => {
    const token = await memberCard(product.url);
    const page = await openWithCamera([qrFrame(token, { ...qrStyle, invert })]);
    const cameras = await watchCameras(page);
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(product.url)) elsewhere.push(request.url());
    });
    await openScanner(page, product.url);
    await expect(detected(page)).toBeVisible();
    await expect(page.getByText('QR code detected! Click "Capture & Scan" to verify.')).toBeVisible();
    await expect(page.getByText(`${token.slice(0, 8)}...${token.slice(-8)}`)).toBeVisible();
    await expectNoAxeViolations(page);
    // A marked code is not sent yet.
    await expect(page).toHaveURL(/\/staff\/search$/);
    expect(await cameras()).toBe(1);
    await capture(page).click();
    await expect(page).toHaveURL(/\/add-pour$/);
    await expect(page.getByText(/^Found: /)).toBeVisible();
    expect(await cameras()).toBe(0);
    expect(elsewhere, 'requests to other hosts').toEqual([]);
  });
}

test('a frame without a code: the hint, an error that goes away, and closing releases the camera', async ({
  product,
  openWithCamera,
}) => {
  const page = await openWithCamera([blankFrame(1280, 720, 90)]);
  const cameras = await watchCameras(page);
  await openScanner(page, product.url);
  await expect(page.getByText('Position the QR code within the frame and click the button')).toBeVisible();
  await capture(page).click();
  await expect(page.getByText(unreadable)).toBeVisible();
  await expect(capture(page)).toBeEnabled();
  await expect(page.getByText(unreadable)).toBeHidden();
  await page.getByRole('button', { name: 'Close scanner' }).click();
  await expect(page).toHaveURL(/\/staff\/dashboard$/);
  expect(await cameras()).toBe(0);
});

test('a picture that the system pauses plays again', async ({ product, openWithCamera }) => {
  const page = await openWithCamera([blankFrame(1280, 720, 90)]);
  const cameras = await watchCameras(page);
  await openScanner(page, product.url);
  const picture = page.getByLabel('Camera preview');
  const isPaused = () => picture.evaluate((video: HTMLVideoElement) => video.paused);
  await expect.poll(isPaused).toBe(false);
  await picture.evaluate((video: HTMLVideoElement) => {
    video.pause();
    return new Promise((resolve) => video.addEventListener('playing', resolve, { once: true }));
  });
  expect(await isPaused()).toBe(false);
  expect(await cameras()).toBe(1);
});

test('a refused code does not block the next one; manual entry and going back release the camera', async ({
  product,
  openWithCamera,
}) => {
  const page = await openWithCamera([qrFrame('no-card-of-this-house-at-all', qrStyle)]);
  const cameras = await watchCameras(page);
  await openScanner(page, product.url);
  for (const _time of ['once', 'twice']) {
    await expect(detected(page)).toBeVisible();
    await capture(page).click();
    await expect(page.getByText('Invalid or expired QR code')).toBeVisible();
    await page
      .getByRole('button', { name: /^Dismiss/ })
      .first()
      .click();
  }
  await expect(detected(page)).toBeVisible();
  expect(await cameras()).toBe(1);
  await page.getByRole('button', { name: 'Enter Code Manually' }).click();
  await expect.poll(cameras).toBe(0);
  await page.getByRole('button', { name: 'Use Camera' }).click();
  await expect(detected(page)).toBeVisible();
  await page.getByRole('link', { name: 'Back to Bar' }).click();
  await expect(page).toHaveURL(/\/staff\/dashboard$/);
  expect(await cameras()).toBe(0);
});

test('without a camera: the message, Try Again, and manual entry', async ({ page, product }) => {
  await openScanner(page, product.url);
  await expect(page.getByText(denied)).toBeVisible();
  await page.getByRole('button', { name: 'Try Again' }).click();
  await expect(page.getByText(denied)).toBeVisible();
  await page.getByRole('button', { name: 'Enter Code Manually' }).click();
  await expect(page.getByPlaceholder('Paste QR code here...')).toBeFocused();
});
