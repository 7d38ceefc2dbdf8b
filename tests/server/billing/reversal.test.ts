import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { membership_applications } from '../../../src/server/db/schema.ts';
import { stripeCustomer } from '../../support/billing/access-snapshot.ts';
import { openShared } from '../../support/billing/databases.ts';
import { atStripe, strayPage } from '../../support/billing/unknown-checkout.ts';
import { openVenue } from '../../support/billing/venue.ts';

beforeAll(openShared);

test('two payments: the older stands, the younger ends and is paid back', async () => {
  const venue = await openVenue();
  await venue.webhooks('hold');
  const person = await venue.applicant();
  const [first, second] = [await venue.checkout(person), await strayPage(venue, person.user)];
  await venue.pay(first);
  venue.clock.advance({ minutes: 1 });
  await venue.pay(second);
  await venue.control('webhooks/release', { reverse: true });
  await venue.webhooks('normal');
  await venue.delivered();

  expect(await atStripe(venue, person.user)).toEqual({ statuses: ['active', 'canceled'], kept: 3900 });
  const after = await venue.standing(person.user);
  expect(after).toMatchObject({
    memberships: 1,
    reversals: ['second_subscription'],
    customer: { status: 'active' },
  });
  expect(after.active?.subscription).toBe(after.subscriptions[0]?.stripe_subscription_id);
  expect(after.subscriptions).toMatchObject([
    { status: 'active' },
    { status: 'canceled', access_until: null },
  ]);
  expect(after.payments).toMatchObject([{ status: 'paid' }, { status: 'refunded', refunded: 3900 }]);
  expect(venue.told()).toEqual(['membership_started', 'payment_received', 'payment_returned']);
  expect(venue.logged.filter((line) => line.includes('Payment was given back'))).toHaveLength(1);
});

test('a second payment while the first is a membership of long standing', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.pass({ days: 40 });
  await venue.pay(await strayPage(venue, person.user));
  await venue.delivered();
  expect(await atStripe(venue, person.user)).toEqual({ statuses: ['active', 'canceled'], kept: 7800 });
  expect(await venue.standing(person.user)).toMatchObject({
    memberships: 1,
    reversals: ['second_subscription'],
  });
});

test('somebody billed at the venue who pays by card after all: never a second membership, the money goes back', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const person = await venue.applicant();
  const url = await venue.checkout(person);
  await venue.approveAtVenue(person.user);
  await venue.pay(url);
  expect(await venue.billing.verify(person.user)).toMatchObject({ localStatus: 'active' });
  expect(await atStripe(venue, person.user)).toEqual({ statuses: ['canceled'], kept: 0 });
  expect(await venue.standing(person.user)).toMatchObject({
    active: { subscription: null },
    memberships: 1,
    reversals: ['venue_member'],
  });
  expect(await venue.billing.subscriptionDetails(person.user)).toBeNull();
});

test('staff approve at the venue in the very moment in which we write the payment down', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const person = await venue.applicant();
  await venue.pay(await venue.checkout(person));
  const list = venue.stripe.charges.list.bind(venue.stripe.charges);
  let approved = false;
  venue.stripe.charges.list = ((...args: Parameters<typeof list>) => ({
    autoPagingToArray: async () => {
      const charges = (await list(...args)).data;
      if (!approved) await venue.approveAtVenue(person.user);
      approved = true;
      return charges;
    },
  })) as unknown as typeof list;
  await venue.billing.verify(person.user);
  venue.stripe.charges.list = list;
  expect(await venue.standing(person.user)).toMatchObject({ memberships: 1, reversals: ['venue_member'] });
  expect((await atStripe(venue, person.user)).kept).toBe(0);
});

test('a payment for an application that staff rejected meanwhile goes back', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const person = await venue.applicant();
  const url = await venue.checkout(person);
  await venue.db
    .update(membership_applications)
    .set({ status: 'rejected' })
    .where(eq(membership_applications.id, person.application));
  await venue.pay(url);
  expect(await venue.billing.verify(person.user)).toMatchObject({ localStatus: 'none' });
  expect(await atStripe(venue, person.user)).toEqual({ statuses: ['canceled'], kept: 0 });
  expect(await venue.standing(person.user)).toMatchObject({
    customer: null,
    application: 'rejected',
    reversals: ['application_rejected'],
  });
});

test('a price that is no tier of ours makes no member, and an error in the log', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const person = await venue.applicant();
  await venue.checkout(person);
  const customer = await stripeCustomer(venue.db, person.user);
  const product = await venue.stripe.products.create({ name: 'Corkscrew of the month' });
  const price = await venue.stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 500,
    recurring: { interval: 'month' },
  });
  const method = await venue.stripe.paymentMethods.attach('pm_card_visa', { customer });
  await venue.stripe.subscriptions.create({
    customer,
    items: [{ price: price.id }],
    default_payment_method: method.id,
  });
  expect(await venue.billing.verify(person.user)).toMatchObject({ localStatus: 'none' });
  expect(venue.logged.join()).toContain('price of no tier');
});
