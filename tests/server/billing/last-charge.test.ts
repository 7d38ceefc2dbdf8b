import type Stripe from 'stripe';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BillingNotice } from '../../../src/server/billing/billing-context.ts';
import { staff_notice } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';
import { billingEmail } from '../../support/fixtures/every-email.ts';

beforeAll(openSharedDatabase);

// docs/rules/billing.md, "Billing: what waits at an end".

const DAY = 86_400;
const CLUB = {
  ...{ club_name: 'Cellar Door', support_email: 'help@venue.test', public_url: 'https://club.example' },
  ...{ time_zone: 'UTC', minimum_age: 0, terms_url: null },
};
const seconds = (venue: Venue) => Math.floor(venue.clock.now().getTime() / 1000);
const details = (venue: Venue, user: string) => venue.billing.getSubscriptionDetails(user);
const paid = async (venue: Venue, user: string) => (await venue.state(user)).payments.map(({ paid }) => paid);

async function update(venue: Venue, user: string, fields: Stripe.SubscriptionUpdateParams): Promise<void> {
  await venue.stripe.subscriptions.update((await venue.subscription(user)).id, fields);
  await venue.delivered();
}

/** Changes the tier in the middle of the period, as staff can at Stripe; the difference waits for the next invoice. */
async function changeTier(venue: Venue, user: string, to: string): Promise<void> {
  const other = await venue.member(to);
  const price = (await venue.subscription(other.user)).items.data[0]?.price.id;
  const id = (await venue.subscription(user)).items.data[0]?.id;
  await venue.advance({ days: 15 });
  await update(venue, user, { items: [{ id, price }], proration_behavior: 'create_prorations' });
}

/** A Select member, raised to Premier for the second half of the month: $15.00 wait. */
async function raised(): Promise<{ venue: Venue; user: string }> {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await changeTier(venue, user, 'premier');
  return { venue, user };
}

/** Notices about one member, as emails. */
const emails = (venue: Venue, user: string, type: BillingNotice['type']): string[] =>
  venue.notices
    .filter((it) => it.user_id === user && it.type === type)
    .map((it) => billingEmail(it, 'Ada', CLUB).text);

test('the account says what a cancellation leaves to charge', async () => {
  const { venue, user } = await raised();
  const at = (await venue.subscription(user)).items.data[0]?.current_period_end;
  expect(await details(venue, user)).toMatchObject({
    next_charge: { at, amount: 8400 },
    charge_if_canceled: { at, amount: 1500 },
  });
});

const ENDS: [string, (venue: Venue, user: string) => Promise<unknown>][] = [
  ['with its period', (venue, user) => venue.billing.cancelSubscription(user)],
  ['with its period, set at Stripe', (venue, user) => update(venue, user, { cancel_at_period_end: true })],
  [
    'within its period',
    (venue, user) => update(venue, user, { cancel_at: seconds(venue) + 9 * DAY, proration_behavior: 'none' }),
  ],
];

describe.each(ENDS)('a membership that ends %s', (_, end) => {
  test('names the charge that waits', async () => {
    const { venue, user } = await raised();
    await end(venue, user);
    const { cancel_at: at } = await venue.subscription(user);
    expect(await details(venue, user)).toMatchObject({
      ...{ cancel_at_period_end: true, ends_at: at, next_charge: { at, amount: 1500 } },
      charge_if_kept: { amount: 8400 },
    });
    expect(await venue.billing.getEndOffer(user)).toMatchObject({ last_charge: { amount: 1500 } });
    expect(emails(venue, user, 'cancellation_scheduled')).toEqual([
      expect.stringContaining("That day we'll charge $15.00 for changes to your membership"),
    ]);
  });

  test('is paid for what was used, and no notice for staff', async () => {
    const { venue, user } = await raised();
    await end(venue, user);
    await venue.advance({ days: 16 });
    await venue.billing.sweep();
    expect(await paid(venue, user)).toEqual([3900, 1500]);
    expect(await venue.state(user)).toMatchObject({
      active: null,
      reversals: [],
      payments: [{}, { refunded: 0 }],
    });
    expect(await venue.db.select().from(staff_notice)).toEqual([]);
    expect(
      venue.notices
        .filter((it) => it.user_id === user)
        .map(({ type }) => type)
        .slice(-2),
    ).toEqual(['membership_ended', 'payment_received']);
  });
});

test('the reminder of the end names the charge that waits', async () => {
  const { venue, user } = await raised();
  await venue.billing.cancelSubscription(user);
  await venue.advance({ days: 11 });
  await venue.billing.sendReminders();
  expect(emails(venue, user, 'ending_reminder')).toEqual([expect.stringContaining("we'll charge $15.00")]);
});

test('the email about the end names a last charge that is still to come', async () => {
  const { venue, user } = await raised();
  await venue.control('settings', { draft_seconds: 3600 });
  await venue.billing.cancelSubscription(user);
  await venue.advance({ days: 15, minutes: 1 });
  expect(emails(venue, user, 'membership_ended')).toEqual([
    expect.stringContaining('The last charge is $15.00'),
  ]);
  await venue.advance({ minutes: 60 });
  expect(await paid(venue, user)).toEqual([3900, 1500]);
  expect(await venue.db.select().from(staff_notice)).toEqual([]);
});

test('a last charge that fails stays open, and is a payment when it is paid later', async () => {
  const { venue, user } = await raised();
  await venue.billing.cancelSubscription(user);
  await venue.changeCard(user, 'pm_card_chargeCustomerFail');
  await venue.advance({ days: 16 });
  await venue.billing.sweep();
  const invoices = await venue.stripe.invoices.list({ customer: await stripeCustomerId(venue.db, user) });
  expect(invoices.data.map(({ status }) => status)).toEqual(['open', 'paid']);
  expect(emails(venue, user, 'membership_ended').join()).toContain('The last charge is $15.00');
  await venue.payInvoice(user);
  expect(await paid(venue, user)).toEqual([3900, 1500]);
  expect(await venue.db.select().from(staff_notice)).toEqual([]);
  expect((await venue.state(user)).reversals).toEqual([]);
});

describe('a credit that waits is never announced as a charge', () => {
  test('of a smaller tier', async () => {
    const venue = await openVenue();
    const { user } = await venue.member('premier');
    await changeTier(venue, user, 'select');
    expect(await details(venue, user)).toMatchObject({
      charge_if_canceled: null,
      next_charge: { amount: 2400 },
    });
    await venue.billing.cancelSubscription(user);
    expect(await details(venue, user)).toMatchObject({ next_charge: null, charge_if_kept: { amount: 2400 } });
    expect(emails(venue, user, 'cancellation_scheduled').join()).toContain("you won't be charged again");
    await venue.advance({ days: 16 });
    expect((await paid(venue, user)).filter((cents) => cents > 0)).toEqual([6900]);
    expect(await venue.db.select().from(staff_notice)).toEqual([]);
  });

  test('of an add-on that was removed, larger than what else waits', async () => {
    const venue = await openVenue();
    const { user } = await venue.member('select');
    const product = await venue.stripe.products.create({ name: 'Locker' });
    const price = await venue.stripe.prices.create({
      ...{ product: product.id, currency: 'usd', unit_amount: 5000, recurring: { interval: 'month' } },
    });
    await update(venue, user, { items: [{ price: price.id }], proration_behavior: 'always_invoice' });
    await changeTier(venue, user, 'premier');
    const { items } = await venue.subscription(user);
    const locker = items.data.find((it) => it.price.id === price.id)?.id;
    await update(venue, user, {
      items: [{ id: locker, deleted: true }],
      proration_behavior: 'create_prorations',
    });
    await venue.billing.cancelSubscription(user);
    expect(await details(venue, user)).toMatchObject({ next_charge: null });
  });
});

test('an item that staff made at Stripe is named with the next look, and collected at the end', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await venue.billing.cancelSubscription(user);
  expect(await details(venue, user)).toMatchObject({ next_charge: null });
  const { id: subscription, customer } = await venue.subscription(user);
  const item = { customer: String(customer), amount: 2500, currency: 'usd', description: 'Corkage' };
  await venue.stripe.invoiceItems.create({ ...item, subscription });
  await venue.billing.reconcile(user);
  expect(await details(venue, user)).toMatchObject({ next_charge: { amount: 2500 } });
  await venue.advance({ days: 31 });
  await venue.billing.sweep();
  expect(await paid(venue, user)).toEqual([3900, 2500]);
  expect(await venue.db.select().from(staff_notice)).toEqual([]);
});

test('nothing is named or charged at an end in a pause', async () => {
  const { venue, user } = await raised();
  await venue.billing.pause(user, 1);
  await venue.billing.cancelSubscription(user);
  expect(await details(venue, user)).toMatchObject({ next_charge: null });
  await venue.advance({ days: 16 });
  expect(await paid(venue, user)).toEqual([3900]);
});

test('an end at once drops what waits', async () => {
  const { venue, user } = await raised();
  await venue.stripe.subscriptions.cancel((await venue.subscription(user)).id);
  await venue.delivered();
  await venue.advance({ days: 16 });
  expect(await paid(venue, user)).toEqual([3900]);
});

test('a key that may not read invoice items names the charge all the same', async () => {
  const { venue, user } = await raised();
  await venue.control('fail-next', { path: '/v1/invoiceitems', method: 'GET', status: 403, times: 5 });
  await venue.billing.cancelSubscription(user);
  expect(await details(venue, user)).toMatchObject({ next_charge: { amount: 1500 } });
});
