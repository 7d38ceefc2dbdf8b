import type { Page } from '@playwright/test';
import { signedInStaff } from '../support/fixtures/accounts.ts';
import { applied, aRequestId } from '../support/fixtures/members.ts';
import { Caller } from '../support/harness/caller.ts';
import { DEMO, expect, test } from '../support/harness/product.ts';

const FIRST = 'Wolfeschlegelsteinhausenbergerdorff';
const LAST = 'Featherstonehaugh-Cholmondeley-Marjoribanks';

const uniqueEmail = () =>
  `maximiliana.featherstonehaugh+${aRequestId().slice(-12)}@wine-society.example.test`;

async function account(url: string): Promise<Caller> {
  const caller = new Caller(url, url);
  await caller.must('POST', '/api/auth/sign-up', {
    first_name: FIRST,
    last_name: LAST,
    email: uniqueEmail(),
    password: 'correct horse',
  });
  return caller;
}

/** The elements that end to the right of the window, but for those in a box that scrolls or cuts them off. */
const beyondTheEdge = (page: Page) =>
  page.evaluate(() => {
    const { clientWidth, scrollWidth } = document.documentElement;
    const isCut = (element: Element | null): boolean =>
      element !== null &&
      element !== document.body &&
      (getComputedStyle(element).overflowX !== 'visible' || isCut(element.parentElement));
    const beyond = [...document.querySelectorAll('body *')]
      .filter((it) => it.getBoundingClientRect().right > clientWidth + 1 && !isCut(it.parentElement))
      .map((it) => `${it.tagName} ${it.className} ${it.textContent?.slice(0, 60)}`);
    return { wider: scrollWidth - clientWidth, beyond };
  });

async function expectFits(page: Page, address: string, text: string | RegExp): Promise<void> {
  await page.goto(address);
  await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
  expect.soft(await beyondTheEdge(page), address).toEqual({ wider: 0, beyond: [] });
}

async function be(page: Page, { jar }: Caller, url: string): Promise<void> {
  await page.context().clearCookies();
  await page.context().addCookies([...jar].map(([name, value]) => ({ name, value, url })));
}

test('long names and emails without spaces make no page of staff wider than a phone', async ({
  page,
  product,
}) => {
  test.slow();
  const { url } = product;
  const staff = await signedInStaff(url);
  const applicant = await account(url);
  const application = await applied(applicant);
  const member = await account(url);
  const { customer_id } = await staff.must<{ customer_id: string }>(
    'POST',
    `/api/applications/${await applied(member, 'household')}/approve`,
    { toast_reference_number: `T-${'1'.repeat(40)}` },
  );
  await staff.must('POST', '/api/team-invitations', {
    email: uniqueEmail(),
    permissions: [],
    password: DEMO.password,
  });
  await be(page, staff, url);
  for (const [path, text] of [
    ['/staff/dashboard', FIRST],
    ['/staff/applications', FIRST],
    [`/staff/applications/${application}`, FIRST],
    [`/staff/customers/${customer_id}`, FIRST],
    [`/staff/members#search=${FIRST}`, FIRST],
    ['/staff/team', 'Invited'],
    ['/staff/audit', 'Invit'],
    ['/staff/payments', 'Stripe'],
  ] as const) {
    await test.step(path, () => expectFits(page, url + path, text));
  }
});

test('long names and emails without spaces make no page of a member wider than a phone', async ({
  page,
  product,
}) => {
  test.slow();
  const { url } = product;
  const staff = await signedInStaff(url);
  const member = await account(url);
  await staff.must('POST', `/api/applications/${await applied(member, 'household')}/approve`, {
    toast_reference_number: 'T-1',
  });
  await member.must('PUT', '/api/household/invitation', { email: uniqueEmail() });
  await be(page, member, url);
  for (const [path, text] of [
    ['/dashboard', FIRST],
    ['/qr-code', FIRST],
    ['/account', FIRST],
    ['/account/security', 'Password'],
    ['/account/data', 'Delete'],
    ['/household', 'wine-society'],
  ] as const) {
    await test.step(path, () => expectFits(page, url + path, text));
  }
});
