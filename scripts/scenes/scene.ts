import type { Page } from '@playwright/test';
import type { Role } from './cast.ts';

export interface Scene {
  name: string;
  who: Role;
  path?: string;
  /** Called instead of opening the path. */
  open?: (page: Page, url: string) => Promise<unknown>;
  /** Resolves when the page shows what the screenshot is about. */
  settled: (page: Page) => Promise<unknown>;
}

/** Waits for text on the page. */
export const showsText =
  (text: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByText(text).first().waitFor();

/** Presses a button, then waits for text. */
export const pressed =
  (name: string | RegExp, text: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name }).click();
    await showsText(text)(page);
  };
