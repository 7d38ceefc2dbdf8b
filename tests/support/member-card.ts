import type { Browser } from '@playwright/test';
import { DEMO, expect, signIn } from './product.ts';

/** A fresh card of a member of the demo, as their phone would show it. */
export async function memberCard(browser: Browser, url: string, email = DEMO.member): Promise<string> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await signIn(page, url, email);
  await expect(page).toHaveURL(/\/dashboard$/);
  const answer = await page.request.post(`${url}/api/functions/generate-qr-token`, {
    data: {},
    headers: { origin: url },
  });
  const { token } = (await answer.json()) as { token: string };
  await context.close();
  return token;
}
