import { type OidcServer, startOidcServer } from '../support/fakes/oidc-server.ts';
import { freePort } from '../support/harness/free-port.ts';
import { demoFolder, type StartedProcess, startProcess } from '../support/harness/installation.ts';
import {
  DEMO,
  expect,
  expectNoAxeViolationsInBothSchemes,
  signIn,
  test as withProduct,
} from '../support/harness/product.ts';

type Fixtures = { elsewhere: OidcServer; venue: StartedProcess };

// Fixtures of the test: worker fixtures would need a worker with its own browser for this file alone.
const test = withProduct.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  elsewhere: async ({}, use) => {
    const server = await startOidcServer();
    await use(server);
    await server.close();
  },
  /** The product with that provider configured. */
  venue: async ({ elsewhere }, use) => {
    const folder = await demoFolder();
    const port = await freePort();
    elsewhere.allow(`http://localhost:${port}`);
    const { issuer, clientId, clientSecret, label } = elsewhere.config;
    const venue = await startProcess({
      DATA_DIR: folder.path,
      PORT: String(port),
      OIDC_PROVIDERS: 'vineyard',
      OIDC_VINEYARD_ISSUER: issuer,
      OIDC_VINEYARD_CLIENT_ID: clientId,
      OIDC_VINEYARD_CLIENT_SECRET: clientSecret,
      OIDC_VINEYARD_LABEL: label,
    });
    await use(venue);
    await venue.stop();
    folder.remove();
  },
  // Pages close before the product does: an open one would report its broken stream.
  context: async ({ venue: _first, context }, use) => {
    await use(context);
  },
});

// A return from the provider is a navigation to the API, which passes through it.
test.use({ serviceWorkers: 'allow' });

test('a member links an account at a provider, signs in with it, and unlinks it', async ({ page, venue }) => {
  await page.goto(`${venue.url}/login`);
  await page.getByRole('button', { name: 'Continue with Vineyard ID' }).click();
  await expect(page.getByRole('alert')).toContainText(
    'This account is not linked yet. Sign in with your password',
  );
  await expectNoAxeViolationsInBothSchemes(page);

  await signIn(page, venue.url, DEMO.member);
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.goto(`${venue.url}/account/security`);
  await page.getByRole('button', { name: 'Link Vineyard ID' }).click();
  await page.getByLabel('Password', { exact: true }).fill(DEMO.password);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Vineyard ID is linked' })).toBeVisible();
  await expectNoAxeViolationsInBothSchemes(page);

  await page.context().clearCookies();
  await page.goto(`${venue.url}/pours`);
  await page.getByRole('button', { name: 'Continue with Vineyard ID' }).click();
  await expect(page).toHaveURL(`${venue.url}/pours`);

  await page.goto(`${venue.url}/account/security`);
  await page.getByRole('button', { name: 'Unlink Vineyard ID' }).click();
  await page.getByLabel('Password', { exact: true }).fill(DEMO.password);
  await page.getByRole('button', { name: 'Unlink', exact: true }).click();
  await expect(page.getByText('Not linked')).toBeVisible();
});
