import type { Page } from '@playwright/test';
import type { Role } from './cast.ts';

export interface Scene {
  name: string;
  who: Role;
  path?: string;
  /** Opens the screen, when the path alone is not enough. */
  open?: (page: Page, url: string) => Promise<unknown>;
  /** Resolves when the screen shows what the screenshot is of. */
  settled: (page: Page) => Promise<unknown>;
}

/** Waits until the page shows the text. */
export const words =
  (text: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByText(text).first().waitFor();

/** Presses a button, then waits until the page shows the text. */
export const pressed =
  (name: string, text: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name }).click();
    await words(text)(page);
  };
