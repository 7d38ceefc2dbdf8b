import type { Page } from '@playwright/test';
import { memberCard } from '../../support/fixtures/member-card.ts';
import { boughtGift, expect, type Guest, test } from '../../support/forms/form-test.ts';
import { DEMO, newEmail } from '../../support/harness/product.ts';
import { typeAsScanner } from '../../support/harness/typing-scanner.ts';

// Forms about one member, filled in by staff.

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const asked = (page: Page, name: string | RegExp) =>
  page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();
const inDialog = (page: Page, name: string | RegExp) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const pageOf = ({ customer_id }: Guest) => `/staff/customers/${customer_id}`;

test('an application is approved', { tag: '@form:staff/applications/approve-dialog' }, async ({
  page,
  open,
  people,
}) => {
  const { application } = await people.applicant();
  await open(`/staff/applications/${application}`);
  await press(page, 'Approve Application');
  await page.getByLabel('Toast Reference Number').fill('T-2');
  await press(page, 'Approve & Create Membership');
  await expect(page.getByText('Application approved and membership created')).toBeVisible();
});

test('an application is rejected', { tag: '@form:staff/applications/application-view' }, async ({
  page,
  open,
  people,
}) => {
  const { application } = await people.applicant();
  await open(`/staff/applications/${application}`);
  await press(page, 'Reject Application');
  await inDialog(page, 'Reject Application');
  await expect(page.getByText('Application rejected')).toBeVisible();
});

test('a card is entered by hand, and a glass poured where nothing was poured before', {
  tag: ['@form:staff/scanner/verify-page', '@form:staff/pours/pour-form'],
}, async ({ page, open, product }) => {
  const token = await memberCard(product.url, 'tobias@demo.test');
  await open('/staff/search');
  await press(page, 'Enter Code Manually');
  await page.getByPlaceholder('Paste QR code here...').fill(token);
  await press(page, 'Verify Code');
  await expect(page).toHaveURL(/\/add-pour$/);
  await press(page, /^Pour 1/);
  await expect(page.getByText('Please select a location')).toBeVisible();
  // Another form adds places, and more than four are a list.
  const list = page.getByRole('combobox', { name: 'Location' });
  if (await list.isVisible()) await list.selectOption('Bar');
  else await page.getByRole('radio', { name: 'Bar' }).check();
  await press(page, /^Pour 1/);
  await expect(page.getByText('Pour recorded successfully!')).toBeVisible();
});

test('a scan beside an unfinished note asks, and opens the scanned member', {
  tag: '@form:staff/scanner/scanned-codes',
}, async ({ page, open, product }) => {
  const [first, next] = [await memberCard(product.url, 'tobias@demo.test'), await memberCard(product.url)];
  await open('/staff/dashboard');
  await expect(page.getByRole('link', { name: 'Scan Customer QR Code' })).toBeVisible();
  await typeAsScanner(page, first);
  await expect(page).toHaveURL(/\/add-pour$/);
  const opened = page.url();
  await page.getByLabel('Notes').fill('no ice');
  await typeAsScanner(page, next);
  await expect(page.getByLabel('Notes')).toHaveValue('no ice');
  await asked(page, 'Open the Card');
  await expect(page).not.toHaveURL(opened);
  await expect(page).toHaveURL(/\/add-pour$/);
});

test('a pour is undone', { tag: '@form:staff/pours/void-dialog' }, async ({ page, open, people }) => {
  const member = await people.member();
  const pour = {
    request_id: crypto.randomUUID(),
    customer_id: member.customer_id,
    quantity: 1,
    location: 'bar',
  };
  await people.owner.must('POST', '/api/pours', pour);
  await open(pageOf(member));
  await page.getByRole('button', { name: /^Undo 1 pour,/ }).click();
  await page.getByLabel('Reason').fill('Wrong member');
  await press(page, 'Undo Pour');
  await expect(page.getByText('“Wrong member”').first()).toBeVisible();
});

test('a payment at the venue is recorded', { tag: '@form:staff/dues/record-payment-dialog' }, async ({
  page,
  open,
  people,
}) => {
  await open(pageOf(await people.member()));
  await press(page, 'Record Payment');
  await page.getByLabel('Toast Reference Number').fill('T-2');
  await inDialog(page, 'Record Payment');
  await expect(page.getByText('Payment recorded')).toBeVisible();
});

test('a payment at the venue is voided, and the membership counted anew', {
  tag: ['@form:staff/dues/void-payment-dialog', '@form:staff/dues/count-from-dialog'],
}, async ({ page, open, people }) => {
  await open(pageOf(await people.member()));
  await page.getByRole('button', { name: /^Void / }).click();
  await page.getByLabel('Reason').fill('Wrong member');
  await inDialog(page, 'Void Payment');
  await expect(page.getByText('“Wrong member”')).toBeVisible();
  await press(page, 'Count from...');
  await inDialog(page, 'Start Counting');
  await expect(page.getByText(/^Counted from/).first()).toBeVisible();
});

test('the tier of a membership at the venue is changed', {
  tag: '@form:staff/dues/change-tier-dialog',
}, async ({ page, open, people }) => {
  await open(pageOf(await people.member()));
  await press(page, 'Change Tier');
  // Tiers of other tests may stand before it.
  await page.getByLabel('New tier').selectOption('premier');
  await page.getByLabel('Toast Reference Number').fill('T-77');
  await inDialog(page, /^Record \$/);
  await expect(page.getByText(/has Premier now\.$/)).toBeVisible();
  // A cheaper one can only wait for the end of the year.
  await press(page, 'Change Tier');
  await inDialog(page, 'Change Tier');
  await expect(page.getByText('Tier change scheduled')).toBeVisible();
  await press(page, 'Take Back');
  await expect(page.getByText('Tier change canceled')).toBeVisible();
});

test('the dialog about a member is saved as it was', { tag: '@form:staff/record/about-card' }, async ({
  page,
  open,
  people,
}) => {
  await open(pageOf(await people.member()));
  await page.getByRole('button', { name: 'Edit', exact: true }).first().click();
  await inDialog(page, 'Save');
  await expect(page.getByRole('dialog')).toBeHidden();
});

test('a tag is added', { tag: '@form:staff/record/tags-card' }, async ({ page, open, people }) => {
  await open(pageOf(await people.member()));
  await page.getByPlaceholder('Add a tag').fill('Regular');
  await press(page, 'Add');
  await expect(page.getByRole('button', { name: 'Remove Regular' })).toBeVisible();
});

test('a note is added', { tag: '@form:staff/record/notes-card' }, async ({ page, open, people }) => {
  await open(pageOf(await people.member()));
  await page.getByPlaceholder('Add a note').fill('Likes a quiet table');
  await press(page, 'Add Note');
  const note = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: 'Remove', exact: true }) });
  await expect(note.getByText('Likes a quiet table')).toBeVisible();
});

test('glasses are given', { tag: '@form:staff/record/give-glasses-button' }, async ({
  page,
  open,
  people,
}) => {
  await open(pageOf(await people.member()));
  await press(page, 'Give or Take Back Pours');
  await page.getByLabel('Reason').fill('A long wait');
  await inDialog(page, 'Give 1');
  await expect(page.getByText('1 pour given').first()).toBeVisible();
});

test('a payment is refunded', { tag: '@form:staff/record/refund-dialog' }, async ({ page, open, people }) => {
  await open(pageOf(await people.cardMember()));
  await page.getByRole('button', { name: /^Refund the payment of/ }).click();
  await page.getByLabel('Reason').fill('A mistake');
  await inDialog(page, /^Refund \$/);
  // Another test may have changed the tier's price.
  await expect(page.getByRole('cell').filter({ hasText: /\$[\d.]+ refunded/ })).toBeVisible();
});

test('a membership is paused by staff', { tag: '@form:staff/record/pause-controls#PauseQuestion' }, async ({
  page,
  open,
  people,
}) => {
  await open(pageOf(await people.cardMember()));
  await press(page, 'Pause Membership');
  await asked(page, 'Pause');
  await expect(page.getByText('Membership paused')).toBeVisible();
});

test('a pause is extended by staff', { tag: '@form:staff/record/pause-controls#ExtendQuestion' }, async ({
  page,
  open,
  people,
}) => {
  const member = await people.cardMember();
  await member.caller.must('POST', '/api/billing/pause', { months: 1 });
  await open(pageOf(member));
  await press(page, 'Extend the Pause');
  await asked(page, 'Extend by a Month');
  await expect(page.getByText('Pause extended')).toBeVisible();
});

test('a membership is ended by staff', { tag: '@form:staff/record/end-controls' }, async ({
  page,
  open,
  people,
}) => {
  await open(pageOf(await people.member()));
  await press(page, 'End Membership');
  const dialog = page.getByRole('alertdialog');
  await dialog.getByLabel('Reason').selectOption({ index: 1 });
  await dialog.getByRole('button', { name: /^End / }).click();
  await expect(page.getByText(/^Ends on /).first()).toBeVisible();
});

test('a gift is refunded by staff', { tag: '@form:staff/record/gifts-card' }, async ({
  page,
  open,
  people,
}) => {
  const member = await people.member();
  await boughtGift(member.caller, 'card');
  await open(pageOf(member));
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  await asked(page, 'Refund It');
  await expect(page.getByText('Refunded', { exact: true }).first()).toBeVisible();
});

test('a name is edited', { tag: '@form:staff/member-account/edit-names-dialog' }, async ({
  page,
  open,
  people,
}) => {
  await open(pageOf(await people.member()));
  await press(page, 'Edit Name and Phone');
  await inDialog(page, 'Save');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
});

test('an account is deleted for a member', {
  tag: '@form:staff/member-account/delete-account-dialog',
}, async ({ page, open, people }) => {
  await open(pageOf(await people.member()));
  await press(page, 'Delete the Account');
  await page.getByLabel('Your Password').fill(DEMO.password);
  await page.getByLabel('Type DELETE to confirm').fill('delete');
  await inDialog(page, 'Delete Permanently');
  await expect(page.getByText(/^The account of .* was deleted$/)).toBeVisible();
  await expect(page).toHaveURL(/\/staff\/members$/);
});

test('an email is corrected', { tag: '@form:staff/member-account/account-card' }, async ({
  page,
  open,
  people,
}) => {
  await open(pageOf(await people.member()));
  await press(page, 'Change Email');
  await page.getByLabel('New Email').fill(newEmail());
  await inDialog(page, /^(Correct|Send the Link)$/);
  await expect(page.getByText(/^(Email corrected|The link went to)/)).toBeVisible();
});

test('an email is sent again', { tag: '@form:staff/member-account/emails-dialog' }, async ({
  page,
  open,
  people,
}) => {
  await open(pageOf(await people.cardMember()));
  await press(page, 'Resend an Email');
  await page.getByRole('dialog').getByRole('button', { name: 'Send Welcome' }).click();
  await expect(page.getByText('Email sent')).toBeVisible();
});

test('a member at risk is written to, and turns such emails off without signing in', {
  tag: '@form:staff/at-risk/at-risk-page',
}, async ({ page, open, product, context }) => {
  await open('/staff/at-risk');
  await page
    .getByRole('button', { name: /^Write to / })
    .first()
    .click();
  await inDialog(page, 'Send');
  await expect(page.getByText(/^Sent to /)).toBeVisible();
  let link = '';
  await expect(async () => {
    const answer = await fetch(`${product.sandboxUrl}/mailbox/api/messages`);
    const { messages } = (await answer.json()) as { messages: { text: string }[] };
    link = messages.map(({ text }) => /http\S+\/unsubscribe#\S+/.exec(text)?.[0]).find(Boolean) ?? '';
    expect(link).not.toBe('');
  }).toPass({ intervals: [100, 200, 500] });
  await context.clearCookies();
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'Turn off personal emails?' })).toBeVisible();
  await press(page, 'Turn Off');
  await expect(page.getByRole('heading', { name: 'Personal emails are off' })).toBeVisible();
  await page.getByRole('link', { name: 'Open Notifications' }).click();
  await expect(page).toHaveURL(/\/login/);
});

test('the members on a list are written to, and it is stopped before it begins', {
  tag: ['@form:staff/mailings/write-page', '@form:staff/mailings/mailings-page'],
}, async ({ page, open, people }) => {
  const { caller } = await people.member();
  await caller.must('PUT', '/api/personal-emails/own', { wanted: true, place: 'account' });
  await open('/staff/members');
  await page.getByRole('link', { name: /^Write to \d/ }).click();
  await page.getByLabel('Subject').fill('The new Barolo');
  await page.getByLabel('Text').fill('Come by, {first_name}.');
  await expect(page.getByText(/gets it. Nothing is sent yet.$/)).toBeVisible();
  await page.getByRole('button', { name: /^Send to \d/ }).click();
  await expect(page.getByText(/^Begins in a minute, to /)).toBeVisible();
  await press(page, 'Stop');
  await asked(page, 'Stop');
  await expect(page.getByText('Stopped after 0 emails').first()).toBeVisible();
});

test('someone signs up at the bar', {
  tag: ['@form:staff/sign-up/person-step', '@form:staff/sign-up/membership-step'],
}, async ({ page, open }) => {
  await open('/staff/members/new');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('First Name').fill('Mira');
  await page.getByLabel('Last Name').fill('Sol');
  await press(page, 'Choose Membership');
  await expect(page.getByText(/20 pours, for two people/)).toBeVisible();
  await press(page, 'Show the Code');
  await expect(page.getByRole('img', { name: 'Code with which Mira pays' })).toBeVisible();
});
