import { beforeAll, expect, test } from 'vitest';
import { openShared } from '../../support/billing/databases.ts';
import { openVenue } from '../../support/billing/venue.ts';

beforeAll(openShared);

test('a failed renewal: grace, told once, then recovery', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.changeCard(person.user, 'pm_card_chargeCustomerFail');
  await venue.pass({ days: 30, minutes: 1 });
  const failing = await venue.standing(person.user);
  expect(failing).toMatchObject({ customer: { status: 'active' }, active: { tier: 'select' } });
  expect(failing.subscriptions).toMatchObject([
    {
      status: 'past_due',
      grace_until: new Date('2026-07-22T12:01:00Z'),
      access_until: new Date('2026-07-22T12:01:00Z'),
    },
  ]);
  expect(await venue.access(person.user)).toBe(true);
  await venue.pass({ days: 4 });
  expect((await venue.standing(person.user)).subscriptions[0]?.grace_until).toEqual(
    new Date('2026-07-22T12:01:00Z'),
  );

  await venue.changeCard(person.user, 'pm_card_visa');
  await venue.pass({ days: 5 });
  const after = await venue.standing(person.user);
  expect(after).toMatchObject({ customer: { status: 'active' }, memberships: 1 });
  expect(after.subscriptions).toMatchObject([{ status: 'active', grace_until: null }]);
  expect(venue.told()).toEqual([
    'membership_started',
    'payment_received',
    'payment_failed',
    'payment_received',
  ]);
});

test('a failed renewal: grace, then no access, then paid after all: access again', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.control('settings', { dunning_days: [3, 20], dunning_end: 'unpaid' });
  await venue.changeCard(person.user, 'pm_card_chargeCustomerFail');
  await venue.pass({ days: 30, minutes: 1 });
  await venue.pass({ days: 8 });
  expect(await venue.access(person.user)).toBe(false);
  await venue.billing.sweep();
  expect(await venue.standing(person.user)).toMatchObject({ customer: { status: 'inactive' }, active: null });

  await venue.changeCard(person.user, 'pm_card_visa');
  await venue.pass({ days: 16 });
  const after = await venue.standing(person.user);
  expect(after).toMatchObject({ customer: { status: 'active' }, active: { tier: 'select' }, memberships: 1 });
  expect(await venue.access(person.user)).toBe(true);
  expect(venue.told()).toContain('access_restored');
});

test.each([
  ['canceled', 'canceled'],
  ['unpaid', 'unpaid'],
])('a failed renewal to loss, when Stripe ends it as %s', async (dunning_end, status) => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.control('settings', { dunning_days: [1], dunning_end });
  await venue.changeCard(person.user, 'pm_card_chargeCustomerFail');
  await venue.pass({ days: 30, minutes: 1 });
  expect(await venue.standing(person.user)).toMatchObject({ customer: { status: 'active' } });
  await venue.pass({ days: 2 });
  const after = await venue.standing(person.user);
  expect(after).toMatchObject({ customer: { status: 'inactive' }, active: null, memberships: 1 });
  expect(after.subscriptions).toMatchObject([{ status, access_until: null }]);
  expect(await venue.access(person.user)).toBe(false);
});

test('somebody who lapsed joins again: the same member, a new membership, the old date kept', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.billing.cancelAtPeriodEnd(person.user);
  await venue.pass({ days: 60 });
  const application = await venue.reapply(person.user, 'elite');
  await venue.pay(await venue.checkout({ user: person.user, application }, 'elite'));
  await venue.delivered();
  expect(await venue.standing(person.user)).toMatchObject({
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

test('somebody suspended joins again: the old subscription ends, what it took for good times stays', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.control('settings', { dunning_days: [1], dunning_end: 'unpaid' });
  await venue.changeCard(person.user, 'pm_card_chargeCustomerFail');
  await venue.pass({ days: 30, minutes: 1 });
  await venue.pass({ days: 2 });
  const application = await venue.reapply(person.user);
  expect(await venue.pay(await venue.checkout({ user: person.user, application }))).toBe(303);
  await venue.delivered();
  const after = await venue.standing(person.user);
  expect(after).toMatchObject({ customer: { status: 'active' }, memberships: 2, reversals: ['replaced'] });
  expect(after.payments).toMatchObject([{ refunded: 0 }, { refunded: 0 }]);
  expect(after.subscriptions).toMatchObject([{ status: 'canceled' }, { status: 'active' }]);
});

test('a bank that wants its holder at each renewal is answered on the invoice’s own page', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.changeCard(user, 'pm_card_authenticationRequired');
  await venue.pass({ days: 31 });
  expect(await venue.standing(user)).toMatchObject({ subscriptions: [{ status: 'past_due' }] });
  const { url } = await venue.billing.openInvoicePage(user);
  expect(await venue.pay(url)).toBe(303);
  const confirmed = await fetch(`${url}/authenticate`, {
    method: 'POST',
    body: new URLSearchParams({ answer: 'complete' }),
    redirect: 'manual',
  });
  expect(confirmed.status).toBe(303);
  await venue.delivered();
  expect(await venue.standing(user)).toMatchObject({ subscriptions: [{ status: 'active' }] });
  await expect(venue.billing.openInvoicePage(user)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});
