import { beforeAll, expect, test } from 'vitest';
import { stripeCustomer } from '../../support/billing/access-snapshot.ts';
import { openShared } from '../../support/billing/databases.ts';
import { openVenue } from '../../support/billing/venue.ts';

beforeAll(openShared);

test('ends at once, with the customer; asked again, it does nothing more', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const customer = await stripeCustomer(venue.db, user);
  expect(await venue.billing.endNow(user)).toEqual({ stripe_customer_id: customer });
  expect(await venue.access(user)).toBe(false);
  expect(await venue.standing(user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
  expect((await venue.standing(user)).payments).toEqual([{ status: 'paid', paid: 3900, refunded: 0 }]);
  expect(await venue.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
  expect(await venue.billing.endNow(user)).toEqual({ stripe_customer_id: customer });
  expect(venue.told().filter((it) => it === 'membership_ended')).toHaveLength(1);
});

test('a subscription that is not paid, or that we have not heard of, ends too', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const unheard = await venue.applicant();
  await venue.pay(await venue.checkout(unheard));
  const unpaid = await venue.member();
  await venue.changeCard(unpaid.user, 'pm_card_chargeCustomerFail');
  await venue.pass({ days: 31 });
  for (const { user } of [unheard, unpaid]) {
    const subscription = await venue.subscription(user);
    await venue.billing.endNow(user);
    expect(await venue.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'canceled' });
    expect(await venue.access(user)).toBe(false);
  }
});

test('what must go back goes back first; while it cannot, nothing ends', async () => {
  const venue = await openVenue();
  const person = await venue.applicant();
  const page = await venue.checkout(person);
  await venue.webhooks('drop');
  await venue.pay(page);
  await venue.approveAtVenue(person.user);
  await venue.control('fail-next', { path: '/v1/refunds', status: 500, times: 2 });
  await expect(venue.billing.endNow(person.user)).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  await venue.billing.endNow(person.user);
  expect((await venue.standing(person.user)).payments).toMatchObject([
    { status: 'refunded', refunded: 3900 },
  ]);
});

test('a payment that another process began since is noticed, and nothing is written', async () => {
  const venue = await openVenue();
  const person = await venue.applicant();
  const { user } = person;
  const rest = (ended: { stripe_customer_id: string | null }) =>
    venue.db.transaction((tx) => venue.billing.layToRest(tx, user, ended));
  const ended = await venue.billing.endNow(user);
  expect(ended).toEqual({ stripe_customer_id: null });
  const wish = { tierName: 'select', applicationId: person.application };
  const { url } = await venue.another().createCheckout(user, wish);
  expect(await rest(ended)).toBe(false);
  // Also when the page was paid and closed meanwhile: there is a customer at Stripe who was not ended.
  expect(await venue.pay(url)).toBe(303);
  await venue.delivered();
  await venue.billing.verify(user);
  expect(await rest(ended)).toBe(false);
  expect(await venue.access(user)).toBe(true);

  expect(await rest(await venue.billing.endNow(user))).toBe(true);
  expect(await venue.access(user)).toBe(false);
});

test('one billed at the venue is over with its day, and the sweeper has nothing to do', async () => {
  const venue = await openVenue();
  const { user } = await venue.applicant();
  await venue.approveAtVenue(user);
  const ended = await venue.billing.endNow(user);
  expect(await venue.db.transaction((tx) => venue.billing.layToRest(tx, user, ended))).toBe(true);
  expect(await venue.standing(user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
  await venue.pass({ days: 40 });
  expect(await venue.billing.sweep()).toMatchObject({ members: 0, failures: 0 });
});
