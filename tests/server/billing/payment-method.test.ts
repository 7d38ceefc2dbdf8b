import { beforeAll, expect, test } from 'vitest';
import type { FetchedMethod } from '../../../src/server/billing/state/fetched-subscription.ts';
import { chargedMethod } from '../../../src/server/billing/state/payment-method.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';
import { CARD } from '../../support/billing/venue-actions.ts';

beforeAll(openSharedDatabase);

const MASTERCARD = '5555555555554444';

async function changeCardInPortal(venue: Venue, user: string): Promise<void> {
  const { url } = await venue.billing.openPaymentMethodPage(user);
  expect(await venue.pay(`${url}/card`, { ...CARD, number: MASTERCARD })).toBe(303);
  await venue.delivered();
}

/** The last four digits of the cards charged, newest first. */
async function chargedCards(venue: Venue, user: string) {
  const { data } = await venue.stripe.charges.list({ customer: await stripeCustomerId(venue.db, user) });
  return data.map((charge) => charge.payment_method_details?.card?.last4);
}

test('a card changed in the portal is shown and charged at the next renewal', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  expect(await venue.subscription(user)).toMatchObject({ default_payment_method: null });
  await venue.advance({ days: 2 });
  await changeCardInPortal(venue, user);
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
    payment_method: { brand: 'mastercard', last4: '4444' },
  });
  await venue.advance({ days: 30 });
  expect(await chargedCards(venue, user)).toEqual(['4444', '4242']);
});

test('a subscription that still has its own card is switched to the newer default', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.webhooks('drop');
  const { id } = await venue.subscription(user);
  const customer = await stripeCustomerId(venue.db, user);
  const { data } = await venue.stripe.paymentMethods.list({ customer });
  await venue.stripe.subscriptions.update(id, { default_payment_method: data[0]?.id });
  await venue.advance({ days: 2 });
  await changeCardInPortal(venue, user);
  await venue.billing.reconcile(user);
  expect(await venue.subscription(user)).toMatchObject({ default_payment_method: null });
  await venue.advance({ days: 30 });
  expect(await chargedCards(venue, user)).toEqual(['4444', '4242']);
});

test('a former member who joins again is charged with the card of the new checkout', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.billing.cancelSubscription(user);
  await venue.advance({ days: 60 });
  const application = await venue.reapply(user);
  await venue.pay(await venue.checkout({ user, application }), { number: MASTERCARD });
  await venue.delivered();
  await venue.advance({ days: 31 });
  expect(await chargedCards(venue, user)).toEqual(['4444', '4444', '4242']);
});

test('a scheduled tier change keeps the customer’s card', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('premier');
  const preview = await venue.billing.previewTier(user, 'select');
  await venue.billing.changeTier(user, preview.id);
  await venue.advance({ days: 2 });
  await changeCardInPortal(venue, user);
  await venue.advance({ days: 30 });
  expect(await venue.state(user)).toMatchObject({ active: { tier: 'select' } });
  expect(await venue.subscription(user)).toMatchObject({ default_payment_method: null });
  expect(await chargedCards(venue, user)).toEqual(['4444', '4242']);
});

test.each([
  ['card', 'apple_pay', { type: 'card', brand: 'visa', last4: '4242', wallet: 'apple_pay' }],
  ['automatic', 'google_pay', { type: 'card', brand: 'visa', last4: '4242', wallet: 'google_pay' }],
  ['automatic', 'link', { type: 'link', brand: null, last4: null, wallet: null }],
] as const)(
  'where the page takes %s, a member may pay with %s, which the account then shows',
  async (paymentMethods, wallet, shown) => {
    const venue = await openVenue({ pricing: { paymentMethods } });
    const applicant = await venue.applicant();
    expect(await venue.pay(await venue.checkout(applicant), { wallet })).toBe(303);
    await venue.delivered();
    const details = await venue.billing.getSubscriptionDetails(applicant.user);
    expect(details?.payment_method).toMatchObject(shown);
    await venue.advance({ days: 31 });
    expect((await venue.state(applicant.user)).payments.map(({ paid }) => paid)).toEqual([3900, 3900]);
  },
);

test('where the page takes cards alone, Link is not offered', async () => {
  const venue = await openVenue({ pricing: { paymentMethods: 'card' } });
  expect(await venue.pay(await venue.checkout(await venue.applicant()), { wallet: 'link' })).toBe(402);
});

test.each<[string, own: number | null, usual: number | null, 'own' | 'usual' | null]>([
  ['its own method, when the default is older', 2, 1, 'own'],
  ['its own method, when the default is newer, but older than the subscription', 1, 2, 'own'],
  ['the default, when it is newer than both', 1, 4, 'usual'],
  ['the default, when it has no method of its own', null, 1, 'usual'],
  ['its own method, when there is no default', 1, null, 'own'],
  ['nothing without a method', null, null, null],
])('a subscription is charged to %s', (_, own, usual, charged) => {
  const method = (id: string, day: number | null): FetchedMethod | null =>
    day === null ? null : { id, key: id, created_at: new Date(day), type: 'card', card: null };
  const methods = { pinned: method('own', own), customer_default: method('usual', usual) };
  expect(chargedMethod({ created_at: new Date(3), ...methods })?.id ?? null).toBe(charged);
});
