import { beforeAll, expect, test } from 'vitest';
import { stripeCustomer } from '../../support/billing/access-snapshot.ts';
import { breakable, openShared } from '../../support/billing/databases.ts';
import { atStripe, strayPage } from '../../support/billing/unknown-checkout.ts';
import { openVenue } from '../../support/billing/venue.ts';

beforeAll(openShared);

test.each([
  ['ending it', '/v1/subscriptions/', 'DELETE'],
  ['paying it back', '/v1/refunds', 'POST'],
])(
  'Stripe failing while %s: the membership stands, the webhook comes again, the sweeper finishes',
  async (_name, path, method) => {
    const venue = await openVenue();
    const person = await venue.member();
    await venue.webhooks('hold');
    await venue.control('fail-next', { path, method, status: 500, times: 1000 });
    await venue.pay(await strayPage(venue, person.user));
    await venue.release('customer.subscription.updated');
    expect(venue.answers).toContain(503);
    expect(await venue.standing(person.user)).toMatchObject({
      customer: { status: 'active' },
      memberships: 1,
      reversals: ['second_subscription (open)'],
    });
    expect(await venue.billing.verify(person.user)).toMatchObject({ localStatus: 'active' });

    await fetch(`${venue.sandbox.url}/_sandbox/fail-next`, { method: 'DELETE' });
    await venue.pass({ minutes: 6 });
    expect(await venue.billing.sweep()).toMatchObject({ failures: 0 });
    expect(await atStripe(venue, person.user)).toEqual({ statuses: ['active', 'canceled'], kept: 3900 });
    expect(await venue.standing(person.user)).toMatchObject({ reversals: ['second_subscription'] });
  },
);

test('the answer to the refund lost on the way: it is not paid back twice', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.webhooks('drop');
  await venue.pay(await strayPage(venue, person.user));
  await venue.control('fail-next', {
    path: '/v1/refunds',
    method: 'POST',
    kind: 'drop',
    when: 'after',
    times: 2,
  });
  await venue.billing.verify(person.user);
  await venue.another().verify(person.user);
  expect(await atStripe(venue, person.user)).toEqual({ statuses: ['active', 'canceled'], kept: 3900 });
  const customer = await stripeCustomer(venue.db, person.user);
  const intents = (await venue.stripe.charges.list({ customer })).data.map(
    ({ payment_intent }) => payment_intent,
  );
  const refunds = await Promise.all(
    intents.map((it) =>
      venue.stripe.refunds.list({ payment_intent: typeof it === 'string' ? it : undefined }),
    ),
  );
  expect(refunds.flatMap(({ data }) => data)).toHaveLength(1);
  expect((await venue.standing(person.user)).reversals).toEqual(['second_subscription']);
});

test('dying after the decision and before Stripe hears of it', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.webhooks('drop');
  await venue.pay(await strayPage(venue, person.user));
  const dying = venue.another({
    stripe: new Proxy(venue.stripe, {
      get: (target, key) => {
        if (key === 'refunds') throw new Error('the process died');
        return Reflect.get(target, key);
      },
    }),
  });
  await expect(dying.verify(person.user)).rejects.toThrow('the process died');
  await venue.billing.sweep();
  expect(await atStripe(venue, person.user)).toEqual({ statuses: ['active', 'canceled'], kept: 3900 });
  expect(venue.notices.at(-1)).toMatchObject({ type: 'payment_returned', amount_cents: 3900 });
});

test('dying after the refund and before the note of it: it is said all the same, once', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.webhooks('drop');
  await venue.pay(await strayPage(venue, person.user));
  const { refunds } = venue.stripe;
  const create = refunds.create.bind(refunds);
  refunds.create = (async (...args: Parameters<typeof create>) => {
    await create(...args);
    throw new Error('the process died');
  }) as typeof create;
  await expect(venue.billing.verify(person.user)).rejects.toThrow('the process died');
  refunds.create = create;
  for (let times = 0; times < 2; times++) await venue.billing.verify(person.user);
  expect(venue.notices.filter(({ type }) => type === 'payment_returned')).toMatchObject([
    { amount_cents: 3900 },
  ]);
});

test('a notice is written down with its cause or not at all', async () => {
  const venue = await openVenue();
  await venue.webhooks('drop');
  const person = await venue.applicant();
  await venue.pay(await venue.checkout(person));
  const posted: string[] = [];
  let full = true;
  const billing = venue.another({
    post: async (_tx, { type }) => {
      if (full) throw new Error('the outbox is full');
      posted.push(type);
    },
  });
  await expect(billing.verify(person.user)).rejects.toThrow('the outbox is full');
  expect(await venue.standing(person.user)).toMatchObject({ customer: null, payments: [] });
  full = false;
  await billing.verify(person.user);
  expect(await venue.standing(person.user)).toMatchObject({ memberships: 1 });
  expect(posted).toEqual(['membership_started', 'payment_received']);
});

test('the database failing while a second payment is decided on: nothing is cancelled without a record', async () => {
  const venue = await openVenue();
  const person = await venue.member();
  await venue.webhooks('drop');
  await venue.pay(await strayPage(venue, person.user));
  const broken = breakable(venue.db);
  broken.failTransactions(true);
  await expect(venue.another({ db: broken.db }).verify(person.user)).rejects.toThrow(
    'the database went away',
  );
  expect((await atStripe(venue, person.user)).statuses).toEqual(['active', 'active']);
});
