import type { Page } from '@playwright/test';
import { newCardMember, newMemberOf, signedInStaff } from '../support/fixtures/accounts.ts';
import { aRequestId } from '../support/fixtures/members.ts';
import { demoFolder, type StartedProcess, startProcess } from '../support/harness/installation.ts';
import { DEMO, expect, openAs, test as withProduct } from '../support/harness/product.ts';

// docs/rules/membership.md, "Pausing".

/** A separate product: moving its clock by months would disturb every other journey. */
const test = withProduct.extend<{ venue: StartedProcess }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  venue: async ({}, use) => {
    const folder = await demoFolder();
    const script = 'tests/support/harness/clocked-product.ts';
    const venue = await startProcess({ DATA_DIR: folder.path }, [], script);
    await use(venue);
    await venue.stop();
    folder.remove();
  },
  // Pages close before the product does: an open one would report its broken stream.
  context: async ({ venue: _first, context }, use) => {
    await use(context);
  },
});

/** Moves the clock of product and sandbox. On return, the product has handled all of Stripe's events. */
async function passTime(page: Page, { sandboxUrl }: StartedProcess, advance: string): Promise<void> {
  // An open page would send requests with a session that ended long ago.
  await page.goto('about:blank');
  for (const [path, body] of [
    ['clock', { advance }],
    ['webhooks/idle', {}],
  ] as const) {
    const url = `${sandboxUrl}/_sandbox/${path}`;
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.ok, `${path}: ${answer.status}`).toBe(true);
  }
}

test('a member who means to cancel pauses instead, and comes back; a second pause ends early', {
  tag: ['@form:member/billing/pause-notice', '@form:member/billing/venue-pause#VenuePauseNotice'],
}, async ({ page, venue, allowErrors }) => {
  // Seven sign-ins and four clock moves: half a minute on an idle machine.
  test.setTimeout(120_000);
  // A paused membership has no code, and sessions end when months pass.
  allowErrors(/409 .*generate-qr-token/, /status of 401/);
  const { url, sandboxUrl } = venue;
  const { email, password, caller } = await newCardMember(url);
  const { customer } = await caller.must<{ customer: { id: string } }>('GET', '/api/customers/own');
  const asMember = (path: string) => openAs(page, url + path, email, password);
  const asStaff = (path: string) => openAs(page, url + path, DEMO.staff);
  const received = (subject: string) =>
    expect(async () => {
      const answer = await fetch(`${sandboxUrl}/mailbox/api/messages?to=${encodeURIComponent(email)}`);
      const { messages } = (await answer.json()) as { messages: { subject: string }[] };
      expect(messages.map((it) => it.subject).filter((it) => it.startsWith(subject))).toHaveLength(1);
    }).toPass();

  await asMember('/account');
  await page.getByRole('button', { name: 'Cancel Subscription' }).click();
  await expect(page.getByLabel(/Why are you leaving\?/)).toBeVisible();
  await page.getByRole('button', { name: 'Pause Instead' }).click();
  const dialog = page.getByRole('dialog', { name: 'Pause Your Membership' });
  await dialog.getByRole('radio', { name: /^1 month/ }).check();
  const choice = await dialog
    .getByRole('radio', { name: /^1 month/ })
    .evaluate((it) => it.parentElement?.textContent);
  const until = /back on (\S+)/.exec(choice ?? '')?.[1] ?? '';
  await dialog.getByRole('button', { name: /^Pause from / }).click();
  await expect(page.getByText('Your pause is set')).toBeVisible();
  await expect(page.getByText(new RegExp(`^Paused from \\S+ to ${until}$`))).toBeVisible();
  await received('Your membership will pause');
  await page.goto(`${url}/dashboard`);
  // The paid month keeps its glasses.
  await expect(page.getByText('4 / 4')).toBeVisible();

  const atVenue = await newMemberOf(url, await signedInStaff(url));
  await atVenue.caller.must('POST', '/api/billing/pause', { months: 1 });

  await passTime(page, venue, '1 month');
  await openAs(page, `${url}/dashboard`, atVenue.email, atVenue.password);
  await page.getByRole('button', { name: 'Come Back Now' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Come Back', exact: true }).click();
  await expect(page.getByText('Welcome back').first()).toBeVisible();
  await expect(page.getByText('4 / 4')).toBeVisible();
  await asMember('/dashboard');
  await expect(page.getByText(`Your membership is paused until ${until}`)).toBeVisible();
  await asStaff(`/staff/customers/${customer.id}`);
  await expect(page.getByText(/^Paused since .+, back on /)).toBeVisible();
  await expect(page.getByRole('link', { name: 'Record Pour' })).toHaveCount(0);
  // A glass from a page opened earlier is refused too.
  const glass = { request_id: aRequestId(), customer_id: customer.id, quantity: 1, location: 'bar' };
  const refused = await (await signedInStaff(url)).call('POST', '/api/pours', glass);
  expect(refused).toMatchObject({ status: 409, body: { code: 'CUSTOMER_NOT_ACTIVE' } });

  await passTime(page, venue, '25 days');
  venue.signal('SIGUSR2');
  await received('Your pause ends soon');

  await passTime(page, venue, '8 days');
  await asMember('/dashboard');
  await expect(page.getByText('4 / 4')).toBeVisible();
  await expect(page.getByText(/paused/)).toHaveCount(0);

  // The months of a member are limited, those of staff are not.
  await asStaff(`/staff/customers/${customer.id}`);
  await page.getByRole('button', { name: 'Pause Membership' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(page.getByText('Membership paused')).toBeVisible();
  await passTime(page, venue, '1 month');
  await asMember('/dashboard');
  await page.getByRole('button', { name: 'Come Back Now' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Pay \$39\.00/ })
    .click();
  await expect(page.getByText('Welcome back').first()).toBeVisible();
  await expect(page.getByText('4 / 4')).toBeVisible();
});
