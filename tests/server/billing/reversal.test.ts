import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { membership_applications, memberships } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { createUnknownCheckout, stripeState } from '../../support/billing/stripe-state.ts';
import { EVENING, openVenue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

test('two payments: the older subscription stays, the newer is canceled and refunded', async () => {
  const venue = await openVenue();
  await venue.webhooks('hold');
  const applicant = await venue.applicant();
  const [first, second] = [
    await venue.checkout(applicant),
    await createUnknownCheckout(venue, applicant.user),
  ];
  await venue.pay(first);
  venue.clock.advance({ minutes: 1 });
  await venue.pay(second);
  await venue.control('webhooks/release', { reverse: true });
  await venue.webhooks('normal');
  await venue.delivered();

  expect(await stripeState(venue, applicant.user)).toEqual({ statuses: ['active', 'canceled'], kept: 3900 });
  const after = await venue.state(applicant.user);
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
  expect(venue.noticeTypes()).toEqual(['membership_started', 'payment_received', 'payment_returned']);
  expect(venue.logged.filter((line) => line.includes('Payment refunded'))).toHaveLength(1);
});

test('a second payment of a long-time member is refunded', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.advance({ days: 40 });
  await venue.pay(await createUnknownCheckout(venue, member.user));
  await venue.delivered();
  expect(await stripeState(venue, member.user)).toEqual({ statuses: ['active', 'canceled'], kept: 7800 });
  expect(await venue.state(member.user)).toMatchObject({
    memberships: 1,
    reversals: ['second_subscription'],
  });
});

test('a venue member who pays by card too: no second membership, and the payment is refunded', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  const url = await venue.checkout(applicant);
  await venue.approveAtVenue(applicant.user);
  await venue.pay(url);
  expect(await venue.billing.reconcile(applicant.user)).toMatchObject({ localStatus: 'active' });
  expect(await stripeState(venue, applicant.user)).toEqual({ statuses: ['canceled'], kept: 0 });
  expect(await venue.state(applicant.user)).toMatchObject({
    active: { subscription: null },
    memberships: 1,
    reversals: ['venue_member'],
  });
  expect(await venue.billing.getSubscriptionDetails(applicant.user)).toBeNull();
});

test('a payment of the last evening of a card membership is kept, whatever day UTC has by then', async () => {
  const venue = await openVenue(EVENING);
  const { user } = await venue.member();
  await venue.advance({ days: 1 });
  await venue.db.update(memberships).set({ status: 'ended', end_date: '2026-06-16' });
  await venue.approveAtVenue(user);
  await venue.billing.reconcile(user);
  expect(await venue.state(user)).toMatchObject({ reversals: ['venue_member'] });
  expect(await stripeState(venue, user)).toEqual({ statuses: ['canceled'], kept: 3900 });
});

test('staff approve at the venue at the moment we store the payment: the payment is refunded', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  const list = venue.stripe.charges.list.bind(venue.stripe.charges);
  let approved = false;
  venue.stripe.charges.list = (async (...args: Parameters<typeof list>) => {
    const charges = await list(...args);
    if (!approved) await venue.approveAtVenue(applicant.user);
    approved = true;
    return charges;
  }) as unknown as typeof list;
  await venue.billing.reconcile(applicant.user);
  venue.stripe.charges.list = list;
  expect(await venue.state(applicant.user)).toMatchObject({ memberships: 1, reversals: ['venue_member'] });
  expect((await stripeState(venue, applicant.user)).kept).toBe(0);
});

test('a payment for an application that staff have rejected is refunded', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  const url = await venue.checkout(applicant);
  await venue.db
    .update(membership_applications)
    .set({ status: 'rejected' })
    .where(eq(membership_applications.id, applicant.application));
  await venue.pay(url);
  expect(await venue.billing.reconcile(applicant.user)).toMatchObject({ localStatus: 'none' });
  expect(await stripeState(venue, applicant.user)).toEqual({ statuses: ['canceled'], kept: 0 });
  expect(await venue.state(applicant.user)).toMatchObject({
    customer: null,
    application: 'rejected',
    reversals: ['application_rejected'],
  });
});

test('another product of the venue gives no membership, brings no receipt, and is no payment to the club', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  await venue.checkout(applicant);
  const customer = await stripeCustomerId(venue.db, applicant.user);
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
  expect(await venue.billing.reconcile(applicant.user)).toMatchObject({ localStatus: 'none' });
  expect(venue.logged.join()).toContain('price belongs to no tier');
  expect(venue.noticeTypes()).toEqual([]);
  expect(await venue.state(applicant.user)).toMatchObject({ payments: [] });
});
