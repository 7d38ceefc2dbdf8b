import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { beforeAll, expect, test } from 'vitest';
import { openYear } from '../../../src/server/billing/state/acts.ts';
import {
  billing_payment,
  billing_refund,
  customers,
  dues,
  memberships,
  profiles,
  tier_definitions,
} from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// docs/rules/years.md, "From a card". Days begin at midnight in Vienna; the clock starts on June 15, 2026. Select costs $39 a
// month and $390 for a year.

beforeAll(openSharedDatabase);

const RENEWS = '2026-07-15T10:00:00.000Z';

async function byCard(year_cents: number | null = 39_000) {
  const venue = await openVenue({ start: '2026-06-15T10:00:00Z' });
  await venue.db
    .update(tier_definitions)
    .set({ yearly_price_cents: year_cents })
    .where(eq(tier_definitions.tier_name, 'select'));
  const { user } = await venue.member();
  return { venue, user };
}

async function ordered() {
  const { venue, user } = await byCard();
  await venue.pay(await venue.billing.buyYear(user));
  await venue.delivered();
  return { venue, user };
}

async function subscriptions(venue: Venue, user: string) {
  const customer = await stripeCustomerId(venue.db, user);
  return (await venue.stripe.subscriptions.list({ customer, status: 'all' })).data;
}

/** What the member has paid in the end, newest first. */
async function charges(venue: Venue, user: string) {
  const customer = await stripeCustomerId(venue.db, user);
  const { data } = await venue.stripe.charges.list({ customer });
  return data.map(({ amount, amount_refunded }) => amount - amount_refunded);
}

async function staffIn({ db }: Venue): Promise<string> {
  const id = v7();
  const name = { name: 'Sam', first_name: 'Sam', last_name: 'Staff' };
  await db.insert(profiles).values({ id, email: `${id}@example.test`, ...name });
  return id;
}

const rows = ({ db }: Venue) =>
  db
    .select()
    .from(memberships)
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .orderBy(memberships.start_date);

test('a paid year ends the subscription with its month, and the member reads when it begins', async () => {
  const { venue, user } = await ordered();
  expect(await subscriptions(venue, user)).toMatchObject([{ status: 'active', cancel_at_period_end: true }]);
  expect(await venue.state(user)).toMatchObject({ memberships: 1, active: { tier: 'select' } });
  expect(venue.notices.slice(2)).toMatchObject([
    { type: 'year_ordered', begins_at: new Date(RENEWS) },
    {
      type: 'payment_received',
      amount_cents: 39_000,
      period: { start: new Date(RENEWS), end: new Date('2027-07-14T22:00:00Z') },
    },
  ]);
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
    year_from: Date.parse(RENEWS) / 1000,
    year_cents: null,
  });
  await venue.billing.reconcile(user);
  await venue.billing.sweep();
  expect(venue.notices).toHaveLength(4);
});

test('the year begins where the month ends, without a gap and without another charge', async () => {
  const { venue, user } = await ordered();
  await venue.advance({ days: 30, minutes: 5 });
  await venue.delivered();
  expect(await charges(venue, user)).toEqual([39_000, 3900]);
  const [first, second] = await rows(venue);
  expect(first?.memberships).toMatchObject({ status: 'ended', end_date: '2026-07-15' });
  expect(second).toMatchObject({
    customers: { status: 'active' },
    memberships: { status: 'active', start_date: '2026-07-15', paid_until: '2027-07-15', paid_months: 12 },
  });
  expect(await venue.db.select().from(dues)).toMatchObject([{ method: 'online', amount_cents: 39_000 }]);
  expect(await venue.hasAccess(user)).toBe(true);
  expect(venue.noticeTypes().slice(2)).toEqual(['year_ordered', 'payment_received', 'year_started']);
});

test('a renewal that comes before we heard of the year is refunded, and the year begins', async () => {
  const { venue, user } = await byCard();
  const url = await venue.billing.buyYear(user);
  await venue.webhooks('drop');
  await venue.pay(url);
  await venue.advance({ days: 30, minutes: 90 });
  expect(await charges(venue, user)).toEqual([3900, 39_000, 3900]);
  await venue.webhooks('normal');
  await venue.billing.reconcile(user);
  expect(await charges(venue, user)).toEqual([0, 39_000, 3900]);
  expect(await subscriptions(venue, user)).toMatchObject([{ status: 'canceled' }]);
  const [, year] = await rows(venue);
  expect(year?.memberships).toMatchObject({ status: 'active', paid_until: '2027-07-15' });
});

test('a member who goes on by the month gets the year back', async () => {
  const { venue, user } = await ordered();
  expect(await venue.billing.resumeSubscription(user)).toMatchObject({
    year_from: null,
    cancel_at_period_end: false,
  });
  await venue.billing.reconcile(user);
  expect(await charges(venue, user)).toEqual([0, 3900]);
  await venue.advance({ days: 30, minutes: 90 });
  await venue.delivered();
  expect(await charges(venue, user)).toEqual([3900, 0, 3900]);
  expect(await venue.state(user)).toMatchObject({ memberships: 1 });
  expect(venue.noticeTypes()).toContain('payment_returned');
});

test('staff who end the membership at once give the year back', async () => {
  const { venue, user } = await ordered();
  const [customer] = await venue.db.select().from(customers).where(eq(customers.user_id, user));
  const draft = {
    customer_id: customer?.id ?? '',
    when: 'now',
    reason: 'other',
    period_end: RENEWS,
  } as const;
  await venue.billing.endForMember({ user_id: await staffIn(venue), role: 'staff' }, draft);
  await venue.delivered();
  await venue.billing.reconcile(user);
  expect(await charges(venue, user)).toEqual([0, 3900]);
  expect(await venue.state(user)).toMatchObject({ memberships: 1, active: null });
});

test('after the year, nothing says that one follows', async () => {
  const { venue, user } = await ordered();
  await venue.advance({ days: 30, minutes: 5 });
  await venue.delivered();
  expect(await openYear(venue.db, user)).toBeNull();
});

test('a part that staff refund leaves the year', async () => {
  const { venue, user } = await ordered();
  const customer = await stripeCustomerId(venue.db, user);
  const { data } = await venue.stripe.charges.list({ customer });
  const [payment] = await venue.db
    .select()
    .from(billing_payment)
    .where(eq(billing_payment.amount_paid_cents, 39_000));
  expect(data[0]?.amount).toBe(39_000);
  await venue.db.insert(billing_refund).values({
    ...{ id: v7(), user_id: user, stripe_invoice_id: payment?.stripe_invoice_id ?? '', amount_cents: 2000 },
    ...{
      currency: 'usd',
      status: 'asked',
      asked_by_staff_id: await staffIn(venue),
      reason: 'A mistake',
      created_at: venue.clock.now(),
    },
  });
  await venue.billing.reconcile(user);
  await venue.advance({ days: 30, minutes: 5 });
  await venue.delivered();
  expect(await charges(venue, user)).toEqual([37_000, 3900]);
  expect((await rows(venue)).map(({ memberships }) => memberships.paid_until)).toEqual([null, '2027-07-15']);
});

test('a cancellation that is taken back at Stripe gives the year back', async () => {
  const { venue, user } = await ordered();
  const { id } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, { cancel_at_period_end: false });
  await venue.delivered();
  await venue.billing.reconcile(user);
  expect(await charges(venue, user)).toEqual([0, 3900]);
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ year_from: null });
});

test('going on by the month after the month is over changes nothing: the year begins', async () => {
  const { venue, user } = await ordered();
  await venue.webhooks('drop');
  await venue.advance({ days: 30, minutes: 5 });
  await expect(venue.billing.resumeSubscription(user)).rejects.toMatchObject({ code: 'NO_SUBSCRIPTION' });
  await venue.billing.reconcile(user);
  expect(await charges(venue, user)).toEqual([39_000, 3900]);
  expect(await venue.hasAccess(user)).toBe(true);
});

test('staff read that a year follows', async () => {
  const { venue, user } = await ordered();
  expect(await venue.billing.getEndOffer(user)).toMatchObject({ ending: { at: RENEWS, by: 'year' } });
});

test('a second year while one waits is refused', async () => {
  const { venue, user } = await ordered();
  await expect(venue.billing.buyYear(user)).rejects.toMatchObject({
    code: 'DUES_REFUSED',
    data: { reason: 'paid_ahead' },
  });
});

test('an overdue member pays first', async () => {
  const { venue, user } = await byCard();
  await venue.changeCard(user, 'pm_card_chargeCustomerFail');
  const { id } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, { default_payment_method: '' });
  await venue.advance({ days: 31 });
  await venue.delivered();
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
    status: 'past_due',
    year_cents: null,
  });
  await expect(venue.billing.buyYear(user)).rejects.toMatchObject({ data: { reason: 'by_card' } });
});

test('a year refunded by staff before it begins leaves the cancellation to the member', async () => {
  const { venue, user } = await ordered();
  const customer = await stripeCustomerId(venue.db, user);
  const { data } = await venue.stripe.charges.list({ customer });
  await venue.stripe.refunds.create({ charge: data[0]?.id ?? '' });
  await venue.delivered();
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ year_from: null });
  await venue.advance({ days: 30, minutes: 5 });
  await venue.delivered();
  expect(await charges(venue, user)).toEqual([0, 3900]);
  expect(await venue.state(user)).toMatchObject({ memberships: 1, active: null });
});

test.each([
  [39_000, 39_000],
  [null, null],
])('a year at the price of %s costs a member by card %s', async (price, year_cents) => {
  const { venue, user } = await byCard(price);
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ year_cents, year_from: null });
});
