import { v7 } from 'uuid';
import { beforeAll, expect, test } from 'vitest';
import type { Refusal } from '../../../src/contract/refusals.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { beforeTransaction, interleaved } from '../../support/billing/interleave.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

const JULY = Date.parse('2026-07-15T12:00:00Z') / 1000;
const FAILING = 'pm_card_chargeCustomerFail';

/** The total that a user was charged, according to Stripe. */
async function charged(venue: Venue, user: string): Promise<number> {
  const subscription = await venue.subscription(user);
  const { data } = await venue.stripe.invoices.list({ subscription: subscription.id, status: 'paid' });
  return data.reduce((sum, { amount_paid }) => sum + amount_paid, 0);
}

const refusal = (what: Promise<unknown>) =>
  what.then(
    () => {
      throw new Error('This should have been refused');
    },
    ({ code, data }: Refusal) => ({ code, data }),
  );

test('up: exactly what the preview shows is charged, once', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  const before = await charged(venue, user);
  await venue.advance({ days: 10 });
  const shown = await venue.billing.previewTier(user, 'premier');
  // 20 of 30 days are left: two thirds of the 30 dollar difference.
  expect(shown).toMatchObject({
    kind: 'at_once',
    tier: 'premier',
    charged_now: 2000,
    next_amount: 6900,
    next_billing_at: JULY,
    glasses_now: { available_pours: 4, period_pours: 4 },
    // Two thirds of the 4 glasses, rounded down, are added.
    glasses_then: { available_pours: 6, period_pours: 6 },
    added_glasses: 2,
    monthly_glasses: 8,
  });
  expect(await charged(venue, user), 'a preview charges nothing').toBe(before);

  // The member waits some minutes: the price stays as shown.
  await venue.advance({ minutes: 14 });
  const both = await Promise.all([
    venue.billing.changeTier(user, shown.id),
    venue.billing.changeTier(user, shown.id),
  ]);
  await venue.billing.changeTier(user, shown.id);
  expect(both[0]).toMatchObject({ tier: 'premier', amount: 6900, current_period_end: JULY });
  expect(await charged(venue, user)).toBe(before + 2000);
  await venue.delivered();
  const after = await venue.state(user);
  expect(after).toMatchObject({ customer: { tier: 'premier' }, active: { tier: 'premier', price: 6900 } });
  expect(after.payments.map(({ paid }) => paid)).toEqual([3900, 2000]);
  expect(venue.noticeTypes().slice(2)).toEqual(['tier_changed', 'payment_received']);
});

test('up: a declined card changes nothing, and the next try needs a new preview', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await venue.changeCard(user, FAILING);
  const before = await charged(venue, user);
  const shown = await venue.billing.previewTier(user, 'elite');
  expect(await refusal(venue.billing.changeTier(user, shown.id))).toMatchObject({ code: 'PAYMENT_REFUSED' });
  await venue.delivered();
  expect(await charged(venue, user)).toBe(before);
  expect(await venue.state(user)).toMatchObject({
    customer: { status: 'active', tier: 'select' },
    active: { tier: 'select', price: 3900 },
  });
  expect((await venue.subscription(user)).status).toBe('active');

  await venue.changeCard(user, 'pm_card_visa');
  expect(await refusal(venue.billing.changeTier(user, shown.id))).toMatchObject({ code: 'PREVIEW_EXPIRED' });
  const again = await venue.billing.previewTier(user, 'elite');
  expect(await venue.billing.changeTier(user, again.id)).toMatchObject({ tier: 'elite' });
});

test('down: nothing is charged, and tier and glasses change with the next period', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('premier');
  const before = await charged(venue, user);
  const shown = await venue.billing.previewTier(user, 'select');
  expect(shown).toMatchObject({
    kind: 'at_period_end',
    charged_now: 0,
    effective_at: JULY,
    next_amount: 3900,
    glasses_now: { available_pours: 8, period_pours: 8 },
    glasses_then: { available_pours: 4, period_pours: 4 },
    added_glasses: 0,
    monthly_glasses: 4,
  });
  expect(await venue.billing.changeTier(user, shown.id)).toMatchObject({
    tier: 'premier',
    amount: 6900,
    pending_tier: { tier: 'select', from: JULY, amount: 3900 },
  });
  expect(await venue.state(user)).toMatchObject({ customer: { tier: 'premier' } });
  expect(await charged(venue, user)).toBe(before);

  await venue.advance({ days: 31 });
  expect(await venue.state(user)).toMatchObject({
    customer: { status: 'active', tier: 'select' },
    active: { tier: 'select', price: 3900 },
  });
  expect(await charged(venue, user)).toBe(before + 3900);
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
    amount: 3900,
    pending_tier: null,
  });
  expect(venue.noticeTypes().slice(2)).toEqual(['tier_change_scheduled', 'tier_changed', 'payment_received']);
  await venue.advance({ days: 31 });
  expect(await charged(venue, user)).toBe(before + 2 * 3900);
});

test('down: if canceled in time, nothing changes, and it can be scheduled again', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('premier');
  for (let times = 0; times < 2; times++) {
    const shown = await venue.billing.previewTier(user, 'select');
    await venue.billing.changeTier(user, shown.id);
    expect(await venue.billing.cancelTierChange(user)).toMatchObject({ tier: 'premier', pending_tier: null });
    expect(await venue.billing.cancelTierChange(user)).toMatchObject({ pending_tier: null });
  }
  await venue.advance({ days: 31 });
  expect(await venue.state(user)).toMatchObject({ customer: { tier: 'premier' } });
  expect(venue.noticeTypes().slice(2, 6)).toEqual([
    'tier_change_scheduled',
    'tier_change_withdrawn',
    'tier_change_scheduled',
    'tier_change_withdrawn',
  ]);
});

test('a member can cancel while a change is scheduled, and resume', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('premier');
  const shown = await venue.billing.previewTier(user, 'select');
  await venue.billing.changeTier(user, shown.id);
  expect(await venue.billing.cancelSubscription(user)).toEqual({ cancel_at: JULY });
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
    cancel_at_period_end: true,
    pending_tier: null,
  });
  expect(await venue.billing.resumeSubscription(user)).toMatchObject({
    cancel_at_period_end: false,
    tier: 'premier',
  });
  await venue.billing.cancelSubscription(user);
  await venue.advance({ days: 31 });
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
});

test('a refusal names the reason', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('premier');
  const preview = (tier: string) => venue.billing.previewTier(user, tier);
  expect(await refusal(preview('premier'))).toMatchObject({ data: { reason: 'same_tier' } });
  expect(await refusal(preview('reserve'))).toMatchObject({ code: 'TIER_NOT_AVAILABLE' });
  expect(await refusal(preview('nonsense'))).toMatchObject({ code: 'TIER_NOT_AVAILABLE' });
  const down = await preview('select');
  await venue.billing.changeTier(user, down.id);
  expect(await refusal(preview('elite'))).toMatchObject({ data: { reason: 'change_pending' } });
  await venue.billing.cancelTierChange(user);
  await venue.billing.cancelSubscription(user);
  expect(await refusal(preview('elite'))).toMatchObject({ data: { reason: 'ending' } });
  await venue.billing.resumeSubscription(user);
  await venue.changeCard(user, FAILING);
  await venue.advance({ days: 31 });
  expect(await refusal(preview('elite'))).toMatchObject({ data: { reason: 'payment_open' } });

  const atVenue = await venue.applicant();
  await venue.approveAtVenue(atVenue.user);
  expect(await refusal(venue.billing.previewTier(atVenue.user, 'elite'))).toMatchObject({
    code: 'NO_SUBSCRIPTION',
  });
});

test('a preview is valid for its member only, for 15 minutes, and until the tier changes', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  const other = await venue.member('select');
  const shown = await venue.billing.previewTier(user, 'premier');
  for (const id of [shown.id, v7()]) {
    expect(await refusal(venue.billing.changeTier(other.user, id))).toMatchObject({ code: 'NOT_FOUND' });
  }
  await venue.advance({ minutes: 16 });
  expect(await refusal(venue.billing.changeTier(user, shown.id))).toMatchObject({ code: 'PREVIEW_EXPIRED' });
  // The tier changes in another way after the preview.
  const later = await venue.billing.previewTier(user, 'premier');
  const elite = await venue.billing.previewTier(other.user, 'elite');
  await venue.billing.changeTier(other.user, elite.id);
  const price = (await venue.subscription(other.user)).items.data[0]?.price.id;
  const { id, items } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, { items: [{ id: items.data[0]?.id, price }] });
  expect(await refusal(venue.billing.changeTier(user, later.id))).toMatchObject({ code: 'PREVIEW_EXPIRED' });
  expect(await venue.state(user)).toMatchObject({ customer: { tier: 'elite' } });
});

test.each(['before', 'after'] as const)(
  'up: the connection breaks %s Stripe makes the change: a repeated call in another process pays once',
  async (when) => {
    const venue = await openVenue();
    const { user } = await venue.member('select');
    const before = await charged(venue, user);
    await venue.webhooks('drop');
    const shown = await venue.billing.previewTier(user, 'premier');
    await venue.control('fail-next', {
      path: '/v1/subscriptions/',
      method: 'POST',
      kind: 'drop',
      when,
      times: 2,
    });
    expect(await refusal(venue.billing.changeTier(user, shown.id))).toMatchObject({
      code: 'PAYMENTS_UNAVAILABLE',
    });
    expect(await venue.anotherProcess().changeTier(user, shown.id)).toMatchObject({ tier: 'premier' });
    expect(await charged(venue, user)).toBe(before + shown.charged_now);
    expect(await refusal(venue.billing.previewTier(user, 'premier'))).toMatchObject({
      data: { reason: 'same_tier' },
    });
  },
);

test('the next preview settles a change that Stripe left unanswered, and nothing is charged twice', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await venue.webhooks('drop');
  const shown = await venue.billing.previewTier(user, 'premier');
  await venue.control('fail-next', { path: '/v1/subscriptions/', method: 'POST', kind: 'drop', times: 2 });
  await refusal(venue.billing.changeTier(user, shown.id));
  expect(await refusal(venue.billing.previewTier(user, 'elite'))).toMatchObject({
    data: { reason: 'change_under_way' },
  });
  await venue.advance({ minutes: 4 });
  const elite = await venue.billing.previewTier(user, 'elite');
  expect(await refusal(venue.billing.changeTier(user, shown.id))).toMatchObject({ code: 'PREVIEW_EXPIRED' });
  expect(await venue.billing.changeTier(user, elite.id)).toMatchObject({ tier: 'elite' });
});

test('an unfinished schedule is completed by a change down and released by a change up', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('premier');
  const half = async () => {
    const { id } = await venue.subscription(user);
    await venue.stripe.subscriptionSchedules.create({ from_subscription: id });
  };
  await half();
  const down = await venue.billing.previewTier(user, 'select');
  expect(await venue.billing.changeTier(user, down.id)).toMatchObject({ pending_tier: { tier: 'select' } });
  await venue.billing.cancelTierChange(user);
  await half();
  const up = await venue.billing.previewTier(user, 'elite');
  expect(await venue.billing.changeTier(user, up.id)).toMatchObject({ tier: 'elite', pending_tier: null });
  expect((await venue.subscription(user)).schedule).toBeNull();
});

test('two windows accept two tiers: one is paid, the other refused', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  const before = await charged(venue, user);
  const premier = await venue.billing.previewTier(user, 'premier');
  // The later preview replaces the earlier one, so the earlier window has nothing to accept.
  const elite = await venue.billing.previewTier(user, 'elite');
  const [first, second] = await Promise.allSettled([
    venue.billing.changeTier(user, premier.id),
    venue.anotherProcess().changeTier(user, elite.id),
  ]);
  expect(first).toMatchObject({ status: 'rejected', reason: { code: 'NOT_FOUND' } });
  expect(second.status).toBe('fulfilled');
  expect(await charged(venue, user)).toBe(before + elite.charged_now);
});

test('a tier previewed while another change is accepted cannot be accepted until Stripe has answered that one', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await venue.webhooks('drop');
  const premier = await venue.billing.previewTier(user, 'premier');
  const other = venue.anotherProcess({
    stripe: interleaved(venue.stripe, 'invoices', 'createPreview', async (request) => {
      await venue.control('fail-next', {
        path: '/v1/subscriptions/',
        method: 'POST',
        kind: 'drop',
        times: 2,
      });
      await refusal(venue.billing.changeTier(user, premier.id));
      return request();
    }),
  });
  const elite = await other.previewTier(user, 'elite');
  expect(await refusal(other.changeTier(user, elite.id))).toMatchObject({
    data: { reason: 'change_under_way' },
  });
});

test('a change that another process asks of Stripe once more, after the next one, is not made again', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  const before = await charged(venue, user);
  await venue.webhooks('drop');
  const premier = await venue.billing.previewTier(user, 'premier');
  let paid = 0;
  const late = venue.anotherProcess({
    stripe: interleaved(venue.stripe, 'subscriptions', 'update', async (request) => {
      await venue.billing.changeTier(user, premier.id);
      const elite = await venue.billing.previewTier(user, 'elite');
      await venue.billing.changeTier(user, elite.id);
      paid = premier.charged_now + elite.charged_now;
      return request();
    }),
  });
  expect(await late.changeTier(user, premier.id)).toMatchObject({ tier: 'elite' });
  expect(await charged(venue, user)).toBe(before + paid);
});

test('a preview cannot be accepted if the price changes at the last moment', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await venue.webhooks('drop');
  // Makes the price that it changes to below.
  await venue.billing.previewTier(user, 'premier');
  const { id } = await venue.billing.previewTier(user, 'elite');
  const { db, began, happen } = beforeTransaction(venue.db);
  const late = venue.anotherProcess({ db });
  await late.reconcile(user);
  // The change is claimed in the first transaction after a reconciliation.
  happen(began() * 2 + 1, async () => {
    const { data } = await venue.stripe.prices.list({ product: 'cellar_door_premier', active: true });
    const { id: subscription, items } = await venue.subscription(user);
    const item = { id: items.data[0]?.id ?? '', price: data[0]?.id ?? '' };
    await venue.stripe.subscriptions.update(subscription, { items: [item], proration_behavior: 'none' });
    await venue.billing.reconcile(user);
  });
  expect(await refusal(late.changeTier(user, id))).toMatchObject({ code: 'PREVIEW_EXPIRED' });
  expect(await venue.state(user)).toMatchObject({ customer: { tier: 'premier' } });
  expect(await charged(venue, user)).toBe(3900);
});
