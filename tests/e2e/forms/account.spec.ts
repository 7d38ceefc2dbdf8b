import type { Page } from '@playwright/test';
import { totpCode } from '../../support/fakes/authenticator-app.ts';
import { enrollFactor } from '../../support/fixtures/second-factor.ts';
import { expect, test } from '../../support/forms/form-test.ts';
import { newEmail } from '../../support/harness/product.ts';

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const password = (page: Page) => page.getByLabel('Password', { exact: true });

/** A virtual passkey device whose user is always present. */
async function addDevice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

test('a link that changes the email is sent', { tag: '@form:account/email/email-card' }, async ({
  page,
  open,
  people,
}) => {
  const someone = await people.newcomer();
  const email = newEmail();
  await open('/account/security', someone);
  await press(page, 'Change Email');
  await page.getByLabel('New Email').fill(email);
  await password(page).fill(someone.password);
  await press(page, 'Send the Link');
  await expect(page.getByText(email)).toBeVisible();
});

test('a passkey is added with the password, and renamed', {
  tag: ['@form:account/password-step', '@form:account/passkeys-card'],
}, async ({ page, open, people }) => {
  const someone = await people.newcomer();
  await addDevice(page);
  await open('/account/security', someone);
  await press(page, 'Add a Passkey');
  await password(page).fill(someone.password);
  await press(page, 'Add Passkey');
  await expect(page.getByText('Passkey added')).toBeVisible();
  await page.getByRole('button', { name: /^Rename / }).click();
  const name = await page.getByLabel('Name', { exact: true }).inputValue();
  await press(page, 'Save');
  await expect(page.getByRole('button', { name: `Rename ${name}` })).toBeVisible();
});

test('a password is changed', { tag: '@form:account/password-card' }, async ({ page, open, people }) => {
  const someone = await people.newcomer();
  await open('/account/security', someone);
  await press(page, 'Change Password');
  await page.getByLabel('Current Password').fill(someone.password);
  await page.getByLabel('New Password', { exact: true }).fill('a better battery');
  await page.getByLabel('Confirm Password').fill('a better battery');
  await press(page, 'Save Password');
  await expect(page.getByText('Password changed')).toBeVisible();
});

test('a user signs out everywhere', { tag: '@form:account/sessions-card' }, async ({
  page,
  open,
  people,
}) => {
  await open('/account/security', await people.newcomer());
  await press(page, 'Sign Out Everywhere');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Sign Out Everywhere' }).click();
  await expect(page).toHaveURL(/\/login/);
  await expect(page.getByText('Signed out everywhere')).toBeVisible();
});

test('two-step sign-in is turned on', { tag: '@form:account/two-factor-scan-step' }, async ({
  page,
  open,
  people,
}) => {
  const someone = await people.newcomer();
  await open('/account/security', someone);
  const made = page.waitForResponse(
    (it) => it.url().endsWith('/api/auth/factors') && it.request().method() === 'POST',
  );
  await press(page, 'Set Up');
  await password(page).fill(someone.password);
  await press(page, 'Continue');
  const { totp_uri } = (await (await made).json()) as { totp_uri: string };
  await page.getByLabel('Code', { exact: true }).fill(totpCode(totp_uri));
  await press(page, 'Turn On');
  await expect(page.getByText('Two-step sign-in is on')).toBeVisible();
});

test('a sign-in is completed with its second step', {
  tag: ['@form:visitor/login-page', '@form:visitor/two-factor-page'],
}, async ({ page, product, people }) => {
  const someone = await people.newcomer();
  const { totp_uri } = await enrollFactor(someone.caller, someone.password, -1);
  await page.goto(`${product.url}/login`);
  await page.getByLabel('Email').fill(someone.email);
  await password(page).fill(someone.password);
  await press(page, 'Sign In');
  await page.getByLabel('Code', { exact: true }).fill(totpCode(totp_uri));
  await press(page, 'Continue');
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(page.getByText('Get Started')).toBeVisible();
});

test('an account is made', { tag: '@form:visitor/register-page' }, async ({ page, product }) => {
  await page.goto(`${product.url}/register`);
  await page.getByLabel('First Name').fill('Ada');
  await page.getByLabel('Last Name').fill('Vine');
  await page.getByLabel('Email').fill(newEmail());
  await password(page).fill('correct horse');
  await page.getByLabel('Confirm Password').fill('correct horse');
  await press(page, 'Create Account');
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(page.getByText('Account created successfully!')).toBeVisible();
});

test('a forgotten password is replaced by the link in the email', {
  tag: ['@form:visitor/forgot-password-page', '@form:visitor/reset-password-page'],
}, async ({ page, product, people, linkTo }) => {
  const { email } = await people.newcomer();
  await page.goto(`${product.url}/forgot-password`);
  await page.getByLabel('Email').fill(email);
  await press(page, 'Send Link');
  await expect(page.getByText('an email with a link is on its way')).toBeVisible();
  await page.goto(await linkTo(email, '/reset-password'));
  await page.getByLabel('New Password', { exact: true }).fill('a better battery');
  await page.getByLabel('Confirm Password').fill('a better battery');
  await press(page, 'Save Password');
  await expect(page.getByText('Password changed. Please sign in.')).toBeVisible();
});

test('a new link to confirm an email is requested', { tag: '@form:visitor/verify-email-page' }, async ({
  page,
  product,
  people,
}) => {
  const { email } = await people.newcomer();
  await page.goto(`${product.url}/verify-email`);
  await page.getByLabel('Email').fill(email);
  await press(page, 'Send a New Link');
  await expect(page.getByText('a new link is on its way')).toBeVisible();
});

test('an account is deleted', { tag: '@form:member/account/data-page' }, async ({
  page,
  open,
  people,
  allowErrors,
}) => {
  allowErrors(/401 /);
  const someone = await people.newcomer();
  await open('/account/data', someone);
  await press(page, 'Delete My Account');
  await password(page).fill(someone.password);
  await page.getByLabel('Type DELETE to confirm').fill('delete');
  await press(page, 'Delete Permanently');
  await expect(page.getByText('Your account was deleted')).toBeVisible();
});

test('a profile is saved', { tag: '@form:member/account/account-page' }, async ({ page, open, people }) => {
  await open('/account', await people.newcomer());
  await press(page, /^Edit/);
  await page.getByRole('form', { name: 'Profile' }).getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Profile saved')).toBeVisible();
});

test('a taste is saved', { tag: '@form:member/account/taste-page' }, async ({ page, open, people }) => {
  await open('/account/taste', await people.member());
  await page.getByRole('slider').first().press('ArrowRight');
  await press(page, 'Save Taste');
  await expect(page.getByText('Taste saved')).toBeVisible();
});
