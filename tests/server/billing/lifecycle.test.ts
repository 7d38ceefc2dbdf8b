import { eq, sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { billing_subscription, customers } from '../../../src/server/db/schema.ts';
import { openShared, openVenue, stripeCustomer, type Venue } from './venue.ts';

beforeAll(openShared);

const noticesOf = (venue: Venue) => venue.notices.map(({ type }) => type);
const JULY = Date.parse('2026-07-15T12:00:00Z') / 1000;

async function onlySubscription(venue: Venue, user: string) {
  const customer = await stripeCustomer(venue.db, user);
  const { data } = await venue.stripe.subscriptions.list({ customer, status: 'all' });
  const [subscription] = data;
  if (!subscription || data.length > 1) throw new Error('Not exactly one');
  return subscription;
}

/** What a pour would be told: access, and the end of the period. */
async function access(venue: Venue, user: string): Promise<boolean> {
  const now = venue.clock.now().toISOString();
  const { rows } = (await venue.db.execute(
    sql`select access from member_allowance((select id from customers where user_id = ${user}), ${now}, 'UTC')`,
  )) as unknown as { rows: { access: boolean }[] };
  return rows[0]?.access ?? false;
}

test('the account page shows what Stripe says', async () => {
  const venue = await openVenue();
  const person = await venue.member('premier');
  expect(await venue.billing.subscriptionDetails(person.user)).toEqual({
    status: 'active',
    cancel_at_period_end: false,
    current_period_end: JULY,
    amount: 6900,
    payment_method: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2049 },
  });
});

test('a renewal moves the period and is receipted', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.pass({ days: 31 });
  const after = await venue.standing(person.user);
  expect(after.payments).toHaveLength(2);
  expect(after.subscriptions[0]?.current_period_end).toEqual(new Date('2026-08-15T12:00:00Z'));
  expect(noticesOf(venue)).toEqual(['membership_started', 'payment_received', 'payment_received']);
});

test('a renewal of which nobody told us is found by the sweeper, and pours go on meanwhile', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.webhooks('drop');
  await venue.pass({ days: 31 });
  expect(await access(venue, person.user)).toBe(true);
  expect(await venue.billing.sweep()).toMatchObject({ members: 1, failures: 0 });
  expect((await venue.standing(person.user)).payments).toHaveLength(2);
  expect(await venue.billing.sweep()).toMatchObject({ members: 0 });
});

test('cancel: access until the end that was paid for, then over', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  expect(await venue.billing.cancelAtPeriodEnd(person.user)).toEqual({ cancel_at: JULY });
  expect(await venue.billing.cancelAtPeriodEnd(person.user)).toEqual({ cancel_at: JULY });
  expect(await venue.billing.subscriptionDetails(person.user)).toMatchObject({ cancel_at_period_end: true });
  await venue.delivered();
  expect(await venue.standing(person.user)).toMatchObject({ customer: { status: 'active' } });
  expect(await access(venue, person.user)).toBe(true);

  await venue.pass({ days: 31 });
  const after = await venue.standing(person.user);
  expect(after).toMatchObject({ customer: { status: 'inactive', member_since: '2026-06-15' }, active: null });
  expect(after.payments).toHaveLength(1);
  expect(await access(venue, person.user)).toBe(false);
  expect(noticesOf(venue)).toEqual([
    'membership_started',
    'payment_received',
    'cancellation_scheduled',
    'membership_ended',
  ]);
  await expect(venue.billing.cancelAtPeriodEnd(person.user)).rejects.toMatchObject({
    code: 'NO_SUBSCRIPTION',
  });
  await expect(venue.billing.resume(person.user)).rejects.toMatchObject({ code: 'NO_SUBSCRIPTION' });
});

test('a cancellation that arrives without a word ends access on time, and the sweeper ends the membership', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.billing.cancelAtPeriodEnd(person.user);
  await venue.webhooks('drop');
  await venue.pass({ days: 31 });
  expect(await access(venue, person.user)).toBe(false);
  expect(await venue.billing.sweep()).toMatchObject({ members: 1, failures: 0 });
  expect(await venue.standing(person.user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
});

test('cancel and take back, as often as one likes', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  for (let times = 0; times < 3; times++) {
    await venue.billing.cancelAtPeriodEnd(person.user);
    expect(await onlySubscription(venue, person.user)).toMatchObject({ cancel_at_period_end: true });
    expect(await venue.billing.resume(person.user)).toMatchObject({ cancel_at_period_end: false });
    expect(await onlySubscription(venue, person.user)).toMatchObject({ cancel_at_period_end: false });
  }
  await venue.pass({ days: 31 });
  expect(await venue.standing(person.user)).toMatchObject({ customer: { status: 'active' } });
});

test('a cancellation set as a date, as the portal does, is one too and can be taken back', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  const { id } = await onlySubscription(venue, person.user);
  await venue.stripe.subscriptions.update(id, { cancel_at: JULY });
  await venue.delivered();
  expect(await venue.billing.subscriptionDetails(person.user)).toMatchObject({ cancel_at_period_end: true });
  expect(await venue.billing.cancelAtPeriodEnd(person.user)).toEqual({ cancel_at: JULY });
  await venue.billing.resume(person.user);
  expect((await onlySubscription(venue, person.user)).cancel_at).toBeNull();
});

test('cancel: nobody without a subscription, and not while Stripe is out of reach', async () => {
  const venue = await openVenue();
  const atVenue = await venue.applicant();
  await venue.approveAtVenue(atVenue.user);
  await expect(venue.billing.cancelAtPeriodEnd(atVenue.user)).rejects.toMatchObject({
    code: 'NO_SUBSCRIPTION',
  });
  const person = await venue.member();
  await venue.control('fail-next', { path: '/v1/subscriptions/', method: 'POST', kind: 'drop', times: 2 });
  await expect(venue.billing.cancelAtPeriodEnd(person.user)).rejects.toMatchObject({
    code: 'PAYMENTS_UNAVAILABLE',
  });
  await venue.control('fail-next', {
    path: '/v1/subscriptions/',
    method: 'POST',
    kind: 'drop',
    when: 'after',
    times: 2,
  });
  await expect(venue.billing.cancelAtPeriodEnd(person.user)).rejects.toMatchObject({
    code: 'PAYMENTS_UNAVAILABLE',
  });
  expect(await venue.billing.cancelAtPeriodEnd(person.user)).toEqual({ cancel_at: JULY });
});

test('a failed renewal: grace, told once, then recovery', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.changeCard(person.user, 'pm_card_chargeCustomerFail');
  await venue.pass({ days: 30, minutes: 1 });
  const failing = await venue.standing(person.user);
  expect(failing).toMatchObject({ customer: { status: 'active' }, active: { tier: 'select' } });
  expect(failing.subscriptions).toMatchObject([
    {
      status: 'past_due',
      grace_until: new Date('2026-07-22T12:01:00Z'),
      access_until: new Date('2026-07-22T12:01:00Z'),
    },
  ]);
  expect(await access(venue, person.user)).toBe(true);
  await venue.pass({ days: 4 });
  expect((await venue.standing(person.user)).subscriptions[0]?.grace_until).toEqual(
    new Date('2026-07-22T12:01:00Z'),
  );

  await venue.changeCard(person.user, 'pm_card_visa');
  await venue.pass({ days: 5 });
  const after = await venue.standing(person.user);
  expect(after).toMatchObject({ customer: { status: 'active' }, memberships: 1 });
  expect(after.subscriptions).toMatchObject([{ status: 'active', grace_until: null }]);
  expect(noticesOf(venue)).toEqual([
    'membership_started',
    'payment_received',
    'payment_failed',
    'payment_received',
  ]);
});

test('a failed renewal: grace, then no access, then paid after all: access again', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.control('settings', { dunning_days: [3, 20], dunning_end: 'unpaid' });
  await venue.changeCard(person.user, 'pm_card_chargeCustomerFail');
  await venue.pass({ days: 30, minutes: 1 });
  await venue.pass({ days: 8 });
  expect(await access(venue, person.user)).toBe(false);
  await venue.billing.sweep();
  expect(await venue.standing(person.user)).toMatchObject({ customer: { status: 'inactive' }, active: null });

  await venue.changeCard(person.user, 'pm_card_visa');
  await venue.pass({ days: 16 });
  const after = await venue.standing(person.user);
  expect(after).toMatchObject({ customer: { status: 'active' }, active: { tier: 'select' }, memberships: 1 });
  expect(await access(venue, person.user)).toBe(true);
  expect(noticesOf(venue)).toContain('access_restored');
});

test.each([
  ['canceled', 'canceled'],
  ['unpaid', 'unpaid'],
])('a failed renewal to loss, when Stripe ends it as %s', async (dunning_end, status) => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.control('settings', { dunning_days: [1], dunning_end });
  await venue.changeCard(person.user, 'pm_card_chargeCustomerFail');
  await venue.pass({ days: 30, minutes: 1 });
  expect(await venue.standing(person.user)).toMatchObject({ customer: { status: 'active' } });
  await venue.pass({ days: 2 });
  const after = await venue.standing(person.user);
  expect(after).toMatchObject({ customer: { status: 'inactive' }, active: null, memberships: 1 });
  expect(after.subscriptions).toMatchObject([{ status, access_until: null }]);
  expect(await access(venue, person.user)).toBe(false);
});

test('somebody who lapsed joins again: the same member, a new membership, the old date kept', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.billing.cancelAtPeriodEnd(person.user);
  await venue.pass({ days: 60 });
  const application = await venue.reapply(person.user, 'elite');
  await venue.pay(await venue.checkout({ user: person.user, application }, 'elite'));
  await venue.delivered();
  expect(await venue.standing(person.user)).toMatchObject({
    customer: { status: 'active', tier: 'elite', member_since: '2026-06-15' },
    active: { tier: 'elite', price: 10900 },
    memberships: 2,
    application: 'approved',
    reversals: [],
  });
  expect(venue.notices.filter(({ type }) => type === 'membership_started')).toMatchObject([
    { renewed: false },
    { renewed: true },
  ]);
});

test('somebody suspended joins again: the old subscription ends, what it took for good times stays', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.control('settings', { dunning_days: [1], dunning_end: 'unpaid' });
  await venue.changeCard(person.user, 'pm_card_chargeCustomerFail');
  await venue.pass({ days: 30, minutes: 1 });
  await venue.pass({ days: 2 });
  const application = await venue.reapply(person.user);
  expect(await venue.pay(await venue.checkout({ user: person.user, application }))).toBe(303);
  await venue.delivered();
  const after = await venue.standing(person.user);
  expect(after).toMatchObject({ customer: { status: 'active' }, memberships: 2, reversals: ['replaced'] });
  expect(after.payments).toMatchObject([{ refunded: 0 }, { refunded: 0 }]);
  expect(after.subscriptions).toMatchObject([{ status: 'canceled' }, { status: 'active' }]);
});

test('the tier follows the price that is paid, down and up', async () => {
  const venue = await openVenue();
  const person = await venue.member('premier');
  const other = await venue.member('select');
  const [dear, cheap] = [
    await onlySubscription(venue, person.user),
    await onlySubscription(venue, other.user),
  ];
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
  await venue.stripe.subscriptions.cancel((await onlySubscription(venue, person.user)).id);
  await venue.delivered();
  expect(await venue.standing(person.user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
});

test('what ended never comes back under the same id, whatever Stripe says', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  const { id } = await onlySubscription(venue, person.user);
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
  expect(await access(venue, person.user)).toBe(false);
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
