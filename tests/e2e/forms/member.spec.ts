import type { Page } from '@playwright/test';
import { VERDICT_LABELS } from '../../../src/domain/taste.ts';
import { boughtGift, expect, test } from '../../support/forms/form-test.ts';
import { payWith } from '../../support/harness/product.ts';

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
const asked = (page: Page, name: string | RegExp) =>
  page.getByRole('alertdialog').getByRole('button', { name, exact: true }).click();

test('the survey begins', { tag: '@form:member/survey/apply-page' }, async ({ page, open, people }) => {
  await open('/apply', await people.newcomer());
  await press(page, 'Continue to Membership Selection');
  await expect(page.getByText('Progress saved')).toBeVisible();
  await expect(page.getByText(/^For two people/)).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Continue to Payment' }).first()).toBeVisible();
});

test('one press on a tier leads to the payment page', async ({ page, open, people }) => {
  await open('/apply', await people.newcomer());
  await press(page, 'Continue to Membership Selection');
  await page.getByRole('button', { name: 'Continue to Payment' }).first().click();
  await expect(page).toHaveURL(/\/c\/pay\//);
});

test('a year is chosen on its tier, and paid once', async ({ page, open, people }) => {
  await people.owner.must('PATCH', '/api/tier-settings/select', { yearly_price_cents: 39_000 });
  await open('/apply', await people.newcomer());
  await press(page, 'Continue to Membership Selection');
  await page.getByRole('radio', { name: '$390 for a year, 2 months free. Ends by itself.' }).check();
  await page.getByRole('button', { name: 'Continue to Payment' }).first().click();
  await expect(page).toHaveURL(/\/c\/pay\//);
  await expect(page.getByText('For a year of membership, paid once. It ends by itself.')).toBeVisible();
});

test('a dearer tier for the rest of a year is paid from the account', async ({ page, open, people }) => {
  await people.owner.must('PATCH', '/api/tier-settings/elite', { yearly_price_cents: 109_000 });
  const { caller, application } = await people.applicant();
  const path = `/api/applications/${application}/approve`;
  await people.owner.must('POST', path, { toast_reference_number: 'T-1', months: 12 });
  await open('/account', caller);
  await press(page, 'Manage');
  await page.getByRole('radio', { name: /^Elite for the 11 months left: \$/ }).check();
  await press(page, 'Move to Elite');
  await expect(page).toHaveURL(/\/c\/pay\//);
  await expect(page.getByText('For Elite in the 11 months left of your year.')).toBeVisible();
});

test('another year is paid from the account', async ({ page, open, people }) => {
  await people.owner.must('PATCH', '/api/tier-settings/select', { yearly_price_cents: 39_000 });
  const { caller, application } = await people.applicant();
  const path = `/api/applications/${application}/approve`;
  await people.owner.must('POST', path, { toast_reference_number: 'T-1', months: 12 });
  await open('/account', caller);
  await press(page, 'Manage');
  await press(page, 'Another Year');
  await expect(page).toHaveURL(/\/c\/pay\//);
});

test('a member at the venue goes on by card, and stays at the venue after all', {
  tag: '@form:member/billing/pay-by-card',
}, async ({ page, open, people }) => {
  const { caller, application } = await people.applicant();
  const path = `/api/applications/${application}/approve`;
  await people.owner.must('POST', path, { toast_reference_number: 'T-1', months: 3 });
  await open('/account', caller);
  await press(page, 'Manage');
  await press(page, 'Pay by Card');
  await asked(page, 'Continue to Payment');
  await expect(page).toHaveURL(/\/c\/pay\//);
  await payWith(page);
  await expect(page).toHaveURL(/\/dashboard/);
  await expect(page.getByText(/^Paid by card from /)).toBeVisible();
  await press(page, 'Stay at the Venue');
  await expect(page.getByText(/^Paid by card from /)).toBeHidden();
});

test('a payment that cannot start shows its toast above everything', async ({
  page,
  open,
  people,
  allowErrors,
}) => {
  allowErrors(/create-checkout/);
  await page.route('**/api/functions/create-checkout', (route) => route.abort());
  await open('/apply', await people.newcomer());
  await press(page, 'Continue to Membership Selection');
  await page.getByRole('button', { name: 'Continue to Payment' }).first().click();
  const toast = page.locator('[data-toast=error]');
  await expect(toast).toContainText('Failed to start payment process. Please try again.');
  await expect(page.getByText('Taking you to the payment page')).toBeHidden();
  await toast.getByRole('button').click();
  await expect(toast).toBeHidden();
});

test('an open payment is continued', { tag: '@form:member/dashboard/pending-dashboard' }, async ({
  page,
  open,
  people,
}) => {
  const someone = await people.applicant();
  await someone.caller.must('POST', '/api/functions/create-checkout', {
    tierName: 'select',
    applicationId: someone.application,
  });
  await open('/dashboard', someone);
  await page.getByRole('dialog').getByText('Complete Payment', { exact: true }).click();
  await expect(page).toHaveURL(/\/apply/);
});

test('a subscription is canceled', { tag: '@form:member/billing/cancel-dialog' }, async ({
  page,
  open,
  people,
}) => {
  await open('/account', await people.cardMember());
  await press(page, 'Cancel Subscription');
  await asked(page, 'Yes, Cancel');
  await expect(page.getByText('Subscription Cancelled')).toBeVisible();
  await expect(page.getByText('Cancels at period end')).toBeVisible();
});

test('a tier is changed', { tag: '@form:member/billing/change-tier-dialog' }, async ({
  page,
  open,
  people,
}) => {
  await open('/account', await people.cardMember());
  await press(page, 'Manage');
  await press(page, 'Change Tier');
  const dialog = page.getByRole('dialog', { name: 'Change Tier' });
  await expect(dialog.getByText(/^For two people/)).toHaveCount(1);
  await dialog.getByRole('radio').first().check();
  await dialog.getByRole('button', { name: /^(Pay .*|Change on .*)$/ }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('$69.00 per month')).toBeVisible();
});

test('a membership is paused', { tag: '@form:member/billing/pause-dialog' }, async ({
  page,
  open,
  people,
}) => {
  await open('/account', await people.cardMember());
  await press(page, 'Manage');
  await press(page, 'Pause Membership');
  await press(page, /^Pause from /);
  await expect(page.getByText('Your pause is set')).toBeVisible();
});

test('a pause is extended', { tag: '@form:member/billing/extend-dialog' }, async ({ page, open, people }) => {
  const member = await people.cardMember();
  await member.caller.must('POST', '/api/billing/pause', { months: 1 });
  await open('/account', member);
  await press(page, 'Pause One More Month');
  await asked(page, /^Pause until /);
  await expect(page.getByText('Your pause is longer')).toBeVisible();
});

test('a month is skipped', { tag: '@form:member/billing/skip-month' }, async ({ page, open, people }) => {
  await open('/account', await people.cardMember());
  await press(page, /^Skip /);
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Skip / })
    .click();
  await expect(page.getByText(/ is skipped$/)).toBeVisible();
});

test('a month at the venue is skipped', { tag: '@form:member/billing/venue-pause#SkipAtVenue' }, async ({
  page,
  open,
  people,
}) => {
  // Paid for a year, which has no next charge.
  await open('/account', await people.member());
  await press(page, 'Manage');
  await press(page, /^Skip /);
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /^Skip / })
    .click();
  await expect(page.getByText(/ is skipped$/)).toBeVisible();
});

test('a printed card is replaced', { tag: '@form:member/card/card-face' }, async ({ page, open, people }) => {
  const someone = await people.member();
  await someone.caller.must('POST', '/api/paper-cards', {});
  await open('/qr-code', someone);
  await press(page, 'Lost it? Get a new one');
  await asked(page, 'Get a New Code');
  await expect(page.getByRole('alertdialog')).toBeHidden();
});

test('a gift on a printed card is ordered', { tag: '@form:member/gifts/gift-form' }, async ({
  page,
  open,
  people,
}) => {
  await open('/gift', await people.newcomer());
  await page.getByLabel('Their Name').fill('Ben');
  await press(page, /^Pay /);
  await expect(page.getByLabel('Card number')).toBeVisible();
});

test('the code of a printed gift is replaced', { tag: '@form:member/gifts/gift-card-page' }, async ({
  page,
  open,
  people,
}) => {
  const { caller } = await people.newcomer();
  const id = await boughtGift(caller, 'card');
  await open(`/gift/${id}`, caller);
  const card = page.getByRole('region', { name: 'Gift card' });
  const first = await card.innerText();
  await press(page, 'New Code');
  await asked(page, 'Get a New Code');
  await expect(page.getByRole('alertdialog')).toBeHidden();
  await expect(card).not.toHaveText(first);
});

test('a gift is refunded', { tag: '@form:member/gifts/gift-list#GiftRow' }, async ({
  page,
  open,
  people,
}) => {
  const { caller } = await people.newcomer();
  await boughtGift(caller, 'card');
  await open('/gift', caller);
  await press(page, 'Refund');
  await asked(page, 'Refund It');
  await expect(page.getByText(/^Refunded/).first()).toBeVisible();
});

test('a gift by email is changed', { tag: '@form:member/gifts/gift-list#ResendDialog' }, async ({
  page,
  open,
  people,
}) => {
  const { caller } = await people.newcomer();
  await boughtGift(caller, 'email');
  await open('/gift', caller);
  await press(page, 'Change');
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
});

test('a gift is redeemed', { tag: '@form:member/gifts/redeem-page' }, async ({ page, open, people }) => {
  const { caller } = await people.newcomer();
  const id = await boughtGift(caller, 'card');
  const { code } = await caller.must<{ code: string }>('POST', `/api/gifts/${id}/code`, { renew: false });
  await open('/redeem', await people.newcomer());
  await page.getByRole('textbox', { name: 'Your Code' }).fill(code);
  await press(page, 'Continue');
  await press(page, 'Start My Membership');
  await expect(page.getByText('Welcome to our wine club!')).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard/);
});

test('someone is invited to a household, and the household is ended', {
  tag: ['@form:member/sharing/invite-card', '@form:member/sharing/household-page'],
}, async ({ page, open, people, linkTo }) => {
  const holder = await people.member('household');
  const partner = await people.newcomer();
  await open('/household', holder);
  await page.getByLabel('Their Email').fill(partner.email);
  await press(page, 'Email an Invitation');
  await expect(page.getByText(`We emailed ${partner.email}`)).toBeVisible();
  const link = await linkTo(partner.email, '/share');
  await page.context().clearCookies();
  await open(new URL(link).pathname + new URL(link).hash, partner);
  await press(page, 'Join');
  await expect(page).toHaveURL(/\/dashboard/);
  await open('/household', partner);
  await press(page, 'Leave This Household');
  await asked(page, 'Leave');
  await expect(page.getByText('You left the household')).toBeVisible();
});

test('what was learned is forgotten', { tag: '@form:member/wines/palate-card' }, async ({
  page,
  open,
  people,
}) => {
  await open('/account/taste', await people.member());
  await press(page, 'Reset My Ratings');
  await asked(page, 'Reset');
  await expect(page.getByRole('alertdialog')).toBeHidden();
});

test('a glass is rated', { tag: '@form:member/wines/rating-dialog' }, async ({ page, open, people }) => {
  const someone = await people.member();
  const wines = await people.owner.must<{ id: string }[]>('GET', '/api/wines');
  await people.owner.must('POST', '/api/pours', {
    request_id: crypto.randomUUID(),
    customer_id: someone.customer_id,
    quantity: 1,
    location: 'bar',
    wine_id: wines[0]?.id,
  });
  await open('/pours', someone);
  await press(page, 'How was it?');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: VERDICT_LABELS.loved }).first().click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByText('How was it?')).toBeHidden();
});
