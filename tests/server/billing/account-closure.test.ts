import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { billing_payment, billing_refund, customers, profiles } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openGifts } from '../../support/billing/gifts.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

test('cancels at once and deletes the customer; a repeated call does nothing more', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const customer = await stripeCustomerId(venue.db, user);
  expect(await venue.billing.cancelEverything(user)).toEqual({ stripe_customer_id: customer });
  expect(await venue.hasAccess(user)).toBe(false);
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
  expect((await venue.state(user)).payments).toEqual([{ status: 'paid', paid: 3900, refunded: 0 }]);
  expect(await venue.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
  expect(await venue.billing.cancelEverything(user)).toEqual({ stripe_customer_id: customer });
  expect(venue.noticeTypes().filter((it) => it === 'membership_ended')).toHaveLength(1);
});

test('an unpaid subscription, and one not yet in our records, are canceled too', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const unheard = await venue.applicant();
  await venue.pay(await venue.checkout(unheard));
  const unpaid = await venue.member();
  await venue.changeCard(unpaid.user, 'pm_card_chargeCustomerFail');
  await venue.advance({ days: 31 });
  for (const { user } of [unheard, unpaid]) {
    const subscription = await venue.subscription(user);
    await venue.billing.cancelEverything(user);
    expect(await venue.stripe.subscriptions.retrieve(subscription.id)).toMatchObject({ status: 'canceled' });
    expect(await venue.hasAccess(user)).toBe(false);
  }
});

test('open refunds are made first; nothing is canceled before', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const page = await venue.checkout(applicant);
  await venue.webhooks('drop');
  await venue.pay(page);
  await venue.approveAtVenue(applicant.user);
  await venue.control('fail-next', { path: '/v1/refunds', status: 500, times: 1000 });
  await expect(venue.billing.cancelEverything(applicant.user)).rejects.toMatchObject({
    code: 'PAYMENTS_UNAVAILABLE',
  });
  await fetch(`${venue.sandbox.url}/_sandbox/fail-next`, { method: 'DELETE' });
  await venue.billing.cancelEverything(applicant.user);
  expect((await venue.state(applicant.user)).payments).toMatchObject([
    { status: 'refunded', refunded: 3900 },
  ]);
});

describe('an account with a refund that staff asked for and Stripe has not made', () => {
  async function refundAsked() {
    const venue = await openVenue();
    const { user } = await venue.member();
    const staff = { user_id: venue.deps.newId(), role: 'staff' as const };
    const sam = { name: 'Sam', email: 'sam@example.test', first_name: 'Sam', last_name: 'Staff' };
    await venue.db.insert(profiles).values({ id: staff.user_id, ...sam });
    const [customer] = await venue.db.select().from(customers).where(eq(customers.user_id, user));
    const [payment] = await venue.db.select().from(billing_payment).where(eq(billing_payment.user_id, user));
    const giveBack = () =>
      venue.billing.giveRefund(staff, {
        request_id: venue.deps.newId(),
        customer_id: customer?.id ?? '',
        payment_id: payment?.stripe_invoice_id ?? '',
        amount: 3900,
        shown_refunded: 0,
        reason: 'A long wait',
      });
    return { venue, user, giveBack };
  }

  test('is not closed, and nothing is canceled, until the money is on its way', async () => {
    const { venue, user, giveBack } = await refundAsked();
    await venue.control('fail-next', { path: '/v1/refunds', method: 'POST', status: 503, times: 2 });
    expect(await giveBack()).toMatchObject({ status: 'asked' });
    await expect(venue.billing.cancelEverything(user)).rejects.toMatchObject({
      code: 'PAYMENTS_UNAVAILABLE',
    });
    expect((await venue.subscription(user)).status).toBe('active');
    await venue.billing.cancelEverything(user);
    expect((await venue.state(user)).payments).toMatchObject([{ status: 'refunded', refunded: 3900 }]);
  });

  test('that was asked for since everything was canceled is noticed, and nothing is written', async () => {
    const { venue, user, giveBack } = await refundAsked();
    const ended = await venue.billing.cancelEverything(user);
    await venue.control('fail-next', { path: '/v1/', status: 503, times: 20 });
    expect(await giveBack()).toMatchObject({ status: 'asked' });
    const closed = () => venue.db.transaction((tx) => venue.billing.closeBillingRows(tx, user, ended));
    expect(await closed()).toBe(false);
    const refused = { status: 'refused', obstacle: 'refused', settled_at: venue.clock.now() } as const;
    await venue.db.update(billing_refund).set(refused);
    expect(await closed()).toBe(true);
  });
});

test('an account whose gift is being refunded is not closed until the money is on its way', async () => {
  const gifts = await openGifts();
  const { venue, billing } = gifts;
  const buyer = await gifts.person();
  const id = await gifts.bought(buyer);
  await venue.control('fail-next', { path: '/v1/refunds', method: 'POST', status: 503, times: 2 });
  await billing.gifts.refund(buyer, { id });
  expect(await gifts.row(id)).toMatchObject({ status: 'refunding' });
  await expect(billing.cancelEverything(buyer)).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  const closed = async (ended: { stripe_customer_id: string | null }) =>
    venue.db.transaction((tx) => billing.closeBillingRows(tx, buyer, ended));
  expect(await closed({ stripe_customer_id: await stripeCustomerId(venue.db, buyer) })).toBe(false);
  expect(await closed(await billing.cancelEverything(buyer))).toBe(true);
  expect(await gifts.kept(id)).toBe(0);
});

test('a payment that another process has since started is noticed, and nothing is written', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  const { user } = applicant;
  const rest = (ended: { stripe_customer_id: string | null }) =>
    venue.db.transaction((tx) => venue.billing.closeBillingRows(tx, user, ended));
  const ended = await venue.billing.cancelEverything(user);
  expect(ended).toEqual({ stripe_customer_id: null });
  const input = { tierName: 'select', applicationId: applicant.application };
  const { url } = await venue.anotherProcess().createCheckout(user, input);
  expect(await rest(ended)).toBe(false);
  // Even if the page has been paid since: its customer at Stripe was not deleted.
  expect(await venue.pay(url)).toBe(303);
  await venue.delivered();
  await venue.billing.reconcile(user);
  expect(await rest(ended)).toBe(false);
  expect(await venue.hasAccess(user)).toBe(true);

  expect(await rest(await venue.billing.cancelEverything(user))).toBe(true);
  expect(await venue.hasAccess(user)).toBe(false);
});

test('a membership paid at the venue ends today, and the sweeper has nothing to do', async () => {
  const venue = await openVenue();
  const { user } = await venue.applicant();
  await venue.approveAtVenue(user);
  const ended = await venue.billing.cancelEverything(user);
  expect(await venue.db.transaction((tx) => venue.billing.closeBillingRows(tx, user, ended))).toBe(true);
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
  await venue.advance({ days: 40 });
  expect(await venue.billing.sweep()).toMatchObject({ members: 0, failures: 0 });
});
