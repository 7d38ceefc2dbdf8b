import { beforeAll, expect, test } from 'vitest';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openVenue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

const JULY = Date.parse('2026-07-15T12:00:00Z') / 1000;

test('the account page shows what Stripe says', async () => {
  const venue = await openVenue();
  const member = await venue.member('premier');
  expect(await venue.billing.getSubscriptionDetails(member.user)).toEqual({
    status: 'active',
    cancel_at_period_end: false,
    ends_at: null,
    ended_on: null,
    current_period_end: JULY,
    next_charge: { at: JULY, tier: 'premier', amount: 6900 },
    charge_if_kept: null,
    charge_if_canceled: null,
    return_amount: null,
    year_cents: null,
    year_from: null,
    amount: 6900,
    currency: 'usd',
    tax_behavior: 'unspecified',
    tier: 'premier',
    pending_tier: null,
    approval: null,
    price_move: null,
    pause: null,
    grace_until: null,
    is_charging: false,
    collection: null,
    payment_method: {
      type: 'card',
      brand: 'visa',
      last4: '4242',
      exp_month: 12,
      exp_year: 2049,
      wallet: null,
    },
  });
});

test('a renewal starts the next period and sends a receipt', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.advance({ days: 31 });
  const after = await venue.state(member.user);
  expect(after.payments).toHaveLength(2);
  expect(after.subscriptions[0]?.current_period_end).toEqual(new Date('2026-08-15T12:00:00Z'));
  expect(venue.noticeTypes()).toEqual(['membership_started', 'payment_received', 'payment_received']);
});

test('a renewal is being charged from its date until its invoice is paid', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const isCharging = async () => (await venue.billing.getSubscriptionDetails(user))?.is_charging;
  await venue.control('settings', { draft_seconds: 3600 });
  await venue.webhooks('hold');
  await venue.advance({ days: 30, minutes: 1 });
  expect(await isCharging(), 'before the webhook').toBe(true);
  await venue.release('customer.subscription.updated');
  await venue.webhooks('normal');
  expect(await isCharging(), 'while the invoice is a draft').toBe(true);
  await venue.advance({ minutes: 60 });
  expect(await isCharging(), 'once it is paid').toBe(false);
});

test('the sweeper finds a renewal that no webhook reported; access continues until then', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.webhooks('drop');
  await venue.advance({ days: 31 });
  expect(await venue.hasAccess(member.user)).toBe(true);
  expect(await venue.billing.sweep()).toMatchObject({ members: 1, failures: 0 });
  expect((await venue.state(member.user)).payments).toHaveLength(2);
  expect(await venue.billing.sweep()).toMatchObject({ members: 0 });
});

test('cancel: access until the end of the paid period, then none', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  expect(await venue.billing.cancelSubscription(member.user)).toEqual({ cancel_at: JULY });
  expect(await venue.billing.cancelSubscription(member.user)).toEqual({ cancel_at: JULY });
  expect(await venue.billing.getSubscriptionDetails(member.user)).toMatchObject({
    cancel_at_period_end: true,
    ends_at: JULY,
    ended_on: null,
  });
  await venue.delivered();
  expect(await venue.state(member.user)).toMatchObject({ customer: { status: 'active' } });
  expect(await venue.hasAccess(member.user)).toBe(true);

  await venue.advance({ days: 31 });
  const after = await venue.state(member.user);
  expect(after).toMatchObject({ customer: { status: 'inactive', member_since: '2026-06-15' }, active: null });
  expect(after.payments).toHaveLength(1);
  expect(await venue.hasAccess(member.user)).toBe(false);
  expect(venue.noticeTypes()).toEqual([
    'membership_started',
    'payment_received',
    'cancellation_scheduled',
    'membership_ended',
  ]);
  await expect(venue.billing.cancelSubscription(member.user)).rejects.toMatchObject({
    code: 'NO_SUBSCRIPTION',
  });
  await expect(venue.billing.resumeSubscription(member.user)).rejects.toMatchObject({
    code: 'NO_SUBSCRIPTION',
  });
});

test('ended at once: the account page shows that day, not the end of the period', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  const { id } = await venue.subscription(member.user);
  await venue.stripe.subscriptions.cancel(id);
  await venue.delivered();
  expect(await venue.billing.getSubscriptionDetails(member.user)).toMatchObject({
    status: 'canceled',
    ended_on: '2026-06-15',
    current_period_end: JULY,
  });
});

test('a cancellation without its final webhook: access ends on time, and the sweeper ends the membership', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.billing.cancelSubscription(member.user);
  await venue.webhooks('drop');
  await venue.advance({ days: 31 });
  expect(await venue.hasAccess(member.user)).toBe(false);
  expect(await venue.billing.sweep()).toMatchObject({ members: 1, failures: 0 });
  expect(await venue.state(member.user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
});

test('cancel and resume, several times', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  for (let times = 0; times < 3; times++) {
    await venue.billing.cancelSubscription(member.user);
    expect(await venue.subscription(member.user)).toMatchObject({ cancel_at_period_end: true });
    expect(await venue.billing.resumeSubscription(member.user)).toMatchObject({
      cancel_at_period_end: false,
    });
    expect(await venue.subscription(member.user)).toMatchObject({ cancel_at_period_end: false });
  }
  await venue.advance({ days: 31 });
  expect(await venue.state(member.user)).toMatchObject({ customer: { status: 'active' } });
});

test('a cancellation set as a date, as the portal sets it, counts and can be withdrawn', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  const { id } = await venue.subscription(member.user);
  await venue.stripe.subscriptions.update(id, { cancel_at: JULY });
  await venue.delivered();
  expect(await venue.billing.getSubscriptionDetails(member.user)).toMatchObject({
    cancel_at_period_end: true,
  });
  expect(await venue.billing.cancelSubscription(member.user)).toEqual({ cancel_at: JULY });
  await venue.billing.resumeSubscription(member.user);
  expect((await venue.subscription(member.user)).cancel_at).toBeNull();
});

test('cancel: refused without a subscription and while Stripe is unavailable', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  await expect(venue.billing.cancelSubscription(applicant.user)).rejects.toMatchObject({
    code: 'NO_SUBSCRIPTION',
  });
  const member = await venue.member();
  await venue.control('fail-next', { path: '/v1/subscriptions/', method: 'POST', kind: 'drop', times: 2 });
  await expect(venue.billing.cancelSubscription(member.user)).rejects.toMatchObject({
    code: 'PAYMENTS_UNAVAILABLE',
  });
  await venue.control('fail-next', {
    path: '/v1/subscriptions/',
    method: 'POST',
    kind: 'drop',
    when: 'after',
    times: 2,
  });
  await expect(venue.billing.cancelSubscription(member.user)).rejects.toMatchObject({
    code: 'PAYMENTS_UNAVAILABLE',
  });
  expect(await venue.billing.cancelSubscription(member.user)).toEqual({ cancel_at: JULY });
});
