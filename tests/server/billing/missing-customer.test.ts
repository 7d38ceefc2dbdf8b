import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import { billing_customer, staff_notice } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

const staffNotices = ({ db }: Venue) => db.select().from(staff_notice);

/** Makes the state that arises when our key belongs to another account at Stripe. */
const forgetAtStripe = ({ db }: Venue, user: string) =>
  db
    .update(billing_customer)
    .set({ stripe_customer_id: 'cus_unknown' })
    .where(eq(billing_customer.user_id, user));

test('a customer deleted at Stripe: the membership ends, staff are notified, and nothing is retried', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const customer = await stripeCustomerId(venue.db, user);
  await venue.stripe.customers.del(customer);
  await venue.delivered();
  expect(venue.responses).not.toContain(503);
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'inactive' }, active: null });
  await venue.advance({ days: 8 });
  expect(await venue.billing.sweep()).toMatchObject({ members: 0, events: 0, failures: 0 });
  expect(await staffNotices(venue)).toMatchObject([
    { kind: 'customer_missing', user_id: user, facts: { stripe_customer_id: customer } },
  ]);
});

test('a former member whose customer was deleted at Stripe can join again', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.stripe.customers.del(await stripeCustomerId(venue.db, user));
  await venue.delivered();
  await expect(venue.billing.openPaymentMethodPage(user)).rejects.toMatchObject({ code: 'NO_SUBSCRIPTION' });
  const application = await venue.reapply(user);
  await venue.pay(await venue.checkout({ user, application }));
  await venue.delivered();
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'active' } });
});

test('a customer unknown to Stripe: access lasts as long as paid for; nothing is retried forever', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.webhooks('drop');
  await forgetAtStripe(venue, user);
  expect(await venue.billing.reconcile(user)).toMatchObject({ localStatus: 'active' });
  expect(await venue.hasAccess(user)).toBe(true);
  for (let checks = 0; checks < 2; checks++) await venue.billing.reconcile(user);
  expect(await staffNotices(venue)).toMatchObject([{ kind: 'customer_missing' }]);
  await venue.advance({ days: 38 });
  expect(await venue.billing.sweep()).toMatchObject({ members: 1, failures: 0 });
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'inactive' } });
  expect(await venue.billing.sweep()).toMatchObject({ members: 0 });
});

test('deleting one’s own account deletes the customer without notifying staff', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.billing.cancelEverything(user);
  await venue.delivered();
  expect(venue.responses).not.toContain(503);
  expect(await staffNotices(venue)).toEqual([]);
});

test('a card that was detached at Stripe is no longer shown, although its event names no customer', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.webhooks('hold');
  const customer = await stripeCustomerId(venue.db, user);
  const { data } = await venue.stripe.paymentMethods.list({ customer });
  await venue.stripe.paymentMethods.detach(data[0]?.id ?? '');
  await venue.release('payment_method.detached');
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ payment_method: null });
});
