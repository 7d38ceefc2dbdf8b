import { totpCode } from '../support/fakes/authenticator-app.ts';
import { freePort } from '../support/harness/free-port.ts';
import { dataFolder, startProcess } from '../support/harness/installation.ts';
import { expect, expectNoAxeViolations, test } from '../support/harness/product.ts';

const PASSWORD = 'correct horse battery';

test('the link of a first start that requires two steps leads through them to Getting Started', async ({
  page,
}) => {
  test.setTimeout(120_000);
  const folder = dataFolder();
  // As in production, which would build the smallest web app first.
  const env = { NODE_ENV: 'development', STAFF_REQUIRE_TWO_FACTOR: 'true' };
  const club = await startProcess(
    { DATA_DIR: folder.path, PORT: String(await freePort()), ...env },
    ['start'],
    'scripts/cellar-door.ts',
  );
  await page.goto(/http\S+\/setup\S*/.exec(club.output())?.[0] ?? '');
  await page.getByLabel('Name of the Club').fill('The Copper Vine');
  await page.getByLabel('First Name').fill('Olive');
  await page.getByLabel('Last Name').fill('Owner');
  await page.getByLabel('Email').fill('owner@venue.test');
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Set Up the Club' }).click();
  await expect(page.getByText('Set up two-step sign-in first')).toBeVisible();
  await page.getByRole('button', { name: 'Set Up', exact: true }).click();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  const made = page.waitForResponse(
    (it) => it.url().endsWith('/api/auth/factors') && it.request().method() === 'POST',
  );
  await page.getByRole('button', { name: 'Continue' }).click();
  const { totp_uri } = (await (await made).json()) as { totp_uri: string };
  await page.getByLabel('Code', { exact: true }).fill(totpCode(totp_uri));
  await page.getByRole('button', { name: 'Turn On', exact: true }).click();
  await page.getByRole('button', { name: 'I’ve Saved Them' }).click();
  await expect(page).toHaveURL(/\/staff\/start$/);
  await expect(page.getByText('Welcome to The Copper Vine.')).toBeVisible();
  await expectNoAxeViolations(page);
  await club.stop();
  folder.remove();
});
