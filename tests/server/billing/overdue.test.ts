import { beforeAll, describe, expect, test } from 'vitest';
import { breakable, openSharedDatabase } from '../../support/billing/databases.ts';
import { glassesOf } from '../../support/billing/glasses.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

/** A member whose renewal has just failed. */
async function overdueMember(venue: Venue): Promise<string> {
  const { user } = await venue.member();
  await venue.control('settings', { dunning_days: [20, 5], dunning_end: 'canceled' });
  await venue.changeCard(user, 'pm_card_chargeCustomerFail');
  await venue.advance({ days: 30, minutes: 1 });
  return user;
}

/** Everything charged at Stripe and not refunded, in cents, and the statuses of invoices. */
async function chargesOf(venue: Venue, user: string) {
  const customer = await stripeCustomerId(venue.db, user);
  const charges = await venue.stripe.charges.list({ customer });
  const invoices = await venue.stripe.invoices.list({ customer });
  return {
    kept: charges.data
      .filter(({ paid }) => paid)
      .reduce((sum, it) => sum + it.amount - it.amount_refunded, 0),
    invoices: invoices.data.map(({ status }) => status),
  };
}

const ENDINGS = [
  [
    'grace ends',
    'payment_overdue',
    async (venue: Venue) => {
      await venue.advance({ days: 7, minutes: 1 });
      await venue.billing.sweep();
    },
  ],
  [
    'the member cancels while a payment is overdue',
    'canceled_overdue',
    async (venue: Venue, user: string) => {
      await venue.billing.cancelSubscription(user);
    },
  ],
] as const;

describe.each(ENDINGS)('%s', (_name, why, end) => {
  test('nothing is charged in the following four weeks, and one email says so', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue);
    expect(await venue.hasAccess(user)).toBe(true);
    await end(venue, user);
    expect(await venue.state(user)).toMatchObject({
      customer: { status: 'inactive' },
      active: null,
      subscriptions: [{ status: 'canceled', access_until: null }],
      reversals: [why],
    });
    expect(await venue.hasAccess(user)).toBe(false);
    expect(await chargesOf(venue, user)).toEqual({ kept: 3900, invoices: ['void', 'paid'] });

    // Nor with a card that could be charged.
    await venue.changeCard(user, 'pm_card_visa');
    await venue.advance({ days: 28 });
    await venue.billing.sweep();
    expect(await chargesOf(venue, user)).toEqual({ kept: 3900, invoices: ['void', 'paid'] });
    expect(venue.noticeTypes().slice(2)).toEqual(['payment_failed', 'membership_ended']);
    expect(venue.notices.at(-1)).toMatchObject({ why });
  });

  test.each([
    ['canceling', '/v1/subscriptions/', 'DELETE'],
    ['voiding', '/v1/invoices/', 'POST'],
  ])('Stripe fails while %s: no email yet, and the sweeper finishes', async (_step, path, method) => {
    const venue = await openVenue();
    const user = await overdueMember(venue);
    await venue.webhooks('drop');
    await venue.control('fail-next', { path, method, status: 500, times: 1000 });
    const before = venue.noticeTypes();
    await end(venue, user).catch(() => undefined);
    expect(await venue.state(user)).toMatchObject({ active: null, reversals: [`${why} (open)`] });
    // The member gets no notice of the end or a hold, because Stripe could still charge.
    expect(venue.noticeTypes()).toEqual(before);

    await fetch(`${venue.sandbox.url}/_sandbox/fail-next`, { method: 'DELETE' });
    await venue.anotherProcess().sweep();
    expect(await venue.state(user)).toMatchObject({ reversals: [why] });
    expect(await chargesOf(venue, user)).toEqual({ kept: 3900, invoices: ['void', 'paid'] });
    expect(venue.notices.filter(({ type }) => type === 'membership_ended')).toMatchObject([{ why }]);
  });

  test('the process dies after Stripe canceled and voided: the sweeper sends the email once', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue);
    await venue.webhooks('drop');
    const broken = breakable(venue.db);
    const { invoices } = venue.stripe;
    const voidInvoice = invoices.voidInvoice.bind(invoices);
    invoices.voidInvoice = (async (...args: Parameters<typeof voidInvoice>) => {
      const voided = await voidInvoice(...args);
      broken.failTransactions(true);
      return voided;
    }) as typeof voidInvoice;
    const dying = venue.anotherProcess({ db: broken.db });
    await end({ ...venue, billing: dying }, user).catch(() => undefined);
    invoices.voidInvoice = voidInvoice;
    expect(await venue.state(user)).toMatchObject({ reversals: [`${why} (open)`] });
    expect(venue.noticeTypes()).not.toContain('membership_ended');
    for (let times = 0; times < 2; times++) await venue.billing.sweep();
    expect(await chargesOf(venue, user)).toEqual({ kept: 3900, invoices: ['void', 'paid'] });
    expect(venue.notices.filter(({ type }) => type === 'membership_ended')).toMatchObject([{ why }]);
  });

  test('a payment that arrives after the decision is refunded', async () => {
    const venue = await openVenue();
    const user = await overdueMember(venue);
    await venue.webhooks('drop');
    const { subscriptions } = venue.stripe;
    const cancel = subscriptions.cancel.bind(subscriptions);
    subscriptions.cancel = (async (...args: Parameters<typeof cancel>) => {
      await venue.payInvoice(user);
      return cancel(...args);
    }) as typeof cancel;
    await end(venue, user);
    subscriptions.cancel = cancel;
    await venue.billing.reconcile(user);
    expect(await chargesOf(venue, user)).toEqual({ kept: 3900, invoices: ['paid', 'paid'] });
    expect(venue.notices.filter(({ type }) => type === 'payment_returned')).toMatchObject([
      { reason: why, amount_cents: 3900 },
    ]);
  });
});

test('a member who canceled while a payment was overdue joins again', async () => {
  const venue = await openVenue();
  const user = await overdueMember(venue);
  await venue.billing.cancelSubscription(user);
  expect(await venue.billing.getSubscriptionDetails(user)).toBeNull();
  const application = await venue.reapply(user);
  expect(await venue.pay(await venue.checkout({ user, application }))).toBe(303);
  await venue.delivered();
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'active' }, memberships: 2 });
  expect(await chargesOf(venue, user)).toMatchObject({ kept: 7800 });
});

test('a membership that the venue sells at Stripe during grace becomes the membership, and the money stays', async () => {
  const venue = await openVenue();
  const user = await overdueMember(venue);
  const old = await venue.subscription(user);
  const customer = await stripeCustomerId(venue.db, user);
  const card = await venue.stripe.paymentMethods.attach('pm_card_visa', { customer });
  const sold = await venue.stripe.subscriptions.create({
    customer,
    default_payment_method: card.id,
    items: [{ price: old.items.data[0]?.price.id ?? '' }],
  });
  await venue.delivered();
  expect(await venue.state(user)).toMatchObject({
    customer: { status: 'active' },
    active: { subscription: sold.id },
    reversals: ['replaced'],
  });
  expect(await chargesOf(venue, user)).toEqual({ kept: 7800, invoices: ['paid', 'void', 'paid'] });
  expect(venue.noticeTypes()).not.toContain('payment_returned');

  await venue.advance({ days: 8 });
  await venue.billing.sweep();
  expect(await venue.hasAccess(user)).toBe(true);
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4, available: 4 });
});

test('a suspension is not announced as an end', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.control('settings', { dunning_days: [1], dunning_end: 'unpaid' });
  await venue.changeCard(user, 'pm_card_chargeCustomerFail');
  await venue.advance({ days: 30, minutes: 1 });
  await venue.advance({ days: 2 });
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'inactive' }, reversals: [] });
  expect(venue.noticeTypes()).toContain('membership_suspended');
  expect(venue.noticeTypes()).not.toContain('membership_ended');
});

test('a member is judged at the time Stripe was asked, not when the answer is written', async () => {
  const venue = await openVenue();
  const user = await overdueMember(venue);
  await venue.webhooks('drop');
  await venue.advance({ days: 6 });
  const { charges } = venue.stripe;
  const list = charges.list.bind(charges);
  // The response arrives after grace has ended; in the meantime the member could have paid.
  charges.list = ((...args: Parameters<typeof list>) => {
    venue.clock.advance({ days: 2 });
    return list(...args);
  }) as typeof list;
  await venue.billing.reconcile(user);
  charges.list = list;
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'active' }, reversals: [] });
  // The next sweep sees that grace is over.
  expect(await venue.billing.sweep()).toMatchObject({ members: 1 });
  expect(await venue.state(user)).toMatchObject({ reversals: ['payment_overdue'] });
});
