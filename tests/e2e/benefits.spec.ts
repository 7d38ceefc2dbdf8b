import { verifyByHand } from '../support/fixtures/at-the-bar.ts';
import { memberCard } from '../support/fixtures/member-card.ts';
import {
  DEMO,
  expect,
  expectNoAxeViolationsInBothSchemes,
  openAs,
  test,
} from '../support/harness/product.ts';

const HIDEO = 'hideo@demo.test';
const TASTING = 'Tasting for two';

test('a benefit goes from the tier’s form to the club’s page, the scan and the member’s card', async ({
  page,
  context,
  product,
  browser,
  allowErrors,
}) => {
  test.slow();
  allowErrors('net::ERR_');
  await openAs(page, `${product.url}/staff/tiers`, DEMO.staff);
  await page.getByRole('button', { name: 'Edit Premier' }).click();
  const form = page.getByRole('dialog');
  await form.getByRole('button', { name: 'Add Benefit' }).click();
  await form.getByLabel('Benefit 3', { exact: true }).fill(TASTING);
  await form.getByLabel('Benefit 3 is counted').selectOption('a quarter');
  await form.getByLabel('How many of benefit 3').fill('2');
  await expectNoAxeViolationsInBothSchemes(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(`${TASTING}, 2 a quarter`)).toBeVisible();

  const visitor = await browser.newContext();
  const club = await visitor.newPage();
  await expect(async () => {
    await club.goto(`${product.url}/club`);
    await expect(club.getByText(`${TASTING}, 2 a quarter`)).toBeVisible({ timeout: 1_000 });
  }).toPass();

  await page.goto(`${product.url}/staff/search`);
  await verifyByHand(page, await memberCard(product.url, HIDEO));
  await expect(page.getByText('2 of 2 left this quarter')).toBeVisible();
  await page.getByRole('button', { name: `Take: ${TASTING}` }).click();
  await page.getByRole('button', { name: `Undo ${TASTING}` }).click();
  await expect(page.getByText('2 of 2 left this quarter')).toBeVisible();

  await context.setOffline(true);
  await page.getByRole('button', { name: `Take: ${TASTING}` }).click();
  await expect(page.getByText('Taken, waiting to be sent')).toBeVisible();
  await expect(page.getByRole('button', { name: '1 benefit waiting' })).toBeVisible();
  await expect(page.getByText('1 of 2 left this quarter')).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText('Taken, waiting to be sent')).toBeHidden({ timeout: 30_000 });
  await expect(page.getByText('1 of 2 left this quarter')).toBeVisible();
  await expectNoAxeViolationsInBothSchemes(page);

  const member = await visitor.newPage();
  await openAs(member, `${product.url}/qr-code`, HIDEO);
  await expect(member.getByText('1 of 2 left this quarter')).toBeVisible();
  await expectNoAxeViolationsInBothSchemes(member);
  await member.goto(`${product.url}/account`);
  await expect(member.getByText('1 of 2 left this quarter')).toBeVisible();
  await visitor.close();
});
