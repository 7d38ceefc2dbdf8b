import type { Page } from '@playwright/test';
import { test as base } from './browser.ts';
import { dataFolder, type StartedProcess, startProcess } from './installation.ts';
import { startPostgres } from './postgres-server.ts';

export { expect, expectNoAxeViolations, setColourScheme } from './browser.ts';

export const DEMO = { staff: 'staff@demo.test', member: 'member@demo.test', password: 'cellar-door-demo' };

type WorkerFixtures = {
  /** The product as `npm start` runs it, on a data folder of its own; one for each worker. */
  product: StartedProcess;
};

export const test = base.extend<object, WorkerFixtures>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use, { project }) => {
      const folder = dataFolder();
      const postgres = project.name === 'postgres' ? await startPostgres() : null;
      const database: Record<string, string> = postgres ? { DATABASE_URL: postgres.url } : {};
      const product = await startProcess({ DATA_DIR: folder.path, ...database });
      await use(product);
      await product.stop();
      await postgres?.stop();
      folder.remove();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

export async function signIn(
  page: Page,
  url: string,
  email: string,
  password = DEMO.password,
): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

let guests = 0;

/** An address that no other test uses. */
export function newEmail(): string {
  guests += 1;
  return `guest-${process.pid}-${guests}@example.test`;
}

export interface Guest {
  first: string;
  last: string;
  email: string;
  password: string;
}

export async function register(page: Page, url: string, guest: Partial<Guest> = {}): Promise<Guest> {
  const person = { first: 'Ada', last: 'Lovelace', email: newEmail(), password: 'correct horse', ...guest };
  await page.goto(`${url}/register`);
  await page.getByLabel('First name').fill(person.first);
  await page.getByLabel('Last name').fill(person.last);
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByLabel('Confirm password').fill(person.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  return person;
}

/** Fills and sends the hosted checkout. */
export async function payWith(page: Page, number = '4242 4242 4242 4242'): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration date').fill('12 / 40');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Name on card').fill('Ada Lovelace');
  await page.getByRole('button', { name: 'Subscribe' }).click();
}
