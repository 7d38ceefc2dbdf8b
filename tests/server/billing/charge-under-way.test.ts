import { eq } from 'drizzle-orm';
import { v7 } from 'uuid';
import { beforeAll, describe, expect, it } from 'vitest';
import { customers, profiles } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

/** The cents that the club has from a user. */
async function kept(venue: Venue, user: string): Promise<number> {
  const { data } = await venue.stripe.charges.list({ customer: await stripeCustomerId(venue.db, user) });
  return data.filter((it) => it.paid).reduce((sum, it) => sum + it.amount - it.amount_refunded, 0);
}

/** A member whose renewal began a minute ago: Stripe charges its draft within the hour. */
async function renewing(venue: Venue): Promise<string> {
  const { user } = await venue.member();
  await venue.control('settings', { draft_seconds: 3600 });
  await venue.advance({ days: 30, minutes: 1 });
  return user;
}
const CHARGING = { amount_cents: 3900, currency: 'usd' };

describe('in the hour between a renewal and its charge', () => {
  it('an email about canceling names the charge that still comes', async () => {
    const venue = await openVenue();
    const user = await renewing(venue);
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ is_charging: true });
    await venue.billing.cancelSubscription(user);
    await venue.delivered();
    expect(venue.notices.at(-1)).toMatchObject({ type: 'cancellation_scheduled', charging: CHARGING });
    await venue.advance({ minutes: 61 });
    expect(await kept(venue, user)).toBe(7800);
  });

  it('staff who end it with the period read of the charge, and so does the member', async () => {
    const venue = await openVenue();
    const user = await renewing(venue);
    const staff = v7();
    const names = { name: 'Sam', first_name: 'Sam', last_name: 'Staff' };
    await venue.db.insert(profiles).values({ id: staff, email: `${staff}@example.test`, ...names });
    const [customer] = await venue.db.select().from(customers).where(eq(customers.user_id, user));
    const offer = await venue.billing.getEndOffer(user);
    expect(offer).toMatchObject({ charging: { amount: 3900 } });
    await venue.billing.endForMember(
      { user_id: staff, role: 'staff' },
      {
        customer_id: customer?.id ?? '',
        when: 'period_end',
        reason: 'service',
        period_end: offer.period_end ?? '',
      },
    );
    await venue.delivered();
    expect(venue.notices.at(-1)).toMatchObject({ by_venue: true, charging: CHARGING });
  });

  it('a membership that ends on a later day is charged, too', async () => {
    const venue = await openVenue();
    const { user } = await venue.member();
    const cancel_at = Math.floor(venue.clock.now().getTime() / 1000) + 75 * 86_400;
    await venue.stripe.subscriptions.update((await venue.subscription(user)).id, { cancel_at });
    await venue.control('settings', { draft_seconds: 3600 });
    await venue.advance({ days: 30, minutes: 1 });
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ is_charging: true });
    await venue.advance({ minutes: 61 });
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ is_charging: false });
    expect(await kept(venue, user)).toBe(7800);
  });

  it('a pause set at Stripe is announced again once the month is charged and it begins after that', async () => {
    const venue = await openVenue();
    const user = await renewing(venue);
    const { id } = await venue.subscription(user);
    await venue.stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } });
    await venue.delivered();
    await venue.advance({ minutes: 61 });
    expect(await kept(venue, user)).toBe(7800);
    expect(venue.notices.filter(({ type }) => type === 'pause_scheduled').at(-1)).toMatchObject({
      from: new Date('2026-08-15T12:00:00Z'),
      begun: false,
    });
  });
});

it.each(['voidInvoice', 'markUncollectible'] as const)(
  'after %s in the dashboard, no card is being charged for the month',
  async (forgive) => {
    const venue = await openVenue();
    const { user } = await venue.member();
    await venue.changeCard(user, 'pm_card_chargeCustomerFail');
    await venue.advance({ days: 30, minutes: 1 });
    const customer = await stripeCustomerId(venue.db, user);
    const [open] = (await venue.stripe.invoices.list({ customer, status: 'open' })).data;
    await venue.stripe.invoices[forgive](open?.id ?? '');
    await venue.delivered();
    await venue.changeCard(user, 'pm_card_visa');
    await venue.advance({ days: 10 });
    await venue.billing.sweep();
    expect(await kept(venue, user)).toBe(3900);
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ is_charging: false });
  },
);

it.each(['voidInvoice', 'markUncollectible'] as const)(
  'a membership on hold whose invoice got %s is back without a word of a payment',
  async (forgive) => {
    const venue = await openVenue();
    await venue.control('settings', { dunning_days: [1], dunning_end: 'unpaid' });
    const { user } = await venue.member();
    await venue.changeCard(user, 'pm_card_chargeCustomerFail');
    await venue.advance({ days: 30, minutes: 1 });
    await venue.advance({ days: 5 });
    await venue.billing.sweep();
    const customer = await stripeCustomerId(venue.db, user);
    const [open] = (await venue.stripe.invoices.list({ customer, status: 'open' })).data;
    await venue.stripe.invoices[forgive](open?.id ?? '');
    await venue.delivered();
    expect(venue.notices.at(-1)).toMatchObject({ type: 'access_restored', is_paid: false });
  },
);

describe('a subscription whose invoices are sent', () => {
  async function invoiced(venue: Venue, days_until_due: number): Promise<string> {
    const { user } = await venue.member();
    const { id } = await venue.subscription(user);
    await venue.stripe.subscriptions.update(id, { collection_method: 'send_invoice', days_until_due });
    await venue.delivered();
    await venue.advance({ days: 30, minutes: 1 });
    return user;
  }

  it('past its due date, brings an email that promises no charge', async () => {
    const venue = await openVenue();
    const user = await invoiced(venue, 3);
    await venue.advance({ days: 4 });
    await venue.billing.sweep();
    expect(venue.notices.at(-1)).toMatchObject({ type: 'payment_failed', is_sent: true });
    await venue.changeCard(user, 'pm_card_mastercard');
    await venue.billing.reconcile(user);
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ status: 'past_due' });
  });

  it('charges no card before it is due', async () => {
    const venue = await openVenue();
    const user = await invoiced(venue, 14);
    await venue.advance({ days: 10 });
    await venue.billing.sweep();
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ is_charging: false });
  });
});
