import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import {
  billing_refund,
  customers,
  dues,
  memberships,
  tier_definitions,
} from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// docs/rules/years.md, "A payment that takes days". Select costs $390 for a year, Premier $690.

beforeAll(openSharedDatabase);

const YEAR = { months: 12, amount: 39_000, tier: 'select' };

/** A venue whose payers' banks answer later. */
async function openPending(): Promise<Venue> {
  const venue = await openVenue({ start: '2026-06-01T10:00:00Z' });
  for (const [tier, yearly_price_cents] of [
    ['select', 39_000],
    ['premier', 69_000],
  ] as const)
    await venue.db
      .update(tier_definitions)
      .set({ yearly_price_cents })
      .where(eq(tier_definitions.tier_name, tier));
  await venue.control('settings', { charges: 'pending' });
  return venue;
}

const paymentOf = async (venue: Venue, user: string) => (await venue.billing.yearPayment(user)) ?? null;

const membershipOf = async ({ db }: Venue, user: string) => {
  const [row] = await db
    .select({ membership: memberships })
    .from(memberships)
    .innerJoin(customers, eq(customers.id, memberships.customer_id))
    .where(eq(customers.user_id, user));
  return row?.membership;
};

async function submitted(venue: Venue) {
  const { user, application } = await venue.applicant();
  const order = (period: 'year' | 'month') =>
    venue.billing.createCheckout(user, { tierName: 'select', applicationId: application, period });
  await venue.pay((await order('year')).url);
  await venue.delivered();
  await venue.billing.reconcile(user);
  return { user, order };
}

test('until the bank answers there is no membership, and the same order leads to the page after the payment', async () => {
  const venue = await openPending();
  const { user, order } = await submitted(venue);
  expect(await venue.state(user)).toMatchObject({ memberships: 0, attempts: ['open'] });
  expect(await paymentOf(venue, user)).toEqual({ state: 'pending', ...YEAR });
  expect((await order('year')).url).toMatch(/^https:\/\/club\.example\/payment-success\?session_id=cs_/);
  await expect(order('month')).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  await expect(venue.billing.cancelEverything(user)).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  await venue.advance({ days: 2 });
  await venue.billing.sweep();
  expect(await venue.state(user)).toMatchObject({ memberships: 0, attempts: ['open'] });
  expect(venue.notices).toEqual([]);
});

test.each(['webhooks', 'the sweeper'])(
  'a bank that answers yes makes the year begin that day, by %s',
  async (by) => {
    const venue = await openPending();
    const { user } = await submitted(venue);
    await venue.advance({ days: 3 });
    if (by === 'the sweeper') await venue.webhooks('drop');
    await venue.control('charges/settle', {});
    await venue.delivered();
    if (by === 'the sweeper') await venue.billing.sweep();
    expect(await venue.state(user)).toMatchObject({ memberships: 1, attempts: ['completed'] });
    expect(await membershipOf(venue, user)).toMatchObject({
      start_date: '2026-06-04',
      paid_until: '2027-06-04',
    });
    expect(venue.noticeTypes()).toEqual(['year_started', 'payment_received']);
    expect(await paymentOf(venue, user)).toBeNull();
  },
);

test('a bank that answers no charges nothing: the member reads so for 14 days, and can order again', async () => {
  const venue = await openPending();
  const { user, order } = await submitted(venue);
  await venue.control('charges/fail', {});
  await venue.delivered();
  await venue.advance({ minutes: 6 });
  await venue.billing.sweep();
  expect(await venue.state(user)).toMatchObject({ memberships: 0, attempts: ['expired'] });
  expect(await paymentOf(venue, user)).toEqual({ state: 'declined', ...YEAR });
  await venue.advance({ days: 15 });
  expect(await paymentOf(venue, user)).toBeNull();
  await venue.control('settings', { charges: 'succeeded' });
  await venue.pay((await order('year')).url);
  await venue.delivered();
  expect(await venue.state(user)).toMatchObject({ memberships: 1, attempts: ['expired', 'completed'] });
});

test('a year whose applicant staff approve at the venue meanwhile follows the approval', async () => {
  const venue = await openPending();
  const { user } = await submitted(venue);
  await venue.approveAtVenue(user);
  expect(await venue.billing.closeOpenCheckout(user)).toEqual({ outcome: 'unreachable' });
  await venue.control('charges/settle', {});
  await venue.delivered();
  expect(await membershipOf(venue, user)).toMatchObject({ paid_until: '2027-05-15', paid_months: 12 });
  expect(await venue.db.$count(billing_refund)).toBe(0);
});

test.each([
  ['in the same month', 3, 'premier', 0],
  ['after another has begun', 31, 'select', 27_500],
])('the difference to a dearer tier that the bank pays %s', async (_, days, tier, refunded) => {
  const venue = await openPending();
  await venue.control('settings', { charges: 'succeeded' });
  const { user } = await submitted(venue);
  await venue.control('settings', { charges: 'pending' });
  await venue.pay(await venue.billing.buyTierUp(user, 'premier'));
  await venue.delivered();
  await venue.billing.reconcile(user);
  expect(await paymentOf(venue, user)).toEqual({
    state: 'pending',
    tier: 'premier',
    months: 11,
    amount: 27_500,
  });
  await venue.advance({ days });
  await venue.control('charges/settle', {});
  await venue.delivered();
  await venue.billing.reconcile(user);
  expect(await membershipOf(venue, user)).toMatchObject({ tier, paid_until: '2027-06-01' });
  expect(await venue.db.$count(dues)).toBe(refunded ? 1 : 2);
  const refunds = await venue.db.select().from(billing_refund);
  expect(refunds.reduce((sum, { refunded_cents }) => sum + (refunded_cents ?? 0), 0)).toBe(refunded);
});
