import { beforeAll, describe, expect, it } from 'vitest';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

describe('in a month that is paid, an add-on that is invoiced at once and declined', () => {
  /** Paid on June 15 until July 15; declined on June 20. */
  async function addOnDeclined(venue: Venue): Promise<string> {
    const { user } = await venue.member();
    await venue.advance({ days: 5 });
    await venue.changeCard(user, 'pm_card_chargeCustomerFail');
    const { id } = await venue.subscription(user);
    const product = await venue.stripe.products.create({ name: 'Cheese plate' });
    const price = await venue.stripe.prices.create({
      product: product.id,
      currency: 'usd',
      unit_amount: 500,
      recurring: { interval: 'month' },
    });
    await venue.stripe.subscriptions.update(id, {
      items: [{ price: price.id, quantity: 1 }],
      proration_behavior: 'always_invoice',
    });
    await venue.delivered();
    expect(await venue.subscription(user)).toMatchObject({ status: 'past_due' });
    return user;
  }

  it('is announced as that, and leaves access until the month ends', async () => {
    const venue = await openVenue();
    const user = await addOnDeclined(venue);
    expect(venue.notices.at(-1)).toMatchObject({ type: 'payment_failed', is_paid: true });
    await venue.advance({ days: 8 });
    await venue.billing.sweep();
    expect(await venue.hasAccess(user)).toBe(true);
  });

  it('leaves the month to a member who cancels', async () => {
    const venue = await openVenue();
    const user = await addOnDeclined(venue);
    await venue.billing.cancelSubscription(user);
    await venue.delivered();
    expect(await venue.hasAccess(user)).toBe(true);
    await venue.advance({ days: 26 });
    await venue.billing.sweep();
    expect(await venue.hasAccess(user)).toBe(false);
  });

  it('gives the next month, if that is declined too, days of grace of its own', async () => {
    const venue = await openVenue();
    await venue.control('settings', { dunning_end: 'past_due' });
    const user = await addOnDeclined(venue);
    await venue.advance({ days: 25, minutes: 2 });
    await venue.billing.sweep();
    expect(await venue.hasAccess(user)).toBe(true);
    await venue.advance({ days: 6 });
    await venue.billing.sweep();
    expect(await venue.hasAccess(user)).toBe(true);
    await venue.advance({ days: 2 });
    await venue.billing.sweep();
    expect(await venue.hasAccess(user)).toBe(false);
  });
});

describe('an end with the period that is set at Stripe while the month is overdue', () => {
  async function endSetWhileOverdue(venue: Venue): Promise<string> {
    const { user } = await venue.member();
    await venue.changeCard(user, 'pm_card_chargeCustomerFail');
    await venue.advance({ days: 30, minutes: 1 });
    const { id } = await venue.subscription(user);
    await venue.stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await venue.delivered();
    return user;
  }

  it('is announced with the payment that stays due, and the end of access without it', async () => {
    const venue = await openVenue();
    const user = await endSetWhileOverdue(venue);
    const notice = venue.notices.at(-1);
    expect(notice).toMatchObject({ type: 'cancellation_scheduled', charging: null });
    const until = notice?.type === 'cancellation_scheduled' ? notice.overdue?.access_until : null;
    expect(until).toEqual(new Date('2026-07-22T12:01:00Z'));
    await venue.advance({ days: 8 });
    await venue.billing.sweep();
    expect(await venue.hasAccess(user)).toBe(false);
  });
});
