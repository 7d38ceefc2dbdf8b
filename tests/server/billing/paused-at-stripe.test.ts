import { beforeAll, describe, expect, test } from 'vitest';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// Stripe's own status `paused`, read by its reason (docs/rules/billing.md, "Billing: standing").

beforeAll(openSharedDatabase);

async function pausedByVenue(): Promise<{ venue: Venue; user: string; id: string }> {
  const venue = await openVenue();
  const { user } = await venue.member();
  const { id } = await venue.subscription(user);
  await venue.stripe.subscriptions.pause(id, { bill_for: { unused_time_from: { type: 'none' } } });
  await venue.delivered();
  return { venue, user, id };
}

describe('a pause that the venue makes at Stripe', () => {
  test('is a membership without access, and no problem with a payment', async () => {
    const { venue, user } = await pausedByVenue();
    expect(await venue.hasAccess(user)).toBe(false);
    expect(await venue.state(user)).toMatchObject({
      customer: { status: 'active' },
      active: { tier: 'select' },
      memberships: 1,
      reversals: [],
    });
    expect(venue.noticeTypes()).toEqual(['membership_started', 'payment_received', 'pause_scheduled']);
    expect(venue.notices.at(-1)).toMatchObject({ until: null, begun: true });
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
      pause: { begun: true, until: null },
      grace_until: null,
    });
    await venue.advance({ days: 100 });
    await venue.billing.sweep();
    expect(await venue.state(user)).toMatchObject({ customer: { status: 'active' }, reversals: [] });
    expect(venue.noticeTypes()).toHaveLength(3);
  });

  test('ends with a new paid month: the member is back, and nothing went wrong before', async () => {
    const { venue, user, id } = await pausedByVenue();
    await venue.advance({ days: 40 });
    const { latest_invoice } = await venue.stripe.subscriptions.resume(id);
    await venue.delivered();
    expect(await venue.hasAccess(user), 'not before it is paid').toBe(false);
    await venue.stripe.invoices.pay(String(latest_invoice));
    await venue.delivered();
    expect(await venue.hasAccess(user)).toBe(true);
    expect((await venue.state(user)).memberships).toBe(1);
    expect(venue.noticeTypes().slice(3).sort()).toEqual(['pause_ended', 'payment_received']);
  });

  test('ends within the paid period, which goes on with its glasses', async () => {
    const { venue, user, id } = await pausedByVenue();
    await venue.advance({ days: 5 });
    await venue.stripe.subscriptions.resume(id, {
      billing_cycle_anchor: { type: 'unchanged' },
      proration_behavior: 'none',
    });
    await venue.delivered();
    expect(await venue.hasAccess(user)).toBe(true);
    expect(venue.noticeTypes().slice(3)).toEqual(['pause_ended']);
  });

  test('ends with a failed charge, which is overdue like any other', async () => {
    const { venue, user, id } = await pausedByVenue();
    await venue.advance({ days: 40 });
    await venue.changeCard(user, 'pm_card_chargeCustomerFail');
    const { latest_invoice } = await venue.stripe.subscriptions.resume(id);
    await venue.stripe.invoices.pay(String(latest_invoice)).catch(() => undefined);
    await venue.delivered();
    expect(venue.noticeTypes().slice(3)).toEqual(['payment_failed']);
    await venue.advance({ days: 8 });
    await venue.billing.sweep();
    expect(await venue.state(user)).toMatchObject({
      customer: { status: 'inactive' },
      reversals: ['payment_overdue'],
    });
  });

  test('members can cancel it', async () => {
    const { venue, user } = await pausedByVenue();
    await venue.billing.cancelSubscription(user);
    await venue.advance({ days: 31 });
    await venue.billing.sweep();
    expect(await venue.state(user)).toMatchObject({ customer: { status: 'inactive' } });
  });
});

describe.each([
  ['the first failed payment', []],
  ['the last failed payment', [3]],
])('a pause that Stripe makes after %s', (_, dunning_days) => {
  const failed = async () => {
    const venue = await openVenue();
    await venue.control('settings', { dunning_days, dunning_end: 'paused' });
    const { user } = await venue.member();
    await venue.changeCard(user, 'pm_card_chargeCustomerFail');
    await venue.advance({ days: 30 });
    await venue.advance({ days: 4 });
    expect((await venue.subscription(user)).status).toBe('paused');
    return { venue, user };
  };

  test('is a payment overdue: grace, and then the end', async () => {
    const { venue, user } = await failed();
    expect(venue.notices.at(-1)).toMatchObject({ type: 'payment_failed' });
    expect(await venue.hasAccess(user), 'in grace').toBe(true);
    await venue.advance({ days: 4 });
    await venue.billing.sweep();
    expect(await venue.hasAccess(user)).toBe(false);
    expect(await venue.state(user)).toMatchObject({
      customer: { status: 'inactive' },
      reversals: ['payment_overdue'],
    });
    expect((await venue.subscription(user)).status).toBe('canceled');
    expect((await venue.stripe.invoices.list({ status: 'open' })).data).toEqual([]);
  });

  test('keeps the membership once the payment is made, without access until the venue resumes it', async () => {
    const { venue, user } = await failed();
    const { id } = await venue.subscription(user);
    await venue.payInvoice(user);
    await venue.advance({ days: 10 });
    await venue.billing.sweep();
    expect(await venue.state(user)).toMatchObject({ customer: { status: 'active' }, reversals: [] });
    expect(await venue.hasAccess(user)).toBe(false);
    await venue.stripe.subscriptions.resume(id, {
      billing_cycle_anchor: { type: 'unchanged' },
      proration_behavior: 'none',
    });
    await venue.delivered();
    expect(await venue.hasAccess(user)).toBe(true);
  });
});
