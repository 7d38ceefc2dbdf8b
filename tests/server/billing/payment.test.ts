import { beforeAll, expect, test } from 'vitest';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue } from '../../support/billing/venue.ts';
import { DECLINED } from '../../support/billing/venue-actions.ts';

beforeAll(openSharedDatabase);

const MEMBER = {
  customer: { status: 'active', tier: 'select', member_since: '2026-06-15' },
  active: { tier: 'select', price: 3900, subscription: expect.stringMatching(/^sub_/) },
  memberships: 1,
  application: 'approved',
  attempts: ['completed'],
  reversals: [],
  payments: [{ status: 'paid', paid: 3900, refunded: 0 }],
};

test('a webhook makes the member before any redirect', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const url = await venue.checkout(applicant);
  expect(await venue.state(applicant.user)).toMatchObject({ attempts: ['open'], customer: null });
  expect(await venue.pay(url)).toBe(303);
  await venue.delivered();

  const after = await venue.state(applicant.user);
  expect(after).toMatchObject(MEMBER);
  expect(after.subscriptions).toMatchObject([{ status: 'active', card_last4: '4242', amount_cents: 3900 }]);
  expect(after.subscriptions[0]?.access_until).toEqual(new Date('2026-07-22T12:00:00Z'));
  expect(venue.responses.every((status) => status === 200)).toBe(true);
  expect(await venue.billing.reconcile(applicant.user)).toEqual({
    status: 'unchanged',
    localStatus: 'active',
  });
});

test('the redirect makes the member before any webhook, and the webhooks change nothing', async () => {
  const venue = await openVenue();
  await venue.webhooks('hold');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  expect(await venue.billing.reconcile(applicant.user)).toEqual({ status: 'updated', localStatus: 'active' });
  const made = await venue.state(applicant.user);
  expect(made).toMatchObject(MEMBER);

  await venue.control('webhooks/release');
  await venue.delivered();
  expect(await venue.state(applicant.user)).toMatchObject(MEMBER);
  expect(venue.noticeTypes()).toEqual(['membership_started', 'payment_received']);
});

test('without a redirect the webhooks are enough, even sent twice', async () => {
  const venue = await openVenue();
  await venue.webhooks('duplicate');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  await venue.delivered();
  expect(await venue.state(applicant.user)).toMatchObject(MEMBER);
  expect(venue.noticeTypes()).toEqual(['membership_started', 'payment_received']);
});

test('without webhooks and without a redirect, the sweeper finds the payment', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  expect(await venue.billing.sweep()).toMatchObject({ attempts: 0 });
  await venue.advance({ minutes: 6 });
  expect(await venue.billing.sweep()).toMatchObject({ attempts: 1, failures: 0 });
  expect(await venue.state(applicant.user)).toMatchObject(MEMBER);
  expect(await venue.billing.sweep()).toMatchObject({ attempts: 0, members: 0 });
});

const TYPES = [
  'customer.subscription.created',
  'customer.subscription.updated',
  'checkout.session.completed',
];
const ORDERS = TYPES.flatMap((first) =>
  TYPES.filter((it) => it !== first).map((second) => [
    first,
    second,
    ...TYPES.filter((it) => it !== first && it !== second),
  ]),
);

test.each(ORDERS.map((order) => [order.map((type) => type.split('.').at(-1)).join(', '), order] as const))(
  'order of events: %s',
  async (_name, order) => {
    const venue = await openVenue();
    await venue.webhooks('hold');
    const applicant = await venue.applicant();
    await venue.pay(await venue.checkout(applicant));
    for (const type of order) {
      await venue.release(type);
      expect(await venue.state(applicant.user)).toMatchObject(MEMBER);
    }
    expect(venue.responses).toEqual([200, 200, 200]);
  },
);

test('all events in reverse order, then all again', async () => {
  const venue = await openVenue();
  await venue.webhooks('hold');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  const events = await venue.listDeliveries();
  await venue.control('webhooks/release', { reverse: true });
  await venue.delivered();
  await venue.webhooks('normal');
  for (const { event } of events) await venue.control('webhooks/replay', { event });
  await venue.delivered();
  expect(await venue.state(applicant.user)).toMatchObject(MEMBER);
  expect(venue.responses).toHaveLength(events.length * 2);
});

test('a declined, empty, expired or unusable card changes nothing; another card on the same page makes the member', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const url = await venue.checkout(applicant);
  for (const number of [DECLINED, '4000000000009995', '4000000000000069', '4000000000000341']) {
    expect(await venue.pay(url, { number })).toBe(402);
    await venue.delivered();
    expect(await venue.billing.reconcile(applicant.user)).toEqual({
      status: 'unchanged',
      localStatus: 'none',
    });
  }
  expect(await venue.state(applicant.user)).toMatchObject({
    customer: null,
    application: 'pending',
    payments: [],
  });
  expect(await venue.pay(url)).toBe(303);
  await venue.delivered();
  expect(await venue.state(applicant.user)).toMatchObject(MEMBER);
});

test('a card with 3-D Secure makes the member after authentication, not before', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const url = await venue.checkout(applicant);
  const page = url.replace(/^https?:\/\/[^/]+/, venue.sandbox.url);
  expect(await venue.pay(url, { number: '4000002500003155' })).toBe(303);
  await venue.delivered();
  expect(await venue.billing.reconcile(applicant.user)).toMatchObject({ localStatus: 'none' });

  const challenge = await (await fetch(`${page}/authenticate`)).text();
  const token = /name="token" value="([^"]+)"/.exec(challenge)?.[1] ?? '';
  const body = new URLSearchParams({ token, answer: 'complete' });
  await fetch(`${page}/authenticate`, { method: 'POST', body, redirect: 'manual' });
  await venue.delivered();
  expect(await venue.state(applicant.user)).toMatchObject(MEMBER);
});

test('another user’s payment gives nothing', async () => {
  const venue = await openVenue();
  const payer = await venue.member();
  const other = await venue.applicant();
  expect(await venue.billing.reconcile(other.user)).toEqual({ status: 'unchanged', localStatus: 'none' });
  await expect(
    venue.billing.createCheckout(other.user, { tierName: 'select', applicationId: payer.application }),
  ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await venue.state(other.user)).toMatchObject({ customer: null, attempts: [] });
  expect(await venue.billing.getSubscriptionDetails(other.user)).toBeNull();
});

test('payments are recorded however many pages Stripe has of them', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.webhooks('drop');
  await venue.advance({ days: 31 * 104 });
  await venue.billing.reconcile(user);
  const customer = await stripeCustomerId(venue.db, user);
  const charges = await venue.stripe.charges.list({ customer, limit: 100 });
  expect(charges.has_more).toBe(true);
  const paid = await venue.stripe.invoices
    .list({ customer, status: 'paid' })
    .autoPagingToArray({ limit: 1000 });
  expect((await venue.state(user)).payments).toHaveLength(paid.length);
});
