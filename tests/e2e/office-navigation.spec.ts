import { DEMO, expect, openAs, test } from '../support/harness/product.ts';

for (const [name, path] of [
  ['the dashboard', '/staff/dashboard'],
  ['Settings', '/staff/settings'],
] as const) {
  test(`on ${name} the whole navigation is seen at 1280x768`, async ({ product, page }) => {
    await page.setViewportSize({ width: 1280, height: 768 });
    await openAs(page, product.url + path, DEMO.staff);
    const navigation = page.getByRole('navigation', { name: 'Main' });
    for (const entry of ['Dashboard', 'Scan', 'Members', 'At Risk', 'Add Member', 'Applications', 'Wines']) {
      await expect(navigation.getByRole('link', { name: entry })).toBeInViewport({ ratio: 1 });
    }
    const entries = [
      ...(await navigation.getByRole('link').all()),
      ...(await navigation.getByRole('button').all()),
      ...(path === '/staff/settings'
        ? await page.getByRole('navigation', { name: 'Settings' }).getByRole('link').all()
        : []),
    ];
    expect(entries.length).toBeGreaterThan(10);
    for (const entry of entries) await expect(entry).toBeInViewport({ ratio: 1 });
    for (const foot of [
      navigation.getByRole('link', { name: 'Account' }),
      navigation.getByText('Sign Out'),
    ]) {
      await expect(foot).toBeInViewport({ ratio: 1 });
    }
    expect(await navigation.evaluate((it) => it.scrollHeight - it.clientHeight)).toBe(0);
  });
}
