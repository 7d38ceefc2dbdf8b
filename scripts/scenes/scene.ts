import type { Page } from '@playwright/test';
import type { Role } from './cast.ts';

export interface Scene {
  name: string;
  who: Role;
  path?: string;
  /** Instead of going to the path. */
  open?: (page: Page, url: string) => Promise<unknown>;
  /** Resolves when there is what the picture is of. */
  settled: (page: Page) => Promise<unknown>;
}

/** Waits for words; the picture is of a page that shows them. */
export const words =
  (text: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByText(text).first().waitFor();

/** Presses a button, then waits for words. */
export const pressed =
  (name: string, text: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name }).click();
    await words(text)(page);
  };
