import type { Page } from '@playwright/test';
import { enrollFactor } from '../../support/fixtures/second-factor.ts';
import { expect, type People, test } from '../../support/forms/form-test.ts';
import { Caller } from '../../support/harness/caller.ts';
import { DEMO, newEmail } from '../../support/harness/product.ts';

// Forms about the team and its tablets, and the invitation itself.

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const asked = (page: Page, name: string | RegExp) =>
  page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();
const inDialog = (page: Page, name: string | RegExp) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();

type LinkTo = (email: string, page: string) => Promise<string>;
const PASSWORD = 'staple the battery';

async function invited({ owner }: People): Promise<string> {
  const email = newEmail();
  await owner.must('POST', '/api/team-invitations', { email, password: DEMO.password, permissions: [] });
  return email;
}

/** A signed-in staff member who joined by an invitation. */
async function colleague(people: People, linkTo: LinkTo, first_name: string) {
  const email = await invited(people);
  const link = new URL(await linkTo(email, '/invitation'));
  const caller = new Caller(link.origin, link.origin);
  await caller.must('POST', '/api/team-invitations/accept', {
    token: link.hash.slice(1),
    first_name,
    last_name: 'Bar',
    password: PASSWORD,
  });
  await caller.must('POST', '/api/auth/sign-in', { email, password: PASSWORD });
  return caller;
}

test('someone is invited to the team', { tag: '@form:staff/team/invite-dialog' }, async ({ page, open }) => {
  const email = newEmail();
  await open('/staff/team');
  await press(page, 'Invite');
  await page.getByLabel('Their Email').fill(email);
  // The button of a dialog stands outside its form.
  await page.keyboard.press('Enter');
  await expect(page.getByText(`We emailed ${email}.`)).toBeVisible();
});

test('an invitation is accepted', { tag: '@form:visitor/invitation-page' }, async ({
  page,
  people,
  linkTo,
}) => {
  await page.goto(await linkTo(await invited(people), '/invitation'));
  await page.getByLabel('First Name').fill('Bea');
  await page.getByLabel('Last Name').fill('Bar');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm Password').fill(PASSWORD);
  await press(page, 'Accept');
  await expect(page.getByText('You are on the team. Please sign in.')).toBeVisible();
});

test('an invitation is withdrawn', { tag: '@form:staff/team/invitations-card' }, async ({
  page,
  open,
  people,
}) => {
  const email = await invited(people);
  await open('/staff/team');
  await press(page, `Withdraw ${email}`);
  await asked(page, 'Withdraw');
  await expect(page.getByText('The invitation was withdrawn')).toBeVisible();
});

test('a colleague is signed out, and removed', {
  tag: '@form:staff/team/colleague-card#ColleagueCard',
}, async ({ page, open, people, linkTo }) => {
  await colleague(people, linkTo, 'Cleo');
  await open('/staff/team');
  await press(page, 'Sign out everywhere: Cleo Bar');
  await asked(page, 'Sign Out');
  await expect(page.getByText('Cleo Bar is signed out everywhere')).toBeVisible();
  await press(page, 'Remove Cleo Bar from the team');
  await asked(page, 'Remove');
  await expect(page.getByText('Cleo Bar is no longer staff')).toBeVisible();
});

test('a colleague may manage members, by the password', {
  tag: '@form:staff/team/colleague-card#GrantDialog',
}, async ({ page, open, people, linkTo }) => {
  await colleague(people, linkTo, 'Mia');
  await open('/staff/team');
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Mia Bar' }) });
  await card.getByRole('checkbox', { name: /^Manage members/ }).click();
  await page.getByLabel('Password', { exact: true }).fill(DEMO.password);
  await inDialog(page, 'Allow');
  await expect(page.getByText('Mia can: Manage members')).toBeVisible();
});

test('the PIN and the second step of a colleague are reset', {
  tag: '@form:staff/team/colleague-card#ResetTwoFactorDialog',
}, async ({ page, open, people, linkTo }) => {
  const tom = await colleague(people, linkTo, 'Tom');
  await tom.must('PUT', '/api/staff-pin', { pin: '8042', password: PASSWORD });
  await enrollFactor(tom, PASSWORD);
  await open('/staff/team');
  await press(page, 'Reset PIN of Tom Bar');
  await asked(page, 'Reset PIN');
  await expect(page.getByText('Tom Bar can choose a new PIN')).toBeVisible();
  await press(page, 'Reset two-step sign-in of Tom Bar');
  await page.getByLabel('Password', { exact: true }).fill(DEMO.password);
  await inDialog(page, 'Reset');
  await expect(page.getByText('Tom Bar signs in with the password alone now')).toBeVisible();
});

test('a tablet is shared, and signed out', {
  tag: ['@form:staff/team/tablets-card#OpenTabletDialog', '@form:staff/team/tablets-card#TabletsCard'],
}, async ({ page, open, product, people }) => {
  // Opening a tablet ends the session that opened it.
  const again = new Caller(product.url, product.url);
  await again.must('POST', '/api/auth/sign-in', { email: DEMO.staff, password: DEMO.password });
  await open('/staff/team', again);
  await press(page, 'Make This a Shared Tablet');
  await page.getByLabel('Name of the Tablet').fill('Bar Left');
  await page.getByLabel('Your Password').fill(DEMO.password);
  await inDialog(page, 'Make This a Shared Tablet');
  await expect(page.getByRole('heading', { name: 'Who is pouring?' })).toBeVisible();
  await page.context().clearCookies();
  await open('/staff/team', people.owner);
  await press(page, 'Sign out Bar Left');
  await asked(page, 'Sign Out');
  await expect(page.getByText('Bar Left is signed out')).toBeVisible();
});
