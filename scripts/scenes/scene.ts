import type { Page } from '@playwright/test';
import type { Role } from './cast.ts';

export interface Scene {
  name: string;
  who: Role;
  path?: string;
  /** Called instead of opening the path. */
  open?: (page: Page, url: string) => Promise<unknown>;
  /** Resolves when the page shows the subject of the screenshot. */
  settled: (page: Page) => Promise<unknown>;
  /** Only what fits the window: a list that draws the rows in sight has no picture of its whole length. */
  inWindow?: boolean;
}

export const showsText =
  (text: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByText(text).first().waitFor();

type Own = Record<string, unknown> & { pours: Record<string, unknown> };

/**
 * Changes the page's data about the member's own membership: removes the copy in the document, so that the page requests
 * it.
 */
export async function changeOwn(page: Page, change: (own: Own) => Record<string, unknown>): Promise<void> {
  await page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    const body = (await response.text()).replace('id="own-membership"', 'id="taken-out"');
    await route.fulfill({ response, body });
  });
  await page.route('**/api/customers/own', async (route) => {
    const own = (await (await route.fetch()).json()) as Own;
    await route.fulfill({ json: { ...own, ...change(own) } });
  });
}

export const pressed =
  (name: string | RegExp, text: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name }).click();
    await showsText(text)(page);
  };
