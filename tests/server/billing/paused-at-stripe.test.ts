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

describe('collection that the venue pauses at Stripe while a payment is overdue', () => {
  async function pausedInGrace(): Promise<{ venue: Venue; user: string; id: string }> {
    const venue = await openVenue();
    const { user } = await venue.member();
    await venue.control('settings', { dunning_days: [20] });
    await venue.changeCard(user, 'pm_card_chargeCustomerFail');
    await venue.advance({ days: 31 });
    const { id } = await venue.subscription(user);
    await venue.stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } });
    await venue.delivered();
    return { venue, user, id };
  }

  test('is no pause: grace goes on, and ends the membership', async () => {
    const { venue, user } = await pausedInGrace();
    expect(await venue.hasAccess(user)).toBe(true);
    const { pause, grace_until } = (await venue.billing.getSubscriptionDetails(user)) ?? {};
    expect({ pause, inGrace: Boolean(grace_until) }).toEqual({ pause: null, inGrace: true });
    expect(venue.noticeTypes().at(-1)).toBe('payment_failed');
    await venue.advance({ days: 8 });
    await venue.billing.sweep();
    expect(await venue.state(user)).toMatchObject({ active: null, reversals: ['payment_overdue'] });
    expect(venue.noticeTypes().slice(-2)).toEqual(['payment_failed', 'membership_ended']);
  });

  test('begins with the next period once the payment is made', async () => {
    const { venue, user, id } = await pausedInGrace();
    await venue.payInvoice(user);
    await venue.delivered();
    const { current_period_end } = (await venue.stripe.subscriptions.retrieve(id)).items.data[0] ?? {};
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
      ...{ grace_until: null, pause: { from: current_period_end, begun: false } },
    });
    expect(venue.notices.filter(({ type }) => type === 'pause_scheduled')).toMatchObject([{ begun: false }]);
    expect(await venue.hasAccess(user)).toBe(true);
  });

  test('begins at once if staff void the invoice: nobody paid for the month', async () => {
    const { venue, user } = await pausedInGrace();
    const [open] = (await venue.stripe.invoices.list({ status: 'open' })).data;
    await venue.stripe.invoices.voidInvoice(open?.id ?? '');
    await venue.delivered();
    expect(await venue.hasAccess(user)).toBe(false);
    expect(venue.notices.at(-1)).toMatchObject({ type: 'pause_scheduled', begun: true });
    await venue.advance({ days: 20 });
    await venue.billing.sweep();
    expect(await venue.state(user)).toMatchObject({ customer: { status: 'active' }, reversals: [] });
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
