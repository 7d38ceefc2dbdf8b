import {
  DEMO,
  expect,
  expectNoAxeViolations,
  newEmail,
  openAs,
  payWith,
  test,
} from '../support/harness/product.ts';

test('someone signs up at the bar: staff show a code, and a phone where nobody is signed in pays', async ({
  page,
  browser,
  product,
}) => {
  const email = newEmail();
  await openAs(page, `${product.url}/staff/members/new`, DEMO.staff);
  // The form is filled by keyboard alone.
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.type(email);
  await page.keyboard.press('Tab');
  await page.keyboard.type('Mira');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Sol');
  await expectNoAxeViolations(page);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('radio', { name: /Select/ })).toBeVisible();
  await page.getByRole('radio', { name: /Select/ }).check();
  await expectNoAxeViolations(page);
  const answered = page.waitForResponse('**/api/bar-sign-ups');
  await page.keyboard.press('Enter');
  const { link } = (await (await answered).json()) as { link: { url: string } };
  await expect(page.getByRole('img', { name: 'Code with which Mira pays' })).toBeVisible();
  await expectNoAxeViolations(page);

  const phone = await (await browser.newContext({ viewport: { width: 390, height: 844 } })).newPage();
  await phone.goto(link.url);
  await expect(phone.getByText('We’ll email your confirmation to')).toContainText(email);
  await expectNoAxeViolations(phone);
  await expect(page.getByText('The code is open on a phone')).toBeVisible();
  await phone.getByRole('button', { name: 'Continue to Payment' }).click();
  await payWith(phone, '4000 0000 0000 0002');
  await expect(phone.getByText(/declined/).first()).toBeVisible();
  await expect(page.getByText('Mira is paying')).toBeVisible();
  await payWith(phone);
  await expect(phone.getByRole('heading', { name: 'Welcome, Mira' })).toBeVisible();
  await expectNoAxeViolations(phone);
  await expect(page.getByRole('heading', { name: 'Mira is a member' })).toBeVisible();
  await page.getByRole('link', { name: 'Pour the First Glass' }).click();
  await expect(page).toHaveURL(/\/add-pour$/);
  await expect(page.getByText('Mira Sol')).toBeVisible();
  await page.getByRole('radio', { name: 'Bar' }).check();
  await page.getByRole('button', { name: /^Pour 1/ }).click();
  await expect(page.getByText('Pour recorded successfully!')).toBeVisible();
  await phone.context().close();
});
