import { beforeAll, expect, test } from 'vitest';
import { openShared } from '../../support/billing/databases.ts';
import { openVenue } from '../../support/billing/venue.ts';

beforeAll(openShared);

const JULY = Date.parse('2026-07-15T12:00:00Z') / 1000;

test('the account page shows what Stripe says', async () => {
  const venue = await openVenue();
  const person = await venue.member('premier');
  expect(await venue.billing.subscriptionDetails(person.user)).toEqual({
    status: 'active',
    cancel_at_period_end: false,
    current_period_end: JULY,
    amount: 6900,
    tier: 'premier',
    pending_tier: null,
    grace_until: null,
    payment_method: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2049 },
  });
});

test('a renewal moves the period and is receipted', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.pass({ days: 31 });
  const after = await venue.standing(person.user);
  expect(after.payments).toHaveLength(2);
  expect(after.subscriptions[0]?.current_period_end).toEqual(new Date('2026-08-15T12:00:00Z'));
  expect(venue.told()).toEqual(['membership_started', 'payment_received', 'payment_received']);
});

test('a renewal of which nobody told us is found by the sweeper, and pours go on meanwhile', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.webhooks('drop');
  await venue.pass({ days: 31 });
  expect(await venue.access(person.user)).toBe(true);
  expect(await venue.billing.sweep()).toMatchObject({ members: 1, failures: 0 });
  expect((await venue.standing(person.user)).payments).toHaveLength(2);
  expect(await venue.billing.sweep()).toMatchObject({ members: 0 });
});

test('cancel: access until the end that was paid for, then over', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  expect(await venue.billing.cancelAtPeriodEnd(person.user)).toEqual({ cancel_at: JULY });
  expect(await venue.billing.cancelAtPeriodEnd(person.user)).toEqual({ cancel_at: JULY });
  expect(await venue.billing.subscriptionDetails(person.user)).toMatchObject({ cancel_at_period_end: true });
  await venue.delivered();
  expect(await venue.standing(person.user)).toMatchObject({ customer: { status: 'active' } });
  expect(await venue.access(person.user)).toBe(true);

  await venue.pass({ days: 31 });
  const after = await venue.standing(person.user);
  expect(after).toMatchObject({ customer: { status: 'inactive', member_since: '2026-06-15' }, active: null });
  expect(after.payments).toHaveLength(1);
  expect(await venue.access(person.user)).toBe(false);
  expect(venue.told()).toEqual([
    'membership_started',
    'payment_received',
    'cancellation_scheduled',
    'membership_ended',
  ]);
  await expect(venue.billing.cancelAtPeriodEnd(person.user)).rejects.toMatchObject({
    code: 'NO_SUBSCRIPTION',
  });
  await expect(venue.billing.resume(person.user)).rejects.toMatchObject({ code: 'NO_SUBSCRIPTION' });
});

test('a cancellation that arrives without a word ends access on time, and the sweeper ends the membership', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.billing.cancelAtPeriodEnd(person.user);
  await venue.webhooks('drop');
  await venue.pass({ days: 31 });
  expect(await venue.access(person.user)).toBe(false);
  expect(await venue.billing.sweep()).toMatchObject({ members: 1, failures: 0 });
  expect(await venue.standing(person.user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
});

test('cancel and take back, as often as one likes', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  for (let times = 0; times < 3; times++) {
    await venue.billing.cancelAtPeriodEnd(person.user);
    expect(await venue.subscription(person.user)).toMatchObject({ cancel_at_period_end: true });
    expect(await venue.billing.resume(person.user)).toMatchObject({ cancel_at_period_end: false });
    expect(await venue.subscription(person.user)).toMatchObject({ cancel_at_period_end: false });
  }
  await venue.pass({ days: 31 });
  expect(await venue.standing(person.user)).toMatchObject({ customer: { status: 'active' } });
});

test('a cancellation set as a date, as the portal does, is one too and can be taken back', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  const { id } = await venue.subscription(person.user);
  await venue.stripe.subscriptions.update(id, { cancel_at: JULY });
  await venue.delivered();
  expect(await venue.billing.subscriptionDetails(person.user)).toMatchObject({ cancel_at_period_end: true });
  expect(await venue.billing.cancelAtPeriodEnd(person.user)).toEqual({ cancel_at: JULY });
  await venue.billing.resume(person.user);
  expect((await venue.subscription(person.user)).cancel_at).toBeNull();
});

test('cancel: nobody without a subscription, and not while Stripe is out of reach', async () => {
  const venue = await openVenue();
  const atVenue = await venue.applicant();
  await venue.approveAtVenue(atVenue.user);
  await expect(venue.billing.cancelAtPeriodEnd(atVenue.user)).rejects.toMatchObject({
    code: 'NO_SUBSCRIPTION',
  });
  const person = await venue.member();
  await venue.control('fail-next', { path: '/v1/subscriptions/', method: 'POST', kind: 'drop', times: 2 });
  await expect(venue.billing.cancelAtPeriodEnd(person.user)).rejects.toMatchObject({
    code: 'PAYMENTS_UNAVAILABLE',
  });
  await venue.control('fail-next', {
    path: '/v1/subscriptions/',
    method: 'POST',
    kind: 'drop',
    when: 'after',
    times: 2,
  });
  await expect(venue.billing.cancelAtPeriodEnd(person.user)).rejects.toMatchObject({
    code: 'PAYMENTS_UNAVAILABLE',
  });
  expect(await venue.billing.cancelAtPeriodEnd(person.user)).toEqual({ cancel_at: JULY });
});
