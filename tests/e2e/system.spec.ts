import {
  DEMO,
  expect,
  expectNoAxeViolationsInBothSchemes,
  openAs,
  test,
} from '../support/harness/product.ts';

test('More leads staff to the system page, which names what is missing', async ({ page, product }) => {
  await openAs(page, `${product.url}/staff/dashboard`, DEMO.staff);
  await page.getByRole('link', { name: 'More' }).click();
  const system = page.getByRole('link', { name: /^System/ });
  await page.getByText('Machine', { exact: true }).click();
  await system.click();
  await expect(page.getByText('The demo makes no backups: it can be made again at any time.')).toBeVisible();
  await expect(page.getByText('Payments are a demo: no real money moves.')).toBeVisible();
  await expect(page.getByText(/^The embedded database answers in \d+ ms\.$/)).toBeVisible();
  await expectNoAxeViolationsInBothSchemes(page);
});
