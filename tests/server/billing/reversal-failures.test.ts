import { beforeAll, expect, test } from 'vitest';
import { listMemberPayments } from '../../../src/server/billing/refunds/member-payments.ts';
import { customers, staff_notice } from '../../../src/server/db/schema.ts';
import { changeAnswers } from '../../support/billing/answers.ts';
import { breakable, openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { createUnknownCheckout, stripeState } from '../../support/billing/stripe-state.ts';
import { openVenue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

test.each([
  ['canceling', '/v1/subscriptions/', 'DELETE', 'second_subscription (open)'],
  ['refunding', '/v1/refunds', 'POST', 'second_subscription'],
])(
  'Stripe fails while %s: the membership stays, the webhook is sent again, the sweeper finishes',
  async (_name, path, method, reversal) => {
    const venue = await openVenue();
    const member = await venue.member();
    await venue.webhooks('hold');
    await venue.control('fail-next', { path, method, status: 500, times: 1000 });
    await venue.pay(await createUnknownCheckout(venue, member.user));
    await venue.release('customer.subscription.updated');
    expect(venue.responses).toContain(503);
    expect(await venue.state(member.user)).toMatchObject({
      customer: { status: 'active' },
      memberships: 1,
      reversals: [reversal],
    });
    expect((await venue.billing.readBacklog()).open_reversals).toBe(1);
    expect((await venue.stripe.refunds.list()).data).toEqual([]);
    // Staff cannot refund it meanwhile.
    const [customer] = await venue.db.select().from(customers);
    const payments = await listMemberPayments(venue.deps, { customer_id: customer?.id ?? '' });
    expect(payments.map(({ obstacle }) => obstacle).sort()).toEqual([null, 'under_way']);
    expect(await venue.billing.reconcile(member.user)).toMatchObject({ localStatus: 'active' });

    await fetch(`${venue.sandbox.url}/_sandbox/fail-next`, { method: 'DELETE' });
    await venue.advance({ minutes: 6 });
    expect(await venue.billing.sweep()).toMatchObject({ failures: 0 });
    expect(await stripeState(venue, member.user)).toEqual({ statuses: ['active', 'canceled'], kept: 3900 });
    expect(await venue.state(member.user)).toMatchObject({ reversals: ['second_subscription'] });
    expect((await venue.billing.readBacklog()).open_reversals).toBe(0);
  },
);

test('the event of a paid page is sent again until its refund is made', async () => {
  const venue = await openVenue();
  await venue.webhooks('hold');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  await venue.approveAtVenue(applicant.user);
  // In both rounds of the reconciliation.
  await venue.control('fail-next', { path: '/v1/refunds', method: 'POST', status: 500, times: 2 });
  await venue.release('checkout.session.completed');
  expect(venue.responses).toEqual([503, 200]);
  expect((await stripeState(venue, applicant.user)).kept).toBe(0);
});

test('a lost response to the refund: it is not refunded twice', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.webhooks('drop');
  await venue.pay(await createUnknownCheckout(venue, member.user));
  await venue.control('fail-next', {
    path: '/v1/refunds',
    method: 'POST',
    kind: 'drop',
    when: 'after',
    times: 2,
  });
  await venue.billing.reconcile(member.user);
  await venue.anotherProcess().reconcile(member.user);
  expect(await stripeState(venue, member.user)).toEqual({ statuses: ['active', 'canceled'], kept: 3900 });
  const customer = await stripeCustomerId(venue.db, member.user);
  const intents = (await venue.stripe.charges.list({ customer })).data.map(
    ({ payment_intent }) => payment_intent,
  );
  const refunds = await Promise.all(
    intents.map((it) =>
      venue.stripe.refunds.list({ payment_intent: typeof it === 'string' ? it : undefined }),
    ),
  );
  expect(refunds.flatMap(({ data }) => data)).toHaveLength(1);
  expect((await venue.state(member.user)).reversals).toEqual(['second_subscription']);
});

test('a crash after the decision and before the request to Stripe', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.webhooks('drop');
  await venue.pay(await createUnknownCheckout(venue, member.user));
  const dying = venue.anotherProcess({
    stripe: new Proxy(venue.stripe, {
      get: (target, key) => {
        if (key === 'refunds') throw new Error('crashed');
        return Reflect.get(target, key);
      },
    }),
  });
  await expect(dying.reconcile(member.user)).rejects.toThrow('crashed');
  await venue.billing.sweep();
  expect(await stripeState(venue, member.user)).toEqual({ statuses: ['active', 'canceled'], kept: 3900 });
  expect(venue.notices.at(-1)).toMatchObject({ type: 'payment_returned', amount_cents: 3900 });
});

test('a crash after the refund and before its notice: the notice is sent once', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.webhooks('drop');
  await venue.pay(await createUnknownCheckout(venue, member.user));
  const { refunds } = venue.stripe;
  const create = refunds.create.bind(refunds);
  refunds.create = (async (...args: Parameters<typeof create>) => {
    await create(...args);
    throw new Error('crashed');
  }) as typeof create;
  await expect(venue.billing.reconcile(member.user)).rejects.toThrow('crashed');
  refunds.create = create;
  for (let times = 0; times < 2; times++) await venue.billing.reconcile(member.user);
  expect(venue.notices.filter(({ type }) => type === 'payment_returned')).toMatchObject([
    { amount_cents: 3900 },
  ]);
});

test('a notice is stored with its cause or not at all', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const applicant = await venue.applicant();
  await venue.pay(await venue.checkout(applicant));
  const posted: string[] = [];
  let full = true;
  const billing = venue.anotherProcess({
    post: async (_tx, { type }) => {
      if (full) throw new Error('the outbox is full');
      posted.push(type);
    },
  });
  await expect(billing.reconcile(applicant.user)).rejects.toThrow('the outbox is full');
  expect(await venue.state(applicant.user)).toMatchObject({ customer: null, payments: [] });
  full = false;
  await billing.reconcile(applicant.user);
  expect(await venue.state(applicant.user)).toMatchObject({ memberships: 1 });
  expect(posted).toEqual(['membership_started', 'payment_received']);
});

test('the database fails during the decision about a second payment: nothing is canceled without a record', async () => {
  const venue = await openVenue();
  const member = await venue.member();
  await venue.webhooks('drop');
  await venue.pay(await createUnknownCheckout(venue, member.user));
  const broken = breakable(venue.db);
  broken.failTransactions(true);
  await expect(venue.anotherProcess({ db: broken.db }).reconcile(member.user)).rejects.toThrow(
    'connection lost',
  );
  expect((await stripeState(venue, member.user)).statuses).toEqual(['active', 'active']);
});

test('credit that a reversed subscription used is a notice for staff, with what the card paid refunded', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const customer = await stripeCustomerId(venue.db, user);
  await venue.stripe.customers.update(customer, { balance: -1500 });
  await venue.pay(await createUnknownCheckout(venue, user));
  await venue.delivered();
  await venue.billing.reconcile(user);
  expect(await stripeState(venue, user)).toEqual({ statuses: ['active', 'canceled'], kept: 3900 });
  expect(venue.notices.at(-1)).toMatchObject({ type: 'payment_returned', amount_cents: 2400 });
  expect(await venue.db.select().from(staff_notice)).toMatchObject([
    { kind: 'reversal_impossible', user_id: user, facts: { amount_cents: 1500, currency: 'usd' } },
  ]);
});

test('a part that was paid of an open invoice is a notice for staff when the membership ends', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const { id } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, { collection_method: 'send_invoice', days_until_due: 3 });
  await venue.advance({ days: 34 });
  const { billing } = changeAnswers(venue, {
    answer({ path, query }, json) {
      if (path === '/v1/invoices' && query.get('status') === 'open')
        for (const invoice of json.data)
          Object.assign(invoice, { amount_paid: 2000, amount_remaining: 1900 });
    },
    instead({ path }) {
      if (!path.endsWith('/void')) return undefined;
      return { status: 400, json: { error: { type: 'invalid_request_error' } } };
    },
  });
  await billing.cancelSubscription(user);
  await billing.reconcile(user);
  expect(await venue.state(user)).toMatchObject({ reversals: ['canceled_overdue'] });
  expect(await venue.db.select().from(staff_notice)).toMatchObject([
    { kind: 'reversal_impossible', user_id: user, facts: { amount_cents: 2000, currency: 'usd' } },
  ]);
});
