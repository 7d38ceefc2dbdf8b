import {
  DEMO,
  expect,
  expectNoAxeViolationsInBothSchemes,
  openAs,
  test,
} from '../support/harness/product.ts';

test('staff add a till, it looks up members, and its access is removed', async ({ page, product }) => {
  await openAs(page, `${product.url}/staff/settings/api`, DEMO.staff);
  await page.getByRole('button', { name: 'Add API Client' }).click();
  await page.getByLabel('Name').fill('Till at the bar');
  await page.getByLabel('Read members').check();
  await page.getByLabel('Your Password', { exact: true }).fill(DEMO.password);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  const shown = page.getByRole('definition').filter({ hasText: /^[\w-]{36,43}$/ });
  await expect(shown).toHaveCount(2);
  const [client_id = '', client_secret = ''] = await shown.allInnerTexts();
  expect(client_secret).toHaveLength(43);
  await expectNoAxeViolationsInBothSchemes(page);

  const answer = await fetch(`${product.url}/api/auth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret }),
  });
  const { access_token } = (await answer.json()) as { access_token: string };
  const listMembers = () =>
    fetch(`${product.url}/api/customers`, { headers: { authorization: `Bearer ${access_token}` } });
  expect((await listMembers()).status).toBe(200);

  await page.getByRole('button', { name: 'I’ve Saved Them' }).click();
  await expect(page.getByText(/Added .*, last used/)).toBeVisible();
  await page.getByRole('button', { name: 'Remove access for Till at the bar' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(page.getByText('Till at the bar', { exact: true })).toBeHidden();
  expect((await listMembers()).status).toBe(401);
});
