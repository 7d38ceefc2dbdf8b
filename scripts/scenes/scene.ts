import type { Page } from '@playwright/test';
import type { Role } from './cast.ts';

type Act = (page: Page, url: string) => Promise<unknown>;

export interface Scene {
  name: string;
  who: Role;
  open: Act;
  settled: (page: Page) => Promise<unknown>;
  /** Only what fits the window: a list that draws the rows in sight has no picture of its whole length. */
  inWindow: boolean;
}

/** `at`: a path, or how to get there. `shows`: the text to wait for, or what to do until the subject is shown. */
export const scene = (
  name: string,
  role: Role,
  at: string | Act,
  proof: string | RegExp | Scene['settled'],
  extent: 'whole page' | 'in window' = 'whole page',
): Scene => ({
  name,
  who: role,
  open: typeof at === 'string' ? (page, url) => page.goto(url + at) : at,
  settled: typeof proof === 'function' ? proof : showsText(proof),
  inWindow: extent === 'in window',
});

export const showsText =
  (text: string | RegExp) =>
  (page: Page): Promise<void> =>
    page.getByText(text).first().waitFor();

export const stub = (page: Page, call: string, json: unknown, status = 200): Promise<unknown> =>
  page.route(call, (route) => route.fulfill({ status, json }));

export const answering =
  (call: string, json: unknown, path: string, status = 200): Act =>
  async (page, url) => {
    await stub(page, call, json, status);
    await page.goto(url + path);
  };

export const changeDocument = (page: Page, text: string, replacement: string): Promise<unknown> =>
  page.route('**/*', async (route) => {
    if (route.request().resourceType() !== 'document') return route.fallback();
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(text, replacement) });
  });

type Own = Record<string, unknown> & { pours: Record<string, unknown> };

/** Changes the page's own membership: removes the copy in the document, so that the page requests it. */
export async function changeOwn(page: Page, change: (own: Own) => Record<string, unknown>): Promise<void> {
  await changeDocument(page, 'id="own-membership"', 'id="taken-out"');
  await page.route('**/api/customers/own', async (route) => {
    const answer = (await (await route.fetch()).json()) as Own;
    await route.fulfill({ json: { ...answer, ...change(answer) } });
  });
}

export const pressed =
  (name: string | RegExp, text: string | RegExp) =>
  async (page: Page): Promise<void> => {
    await page.getByRole('button', { name }).click();
    await showsText(text)(page);
  };
