import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoFolder, startProcess } from '../support/harness/installation.ts';
import { DEMO, expect, openAs, register, test } from '../support/harness/product.ts';

test('Start Over in the demo banner removes what was tried, signs everyone out and returns to the sign-in page', {
  tag: '@form:brand/start-over',
}, async ({ page, allowErrors }) => {
  // The browser logs these while the server restarts, and 401 for the session that ended.
  allowErrors(
    /ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|ERR_INCOMPLETE_CHUNKED_ENCODING|401/,
  );
  test.slow();
  const folder = await demoFolder();
  const secrets = readFileSync(join(folder.path, 'secrets.json'), 'utf8');
  writeFileSync(join(folder.path, 'notes.txt'), 'of the venue');
  const demo = await startProcess({ DATA_DIR: folder.path });
  try {
    const { email, password } = await register(page, demo.url);
    await page.context().clearCookies();
    await openAs(page, `${demo.url}/staff/dashboard`, DEMO.staff, DEMO.password);

    await page.getByRole('button', { name: 'Start Over' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Start the demo over?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole('button', { name: 'Start Over' }).click();
    await dialog.getByRole('button', { name: 'Start Over' }).click();
    await expect(dialog.getByRole('button', { name: 'Starting over...' })).toBeVisible();
    await page.waitForURL(`${demo.url}/login`, { timeout: 90_000 });

    await expect(page.getByRole('button', { name: 'Sign In', exact: true })).toBeVisible();
    const session = await page.request.get(`${demo.url}/api/session`);
    expect(await session.json()).toMatchObject({ user: null });
    const signIn = (data: object) =>
      page.request.post(`${demo.url}/api/auth/sign-in`, { data, headers: { origin: demo.url } });
    expect((await signIn({ email, password })).status()).toBe(401);
    expect((await signIn({ email: DEMO.staff, password: DEMO.password })).status()).toBe(200);
    expect(readFileSync(join(folder.path, 'secrets.json'), 'utf8')).toBe(secrets);
    expect(existsSync(join(folder.path, 'notes.txt'))).toBe(true);
    expect(await demo.stop()).toBe(0);
  } finally {
    await demo.stop();
    folder.remove();
  }
});
