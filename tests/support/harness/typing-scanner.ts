import type { Page } from '@playwright/test';

const SECONDS_BETWEEN_KEYS = 0.005;

/** Types a code and Enter into a page of Chromium as a scanner does: each key has its time, however late it arrives. */
export async function typeAsScanner(page: Page, code: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const start = Date.now() / 1000;
  const keys = [...[...code].map((key) => ({ key, text: key })), { key: 'Enter', text: '\r' }];
  // Nothing is awaited in between: an answer of a busy browser takes longer than a scanner's pause.
  await Promise.all(
    keys.map((key, at) =>
      session.send('Input.dispatchKeyEvent', {
        type: 'keyDown',
        ...key,
        timestamp: start + at * SECONDS_BETWEEN_KEYS,
      }),
    ),
  );
  await session.detach();
}
