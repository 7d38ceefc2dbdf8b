import {
  DEMO,
  expect,
  expectNoAxeViolationsInBothSchemes,
  openAs,
  test,
} from '../support/harness/product.ts';

test.use({ serviceWorkers: 'allow' });

test('the charts of the reports are drawn within the content security policy, beside a table', async ({
  page,
  product,
}) => {
  const violations: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) violations.push(message.text());
  });
  await openAs(page, `${product.url}/staff/more`, DEMO.staff);
  await page.getByRole('link', { name: /^Reports/ }).click();
  for (const [view, title] of [
    ['Members', 'Members by Tier'],
    ['Revenue', 'Recurring Revenue'],
    ['Pours', 'Pours by Month'],
    ['Unused', 'Pours Left Unused'],
  ] as const) {
    await page
      .getByRole('navigation', { name: 'Reports' })
      .getByRole('link', { name: view, exact: true })
      .click();
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.locator('svg.recharts-surface').first()).toBeVisible();
    await expect(page.getByRole('table').first()).toBeVisible();
  }
  await expectNoAxeViolationsInBothSchemes(page);
  // The range is part of the URL, and of the file's name.
  await page.getByLabel('Period').selectOption('Last 2 years');
  await expect(page).toHaveURL(/view=unused&from=\d{4}-\d\d-01&to=/);
  const file = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Pours Left Unused as a CSV file' }).click();
  expect((await file).suggestedFilename()).toMatch(/^unused-\d{4}-\d\d-01-.*\.csv$/);
  expect(violations).toEqual([]);
});

test('on a phone the month’s figures fit one screen', async ({ page, product }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openAs(page, `${product.url}/staff/reports`, DEMO.staff);
  await expect(page.getByText('Glasses poured')).toBeVisible();
  const last = (await page.locator('main dl > div').last().boundingBox())!;
  const bar = (await page.getByRole('navigation', { name: 'Main' }).boundingBox())!;
  expect(Math.ceil(last.y + last.height)).toBeLessThanOrEqual(bar.y);
});
