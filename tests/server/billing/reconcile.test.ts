import { eq, sql } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../../src/server/db/results.ts';
import { billing_reversal, checkout_attempt, pour_voids, pours } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { glassesOf, pourGlasses } from '../../support/billing/glasses.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

const FAILING = 'pm_card_chargeCustomerFail';

/** Tables that a reconciliation may write. */
const TABLES = [
  'billing_customer',
  'billing_payment',
  'billing_reversal',
  'billing_subscription',
  'checkout_attempt',
  'customers',
  'glass_change',
  'glass_debit',
  'glass_grant',
  'membership_applications',
  'memberships',
  'tier_change',
];

/** The versions of each table's rows: every write makes a new one. */
async function rowVersions({ db }: Venue): Promise<Map<string, string>> {
  const versions = new Map<string, string>();
  for (const table of TABLES) {
    const [row] = await rowsOf<{ rows: string }>(
      db,
      sql`select string_agg(t.ctid::text || t.xmin::text, ',') as rows from ${sql.identifier(table)} t`,
    );
    versions.set(table, row?.rows ?? '');
  }
  return versions;
}

test('a reconciliation that finds nothing new writes that Stripe was asked, and no other row', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.advance({ days: 31 });
  const before = await rowVersions(venue);
  await venue.advance({ minutes: 5 });
  expect(await venue.billing.reconcile(user)).toEqual({ status: 'unchanged', localStatus: 'active' });
  const after = await rowVersions(venue);
  expect(TABLES.filter((table) => before.get(table) !== after.get(table))).toEqual([
    'billing_customer',
    'billing_subscription',
  ]);
  expect((await venue.state(user)).subscriptions).toMatchObject([{ synced_at: venue.clock.now() }]);
});

test('a first payment that succeeds after its subscription was seen completes the payment page too', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  await venue.checkout(applicant);
  const [attempt] = await venue.db
    .select()
    .from(checkout_attempt)
    .where(eq(checkout_attempt.user_id, applicant.user));
  const [price] = (await venue.stripe.prices.list()).data;
  const { latest_invoice } = await venue.stripe.subscriptions.create({
    customer: await stripeCustomerId(venue.db, applicant.user),
    items: [{ price: price?.id }],
    payment_behavior: 'default_incomplete',
    metadata: { attempt_id: attempt?.id ?? '' },
  });
  await venue.billing.reconcile(applicant.user);
  expect(await venue.state(applicant.user)).toMatchObject({
    subscriptions: [{ status: 'incomplete' }],
    attempts: ['open'],
  });
  await venue.stripe.invoices.pay(String(latest_invoice), { paid_out_of_band: true });
  await venue.billing.reconcile(applicant.user);
  expect(await venue.state(applicant.user)).toMatchObject({
    subscriptions: [{ status: 'active' }],
    attempts: ['completed'],
  });
});

test('what staff ended gives no access while Stripe cannot cancel it', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const { id: stripe_subscription_id } = await venue.subscription(user);
  const now = venue.clock.now();
  await venue.db.insert(billing_reversal).values({
    stripe_subscription_id,
    user_id: user,
    reason: 'ended_by_staff',
    refund_from: now,
    created_at: now,
  });
  await venue.control('fail-next', {
    path: '/v1/subscriptions/',
    method: 'DELETE',
    status: 500,
    times: 1000,
  });
  expect(await venue.billing.reconcile(user)).toEqual({ status: 'updated', localStatus: 'inactive' });
  expect(await venue.state(user)).toMatchObject({
    subscriptions: [{ status: 'active', access_until: null }],
    reversals: ['ended_by_staff (open)'],
  });
});

test('a period whose tier changed before it was paid gives what was paid for, and the rest of the change', async () => {
  const venue = await openVenue();
  await venue.control('settings', { dunning_days: [20], dunning_end: 'unpaid' });
  const [{ user }, household] = [await venue.member('select'), await venue.member('household')];
  await venue.changeCard(user, FAILING);
  await venue.advance({ days: 30, minutes: 1 });
  const price = (await venue.subscription(household.user)).items.data[0]?.price.id;
  const { id, items } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, {
    items: [{ id: items.data[0]?.id, price }],
    proration_behavior: 'none',
  });
  await venue.delivered();
  expect(await glassesOf(venue, user), 'the share of grace').toMatchObject({
    period_pours: 5,
    when_paid: 15,
  });
  await venue.advance({ days: 3 });
  await venue.payInvoice(user);
  // 28 of 31 days are left, of 16 additional glasses.
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4 + 14, when_paid: 0 });
});

test('a payment that arrives after its period rewrites the closed report day on which the period ended', async () => {
  const venue = await openVenue({ start: '2020-06-15T12:00:00Z' });
  await venue.control('settings', { dunning_days: [3], dunning_end: 'unpaid' });
  const { user } = await venue.member('household');
  await venue.changeCard(user, FAILING);
  await venue.advance({ days: 30, minutes: 1 });
  expect(await pourGlasses(venue, user)).toBe(5);
  const { latest_invoice } = await venue.subscription(user);
  await venue.advance({ days: 32 });
  const reported = () => rowsOf(venue.db, sql`select * from unused_summary`);
  await venue.db.execute(sql`select close_report_day('2020-08-15', 'UTC')`);
  expect(await reported()).toEqual([]);
  await venue.stripe.invoices.pay(String(latest_invoice), { paid_out_of_band: true });
  await venue.delivered();
  await venue.billing.reconcile(user);
  expect(await reported()).toMatchObject([{ day: '2020-08-15', tier: 'household', given: 20, unused: 15 }]);
});

test('a repeated reconciliation adds the glasses of two tier changes in a period only once', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  for (const tier of ['premier', 'elite']) {
    await venue.advance({ days: 10 });
    const { id } = await venue.billing.previewTier(user, tier);
    await venue.billing.changeTier(user, id);
  }
  await venue.delivered();
  const glasses = await glassesOf(venue, user);
  // 20 of 30 days of 4 additional glasses, and 10 of 30 of 6.
  expect(glasses).toMatchObject({ period_pours: 4 + 2 + 2 });
  expect(await venue.billing.reconcile(user)).toEqual({ status: 'unchanged', localStatus: 'active' });
  expect(await glassesOf(venue, user)).toEqual(glasses);
});

test('another card is news, although the membership is the same', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.webhooks('drop');
  await venue.changeCard(user, 'pm_card_mastercard');
  expect(await venue.billing.reconcile(user)).toEqual({ status: 'updated', localStatus: 'active' });
  expect(await venue.billing.reconcile(user)).toEqual({ status: 'unchanged', localStatus: 'active' });
});

test('a void in a period that was never paid changes nothing of what the next one made up for', async () => {
  const venue = await openVenue();
  await venue.control('settings', { dunning_days: [3], dunning_end: 'canceled' });
  const { user } = await venue.member('household');
  await venue.changeCard(user, FAILING);
  await venue.advance({ days: 30, minutes: 1 });
  expect(await pourGlasses(venue, user, 2)).toBe(2);
  expect(await pourGlasses(venue, user)).toBe(3);
  await venue.advance({ days: 5 });
  const application = await venue.reapply(user, 'household');
  await venue.pay(await venue.checkout({ user, application }, 'household'));
  await venue.delivered();
  expect(await glassesOf(venue, user)).toMatchObject({ carried: 5, available: 15 });
  const [poured] = await venue.db.select().from(pours).where(eq(pours.quantity, 2));
  await venue.db.insert(pour_voids).values({
    pour_id: poured?.id ?? '',
    reason: 'a mistake',
    voided_by_staff_id: poured?.recorded_by_staff_id ?? '',
    created_at: venue.clock.now(),
  });
  await venue.billing.reconcile(user);
  expect(await glassesOf(venue, user)).toMatchObject({ carried: 5, available: 15 });
});
