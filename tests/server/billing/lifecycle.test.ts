import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { billing_subscription, customers } from '../../../src/server/db/schema.ts';
import { stripeCustomer } from '../../support/billing/access-snapshot.ts';
import { openShared } from '../../support/billing/databases.ts';
import { openVenue } from '../../support/billing/venue.ts';

beforeAll(openShared);

test('the tier follows the price that is paid, down and up', async () => {
  const venue = await openVenue();
  const person = await venue.member('premier');
  const other = await venue.member('select');
  const [dear, cheap] = [await venue.subscription(person.user), await venue.subscription(other.user)];
  const change = (from: typeof dear, to: typeof dear) =>
    venue.stripe.subscriptions.update(from.id, {
      items: [{ id: from.items.data[0]?.id, price: to.items.data[0]?.price.id }],
      proration_behavior: 'none',
    });
  await change(dear, cheap);
  await change(cheap, dear);
  await venue.delivered();
  expect(await venue.standing(person.user)).toMatchObject({
    customer: { tier: 'select' },
    active: { tier: 'select', price: 3900 },
    memberships: 1,
  });
  expect(await venue.standing(other.user)).toMatchObject({
    customer: { tier: 'premier' },
    active: { price: 6900 },
  });
  expect(venue.notices.filter(({ type }) => type === 'tier_changed')).toHaveLength(2);
});

test('refunds and disputes are seen; membership follows the subscription, not the money given back', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  const customer = await stripeCustomer(venue.db, person.user);
  const [charge] = (await venue.stripe.charges.list({ customer })).data;
  await venue.stripe.refunds.create({ charge: charge?.id, amount: 1000 });
  await venue.delivered();
  expect((await venue.standing(person.user)).payments).toEqual([
    { status: 'partially_refunded', paid: 3900, refunded: 1000 },
  ]);
  await venue.stripe.refunds.create({ charge: charge?.id });
  await venue.delivered();
  expect(await venue.standing(person.user)).toMatchObject({
    payments: [{ status: 'refunded', paid: 3900, refunded: 3900 }],
    customer: { status: 'active' },
  });

  const other = await venue.member();
  await venue.control('disputes', { customer: await stripeCustomer(venue.db, other.user) });
  await venue.delivered();
  expect(await venue.standing(other.user)).toMatchObject({ payments: [{ status: 'disputed' }] });
});

test('a subscription that staff end at Stripe ends here', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.stripe.subscriptions.cancel((await venue.subscription(person.user)).id);
  await venue.delivered();
  expect(await venue.standing(person.user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
});

test('what ended never comes back under the same id, whatever Stripe says', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  const { id } = await venue.subscription(person.user);
  await venue.db
    .update(billing_subscription)
    .set({ status: 'canceled' })
    .where(eq(billing_subscription.stripe_subscription_id, id));
  expect(await venue.billing.verify(person.user)).toEqual({ status: 'updated', localStatus: 'inactive' });
  expect(venue.logged.join()).toContain('Ended subscription came back');
});

test('a status that nobody knows gives no access and an error in the log', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  const list = venue.stripe.subscriptions.list.bind(venue.stripe.subscriptions);
  venue.stripe.subscriptions.list = ((...args: Parameters<typeof list>) => ({
    autoPagingToArray: async () =>
      (await list(...args)).data.map((subscription) => ({ ...subscription, status: 'mellowed' })),
  })) as unknown as typeof list;
  expect(await venue.billing.verify(person.user)).toEqual({ status: 'updated', localStatus: 'inactive' });
  expect(await venue.access(person.user)).toBe(false);
  expect(venue.logged.join()).toContain('Unknown status');
});

test('another card on file is shown', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.changeCard(person.user, 'pm_card_mastercard');
  await venue.delivered();
  expect(await venue.billing.subscriptionDetails(person.user)).toMatchObject({
    payment_method: { brand: 'mastercard' },
  });
});

test('joined on 31 January: renewals on the last days of short months, the 31st again after', async () => {
  const venue = await openVenue({ start: '2027-01-31T12:00:00Z' });
  const person = await venue.member();
  const ends: (string | undefined)[] = [];
  for (let month = 0; month < 14; month++) {
    const [subscription] = (await venue.standing(person.user)).subscriptions;
    ends.push(subscription?.current_period_end.toISOString().slice(0, 10));
    const wait = (subscription?.current_period_end.getTime() ?? 0) - venue.clock.now().getTime();
    await venue.pass({ minutes: wait / 60_000 + 1 });
  }
  expect(ends.slice(0, 4)).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']);
  expect(ends.at(12)).toBe('2028-02-29');
  expect(ends.at(13)).toBe('2028-03-31');
  expect((await venue.standing(person.user)).payments).toHaveLength(15);
});

test('a day begins where the venue is', async () => {
  const venue = await openVenue({ start: '2026-06-15T22:30:00Z' });
  const person = await venue.member();
  const [row] = await venue.db.select().from(customers).where(eq(customers.user_id, person.user));
  expect(row?.member_since).toBe('2026-06-16');
});

test('paid, and ended by a person at Stripe before we heard of either: an error for a person to read', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const person = await venue.applicant();
  await venue.pay(await venue.checkout(person));
  await venue.stripe.subscriptions.cancel((await venue.subscription(person.user)).id);
  expect(await venue.billing.verify(person.user)).toMatchObject({ localStatus: 'none' });
  const isReport = (line: string) => line.includes('over before it was known');
  expect(venue.logged.filter(isReport)).toHaveLength(1);
  await venue.billing.verify(person.user);
  expect(venue.logged.filter(isReport)).toHaveLength(1);
});
