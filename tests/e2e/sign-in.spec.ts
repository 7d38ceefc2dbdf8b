import type { Page } from '@playwright/test';
import {
  DEMO,
  expect,
  expectNoAxeViolations,
  register,
  setColourScheme,
  signIn,
  test,
} from '../support/harness/product.ts';

/** A device of the browser's own that has one owner, who is always there. Answers whether to let them in. */
async function device(page: Page) {
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
    recognises: (isUserVerified: boolean) =>
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

test('a member adds a passkey, signs in with it, removes it, and is told that it is gone', async ({
  page,
  product,
  allowErrors,
}) => {
  // The refused password and the refused passkey.
  allowErrors(/status of 40[13]/);
  const owner = await device(page);
  const guest = await register(page, product.url);
  await page.goto(`${product.url}/account`);
  await page.getByRole('button', { name: 'Add a Passkey' }).click();
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Add Passkey' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'That is not your password.' })).toBeVisible();
  expect(await owner.passkeys()).toBe(0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await addPasskey(page, guest.password);
  expect(await owner.passkeys()).toBe(1);
  await expect(page.getByText(/^Added .*, not used yet$/)).toBeVisible();

  await page.getByRole('button', { name: /^Rename / }).click();
  await page.getByLabel('Name', { exact: true }).fill('My laptop');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('My laptop')).toBeVisible();
  for (const scheme of ['light', 'dark'] as const) {
    await setColourScheme(page, scheme);
    await expectNoAxeViolations(page);
  }

  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expect(page).toHaveURL(/\/login/);
  await usePasskey(page);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto(`${product.url}/account`);
  await expect(page.getByText(/^Added .*, last used /)).toBeVisible();

  await page.getByRole('button', { name: 'Remove My laptop' }).click();
  await page.getByLabel('Password', { exact: true }).fill(guest.password);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Passkey removed')).toBeVisible();
  await expect(page.getByText('My laptop')).toBeHidden();

  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expect(page).toHaveURL(/\/login/);
  await usePasskey(page);
  await expect(page.getByText('This passkey is no longer known here.')).toBeVisible();
  await signIn(page, product.url, guest.email, guest.password);
  await expect(page).toHaveURL(/\/dashboard$/);
});

test('staff sign in with a passkey, and only while the device recognises them', async ({ page, product }) => {
  const owner = await device(page);
  await signIn(page, product.url, DEMO.staff);
  await expect(page).toHaveURL(/\/staff\/dashboard$/);
  await page.goto(`${product.url}/staff/settings`);
  await addPasskey(page, DEMO.password);
  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await expect(page).toHaveURL(/\/login/);
  await expectNoAxeViolations(page);

  await owner.recognises(false);
  await usePasskey(page);
  await expect(page.getByText('No passkey was used. You can try again.')).toBeVisible();
  await owner.recognises(true);
  await usePasskey(page);
  await expect(page).toHaveURL(/\/staff\/dashboard$/);

  await page.goto(`${product.url}/staff/settings`);
  await page.getByRole('button', { name: /^Remove / }).click();
  await page.getByLabel('Password', { exact: true }).fill(DEMO.password);
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Passkey removed')).toBeVisible();
});

test('the link in the letter confirms the address, and the reminder is gone', async ({ page, product }) => {
  const guest = await register(page, product.url);
  await expect(page.getByText('Confirm your email')).toBeVisible();
  await expectNoAxeViolations(page);
  const inbox = `${product.sandboxUrl}/mailbox/api/messages?to=${encodeURIComponent(guest.email)}`;
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
  await page.goto(`${product.url}/account`);
  await expect(page.getByText('Confirmed', { exact: true })).toBeVisible();
});
