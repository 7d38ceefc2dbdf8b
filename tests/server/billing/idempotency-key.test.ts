import Stripe from 'stripe';
import { beforeAll, expect, test } from 'vitest';
import { withKey } from '../../../src/server/billing/idempotency-key.ts';
import { billing_act } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

// Stripe repeats its response to a key, even a 500 (docs.stripe.com/api/idempotent_requests).

beforeAll(openSharedDatabase);

const failing = (venue: Venue, path: string, when: 'before' | 'after' = 'before') =>
  venue.control('fail-next', { path, method: 'POST', status: 500, when });

const unavailable = { code: 'PAYMENTS_UNAVAILABLE' };

const charges = async (venue: Venue) =>
  (await venue.stripe.charges.list()).data.filter(({ paid }) => paid).map(({ amount }) => amount);

const pauseStates = async (venue: Venue) =>
  (await venue.db.select().from(billing_act)).map(({ state }) => state);

async function paused(): Promise<{ venue: Venue; user: string }> {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.billing.pause(user, 3);
  await venue.advance({ days: 40 });
  await venue.billing.sweep();
  return { venue, user };
}

test.each(['before', 'after'] as const)(
  "a member comes back from a pause, and pays once, after Stripe's 500 %s the charge",
  async (when) => {
    const { venue, user } = await paused();
    await failing(venue, '/v1/subscriptions/', when);
    await expect(venue.billing.endPause(user, 3900)).rejects.toMatchObject(unavailable);
    await venue.billing.endPause(user, 3900);
    expect(await venue.hasAccess(user)).toBe(true);
    expect(await charges(venue)).toEqual([3900, 3900]);
    expect(await pauseStates(venue)).toEqual(['done']);
  },
);

test('a scheduled change is withdrawn on the second try, if Stripe fails once to release its schedule', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('premier');
  const { id } = await venue.billing.previewTier(user, 'select');
  await venue.billing.changeTier(user, id);
  const { schedule } = await venue.subscription(user);
  await failing(venue, `/v1/subscription_schedules/${schedule}/release`);
  await expect(venue.billing.cancelTierChange(user)).rejects.toMatchObject(unavailable);
  expect(await venue.billing.cancelTierChange(user)).toMatchObject({ pending_tier: null });
  expect((await venue.subscription(user)).schedule).toBeNull();
});

test('a pause that Stripe failed to set, or to clear, is requested again by the next sweep', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await failing(venue, '/v1/subscriptions/');
  await expect(venue.billing.pause(user, 1)).rejects.toMatchObject(unavailable);
  await venue.billing.sweep();
  expect(await pauseStates(venue)).toEqual(['set']);
  await failing(venue, '/v1/subscriptions/');
  await expect(venue.billing.endPause(user, 3900)).rejects.toMatchObject(unavailable);
  await venue.billing.sweep();
  expect((await venue.subscription(user)).pause_collection).toBeNull();
  expect(await pauseStates(venue)).toEqual(['withdrawn']);
});

test.each(['/v1/products', '/v1/prices', '/v1/customers', '/v1/checkout/sessions'])(
  'someone joins on the second try, if Stripe fails once at %s',
  async (path) => {
    const venue = await openVenue();
    const applicant = await venue.applicant();
    await failing(venue, path);
    await expect(venue.checkout(applicant)).rejects.toMatchObject(unavailable);
    expect(await venue.pay(await venue.checkout(applicant))).toBe(303);
  },
);

test('two processes that get the same 500 use the same key for their retry', async () => {
  const venue = await openVenue();
  const applicant = await venue.applicant();
  await failing(venue, '/v1/customers');
  const both = () =>
    Promise.allSettled(
      [venue, { billing: venue.anotherProcess() }].map(({ billing }) =>
        billing.createCheckout(applicant.user, { tierName: 'select', applicationId: applicant.application }),
      ),
    );
  await both();
  await both();
  expect((await venue.stripe.customers.list()).data).toHaveLength(1);
});

test('an answer that comes late does not bring back the key of an attempt that has failed since', async () => {
  const venue = await openVenue();
  const keys: string[] = [];
  const attempt = (meanwhile: () => Promise<unknown> = () => Promise.resolve()) =>
    withKey(venue.deps, 'charge', async ({ idempotencyKey }) => {
      keys.push(idempotencyKey);
      await meanwhile();
      throw new Stripe.errors.StripeAPIError({ type: 'api_error', statusCode: 500 });
    }).catch(() => undefined);
  await attempt(async () => {
    await attempt();
    await attempt();
  });
  await attempt();
  expect(keys).toEqual(['charge', 'charge', 'charge:1', 'charge:2']);
});
