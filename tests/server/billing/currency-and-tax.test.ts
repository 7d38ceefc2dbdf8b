import { beforeAll, expect, test } from 'vitest';
import { assertCurrency } from '../../../src/server/billing/assert-currency.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';
import { billingEmail } from '../../support/fixtures/every-email.ts';

beforeAll(openSharedDatabase);

const VENUE = {
  club_name: 'Cellar Door',
  support_email: 'help@venue.test',
  public_url: 'https://club.example',
  time_zone: 'UTC',
  minimum_age: 0,
  terms_url: null,
};

const emails = (venue: Venue) =>
  venue.notices.map((notice) => billingEmail(notice, 'Ada', VENUE).text).join('\n');

const openSession = async (venue: Venue) => {
  await venue.checkout(await venue.applicant());
  const [session] = (await venue.stripe.checkout.sessions.list()).data;
  if (!session) throw new Error('There is no session');
  return session;
};

test('yen are whole: the price at Stripe, what is charged, and what emails say', async () => {
  const venue = await openVenue({ pricing: { currency: 'jpy' } });
  const { user } = await venue.member('select');
  const { items } = await venue.subscription(user);
  expect(items.data[0]?.price).toMatchObject({
    currency: 'jpy',
    unit_amount: 3900,
    tax_behavior: 'unspecified',
  });
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ amount: 3900, currency: 'jpy' });
  expect(await venue.billing.listPayments(user)).toMatchObject([{ amount: 3900, currency: 'jpy' }]);
  expect(emails(venue)).toContain('Your Select membership is ¥3,900 per month. ');
  expect(emails(venue)).toContain('your payment of ¥3,900.');
  const shown = await venue.billing.previewTier(user, 'premier');
  expect(shown).toMatchObject({ charged_now: 3000, currency: 'jpy' });
});

test.each([
  ['exclusive', 4680, '$39.00 plus tax per month'],
  ['inclusive', 3900, '$39.00 (tax included) per month'],
] as const)('prices %s of tax: %i is charged, now and at each renewal', async (taxBehavior, paid, words) => {
  const venue = await openVenue({ pricing: { taxBehavior } });
  const { user } = await venue.member('select');
  const { items } = await venue.subscription(user);
  expect(items.data[0]?.price).toMatchObject({ unit_amount: 3900, tax_behavior: taxBehavior });
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
    amount: 3900,
    tax_behavior: taxBehavior,
  });
  expect(emails(venue)).toContain(words);

  // Two thirds of the difference, with its tax.
  await venue.advance({ days: 10 });
  const shown = await venue.billing.previewTier(user, 'premier');
  expect(shown.charged_now).toBe(taxBehavior === 'exclusive' ? 2400 : 2000);
  await venue.billing.changeTier(user, shown.id);
  const down = await venue.billing.previewTier(user, 'select');
  await venue.billing.changeTier(user, down.id);
  await venue.advance({ days: 31 });
  const amounts = (await venue.billing.listPayments(user)).map(({ amount }) => amount);
  expect(amounts).toEqual([paid, shown.charged_now, paid]);
  // The schedule that made the change did not drop the tax.
  expect((await venue.subscription(user)).automatic_tax.enabled).toBe(true);
});

test('a membership from before tax was calculated does not mention tax', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  const later = venue.anotherProcess({ taxBehavior: 'exclusive' });
  await later.reconcile(user);
  expect(await later.getSubscriptionDetails(user)).toMatchObject({ tax_behavior: 'unspecified' });
  expect(await later.previewTier(user, 'premier')).toMatchObject({
    charged_now: 3000,
    tax_behavior: 'unspecified',
  });
});

test('an amount too small for Stripe to charge now is shown as added to the next payment', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  // 8 hours are left: a 90th of the month.
  await venue.advance({ days: 29, minutes: 16 * 60 });
  const shown = await venue.billing.previewTier(user, 'premier');
  expect(shown).toMatchObject({ charged_now: 0, charged_later: 34 });
  expect(await venue.billing.changeTier(user, shown.id)).toMatchObject({ tier: 'premier' });
  await venue.advance({ days: 1 });
  const [latest] = await venue.billing.listPayments(user);
  expect(latest?.amount).toBe(6900 + 34);
});

test('the payment page offers cards, or what the venue turned on at Stripe', async () => {
  expect(await openSession(await openVenue())).toMatchObject({
    allowed_payment_method_types: ['card'],
    payment_method_types: ['card'],
  });
  const venue = await openVenue({ pricing: { paymentMethods: 'automatic' } });
  expect(await openSession(venue)).toMatchObject({
    allowed_payment_method_types: null,
    payment_method_types: ['card', 'link'],
  });
});

test('the currency cannot change while there are paying members', async () => {
  const venue = await openVenue();
  await assertCurrency(venue.db, 'eur');
  const { user } = await venue.member('select');
  await assertCurrency(venue.db, 'usd');
  await expect(assertCurrency(venue.db, 'eur')).rejects.toThrow('members who pay in usd');
  await venue.stripe.subscriptions.cancel((await venue.subscription(user)).id);
  await venue.delivered();
  await assertCurrency(venue.db, 'eur');
});
