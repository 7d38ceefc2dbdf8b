import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { billing_subscription, customers } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

test('the tier follows the price that is paid, up and down', async () => {
  const venue = await openVenue();
  const member = await venue.member('premier');
  const other = await venue.member('select');
  const [dear, cheap] = [await venue.subscription(member.user), await venue.subscription(other.user)];
  const change = (from: typeof dear, to: typeof dear) =>
    venue.stripe.subscriptions.update(from.id, {
      items: [{ id: from.items.data[0]?.id, price: to.items.data[0]?.price.id }],
      proration_behavior: 'none',
    });
  await change(dear, cheap);
  await change(cheap, dear);
  await venue.delivered();
  expect(await venue.state(member.user)).toMatchObject({
    customer: { tier: 'select' },
    active: { tier: 'select', price: 3900 },
    memberships: 1,
  });
  expect(await venue.state(other.user)).toMatchObject({
    customer: { tier: 'premier' },
    active: { price: 6900 },
  });
  expect(venue.notices.filter(({ type }) => type === 'tier_changed')).toHaveLength(2);
});

test('refunds and disputes are recorded; the membership follows the subscription, not the refund', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  const customer = await stripeCustomerId(venue.db, member.user);
  const [charge] = (await venue.stripe.charges.list({ customer })).data;
  await venue.stripe.refunds.create({ charge: charge?.id, amount: 1000 });
  await venue.delivered();
  expect((await venue.state(member.user)).payments).toEqual([
    { status: 'partially_refunded', paid: 3900, refunded: 1000 },
  ]);
  await venue.stripe.refunds.create({ charge: charge?.id });
  await venue.delivered();
  expect(await venue.state(member.user)).toMatchObject({
    payments: [{ status: 'refunded', paid: 3900, refunded: 3900 }],
    customer: { status: 'active' },
  });

  const other = await venue.member();
  await venue.control('disputes', { customer: await stripeCustomerId(venue.db, other.user) });
  await venue.delivered();
  expect(await venue.state(other.user)).toMatchObject({ payments: [{ status: 'disputed' }] });
  // The charge at Stripe says 'disputed' permanently.
  await venue.control('disputes/close', { won: true });
  await venue.delivered();
  expect(await venue.state(other.user)).toMatchObject({ payments: [{ status: 'paid' }] });
});

test('a subscription canceled at Stripe by staff ends the membership', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.stripe.subscriptions.cancel((await venue.subscription(member.user)).id);
  await venue.delivered();
  expect(await venue.state(member.user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
});

test('an ended subscription never becomes active again under the same id', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  const { id } = await venue.subscription(member.user);
  await venue.db
    .update(billing_subscription)
    .set({ status: 'canceled' })
    .where(eq(billing_subscription.stripe_subscription_id, id));
  expect(await venue.billing.reconcile(member.user)).toEqual({ status: 'updated', localStatus: 'inactive' });
  expect(venue.logged.join()).toContain('Ended subscription became active again');
});

test('an unknown status gives no access and logs an error', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  const list = venue.stripe.subscriptions.list.bind(venue.stripe.subscriptions);
  venue.stripe.subscriptions.list = (async (...args: Parameters<typeof list>) => {
    const page = await list(...args);
    return { ...page, data: page.data.map((subscription) => ({ ...subscription, status: 'mellowed' })) };
  }) as unknown as typeof list;
  expect(await venue.billing.reconcile(member.user)).toEqual({ status: 'updated', localStatus: 'inactive' });
  expect(await venue.hasAccess(member.user)).toBe(false);
  expect(venue.logged.join()).toContain('unknown status');
});

test('a new payment method is shown', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.changeCard(member.user, 'pm_card_mastercard');
  await venue.delivered();
  expect(await venue.billing.getSubscriptionDetails(member.user)).toMatchObject({
    payment_method: { brand: 'mastercard' },
  });
});

test('joined on January 31: renews on the last day of short months, and on the 31st again after', async () => {
  const venue = await openVenue({ start: '2027-01-31T12:00:00Z' });
  const member = await venue.member();
  const ends: (string | undefined)[] = [];
  for (let month = 0; month < 14; month++) {
    const [subscription] = (await venue.state(member.user)).subscriptions;
    ends.push(subscription?.current_period_end.toISOString().slice(0, 10));
    const wait = (subscription?.current_period_end.getTime() ?? 0) - venue.clock.now().getTime();
    await venue.advance({ minutes: wait / 60_000 + 1 });
  }
  expect(ends.slice(0, 4)).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']);
  expect(ends.at(12)).toBe('2028-02-29');
  expect(ends.at(13)).toBe('2028-03-31');
  expect((await venue.state(member.user)).payments).toHaveLength(15);
});

test('a day begins in the venue’s time zone', async () => {
  const venue = await openVenue({ start: '2026-06-15T22:30:00Z' });
  const member = await venue.member();
  const [row] = await venue.db.select().from(customers).where(eq(customers.user_id, member.user));
  expect(row?.member_since).toBe('2026-06-16');
});

test('paid, then canceled at Stripe before we learned of either, is logged once', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  await venue.stripe.subscriptions.cancel((await venue.subscription(applicant.user)).id);
  expect(await venue.billing.reconcile(applicant.user)).toMatchObject({ localStatus: 'none' });
  const isReport = (line: string) => line.includes('Paid without a membership');
  expect(venue.logged.filter(isReport)).toHaveLength(1);
  await venue.billing.reconcile(applicant.user);
  expect(venue.logged.filter(isReport)).toHaveLength(1);
});
