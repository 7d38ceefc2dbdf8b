import { beforeAll, expect, test } from 'vitest';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openVenue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

test('a failed renewal: grace, one notice, then recovery', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.changeCard(member.user, 'pm_card_chargeCustomerFail');
  await venue.advance({ days: 30, minutes: 1 });
  const failing = await venue.state(member.user);
  expect(failing).toMatchObject({ customer: { status: 'active' }, active: { tier: 'select' } });
  expect(failing.subscriptions).toMatchObject([
    {
      status: 'past_due',
      grace_until: new Date('2026-07-22T12:01:00Z'),
      access_until: new Date('2026-07-22T12:01:00Z'),
    },
  ]);
  expect(await venue.hasAccess(member.user)).toBe(true);
  expect(venue.notices.at(-1)).toMatchObject({
    type: 'payment_failed',
    open_cents: 3900,
    method: { type: 'card', brand: 'visa', last4: '0341', wallet: null },
  });
  await venue.advance({ days: 4 });
  expect((await venue.state(member.user)).subscriptions[0]?.grace_until).toEqual(
    new Date('2026-07-22T12:01:00Z'),
  );

  await venue.changeCard(member.user, 'pm_card_visa');
  await venue.advance({ days: 5 });
  const after = await venue.state(member.user);
  expect(after).toMatchObject({ customer: { status: 'active' }, memberships: 1 });
  expect(after.subscriptions).toMatchObject([{ status: 'active', grace_until: null }]);
  expect(venue.noticeTypes()).toEqual([
    'membership_started',
    'payment_received',
    'payment_failed',
    'payment_received',
  ]);
});

test('a failed renewal that Stripe gave up on: no access, then a late payment: access again', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.control('settings', { dunning_days: [3], dunning_end: 'unpaid' });
  await venue.changeCard(member.user, 'pm_card_chargeCustomerFail');
  await venue.advance({ days: 30, minutes: 1 });
  await venue.advance({ days: 8 });
  expect(await venue.hasAccess(member.user)).toBe(false);
  await venue.billing.sweep();
  expect(await venue.state(member.user)).toMatchObject({ customer: { status: 'inactive' }, active: null });

  await venue.payInvoice(member.user);
  const after = await venue.state(member.user);
  expect(after).toMatchObject({ customer: { status: 'active' }, active: { tier: 'select' }, memberships: 1 });
  expect(await venue.hasAccess(member.user)).toBe(true);
  expect(venue.noticeTypes()).toContain('access_restored');
});

test.each([
  ['canceled', 'canceled'],
  ['unpaid', 'unpaid'],
])('a failed renewal that is never paid, with Stripe’s final status %s', async (dunning_end, status) => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.control('settings', { dunning_days: [1], dunning_end });
  await venue.changeCard(member.user, 'pm_card_chargeCustomerFail');
  await venue.advance({ days: 30, minutes: 1 });
  expect(await venue.state(member.user)).toMatchObject({ customer: { status: 'active' } });
  await venue.advance({ days: 2 });
  const after = await venue.state(member.user);
  expect(after).toMatchObject({ customer: { status: 'inactive' }, active: null, memberships: 1 });
  expect(after.subscriptions).toMatchObject([{ status, access_until: null }]);
  expect(await venue.hasAccess(member.user)).toBe(false);
});

test('a former member joins again: same customer, new membership, member_since kept', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.billing.cancelSubscription(member.user);
  await venue.advance({ days: 60 });
  const application = await venue.reapply(member.user, 'elite');
  await venue.pay(await venue.checkout({ user: member.user, application }, 'elite'));
  await venue.delivered();
  expect(await venue.state(member.user)).toMatchObject({
    customer: { status: 'active', tier: 'elite', member_since: '2026-06-15' },
    active: { tier: 'elite', price: 10900 },
    memberships: 2,
    application: 'approved',
    reversals: [],
  });
  expect(venue.notices.filter(({ type }) => type === 'membership_started')).toMatchObject([
    { renewed: false },
    { renewed: true },
  ]);
});

test('a suspended member joins again: the old subscription is canceled, paid periods are not refunded', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.control('settings', { dunning_days: [1], dunning_end: 'unpaid' });
  await venue.changeCard(member.user, 'pm_card_chargeCustomerFail');
  await venue.advance({ days: 30, minutes: 1 });
  await venue.advance({ days: 2 });
  const application = await venue.reapply(member.user);
  expect(await venue.pay(await venue.checkout({ user: member.user, application }))).toBe(303);
  await venue.delivered();
  const after = await venue.state(member.user);
  expect(after).toMatchObject({ customer: { status: 'active' }, memberships: 2, reversals: ['replaced'] });
  expect(after.payments).toMatchObject([{ refunded: 0 }, { refunded: 0 }]);
  expect(after.subscriptions).toMatchObject([{ status: 'canceled' }, { status: 'active' }]);
});

test('a renewal that needs the bank’s authentication is paid on the invoice’s page', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.changeCard(user, 'pm_card_authenticationRequired');
  await venue.advance({ days: 31 });
  expect(await venue.state(user)).toMatchObject({ subscriptions: [{ status: 'past_due' }] });
  const { url } = await venue.billing.openInvoicePage(user);
  expect(await venue.pay(url)).toBe(303);
  const confirmed = await fetch(`${url}/authenticate`, {
    method: 'POST',
    body: new URLSearchParams({ answer: 'complete' }),
    redirect: 'manual',
  });
  expect(confirmed.status).toBe(303);
  await venue.delivered();
  expect(await venue.state(user)).toMatchObject({ subscriptions: [{ status: 'active' }] });
  await expect(venue.billing.openInvoicePage(user)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
