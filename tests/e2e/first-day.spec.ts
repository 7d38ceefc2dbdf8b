import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { Sandbox } from '../../sandbox/index.ts';
import { linkTo, newPage, setupLink, test } from '../support/fixtures/empty-venue.ts';
import type { StartedProcess } from '../support/harness/installation.ts';
import { expect, expectNoAxeViolations, payWith, signIn } from '../support/harness/product.ts';

const OWNER = { email: 'owner@venue.test', password: 'correct horse battery' };
const BEA = { email: 'bea@venue.test', first_name: 'Bea', password: 'staple the battery' };
const TOM = { email: 'tom@venue.test', first_name: 'Tom', password: 'horse of the staple', pin: '8042' };
const MEMBER = { email: 'mira@venue.test', password: 'a glass of something' };
const OFFICE = { viewport: { width: 1280, height: 800 } };
const TABLET = { viewport: { width: 820, height: 1180 }, hasTouch: true };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const OLD_MEMBERS = 'Email,Name,Plan,POS\nada@old.test,Ada Vine,Copper,T-1\nfrida@old.test,Frida Kahn,,\n';

async function setUp(owner: Page, venue: StartedProcess): Promise<void> {
  // The code is typed by hand, as from a log on another screen.
  const link = setupLink(venue);
  await owner.goto(link.origin + link.pathname);
  await owner.getByLabel('Code').fill(decodeURIComponent(link.hash.slice(1)));
  await owner.getByRole('button', { name: 'Continue' }).click();
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

/** Invites a bartender by email, who accepts in a separate browser and signs in there. */
async function inviteBartender(
  owner: Page,
  bartender: Page,
  venue: StartedProcess,
  sandbox: Sandbox,
  { email, first_name, password }: typeof BEA,
) {
  await owner.goto(`${venue.url}/staff/team`);
  await owner.getByRole('button', { name: 'Invite', exact: true }).click();
  await owner.getByLabel('Their Email').fill(email);
  await owner.getByRole('button', { name: 'Send Invitation' }).click();
  await expect(owner.getByText(`We emailed ${email}.`)).toBeVisible();
  await bartender.goto(await linkTo(sandbox, email, '/invitation'));
  await bartender.getByLabel('First Name').fill(first_name);
  await bartender.getByLabel('Last Name').fill('Bar');
  await bartender.getByLabel('Password', { exact: true }).fill(password);
  await bartender.getByLabel('Confirm password').fill(password);
  await bartender.getByRole('button', { name: 'Accept' }).click();
  await expect(bartender).toHaveURL(/\/login/);
  await signIn(bartender, venue.url, email, password);
  await expect(bartender.getByRole('link', { name: 'Scan Customer QR Code' })).toBeVisible();
}

/** Signs a member up on the owner's laptop, pays on the member's phone, and signs the member in there. */
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

/** Imports two people from the previous system: a member who pays at the till, and one with only name and email. */
async function importMembers(owner: Page, venue: StartedProcess): Promise<void> {
  await owner.goto(`${venue.url}/staff/members/import`);
  await owner.getByLabel('CSV file with members').setInputFiles({
    name: 'old-members.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(OLD_MEMBERS),
  });
  await owner.getByRole('button', { name: 'Import 2 Members' }).click();
  await owner.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(owner.getByText(/^2 members/)).toBeVisible();
}

/** Makes a tablet shared; a bartender chooses a PIN on their own phone. */
async function shareTablet(tablet: Page, bartender: Page, venue: StartedProcess): Promise<void> {
  await bartender.goto(`${venue.url}/staff/account`);
  await bartender.getByRole('button', { name: 'Set a PIN' }).click();
  await bartender.getByLabel('New PIN').fill(TOM.pin);
  await bartender.getByLabel('Your Password').fill(TOM.password);
  await bartender.getByRole('button', { name: 'Save PIN' }).click();
  await expect(bartender.getByText('You have a PIN')).toBeVisible();
  await signIn(tablet, venue.url, OWNER.email, OWNER.password);
  await expect(tablet.getByRole('link', { name: 'Scan Customer QR Code' })).toBeVisible();
  await tablet.goto(`${venue.url}/staff/team`);
  await tablet.getByRole('button', { name: 'Make This a Shared Tablet' }).click();
  const dialog = tablet.getByRole('dialog');
  await dialog.getByLabel('Name of the Tablet').fill('Bar Left');
  await dialog.getByLabel('Your Password').fill(OWNER.password);
  await dialog.getByRole('button', { name: 'Make This a Shared Tablet' }).click();
  await expect(tablet.getByRole('heading', { name: 'Who is pouring?' })).toBeVisible();
  await expectNoAxeViolations(tablet);
}

/** Pours the second glass on the tablet as Tom, and leaves the tablet to the next bartender. */
async function pourOnTablet(tablet: Page, phone: Page): Promise<void> {
  await tablet.getByRole('button', { name: /Tom Bar/ }).click();
  await expectNoAxeViolations(tablet);
  for (const digit of TOM.pin) await tablet.getByRole('button', { name: digit, exact: true }).tap();
  await expect(tablet.getByText('Tom Bar')).toBeVisible();
  await pour(tablet, phone);
  await expect(phone.getByText('3 / 5')).toBeVisible();
  await tablet.getByRole('button', { name: 'Switch' }).tap();
  await expect(tablet.getByRole('heading', { name: 'Who is pouring?' })).toBeVisible();
}

async function pourFirstGlass(bartender: Page, phone: Page): Promise<void> {
  await pour(bartender, phone);
  await expect(phone.getByText('4 / 5')).toBeVisible();
}

async function pour(bartender: Page, phone: Page): Promise<void> {
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
  await bartender.getByRole('radio', { name: 'Bar' }).check();
  await bartender.getByRole('button', { name: /^Pour 1/ }).click();
  await expect(bartender.getByText('Pour recorded successfully!')).toBeVisible();
}

async function readReport(owner: Page, venue: StartedProcess): Promise<void> {
  await owner.goto(`${venue.url}/staff/reports`);
  await owner
    .getByRole('navigation', { name: 'Reports' })
    .getByRole('link', { name: 'Pours', exact: true })
    .click();
  for (const name of ['Bea Bar', 'Tom Bar']) {
    await expect(owner.getByRole('row', { name: new RegExp(name) })).toContainText('1');
  }
}

/** Downloads everyone as a file: members who joined here, and members from the imported file. */
async function takeEveryone(owner: Page, venue: StartedProcess): Promise<void> {
  await owner.goto(`${venue.url}/staff/members/import`);
  const downloaded = owner.waitForEvent('download');
  await owner.getByRole('link', { name: 'Download All Members' }).click();
  const file = readFileSync(await (await downloaded).path(), 'utf8');
  for (const email of [MEMBER.email, 'ada@old.test', 'frida@old.test']) expect(file).toContain(email);
  expect(file).not.toContain(TOM.email);
}

test('an owner opens a club on its first day, from an empty installation to its first report', {
  tag: ['@form:visitor/setup-page#CodeForm', '@form:visitor/setup-page#ClubForm'],
}, async ({ browser, venue, sandbox, watchErrors, allowErrors }) => {
  // Without a code in its link the page asks whether there is anything to set up.
  allowErrors(/400 .*\/api\/setup\/read/);
  test.setTimeout(120_000);
  const owner = await newPage(browser, OFFICE);
  watchErrors(owner.context());
  const [bartender, phone] = [await newPage(browser, PHONE), await newPage(browser, PHONE)];
  const [second, tablet] = [await newPage(browser, PHONE), await newPage(browser, TABLET)];
  await setUp(owner, venue);
  await changeTier(owner);
  await inviteBartender(owner, bartender, venue, sandbox, BEA);
  await inviteBartender(owner, second, venue, sandbox, TOM);
  await importMembers(owner, venue);
  await signUpMember(owner, phone, venue, sandbox);
  await pourFirstGlass(bartender, phone);
  await shareTablet(tablet, second, venue);
  await pourOnTablet(tablet, phone);
  await readReport(owner, venue);
  await takeEveryone(owner, venue);
});
