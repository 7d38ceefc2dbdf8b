import { beforeAll, describe, expect, test } from 'vitest';
import { readCardPeriods } from '../../../src/server/billing/state/card-periods.ts';
import { eq } from '../../../src/server/db/orm.ts';
import { customers } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { glassesOf } from '../../support/billing/glasses.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

// docs/rules/billing.md, "Billing: an end on a later day".

const DAY = 86_400;
const seconds = (venue: Venue) => Math.floor(venue.clock.now().getTime() / 1000);

/** Sets the end of a member's subscription at Stripe, as its "Cancel on a custom date" does. Returns it. */
async function endLater(venue: Venue, user: string, days: number): Promise<number> {
  const cancel_at = seconds(venue) + days * DAY;
  const { id } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, { cancel_at, proration_behavior: 'none' });
  await venue.delivered();
  return cancel_at;
}

const paidCount = async (venue: Venue, user: string) => (await venue.state(user)).payments.length;

test('a membership that ends on a later day names the charges until then', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const { current_period_end } = (await venue.subscription(user)).items.data[0] ?? {};
  const ends_at = await endLater(venue, user, 45);
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
    cancel_at_period_end: false,
    ends_at,
    next_charge: { at: current_period_end, amount: 3900 },
    charge_if_kept: null,
  });
  expect(venue.notices.at(-1)).toMatchObject({ type: 'end_scheduled', amount_cents: 3900 });
});

describe('before the last charge', () => {
  test('canceling ends it with the paid period, and says so', async () => {
    const venue = await openVenue();
    const { user } = await venue.member();
    await endLater(venue, user, 365);
    const { cancel_at } = await venue.billing.cancelSubscription(user);
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
      cancel_at_period_end: true,
      ends_at: cancel_at,
      next_charge: null,
    });
    expect(venue.noticeTypes().slice(-2)).toEqual(['end_scheduled', 'cancellation_scheduled']);
    await venue.advance({ days: 31 });
    await venue.billing.sweep();
    expect(await paidCount(venue, user)).toBe(1);
    expect(await venue.state(user)).toMatchObject({ active: null });
  });

  test('keeping it takes the end away', async () => {
    const venue = await openVenue();
    const { user } = await venue.member();
    await endLater(venue, user, 45);
    expect(await venue.billing.resumeSubscription(user)).toMatchObject({ ends_at: null });
    await venue.advance({ days: 62 });
    expect(await paidCount(venue, user)).toBe(3);
  });

  test('staff can end it with the paid period', async () => {
    const venue = await openVenue();
    const { user } = await venue.member();
    await endLater(venue, user, 45);
    expect(await venue.billing.getEndOffer(user)).toMatchObject({ obstacle: null });
  });
});

test('it renews until then, with all pours, and ends on the day', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await endLater(venue, user, 45);
  await venue.advance({ days: 31 });
  expect(await paidCount(venue, user)).toBe(2);
  expect(await glassesOf(venue, user)).toMatchObject({ access: true, period_pours: 4 });
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
    cancel_at_period_end: true,
    next_charge: null,
  });
  await venue.advance({ days: 14, minutes: 5 });
  await venue.billing.sweep();
  expect(await venue.state(user)).toMatchObject({ active: null });
});

test('the month that it paid for last is stored, although nobody looked between the charge and the end', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await endLater(venue, user, 31);
  await venue.webhooks('drop');
  await venue.advance({ days: 33 });
  await venue.billing.reconcile(user);
  expect(await venue.state(user)).toMatchObject({ active: null });
  const [customer] = await venue.db.select().from(customers).where(eq(customers.user_id, user));
  const months = await readCardPeriods(venue.db, customer?.id ?? '');
  expect(months.map(({ paid }) => paid)).toEqual([true, true]);
});

test('another day for the end brings another email', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await endLater(venue, user, 365);
  const ends_at = await endLater(venue, user, 45);
  expect(venue.notices.at(-1)).toMatchObject({ type: 'end_scheduled', ends_at: new Date(ends_at * 1000) });
});

test('the reminder that nothing more is charged waits for the last charge', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await endLater(venue, user, 33);
  await venue.advance({ days: 27 });
  await venue.billing.sendReminders();
  expect(venue.noticeTypes()).not.toContain('ending_reminder');
  await venue.advance({ days: 4 });
  await venue.billing.sendReminders();
  expect(venue.noticeTypes()).toContain('ending_reminder');
});
