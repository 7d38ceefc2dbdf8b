import { eq } from 'drizzle-orm';
import { beforeAll, expect, test } from 'vitest';
import {
  billing_customer,
  billing_subscription,
  profiles,
  stripe_event,
} from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

/** The order in which a sweep asks Stripe about these customers' subscriptions. */
async function sweptCustomers(venue: Venue, users: string[]): Promise<string[]> {
  const asked: string[] = [];
  const names = new Map<string, string>();
  for (const user of users) names.set(await stripeCustomerId(venue.db, user), user);
  const note = ({ method, path }: { method: string; path: string }) => {
    const customer = new URL(path, 'http://stripe').searchParams.get('customer');
    if (method === 'GET' && path.startsWith('/v1/charges') && customer)
      asked.push(names.get(customer) ?? customer);
  };
  venue.stripe.on('request', note);
  await venue.billing.sweep();
  venue.stripe.off('request', note);
  return asked;
}

test('the least recently tried comes first, so that repeated failures keep nobody waiting', async () => {
  const venue = await openVenue();
  const failing = await venue.member();
  const other = await venue.member();
  await venue.webhooks('drop');
  await venue.advance({ days: 31 });
  // The failing one has waited longest; each sweep tries it, and it stays due.
  const makeDue = (user: string) =>
    venue.db
      .update(billing_subscription)
      .set({ look_again_at: venue.clock.now() })
      .where(eq(billing_subscription.user_id, user));
  await makeDue(failing.user);
  const users = [failing.user, other.user];
  const first = await sweptCustomers(venue, users);
  expect(first.toSorted()).toEqual(users.toSorted());
  await makeDue(failing.user);
  await venue.advance({ minutes: 1 });
  expect(await sweptCustomers(venue, users)).toEqual([failing.user]);
  await makeDue(failing.user);
  await makeDue(other.user);
  await venue.advance({ minutes: 1 });
  expect(await sweptCustomers(venue, users)).toEqual([other.user, failing.user]);
});

test('stored events that were never tried come before one that failed', async () => {
  const venue = await openVenue();
  const at = venue.clock.now();
  const event = (id: string, minutes: number, tried_at: Date | null) => ({
    id,
    type: 'customer.updated',
    stripe_customer_id: `cus_${id}`,
    created_at: at,
    received_at: new Date(at.getTime() + minutes * 60_000),
    tried_at,
  });
  await venue.advance({ minutes: 60 });
  await venue.db
    .insert(stripe_event)
    .values([event('oldest', 0, venue.clock.now()), event('newer', 5, null)]);
  const asked: string[] = [];
  const note = ({ path }: { path: string }) => {
    if (path.startsWith('/v1/customers/')) asked.push(path);
  };
  venue.stripe.on('request', note);
  expect(await venue.billing.sweep()).toMatchObject({ events: 2 });
  expect(asked).toEqual(['/v1/customers/cus_newer', '/v1/customers/cus_oldest']);
});

test('a member with nothing due is checked once a week, and not sooner', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.webhooks('drop');
  const { id } = await venue.subscription(user);
  await venue.stripe.subscriptions.cancel(id);
  await venue.advance({ days: 6 });
  expect(await venue.billing.sweep()).toMatchObject({ members: 0 });
  await venue.advance({ days: 1, minutes: 1 });
  expect(await venue.billing.sweep()).toMatchObject({ members: 1, failures: 0 });
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'inactive' } });
});

test('a new name or email reaches Stripe with the next sweep, once', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  expect(await venue.billing.sweep()).toMatchObject({ profiles: 0 });
  const rename = async (first_name: string, email: string) => {
    await venue.advance({ minutes: 1 });
    await venue.db
      .update(profiles)
      .set({ first_name, email, updatedAt: venue.clock.now() })
      .where(eq(profiles.id, user));
    expect(await venue.billing.sweep()).toMatchObject({ profiles: 1, failures: 0 });
  };
  const atStripe = async () => venue.stripe.customers.retrieve(await stripeCustomerId(venue.db, user));
  await rename('Grace', 'grace@example.test');
  expect(await atStripe()).toMatchObject({ name: 'Grace Guest', email: 'grace@example.test' });
  expect(await venue.billing.sweep()).toMatchObject({ profiles: 0 });
  await rename('Ada', 'ada@example.test');
  // Back to an earlier name, which is sent again.
  await rename('Grace', 'grace@example.test');
  expect(await atStripe()).toMatchObject({ name: 'Grace Guest' });
});

test('a profile is not sent forever for a customer whom Stripe no longer has', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.db
    .update(billing_customer)
    .set({ stripe_customer_id: 'cus_unknown', profile_sent_at: null })
    .where(eq(billing_customer.user_id, user));
  expect(await venue.billing.sweep()).toMatchObject({ profiles: 1, failures: 0 });
  expect(await venue.billing.sweep()).toMatchObject({ profiles: 0 });
});
