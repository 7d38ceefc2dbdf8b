import type { Page } from '@playwright/test';
import {
  DEMO,
  expect,
  expectNoAxeViolations,
  expectNoAxeViolationsInBothSchemes,
  openAs,
  register,
  signIn,
  test,
} from '../support/harness/product.ts';

/** Adds a virtual passkey device to the browser, with a user who is always present. */
async function addDevice(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    /** Sets whether the device recognizes its user. */
    setRecognized: (isUserVerified: boolean) =>
      session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    passkeys: async () =>
      (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  };
}

const usePasskey = (page: Page) => page.getByRole('button', { name: 'Use a Passkey' }).click();

async function addPasskey(page: Page, password: string) {
  await page.getByRole('button', { name: 'Add a Passkey' }).click();
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Add Passkey' }).click();
  await expect(page.getByText('Passkey added')).toBeVisible();
}

test('a member adds a passkey, signs in with it, removes it, and can no longer sign in with it', async ({
  page,
  product,
  allowErrors,
}) => {
  // For the wrong password and the removed passkey.
  allowErrors(/status of 40[13]/);
  const device = await addDevice(page);
  const user = await register(page, product.url);
  await page.goto(`${product.url}/account/security`);
  await page.getByRole('button', { name: 'Add a Passkey' }).click();
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Add Passkey' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Wrong password.' })).toBeVisible();
  expect(await device.passkeys()).toBe(0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await addPasskey(page, user.password);
  expect(await device.passkeys()).toBe(1);
  await expect(page.getByText(/^Added .*, not used yet$/)).toBeVisible();

  await page.getByRole('button', { name: /^Rename / }).click();
  await page.getByLabel('Name', { exact: true }).fill('My laptop');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('My laptop')).toBeVisible();
  await expectNoAxeViolationsInBothSchemes(page);

  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expect(page).toHaveURL(/\/login/);
  await usePasskey(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto(`${product.url}/account/security`);
  await expect(page.getByText(/^Added .*, last used /)).toBeVisible();

  await page.getByRole('button', { name: 'Remove My laptop' }).click();
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Passkey removed')).toBeVisible();
  await expect(page.getByText('My laptop')).toBeHidden();

  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expect(page).toHaveURL(/\/login/);
  await usePasskey(page);
  await expect(page.getByText('This passkey was removed.')).toBeVisible();
  await signIn(page, product.url, user.email, user.password);
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('staff can sign in with a passkey only while the device recognizes them', async ({ page, product }) => {
  const device = await addDevice(page);
  await openAs(page, `${product.url}/staff/account`, DEMO.staff);
  await addPasskey(page, DEMO.password);
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expect(page).toHaveURL(/\/login/);
  await expectNoAxeViolations(page);

  await device.setRecognized(false);
  await usePasskey(page);
  await expect(page.getByText('No passkey was used. You can try again.')).toBeVisible();
  await device.setRecognized(true);
  await usePasskey(page);
  await expect(page).toHaveURL(/\/staff\/dashboard$/);

  await page.goto(`${product.url}/staff/account`);
  await page.getByRole('button', { name: /^Remove / }).click();
  await page.getByLabel('Password', { exact: true }).fill(DEMO.password);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Passkey removed')).toBeVisible();
});

test('the link in the email verifies the email, and the reminder goes away', async ({ page, product }) => {
  const user = await register(page, product.url);
  await expect(page.getByText('Confirm your email')).toBeVisible();
  await expectNoAxeViolations(page);
  const inbox = `${product.sandboxUrl}/mailbox/api/messages?to=${encodeURIComponent(user.email)}`;
  let link = '';
  await expect
    .poll(async () => {
      const { messages } = (await (await fetch(inbox)).json()) as { messages: { text: string }[] };
      link = messages[0]?.text.match(/\S+\/verify-email#\S+/)?.[0] ?? '';
      return link;
    })
    .not.toBe('');

  await page.goto(link);
  await expect(page.getByText('Your email is confirmed.')).toBeVisible();
  await expectNoAxeViolations(page);
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(page.getByRole('heading', { name: 'Welcome' })).toBeVisible();
  await expect(page.getByText('Confirm your email')).toBeHidden();
  await page.goto(`${product.url}/account/security`);
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible();
});

test('a member changes their email by the link in an email, and signs in with it', async ({
  page,
  browser,
  product,
  watchErrors,
}) => {
  const user = await register(page, product.url);
  const wanted = `new-${user.email}`;
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await page.getByRole('link', { name: 'Security' }).first().click();
  await page.getByRole('button', { name: 'Change Email' }).click();
  await page.getByLabel('New Email').fill(wanted);
  await page.getByLabel('Password', { exact: true }).fill(user.password);
  await page.getByRole('button', { name: 'Send the Link', exact: true }).click();
  await expect(page.getByText(wanted)).toBeVisible();
  await expectNoAxeViolations(page);

  const inbox = `${product.sandboxUrl}/mailbox/api/messages?to=${encodeURIComponent(wanted)}`;
  let link = '';
  await expect
    .poll(async () => {
      const { messages } = (await (await fetch(inbox)).json()) as { messages: { text: string }[] };
      link = messages[0]?.text.match(/\S+\/change-email#\S+/)?.[0] ?? '';
      return link;
    })
    .not.toBe('');
  // A phone without a signed-in user.
  const elsewhere = await browser.newContext();
  watchErrors(elsewhere);
  const other = await elsewhere.newPage();
  await other.goto(link);
  await expectNoAxeViolations(other);
  await other.getByRole('button', { name: 'Change Email' }).click();
  await expect(other.getByText('Your email was changed.')).toBeVisible();
  await expectNoAxeViolations(other);
  await other.getByRole('link', { name: 'Sign In', exact: true }).click();
  await signIn(other, product.url, wanted, user.password);
  await expect(other).toHaveURL(/\/dashboard$/);
  await elsewhere.close();

  await page.goto(`${product.url}/account`);
  await expect(page.getByText(wanted)).toBeVisible();
});
