import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import {
  billing_payment,
  billing_refund,
  customers,
  dues,
  membership_applications,
  memberships,
  tier_definitions,
} from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// docs/rules/years.md. Select costs $39 a month and $390 for a year; the clock stands on June 1, 2026.

beforeAll(openSharedDatabase);

type Applicant = Awaited<ReturnType<Venue['applicant']>>;

async function openYears(): Promise<Venue> {
  const venue = await openVenue({ start: '2026-06-01T10:00:00Z' });
  await price(venue, 'select', 39_000);
  await price(venue, 'premier', 69_000);
  return venue;
}
const price = (venue: Venue, tier: string, yearly_price_cents: number | null) =>
  venue.db.update(tier_definitions).set({ yearly_price_cents }).where(eq(tier_definitions.tier_name, tier));

const order = async (venue: Venue, { user, application }: Applicant, tierName = 'select') =>
  (await venue.billing.createCheckout(user, { tierName, applicationId: application, period: 'year' })).url;

async function bought(venue: Venue, tier = 'select'): Promise<Applicant> {
  const applicant = await venue.applicant(tier);
  await venue.pay(await order(venue, applicant, tier));
  await venue.delivered();
  return applicant;
}

const membershipOf = async ({ db }: Venue, user: string) =>
  db
    .select({ membership: memberships })
    .from(memberships)
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .where(eq(customers.user_id, user));

test('the page takes the price of a year once, and its invoice names what it paid for', async () => {
  const venue = await openYears();
  const applicant = await venue.applicant();
  await order(venue, applicant);
  const customer = await stripeCustomerId(venue.db, applicant.user);
  const { data } = await venue.stripe.checkout.sessions.list({ customer });
  const metadata = { user_id: applicant.user, application_id: applicant.application, months: '12' };
  expect(data).toMatchObject([
    {
      mode: 'payment',
      amount_total: 39_000,
      success_url: 'https://club.example/payment-success?session_id={CHECKOUT_SESSION_ID}',
      custom_text: { submit: { message: 'For a year of membership, paid once. It ends by itself.' } },
      invoice_creation: { enabled: true, invoice_data: { description: 'Select, a year', metadata } },
    },
  ]);
});

test('a year by a code at the bar leads back to the code’s page, also while a bank answers', async () => {
  const venue = await openYears();
  const { user, application: applicationId } = await venue.applicant();
  const byLink = { tierName: 'select', applicationId, period: 'year', byLink: true } as const;
  await venue.billing.createCheckout(user, byLink);
  const { sessions } = venue.stripe.checkout;
  const [page] = (await sessions.list({ customer: await stripeCustomerId(venue.db, user) })).data;
  expect(page).toMatchObject({
    success_url: 'https://club.example/join?payment=done',
    cancel_url: 'https://club.example/join?payment=back',
  });
  const payment_intent = { id: 'pi_by_transfer', status: 'processing' };
  const submitted = { ...page, status: 'complete', payment_intent };
  sessions.retrieve = (async () => submitted) as unknown as typeof sessions.retrieve;
  const intents = venue.stripe.paymentIntents;
  intents.retrieve = (async () => payment_intent) as unknown as typeof intents.retrieve;
  const { url } = await venue.billing.createCheckout(user, byLink);
  expect(url).toBe('https://club.example/join?payment=done');
});

test('a paid year is a membership of twelve months, with pours by the month and one receipt', async () => {
  const venue = await openYears();
  const { user } = await bought(venue);
  expect(await venue.state(user)).toMatchObject({
    active: { subscription: null, tier: 'select' },
    memberships: 1,
    attempts: ['completed'],
  });
  const [row] = await membershipOf(venue, user);
  expect(row?.membership).toMatchObject({
    start_date: '2026-06-01',
    paid_until: '2027-06-01',
    ends_on: null,
    monthly_price_cents: 3900,
  });
  expect(await venue.db.select().from(dues)).toMatchObject([
    { months: 12, method: 'online', amount_cents: 39_000, recorded_by_staff_id: null },
  ]);
  const [payment] = await venue.db.select().from(billing_payment);
  expect(payment).toMatchObject({ stripe_subscription_id: null, amount_paid_cents: 39_000, status: 'paid' });
  expect(venue.notices).toMatchObject([
    { type: 'year_started', tier: 'select', monthly_pours: 4, last_day: new Date('2027-05-30T22:00:00Z') },
    { type: 'payment_received', tier: 'select', amount_cents: 39_000 },
  ]);
  const [application] = await venue.db.select().from(membership_applications);
  expect(application).toMatchObject({ status: 'approved', reviewed_by_staff_id: null });
  expect(await venue.hasAccess(user)).toBe(true);
});

test('looking at Stripe again changes nothing: a year counts once', async () => {
  const venue = await openYears();
  const { user } = await bought(venue);
  const [before] = await membershipOf(venue, user);
  expect((await venue.billing.reconcile(user)).status).toBe('unchanged');
  await venue.anotherProcess().reconcile(user);
  await venue.billing.sweep();
  expect(await membershipOf(venue, user)).toEqual([before]);
  expect(await venue.db.$count(dues)).toBe(1);
  expect(venue.noticeTypes()).toEqual(['year_started', 'payment_received']);
});

test('a second order while one waits leads to the same page, and a month in its place to another', async () => {
  const venue = await openYears();
  const applicant = await venue.applicant();
  const url = await order(venue, applicant);
  const processes = [venue.billing, venue.anotherProcess(), venue.anotherProcess()];
  const input = { tierName: 'select', applicationId: applicant.application, period: 'year' as const };
  const pages = await Promise.all(processes.map((billing) => billing.createCheckout(applicant.user, input)));
  expect(new Set(pages.map((page) => page.url))).toEqual(new Set([url]));
  const monthly = await venue.checkout(applicant);
  expect(monthly).not.toBe(url);
  await venue.pay(url);
  await venue.pay(monthly);
  await venue.delivered();
  expect(await venue.state(applicant.user)).toMatchObject({
    memberships: 1,
    attempts: ['expired', 'completed'],
  });
  expect(await venue.db.$count(dues)).toBe(0);
});

test('a year is sold at today’s price, and not of a tier without one', async () => {
  const venue = await openYears();
  const applicant = await venue.applicant();
  const before = await order(venue, applicant);
  await price(venue, 'select', 40_000);
  expect(await order(venue, applicant)).not.toBe(before);
  await price(venue, 'select', null);
  await expect(order(venue, applicant)).rejects.toMatchObject({ code: 'TIER_NOT_AVAILABLE' });
});

test('without webhooks, the sweeper makes a paid year count', async () => {
  const venue = await openYears();
  const applicant = await venue.applicant();
  const url = await order(venue, applicant);
  await venue.webhooks('drop');
  await venue.pay(url);
  await venue.advance({ minutes: 6 });
  await venue.billing.sweep();
  expect(await venue.state(applicant.user)).toMatchObject({ memberships: 1, attempts: ['completed'] });
});

test('a year that is paid after staff rejected the application goes back', async () => {
  const venue = await openYears();
  const applicant = await venue.applicant();
  const url = await order(venue, applicant);
  await venue.db.update(membership_applications).set({ status: 'rejected' });
  await venue.pay(url);
  await venue.delivered();
  expect(await venue.state(applicant.user)).toMatchObject({ memberships: 0, attempts: ['completed'] });
  expect(await venue.db.select().from(billing_refund)).toMatchObject([
    { status: 'done', refunded_cents: 39_000, returned_because: 'application_rejected' },
  ]);
  expect(venue.notices).toMatchObject([
    { type: 'payment_returned', reason: 'application_rejected', amount_cents: 39_000 },
  ]);
});

test('a year that was refunded in Stripe’s dashboard before we heard of it is over: another can be bought', async () => {
  const venue = await openYears();
  const applicant = await venue.applicant();
  await venue.webhooks('drop');
  await venue.pay(await order(venue, applicant));
  const customer = await stripeCustomerId(venue.db, applicant.user);
  const [charge] = (await venue.stripe.charges.list({ customer })).data;
  await venue.stripe.refunds.create({ charge: charge?.id ?? '' });
  await venue.webhooks('normal');
  await venue.billing.reconcile(applicant.user);
  expect(await venue.state(applicant.user)).toMatchObject({ memberships: 0, attempts: ['completed'] });
  await venue.pay(await order(venue, applicant, 'premier'));
  await venue.delivered();
  expect(await venue.state(applicant.user)).toMatchObject({ active: { tier: 'premier' }, memberships: 1 });
});

test('a year of the tier that staff approved meanwhile counts; of another tier it goes back', async () => {
  const venue = await openYears();
  const same = await venue.applicant('select');
  const sameUrl = await order(venue, same);
  const other = await venue.applicant('select');
  const otherUrl = await order(venue, other, 'premier');
  for (const { user } of [same, other]) await venue.approveAtVenue(user);
  await venue.pay(sameUrl);
  await venue.pay(otherUrl);
  await venue.delivered();
  // The approval was as of May 15.
  expect((await membershipOf(venue, same.user))[0]?.membership.paid_until).toBe('2027-05-15');
  expect((await membershipOf(venue, other.user))[0]?.membership.paid_until).toBeNull();
  expect(await venue.db.select().from(billing_refund)).toMatchObject([
    { user_id: other.user, returned_because: 'venue_member', refunded_cents: 69_000 },
  ]);
});

test('after the year, the membership ends as of the first unpaid day, and nothing is charged', async () => {
  const venue = await openYears();
  const { user } = await bought(venue);
  await venue.advance({ days: 365 + 8 });
  await venue.billing.sweep();
  const [row] = await membershipOf(venue, user);
  expect(row?.membership).toMatchObject({ status: 'ended', end_date: '2027-06-01' });
  const customer = await stripeCustomerId(venue.db, user);
  expect((await venue.stripe.charges.list({ customer })).data).toHaveLength(1);
});
