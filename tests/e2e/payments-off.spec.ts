import type { Browser, Page } from '@playwright/test';
import { startSandbox } from '../../sandbox/index.ts';
import { freePort } from '../support/harness/free-port.ts';
import { dataFolder, startProcess } from '../support/harness/installation.ts';
import {
  expect,
  expectNoAxeViolations,
  openAs,
  payWith,
  register,
  test,
} from '../support/harness/product.ts';

const OWNER = { email: 'owner@venue.test', password: 'correct horse battery' };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };

async function newPage(browser: Browser, look: object = {}): Promise<Page> {
  return (await browser.newContext({ reducedMotion: 'reduce', serviceWorkers: 'block', ...look })).newPage();
}

async function setUpClub(owner: Page, url: string, code: string): Promise<void> {
  const data = { ...OWNER, code, first_name: 'Olive', last_name: 'Owner', club_name: 'The Copper Vine' };
  const headers = { origin: url };
  const made = await owner.request.post(`${url}/api/setup`, {
    data: { ...data, time_zone: 'UTC' },
    headers,
  });
  expect(made.ok()).toBe(true);
}

async function chooseTier(member: Page, button: string): Promise<void> {
  await member.getByRole('link', { name: 'Get Started' }).click();
  await member.getByRole('button', { name: 'Continue to Membership Selection' }).click();
  await member.getByRole('button', { name: button }).first().click();
}

test('a club without a key of Stripe takes a member at the bar, and later one by card', async ({
  browser,
}) => {
  test.setTimeout(180_000);
  const folder = dataFolder();
  const PORT = String(await freePort());
  // The program's start is a club; the demo would start its sandbox.
  const startClub = (keys: Record<string, string>) =>
    startProcess(
      { DATA_DIR: folder.path, PORT, NODE_ENV: 'development', ...keys },
      ['start'],
      'scripts/cellar-door.ts',
    );
  const [owner, member] = [await newPage(browser), await newPage(browser, PHONE)];
  const off = await startClub({});
  const { url } = off;
  expect(off.output()).toContain('Payments are off, and members pay at the venue');
  await setUpClub(owner, url, decodeURIComponent(/\/setup#(\S+)/.exec(off.output())?.[1] ?? ''));

  await openAs(owner, `${url}/staff/payments`, OWNER.email, OWNER.password);
  await expect(owner.getByText('STRIPE_SECRET_KEY=sk_live_...')).toBeVisible();
  await expect(owner.getByRole('button', { name: 'Check Stripe' })).toBeHidden();
  await expectNoAxeViolations(owner);
  await owner.goto(`${url}/staff/settings`);
  await expect(owner.getByRole('heading', { name: 'At the Bar' })).toBeVisible();
  await expect(owner.getByRole('heading', { name: 'Billing and Pauses' })).toBeHidden();
  await owner.goto(`${url}/staff/reports`);
  await expect(owner.getByText('Received at the till', { exact: true })).toBeVisible();
  await expect(owner.getByText('Received by card', { exact: true })).toBeHidden();
  await owner.goto(`${url}/club`);
  await expect(owner.getByRole('link', { name: 'Join The Copper Vine' })).toBeVisible();
  await expect(owner.getByRole('link', { name: 'Give a Membership' })).toBeHidden();

  // A tier's button leads to the application, and is not forgotten on the way.
  await member.goto(`${url}/club`);
  await member.getByRole('link', { name: 'Join Premier' }).click();
  await expect(member).toHaveURL(/\/register$/);
  const mira = await register(member, url, { first: 'Mira', last: 'Sol' });
  await expect(member.getByText('You pay at the bar, each month.')).toBeVisible();
  await member.getByRole('link', { name: 'Get Started' }).click();
  await member.getByRole('button', { name: 'Continue to Membership Selection' }).click();
  const premier = member.getByRole('article', { name: 'Premier' });
  await expect(premier.getByText('Your current choice')).toBeVisible();
  await member.getByRole('button', { name: 'Pay at the Venue' }).first().click();
  const dialog = member.getByRole('dialog', { name: 'Pay at the Venue' });
  await expect(dialog.getByText('Pay at the bar, and our staff will start your membership.')).toBeVisible();
  await expectNoAxeViolations(member);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(member.getByText('Your membership starts when you pay at the bar.')).toBeVisible();
  await member.goto(`${url}/gift`);
  await expect(member.getByText('You can’t buy a gift here')).toBeVisible();

  await owner.goto(`${url}/staff/applications`);
  await owner.getByRole('link', { name: /Mira Sol/ }).click();
  await owner.getByRole('button', { name: 'Approve Application' }).click();
  await owner.getByLabel(/Toast Reference Number/).fill('T-100');
  await owner.getByRole('button', { name: 'Approve & Create Membership' }).click();
  await expect(owner.getByText(/approved/i).first()).toBeVisible();

  await member.goto(`${url}/dashboard`);
  await expect(member.getByText('4 / 4')).toBeVisible();
  await pourFor(owner, member, url);
  await expect(member.getByText('3 / 4')).toBeVisible();
  await member.goto(`${url}/account`);
  await expect(member.getByText('Your membership is billed at the venue')).toBeVisible();
  await off.stop();

  const sandbox = await startSandbox({ port: 0, retryDelaysMs: [] });
  const on = await startClub({ STRIPE_SECRET_KEY: sandbox.stripeSecretKey, STRIPE_API_URL: sandbox.url });
  await openAs(member, `${url}/dashboard`, mira.email, mira.password);
  await expect(member.getByText('3 / 4')).toBeVisible();
  await member.goto(`${url}/account`);
  await expect(member.getByText('Your membership is billed at the venue')).toBeVisible();
  await owner.goto(`${url}/staff/payments`);
  await expect(owner.getByRole('button', { name: 'Check Stripe' })).toBeVisible();

  const second = await newPage(browser, PHONE);
  await register(second, url);
  await chooseTier(second, 'Continue to Payment');
  await payWith(second);
  await expect(second).toHaveURL(/\/dashboard$/, { timeout: 30_000 });
  await expect(second.getByText('4 / 4')).toBeVisible();

  await on.stop();
  await sandbox.close();
  folder.remove();
});

/** A pour by the code on the member's phone. */
async function pourFor(bartender: Page, member: Page, url: string): Promise<void> {
  const { token } = await member.evaluate(async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('/api/functions/generate-qr-token', { method: 'POST', headers, body: '{}' });
    return (await answer.json()) as { token: string };
  });
  await bartender.goto(`${url}/staff/dashboard`);
  await bartender.getByRole('link', { name: 'Scan Customer QR Code' }).click();
  await bartender.getByRole('button', { name: 'Enter Code Manually' }).click();
  await bartender.getByPlaceholder('Paste QR code here...').fill(token);
  await bartender.getByRole('button', { name: 'Verify Code' }).click();
  await bartender.getByRole('radio', { name: 'Bar' }).check();
  await bartender.getByRole('button', { name: /^Pour 1/ }).click();
  await expect(bartender.getByText('Pour recorded successfully!')).toBeVisible();
}
