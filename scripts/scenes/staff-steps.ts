import type { Page } from '@playwright/test';
import { showsText } from './scene.ts';

export const typed = (placeholder: string, text: string, result: string) => async (page: Page) => {
  await page.getByPlaceholder(placeholder).fill(text);
  await showsText(result)(page);
};

export const find = (text: string, result: string) => typed('Search by name or email', text, result);

export async function atMember(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/staff/dashboard`);
  await find('Okafor', 'Marguerite')(page);
  await page.getByRole('link', { name: /Marguerite/ }).click();
  await showsText('Lifetime Pours')(page);
}
