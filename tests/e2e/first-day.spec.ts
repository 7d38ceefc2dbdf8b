import type { Browser, Page } from '@playwright/test';
import { type Sandbox, startSandbox } from '../../sandbox/index.ts';
import { test as base } from '../support/harness/browser.ts';
import { freePort } from '../support/harness/free-port.ts';
import { dataFolder, type StartedProcess, startProcess } from '../support/harness/installation.ts';
import { expect, expectNoAxeViolations, payWith, signIn } from '../support/harness/product.ts';

const OWNER = { email: 'owner@venue.test', password: 'correct horse battery' };
const BARTENDER = { email: 'bea@venue.test', password: 'staple the battery' };
const MEMBER = { email: 'mira@venue.test', password: 'a glass of something' };
const OFFICE = { viewport: { width: 1280, height: 800 } };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const SECRET = 'whsec_of_the_first_day';

type Fixtures = { sandbox: Sandbox; venue: StartedProcess };

/** An installation that has nothing in it, and accounts of its own at the payment service and for email. */
const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  sandbox: async ({}, use) => {
    const sandbox = await startSandbox({ port: 0, retryDelaysMs: [] });
    await use(sandbox);
    await sandbox.close();
  },
  venue: async ({ sandbox }, use) => {
    const folder = dataFolder();
    const port = await freePort();
    sandbox.setWebhook({ url: `http://127.0.0.1:${port}/api/stripe/webhook`, secret: SECRET });
    const venue = await startProcess({
      DATA_DIR: folder.path,
      PORT: String(port),
      STRIPE_SECRET_KEY: sandbox.stripeSecretKey,
      STRIPE_API_URL: sandbox.url,
      STRIPE_WEBHOOK_SECRET: SECRET,
      SMTP_URL: sandbox.smtpUrl,
      MAIL_FROM: 'club@venue.test',
    });
    await use(venue);
    await venue.stop();
    folder.remove();
  },
});

/** The first link of that page in an email to that address, once it has come. */
async function linkTo({ url }: Sandbox, email: string, page: string): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    const answer = await fetch(`${url}/mailbox/api/messages?to=${encodeURIComponent(email)}`);
    const { messages } = (await answer.json()) as { messages: { text: string }[] };
    link = messages.map(({ text }) => new RegExp(`http\\S+${page}\\S+`).exec(text)?.[0]).find(Boolean);
    expect(link).toBeDefined();
  }).toPass();
  return link ?? '';
}

async function newPage(browser: Browser, look: object): Promise<Page> {
  return (await browser.newContext({ reducedMotion: 'reduce', ...look })).newPage();
}

async function setUp(owner: Page, venue: StartedProcess): Promise<void> {
  await owner.goto(/http\S+\/setup\S*/.exec(venue.output())?.[0] ?? '');
  await owner.getByLabel('Name of the Club').fill('The Copper Vine');
  await owner.getByLabel('First Name').fill('Olive');
  await owner.getByLabel('Last Name').fill('Owner');
  await owner.getByLabel('Email').fill(OWNER.email);
  await owner.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await owner.getByLabel('Confirm password').fill(OWNER.password);
  await expectNoAxeViolations(owner);
  await owner.getByRole('button', { name: 'Set Up the Club' }).click();
  await expect(owner.getByText('Welcome to The Copper Vine.')).toBeVisible();
}

async function changeTier(owner: Page): Promise<void> {
  await owner.getByRole('link', { name: 'Change Tiers' }).click();
  await owner.getByRole('button', { name: 'Edit Select' }).click();
  await owner.getByLabel('Name', { exact: true }).fill('Copper');
  await owner.getByLabel('Pours per Month').fill('5');
  await owner.getByRole('button', { name: 'Save' }).click();
  await expect(owner.getByRole('button', { name: 'Edit Copper' })).toBeVisible();
}

/** Invited by email, accepted in a browser of their own, and signed in there. */
async function inviteBartender(owner: Page, bartender: Page, venue: StartedProcess, sandbox: Sandbox) {
  await owner.goto(`${venue.url}/staff/team`);
  await owner.getByRole('button', { name: 'Invite', exact: true }).click();
  await owner.getByLabel('Their Email').fill(BARTENDER.email);
  await owner.getByLabel('Your Password').fill(OWNER.password);
  await owner.getByRole('button', { name: 'Send Invitation' }).click();
  await expect(owner.getByText(`We emailed ${BARTENDER.email}.`)).toBeVisible();
  await bartender.goto(await linkTo(sandbox, BARTENDER.email, '/invitation'));
  await bartender.getByLabel('First Name').fill('Bea');
  await bartender.getByLabel('Last Name').fill('Bar');
  await bartender.getByLabel('Password', { exact: true }).fill(BARTENDER.password);
  await bartender.getByLabel('Confirm password').fill(BARTENDER.password);
  await bartender.getByRole('button', { name: 'Accept' }).click();
  await expect(bartender).toHaveURL(/\/login/);
  await signIn(bartender, venue.url, BARTENDER.email, BARTENDER.password);
  await expect(bartender.getByRole('link', { name: 'Scan Customer QR Code' })).toBeVisible();
}

/** At the bar of the owner's laptop; paid on the member's phone, which then gets its card. */
async function signUpMember(owner: Page, phone: Page, venue: StartedProcess, sandbox: Sandbox) {
  await owner.goto(`${venue.url}/staff/members/new`);
  await owner.getByLabel('Email').fill(MEMBER.email);
  await owner.getByLabel('First Name').fill('Mira');
  await owner.getByLabel('Last Name').fill('Sol');
  await owner.getByRole('button', { name: 'Choose Membership' }).click();
  await owner.getByRole('radio', { name: /Copper/ }).check();
  const answered = owner.waitForResponse('**/api/bar-sign-ups');
  await owner.getByRole('button', { name: 'Show the Code' }).click();
  const { link } = (await (await answered).json()) as { link: { url: string } };
  await phone.goto(link.url);
  await phone.getByRole('button', { name: 'Continue to Payment' }).click();
  await payWith(phone);
  await expect(phone.getByRole('heading', { name: 'Welcome, Mira' })).toBeVisible();
  await expect(owner.getByRole('heading', { name: 'Mira is a member' })).toBeVisible();
  await phone.goto(await linkTo(sandbox, MEMBER.email, '/reset-password'));
  await phone.getByLabel('New Password', { exact: true }).fill(MEMBER.password);
  await phone.getByLabel(/Confirm/).fill(MEMBER.password);
  await phone
    .getByRole('button', { name: /Password/ })
    .last()
    .click();
  await expect(phone).toHaveURL(/\/login/);
  await signIn(phone, venue.url, MEMBER.email, MEMBER.password);
  await expect(phone.getByText('5 / 5')).toBeVisible();
}

async function pourFirstGlass(bartender: Page, phone: Page): Promise<void> {
  const { token } = await phone.evaluate(async () => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch('/api/functions/generate-qr-token', { method: 'POST', headers, body: '{}' });
    return (await answer.json()) as { token: string };
  });
  await bartender.getByRole('link', { name: 'Scan Customer QR Code' }).click();
  await bartender.getByRole('button', { name: 'Enter Code Manually' }).click();
  await bartender.getByPlaceholder('Paste QR code here...').fill(token);
  await bartender.getByRole('button', { name: 'Verify Code' }).click();
  await expect(bartender.getByText('Found: Mira Sol')).toBeVisible();
  await bartender.getByLabel('Location').selectOption({ label: 'Bar' });
  await bartender.getByRole('button', { name: /^Pour 1/ }).click();
  await expect(bartender.getByText('Pour recorded successfully!')).toBeVisible();
  await expect(phone.getByText('4 / 5')).toBeVisible();
}

async function readReport(owner: Page, venue: StartedProcess): Promise<void> {
  await owner.goto(`${venue.url}/staff/reports`);
  await owner.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: 'Pours' }).click();
  await expect(owner.getByRole('row', { name: /Bea Bar/ })).toContainText('1');
}

test('an owner opens a club on the first day, from an empty installation to its first report', async ({
  browser,
  venue,
  sandbox,
  watchErrors,
}) => {
  test.setTimeout(120_000);
  const owner = await newPage(browser, OFFICE);
  watchErrors(owner.context());
  const [bartender, phone] = [await newPage(browser, PHONE), await newPage(browser, PHONE)];
  await setUp(owner, venue);
  await changeTier(owner);
  await inviteBartender(owner, bartender, venue, sandbox);
  await signUpMember(owner, phone, venue, sandbox);
  await pourFirstGlass(bartender, phone);
  await readReport(owner, venue);
});
