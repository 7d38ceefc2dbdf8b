import type { Page } from '@playwright/test';
import { test as base, expect } from './browser.ts';
import { dataFolder, demoFolder, type StartedProcess, startProcess } from './installation.ts';
import { startPostgres } from './postgres-server.ts';

export { expectNoAxeViolations, expectNoAxeViolationsInBothSchemes } from './browser.ts';
export { expect };

export const DEMO = { staff: 'staff@demo.test', member: 'member@demo.test', password: 'cellar-door-demo' };

type WorkerFixtures = {
  /** The product as run by `npm start`, with the demo on a separate data folder or on Postgres. One per worker. */
  product: StartedProcess;
};

export const test = base.extend<object, WorkerFixtures>({
  product: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
    async ({}, use, { project }) => {
      const postgres = project.name === 'postgres' ? await startPostgres() : null;
      const folder = postgres ? dataFolder() : await demoFolder();
      const database: Record<string, string> = postgres ? { DATABASE_URL: postgres.url } : {};
      // Allows tests' webhooks to this machine.
      const local = { WEBHOOK_PRIVATE_NETWORKS: '127.0.0.0/8' };
      const product = await startProcess({ DATA_DIR: folder.path, ...local, ...database });
      await use(product);
      await product.stop();
      await postgres?.stop();
      folder.remove();
    },
    { scope: 'worker', timeout: 90_000 },
  ],
});

/** Fills and submits the sign-in form. */
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

/**
 * Opens a page as a user who has just signed in, by the form's call. For tests about something else: the form needs a page
 * load, and most of a second.
 */
export async function openAs(
  page: Page,
  address: string,
  email: string,
  password = DEMO.password,
): Promise<void> {
  const { origin } = new URL(address);
  const answer = await page.request.post(`${origin}/api/auth/sign-in`, {
    data: { email, password },
    headers: { origin },
  });
  expect(answer.status(), `signing in ${email}`).toBe(200);
  await page.goto(address);
}

let emails = 0;

export function newEmail(): string {
  emails += 1;
  return `user-${process.pid}-${emails}@example.test`;
}

export interface NewUser {
  first: string;
  last: string;
  email: string;
  password: string;
}

/** Registers a user through the form, and waits for the dashboard. */
export async function register(page: Page, url: string, overrides: Partial<NewUser> = {}): Promise<NewUser> {
  const user = { first: 'Ada', last: 'Lovelace', email: newEmail(), password: 'correct horse', ...overrides };
  await page.goto(`${url}/register`);
  await page.getByLabel('First name').fill(user.first);
  await page.getByLabel('Last name').fill(user.last);
  await page.getByLabel('Email').fill(user.email);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByLabel('Confirm password').fill(user.password);
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Welcome' }).waitFor();
  return user;
}

/** Fills and submits the hosted checkout page. */
export async function payWith(page: Page, number = '4242 4242 4242 4242'): Promise<void> {
  await page.getByLabel('Card number').fill(number);
  await page.getByLabel('Expiration date').fill('12 / 40');
  await page.getByLabel('CVC').fill('123');
  await page.getByLabel('Name on card').fill('Ada Lovelace');
  await page.getByRole('button', { name: /^(Subscribe|Start trial)$/ }).click();
}
