import type { Page } from '@playwright/test';
import { TABLET_PIN } from './cast.ts';
import { type Scene, scene, showsText, stub } from './scene.ts';

const typing = (digits: string, result: string) => async (page: Page) => {
  await page.getByRole('button', { name: /Noor/ }).click();
  await page.getByText('Enter your PIN').waitFor();
  await page.keyboard.type(digits);
  await showsText(result)(page);
};

/** Returns to the tiles: the previous scene may have left someone signed in. */
async function atTiles(page: Page, url: string): Promise<void> {
  await page.request.delete(`${url}/api/bar-device/person`, { headers: { origin: url } });
  await page.goto(`${url}/bar`);
}

const pin = typing(TABLET_PIN, 'Recent Members');

async function atMember(page: Page, url: string): Promise<void> {
  await atTiles(page, url);
  await pin(page);
  await page.getByPlaceholder('Search by name or email').fill('Okafor');
  await page.getByRole('link', { name: /Marguerite/ }).click();
  await showsText('Lifetime Pours')(page);
}

async function atWines(page: Page, url: string): Promise<void> {
  await atTiles(page, url);
  await pin(page);
  await page.getByRole('link', { name: 'Wines', exact: true }).click();
}

async function pouring(page: Page, url: string): Promise<void> {
  await atMember(page, url);
  await page.getByRole('link', { name: /Record Pour/ }).click();
  await page.getByRole('radio', { name: 'Bar' }).check();
}

async function signedOut(page: Page, url: string): Promise<void> {
  await atTiles(page, url);
  await showsText('Who is pouring?')(page);
  await stub(page, '**/api/bar-device', { device: null });
  await page.reload();
}

async function unreached(page: Page, url: string): Promise<void> {
  await page.route('**/api/bar-device', (route) => route.abort());
  await atTiles(page, url);
}

export const tabletScenes: Scene[] = [
  scene('tablet-who', 'tablet', atTiles, /Noor/),
  scene('tablet-pin', 'tablet', atTiles, typing('80', '2 of 4 digits')),
  scene('tablet-wrong', 'tablet', atTiles, typing('7391', 'Wrong PIN')),
  scene('tablet-home', 'tablet', atTiles, pin),
  scene('tablet-member', 'tablet', atMember, 'Pour History'),
  scene('tablet-wines', 'tablet', atWines, 'Open Tonight'),
  scene('tablet-pour', 'tablet', pouring, 'Record Pour'),
  scene('tablet-signed-out', 'tablet', signedOut, 'was signed out'),
  scene('tablet-unreached', 'tablet', unreached, 'We can’t reach our server'),
];
