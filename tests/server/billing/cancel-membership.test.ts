import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { beforeAll, describe, expect, test } from 'vitest';
import { customers, leaving_reason, memberships, profiles } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// docs/rules/membership.md, "Canceling at the venue". Days begin at midnight in Vienna; the clock starts on June 15, 2026.

beforeAll(openSharedDatabase);

const midnight = (day: string) => Date.parse(`${day}T00:00:00+02:00`) / 1000;

async function atVenue(terms: Partial<typeof memberships.$inferInsert> = {}) {
  const venue = await openVenue();
  const { user } = await venue.applicant();
  await venue.approveAtVenue(user);
  if (Object.keys(terms).length > 0) await venue.db.update(memberships).set(terms);
  return { venue, user };
}
const membershipOf = async ({ db }: Venue) => (await db.select().from(memberships))[0];

async function staffOf(venue: Venue, user: string) {
  const id = v7();
  const name = { name: 'Sam', first_name: 'Sam', last_name: 'Staff' };
  await venue.db.insert(profiles).values({ id, email: `${id}@example.test`, ...name });
  const [customer] = await venue.db.select().from(customers).where(eq(customers.user_id, user));
  const actor = { user_id: id, role: 'staff' as const };
  return { actor, customer_id: customer?.id ?? '' };
}

test('a member at the venue cancels: pours until the running month ends, then none, and the emails of a cancellation', async () => {
  const { venue, user } = await atVenue();
  const ends = { cancel_at: midnight('2026-07-15') };
  expect(await venue.billing.cancelSubscription(user, 'price')).toEqual(ends);
  // Again, from a page that got no response.
  expect(await venue.billing.cancelSubscription(user)).toEqual(ends);
  expect(await venue.hasAccess(user)).toBe(true);
  expect(await venue.db.select().from(leaving_reason)).toMatchObject([{ reason: 'price' }]);
  await venue.advance({ days: 30 });
  await venue.billing.sweep();
  expect(await venue.hasAccess(user)).toBe(false);
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
  expect(await membershipOf(venue)).toMatchObject({ end_date: '2026-07-15' });
  expect(venue.notices).toMatchObject([
    {
      type: 'cancellation_scheduled',
      by_venue: false,
      ends_at: new Date(midnight('2026-07-15') * 1000),
    },
    { type: 'membership_ended', why: null, last_charge: null },
  ]);
});

test.each([
  ['2026-09-15', '2026-09-15'],
  ['2026-06-16', '2026-06-16'],
])('a membership paid until %s ends on %s', async (paid_until, end) => {
  const { venue, user } = await atVenue({ paid_until, grace_until: '2026-09-22' });
  expect(await venue.billing.cancelSubscription(user)).toEqual({ cancel_at: midnight(end) });
  expect(await membershipOf(venue)).toMatchObject({ ends_on: end, status: 'active' });
});

test('a member whose payment is due ends at once, as of the first unpaid day', async () => {
  const { venue, user } = await atVenue({ paid_until: '2026-06-15', grace_until: '2026-06-22' });
  const now = Math.floor(venue.clock.now().getTime() / 1000);
  expect(await venue.billing.cancelSubscription(user)).toEqual({ cancel_at: now });
  expect(await membershipOf(venue)).toMatchObject({ status: 'ended', end_date: '2026-06-15' });
  expect(venue.noticeTypes()).toEqual(['membership_ended']);
});

describe('a cancellation at the venue', () => {
  test('is taken back by the member until the end, also while payments are off', async () => {
    const { venue, user } = await atVenue();
    await venue.billing.cancelSubscription(user);
    const off = venue.anotherProcess({ payments: 'off' });
    await off.resumeSubscription(user);
    await off.resumeSubscription(user);
    expect(await membershipOf(venue)).toMatchObject({ ends_on: null, canceled_at: null });
    expect(venue.noticeTypes()).toEqual(['cancellation_scheduled', 'cancellation_withdrawn']);
    await off.cancelSubscription(user);
    await venue.advance({ days: 30 });
    await expect(off.resumeSubscription(user)).rejects.toMatchObject({ code: 'NO_SUBSCRIPTION' });
  });

  test('is not taken back by staff, who can still end the membership at once', async () => {
    const { venue, user } = await atVenue();
    const { actor, customer_id } = await staffOf(venue, user);
    await venue.billing.cancelSubscription(user);
    expect(await venue.billing.getEndOffer(user)).toMatchObject({
      obstacle: 'ending',
      ending: { by: 'member', under_way: false },
    });
    await expect(venue.billing.keepForMember(actor, { customer_id })).rejects.toMatchObject({
      data: { reason: 'by_member' },
    });
    const { period_end } = await venue.billing.getEndOffer(user);
    const draft = { customer_id, when: 'now' as const, reason: 'service' as const };
    await venue.billing.endForMember(actor, { ...draft, period_end: period_end ?? '' });
    expect(await venue.hasAccess(user)).toBe(false);
  });

  test('changes nothing about an end that staff set, which only they take back', async () => {
    const { venue, user } = await atVenue();
    const { actor, customer_id } = await staffOf(venue, user);
    const { period_end } = await venue.billing.getEndOffer(user);
    const draft = { customer_id, when: 'period_end' as const, reason: 'service' as const };
    await venue.billing.endForMember(actor, { ...draft, period_end: period_end ?? '' });
    expect(await venue.billing.cancelSubscription(user)).toEqual({ cancel_at: midnight('2026-07-15') });
    await expect(venue.billing.resumeSubscription(user)).rejects.toMatchObject({ code: 'NO_SUBSCRIPTION' });
    expect(await venue.billing.keepForMember(actor, { customer_id })).toMatchObject({ ending: null });
    expect(venue.noticeTypes()).toEqual(['cancellation_scheduled', 'cancellation_withdrawn']);
  });
});

test('a gift is not canceled', async () => {
  const { venue, user } = await atVenue({ is_gift: true, ends_on: '2026-09-15' });
  await expect(venue.billing.cancelSubscription(user)).rejects.toMatchObject({ code: 'NO_SUBSCRIPTION' });
  expect(await membershipOf(venue)).toMatchObject({ ends_on: '2026-09-15', canceled_at: null });
});
