import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { beforeAll, expect, test } from 'vitest';
import { leaveTestMode } from '../../../src/server/billing/upkeep/leave-test-mode.ts';
import { customers, memberships, profiles } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// docs/rules/dues.md, "From the venue to a card". Days begin at midnight in Vienna; the clock starts on June 15, 2026. Select
// costs $39 a month.

beforeAll(openSharedDatabase);

const PAID_UNTIL = '2026-07-15';
const MIDNIGHT = new Date('2026-07-14T22:00:00Z');

async function atVenue(paid_until = PAID_UNTIL, grace_until = '2026-07-22') {
  const venue = await openVenue({ start: '2026-06-15T10:00:00Z' });
  const { user } = await venue.applicant();
  await venue.approveAtVenue(user);
  await venue.db.update(memberships).set({ paid_until, grace_until });
  return { venue, user };
}

/** A member who ordered the card. */
async function withCard(paid_until?: string) {
  const { venue, user } = await atVenue(paid_until);
  await venue.pay(await venue.billing.payByCard(user));
  await venue.delivered();
  return { venue, user };
}

async function staffIn({ db }: Venue): Promise<string> {
  const id = v7();
  const name = { name: 'Sam', first_name: 'Sam', last_name: 'Staff' };
  await db.insert(profiles).values({ id, email: `${id}@example.test`, ...name });
  return id;
}

const rows = ({ db }: Venue) => db.select().from(memberships).orderBy(memberships.start_date);

async function subscriptions(venue: Venue, user: string) {
  const customer = (await stripeCustomerId(venue.db, user)) ?? '';
  return (await venue.stripe.subscriptions.list({ customer, status: 'all' })).data;
}

async function charges(venue: Venue, user: string) {
  const customer = (await stripeCustomerId(venue.db, user)) ?? '';
  const { data } = await venue.stripe.charges.list({ customer });
  return data.map(({ amount, amount_refunded }) => amount - amount_refunded);
}

test('the page asks for nothing until the first unpaid day, and says why its days are free', async () => {
  const { venue, user } = await atVenue();
  const url = await venue.billing.payByCard(user);
  expect(await venue.billing.payByCard(user)).toBe(url);
  const customer = (await stripeCustomerId(venue.db, user)) ?? '';
  const { data } = await venue.stripe.checkout.sessions.list({ customer });
  expect(data).toMatchObject([
    {
      mode: 'subscription',
      amount_total: 0,
      success_url: 'https://club.example/dashboard',
      cancel_url: 'https://club.example/account',
      custom_text: {
        submit: { message: 'You paid for these days at the venue. Your card is charged from then on.' },
      },
    },
  ]);
});

test('until then the membership at the venue stays, and gives its pours; the card is announced once', async () => {
  const { venue, user } = await withCard();
  expect(await subscriptions(venue, user)).toMatchObject([
    { status: 'trialing', trial_end: MIDNIGHT.getTime() / 1000 },
  ]);
  expect(await venue.state(user)).toMatchObject({ active: { subscription: null }, memberships: 1 });
  const [membership] = await rows(venue);
  expect(membership).toMatchObject({
    ends_on: PAID_UNTIL,
    next_subscription_id: expect.stringMatching(/^sub_/),
  });
  expect(await venue.hasAccess(user)).toBe(true);
  await venue.billing.sweep();
  await venue.billing.reconcile(user);
  expect(venue.notices).toMatchObject([
    { type: 'card_ordered', monthly_cents: 3900, first_charge: MIDNIGHT },
  ]);
  expect(await charges(venue, user)).toEqual([]);
});

test('on the first unpaid day the card is charged once, and the membership goes on without a gap', async () => {
  const { venue, user } = await withCard();
  await venue.advance({ days: 29, minutes: 690 });
  await venue.delivered();
  await venue.billing.sweep();
  expect(await venue.hasAccess(user)).toBe(true);
  await venue.advance({ minutes: 90 });
  await venue.delivered();
  expect(await charges(venue, user)).toEqual([3900]);
  expect(await rows(venue)).toMatchObject([
    { status: 'ended', end_date: PAID_UNTIL },
    { status: 'active', start_date: PAID_UNTIL, stripe_subscription_id: expect.stringMatching(/^sub_/) },
  ]);
  expect(await venue.hasAccess(user)).toBe(true);
  expect(venue.noticeTypes()).toEqual(['card_ordered', 'renewal_reminder', 'payment_received']);
});

test('a sweep before any webhook looks at Stripe, and finds the card begun', async () => {
  const { venue, user } = await withCard();
  await venue.webhooks('drop');
  await venue.advance({ days: 29, minutes: 730 });
  await venue.billing.sweep();
  expect(await venue.state(user)).toMatchObject({
    active: { subscription: expect.stringMatching(/^sub_/) },
    customer: { status: 'active' },
  });
});

test('a first charge that the bank declines leaves the days of grace, as for every card', async () => {
  const { venue, user } = await withCard();
  await venue.changeCard(user, 'pm_card_chargeCustomerFail');
  const [{ id, default_payment_method } = { id: '', default_payment_method: null }] = await subscriptions(
    venue,
    user,
  );
  expect(default_payment_method).not.toBeNull();
  await venue.stripe.subscriptions.update(id, { default_payment_method: '' });
  await venue.advance({ days: 30 });
  await venue.delivered();
  await venue.billing.sweep();
  expect(await subscriptions(venue, user)).toMatchObject([{ status: 'past_due' }]);
  expect((await rows(venue)).map(({ status }) => status)).toEqual(['ended', 'active']);
  expect(venue.noticeTypes()).toContain('payment_failed');
  expect(await venue.hasAccess(user)).toBe(true);
});

test('an overdue member is charged at once, and the card goes on from today', async () => {
  const { venue, user } = await withCard('2026-06-12');
  expect(await charges(venue, user)).toEqual([3900]);
  expect(await venue.state(user)).toMatchObject({ memberships: 2, active: { tier: 'select' } });
  expect(await rows(venue)).toMatchObject([
    { status: 'ended', end_date: '2026-06-15' },
    { status: 'active' },
  ]);
});

test('in the last two days before the first unpaid one, the card is charged two days ahead', async () => {
  const { venue, user } = await withCard('2026-06-16');
  expect(await subscriptions(venue, user)).toMatchObject([
    { status: 'trialing', trial_end: Date.parse('2026-06-17T11:00:00Z') / 1000 },
  ]);
  await venue.advance({ days: 1 });
  await venue.billing.sweep();
  expect(await venue.hasAccess(user)).toBe(true);
  await venue.advance({ days: 1, minutes: 120 });
  await venue.delivered();
  expect(await charges(venue, user)).toEqual([3900]);
});

test('a member who cancels is never charged, and keeps what is paid', async () => {
  const { venue, user } = await withCard();
  const ends = { cancel_at: MIDNIGHT.getTime() / 1000 };
  expect(await venue.billing.cancelSubscription(user)).toEqual(ends);
  expect(await subscriptions(venue, user)).toMatchObject([{ status: 'canceled' }]);
  expect(await rows(venue)).toMatchObject([{ ends_on: PAID_UNTIL, next_subscription_id: null }]);
  await venue.advance({ days: 31 });
  await venue.delivered();
  await venue.billing.sweep();
  expect(await charges(venue, user)).toEqual([]);
  expect(await venue.state(user)).toMatchObject({ active: null, customer: { status: 'inactive' } });
  expect(venue.noticeTypes()).toEqual(['card_ordered', 'cancellation_scheduled', 'membership_ended']);
});

test('a member who cancels on the day, before we heard of the charge, cancels the card', async () => {
  const { venue, user } = await withCard();
  await venue.webhooks('drop');
  await venue.advance({ days: 29, minutes: 730 });
  const { cancel_at } = await venue.billing.cancelSubscription(user);
  expect(new Date(cancel_at * 1000).toISOString()).toBe('2026-08-14T22:00:00.000Z');
  expect(await subscriptions(venue, user)).toMatchObject([{ cancel_at_period_end: true }]);
});

test('a member who stays at the venue is not charged, and pays there as before', async () => {
  const { venue, user } = await withCard();
  expect(await venue.billing.resumeSubscription(user)).toBeNull();
  expect(await subscriptions(venue, user)).toMatchObject([{ status: 'canceled' }]);
  expect(await rows(venue)).toMatchObject([{ ends_on: null, canceled_at: null, next_subscription_id: null }]);
  await venue.advance({ days: 25 });
  await venue.delivered();
  await venue.billing.sweep();
  expect(venue.noticeTypes()).toEqual(['card_ordered', 'cancellation_withdrawn', 'dues_reminder']);
});

test('staff who end the membership at once end the card, too', async () => {
  const { venue, user } = await withCard();
  const [customer] = await venue.db.select().from(customers).where(eq(customers.user_id, user));
  const period_end = MIDNIGHT.toISOString();
  const draft = { customer_id: customer?.id ?? '', when: 'now', reason: 'other', period_end } as const;
  await venue.billing.endForMember({ user_id: await staffIn(venue), role: 'staff' }, draft);
  expect(await subscriptions(venue, user)).toMatchObject([{ status: 'canceled' }]);
  await venue.advance({ days: 31 });
  await venue.delivered();
  expect(await charges(venue, user)).toEqual([]);
});

test('the card that staff cancel at Stripe leaves the member at the venue', async () => {
  const { venue, user } = await withCard();
  const [{ id } = { id: '' }] = await subscriptions(venue, user);
  await venue.stripe.subscriptions.cancel(id);
  await venue.delivered();
  expect(await rows(venue)).toMatchObject([{ status: 'active', ends_on: null, next_subscription_id: null }]);
});

test('what is paid at the bar while the page is open wins: the card is taken back, and charges nothing', async () => {
  const { venue, user } = await atVenue();
  const url = await venue.billing.payByCard(user);
  await venue.db.update(memberships).set({ paid_until: '2026-08-15', grace_until: '2026-08-22' });
  await venue.pay(url);
  await venue.delivered();
  expect(await subscriptions(venue, user)).toMatchObject([{ status: 'canceled' }]);
  expect(await rows(venue)).toMatchObject([{ ends_on: null, next_subscription_id: null }]);
  expect(await charges(venue, user)).toEqual([]);
});

test('an overdue member who has paid at the bar meanwhile gets the charge back', async () => {
  const { venue, user } = await atVenue('2026-06-12');
  const url = await venue.billing.payByCard(user);
  await venue.db.update(memberships).set({ paid_until: '2026-07-12', grace_until: '2026-07-19' });
  await venue.pay(url);
  await venue.delivered();
  expect(await charges(venue, user)).toEqual([0]);
  expect(await rows(venue)).toMatchObject([{ status: 'active', ends_on: null }]);
});

test('paid days that were voided end the membership sooner, and the card brings it back on its day', async () => {
  const { venue, user } = await withCard();
  await venue.db.update(memberships).set({ paid_until: '2026-06-15', grace_until: '2026-06-22' });
  await venue.advance({ days: 8 });
  await venue.billing.sweep();
  expect(await venue.state(user)).toMatchObject({ active: null, customer: { status: 'inactive' } });
  expect(await subscriptions(venue, user)).toMatchObject([{ status: 'trialing' }]);
  await venue.advance({ days: 22 });
  await venue.delivered();
  expect(await charges(venue, user)).toEqual([3900]);
  expect(await venue.hasAccess(user)).toBe(true);
});

test.each([
  ['not counted', { paid_until: null, grace_until: null }, 'by_card'],
  ['ending', { ends_on: PAID_UNTIL }, 'ending'],
  [
    'paused',
    { paused_from: new Date('2026-07-15T00:00:00Z'), paused_until: new Date('2026-08-15T00:00:00Z') },
    'paused',
  ],
  ['paid for three years', { paid_until: '2029-06-15', grace_until: '2029-06-22' }, 'paid_ahead'],
])('is refused while the membership is %s', async (_what, terms, reason) => {
  const { venue, user } = await atVenue();
  await venue.db.update(memberships).set(terms);
  await expect(venue.billing.payByCard(user)).rejects.toMatchObject({
    code: 'DUES_REFUSED',
    data: { reason },
  });
});

test('leaving test mode leaves the member at the venue', async () => {
  const { venue } = await withCard();
  await leaveTestMode(venue.deps);
  expect(await rows(venue)).toMatchObject([{ status: 'active', ends_on: null, next_subscription_id: null }]);
});

test('staff read that a card follows, which only the member takes back', async () => {
  const { venue, user } = await withCard();
  expect(await venue.billing.getEndOffer(user)).toMatchObject({
    ending: { at: MIDNIGHT.toISOString(), by: 'card' },
  });
});

test('an end of the waiting card at Stripe leaves the member at the venue, and the card is never charged', async () => {
  const { venue, user } = await withCard();
  const [{ id } = { id: '' }] = await subscriptions(venue, user);
  await venue.stripe.subscriptions.update(id, { cancel_at_period_end: true });
  await venue.delivered();
  expect(await rows(venue)).toMatchObject([{ status: 'active', ends_on: null, next_subscription_id: null }]);
  await venue.advance({ days: 31 });
  await venue.delivered();
  expect(await charges(venue, user)).toEqual([]);
});

test('a page that is paid after staff ended the membership buys nothing', async () => {
  const { venue, user } = await atVenue();
  const url = await venue.billing.payByCard(user);
  const [customer] = await venue.db.select().from(customers).where(eq(customers.user_id, user));
  const draft = {
    customer_id: customer?.id ?? '',
    when: 'now',
    reason: 'other',
    period_end: MIDNIGHT.toISOString(),
  } as const;
  await venue.billing.endForMember({ user_id: await staffIn(venue), role: 'staff' }, draft);
  await venue.pay(url);
  await venue.delivered();
  expect(await subscriptions(venue, user)).toMatchObject([{ status: 'canceled' }]);
  await venue.advance({ days: 31 });
  await venue.delivered();
  expect(await charges(venue, user)).toEqual([]);
});
