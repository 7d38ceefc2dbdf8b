import { eq } from 'drizzle-orm';
import type Stripe from 'stripe';
import { beforeAll, expect, test } from 'vitest';
import { staff_notice } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { stripeState } from '../../support/billing/stripe-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

const SELECT = 'cellar_door_select';

const priceOf = async (venue: Venue, user: string) => (await venue.subscription(user)).items.data[0]?.price;

/** A customer at Stripe whom the venue signs up there manually, at a custom price. */
async function signUpAtStripe(venue: Venue, price: Omit<Stripe.PriceCreateParams, 'currency'>) {
  const applicant = await venue.applicant();
  await venue.checkout(applicant);
  const customer = await stripeCustomerId(venue.db, applicant.user);
  const { id } = await venue.stripe.prices.create({ currency: 'usd', ...price });
  const method = await venue.stripe.paymentMethods.attach('pm_card_visa', { customer });
  await venue.stripe.subscriptions.create({
    customer,
    items: [{ price: id }],
    default_payment_method: method.id,
  });
  await venue.delivered();
  return applicant;
}

test('a price archived at Stripe gets a new one, and members keep theirs', async () => {
  const venue = await openVenue();
  const first = await venue.member('select');
  const archived = await priceOf(venue, first.user);
  await venue.stripe.prices.update(archived?.id ?? '', { active: false });

  const second = await venue.member('select');
  const fresh = await priceOf(venue, second.user);
  expect(fresh).toMatchObject({ active: true, unit_amount: 3900, product: SELECT });
  expect(fresh?.id).not.toBe(archived?.id);
  expect(await venue.state(second.user)).toMatchObject({ active: { tier: 'select', price: 3900 } });

  // Archived again, while Stripe still has the idempotency key (a day).
  await venue.stripe.prices.update(fresh?.id ?? '', { active: false });
  const third = await venue.member('select');
  expect((await priceOf(venue, third.user))?.active).toBe(true);

  await venue.advance({ days: 31 });
  expect(await venue.state(first.user)).toMatchObject({ customer: { status: 'active', tier: 'select' } });
  expect((await venue.state(first.user)).payments).toHaveLength(2);
});

test('an archived product is made active again, however often', async () => {
  const venue = await openVenue();
  await venue.member('select');
  for (const _ of ['once', 'twice']) {
    await venue.advance({ minutes: 1 });
    await venue.stripe.products.update(SELECT, { active: false });
    const { user } = await venue.member('select');
    expect(await venue.state(user)).toMatchObject({ active: { tier: 'select' } });
  }
  expect((await venue.stripe.products.retrieve(SELECT)).active).toBe(true);
});

test('a tier change: a price archived before or after the preview is replaced', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await venue.billing.previewTier(user, 'premier');
  const archive = async () => {
    const { data } = await venue.stripe.prices.list({ product: 'cellar_door_premier', active: true });
    for (const { id } of data) await venue.stripe.prices.update(id, { active: false });
  };
  await archive();
  const shown = await venue.billing.previewTier(user, 'premier');
  expect(shown.charged_now).toBe(3000);

  await archive();
  await expect(venue.billing.changeTier(user, shown.id)).rejects.toMatchObject({ code: 'PREVIEW_EXPIRED' });
  expect(await venue.state(user)).toMatchObject({ active: { tier: 'select' } });
  const again = await venue.billing.previewTier(user, 'premier');
  expect(await venue.billing.changeTier(user, again.id)).toMatchObject({ tier: 'premier' });

  // A change at the end of the period needs no price from Stripe until it is accepted.
  await venue.billing.previewTier(user, 'select');
  const { data } = await venue.stripe.prices.list({ product: SELECT, active: true });
  for (const { id } of data) await venue.stripe.prices.update(id, { active: false });
  const down = await venue.billing.previewTier(user, 'select');
  await expect(venue.billing.changeTier(user, down.id)).rejects.toMatchObject({ code: 'PREVIEW_EXPIRED' });
  const other = await venue.billing.previewTier(user, 'select');
  expect(await venue.billing.changeTier(user, other.id)).toMatchObject({ pending_tier: { tier: 'select' } });
});

test('a request refused for another reason is not repeated', async () => {
  const venue = await openVenue();
  await venue.member('select');
  const applicant = await venue.applicant();
  await venue.control('fail-next', { path: '/v1/checkout/sessions', method: 'POST', status: 400 });
  await expect(venue.checkout(applicant)).rejects.toMatchObject({ code: 'PAYMENTS_UNAVAILABLE' });
  expect((await venue.stripe.prices.list({ product: SELECT, active: true })).data).toHaveLength(1);
});

test('a monthly price that the venue added to our product buys its tier, at its own amount', async () => {
  const venue = await openVenue();
  await venue.member('select');
  const { user } = await signUpAtStripe(venue, {
    product: SELECT,
    unit_amount: 3000,
    recurring: { interval: 'month' },
  });
  expect(await venue.state(user)).toMatchObject({
    customer: { status: 'active', tier: 'select' },
    active: { tier: 'select', price: 3000 },
    application: 'approved',
  });
});

const noticesTo = ({ db }: Venue, user: string) =>
  db
    .select({ kind: staff_notice.kind, facts: staff_notice.facts })
    .from(staff_notice)
    .where(eq(staff_notice.user_id, user));

test('a yearly price on our product buys no tier: the money is kept, and staff are notified once', async () => {
  const venue = await openVenue();
  await venue.member('select');
  const { user } = await signUpAtStripe(venue, {
    product: SELECT,
    unit_amount: 39_000,
    recurring: { interval: 'year' },
  });
  expect(await venue.state(user)).toMatchObject({ customer: null, reversals: [] });
  expect(await stripeState(venue, user)).toEqual({ statuses: ['active'], kept: 39_000 });
  expect(venue.logged.join()).toContain('belongs to no tier; no membership');
  await venue.billing.reconcile(user);
  expect(await noticesTo(venue, user)).toMatchObject([
    { kind: 'payment_unmatched', facts: { amount_cents: 39_000, currency: 'usd', product: SELECT } },
  ]);
  await venue.advance({ days: 31 });
  await venue.billing.sweep();
  expect(await noticesTo(venue, user)).toHaveLength(1);
});

test('a payment for something other than a tier is ignored', async () => {
  const venue = await openVenue();
  const { id } = await venue.stripe.products.create({ name: 'Corkscrew of the month' });
  const { user } = await signUpAtStripe(venue, {
    product: id,
    unit_amount: 500,
    recurring: { interval: 'month' },
  });
  expect(await venue.state(user)).toMatchObject({ customer: null });
  expect(await noticesTo(venue, user)).toEqual([]);
});

test('a member moved to a yearly price by the venue keeps the tier, and staff are notified', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  const { id, items } = await venue.subscription(user);
  const yearly = await venue.stripe.prices.create({
    currency: 'usd',
    product: SELECT,
    unit_amount: 39_000,
    recurring: { interval: 'year' },
  });
  await venue.stripe.subscriptions.update(id, { items: [{ id: items.data[0]?.id, price: yearly.id }] });
  await venue.delivered();
  expect(await venue.state(user)).toMatchObject({ customer: { status: 'active', tier: 'select' } });
  expect(venue.logged.join()).toContain('belongs to no tier; tier taken from our records');
  expect(await noticesTo(venue, user)).toMatchObject([{ kind: 'payment_unmatched' }]);
});

test('a subscription that pays twice for one tier is one membership, and staff are notified once', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  const { id, items } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, {
    items: [{ id: items.data[0]?.id, quantity: 2 }],
    proration_behavior: 'none',
  });
  await venue.delivered();
  await venue.advance({ days: 31 });
  await venue.billing.sweep();
  expect(await venue.state(user)).toMatchObject({ active: { tier: 'select' }, memberships: 1 });
  expect(await stripeState(venue, user)).toEqual({ statuses: ['active'], kept: 3900 + 7800 });
  expect(await noticesTo(venue, user)).toMatchObject([
    {
      kind: 'paid_more_than_once',
      facts: { amount_cents: 7800, currency: 'usd', stripe_subscription_id: id, tier: 'select', quantity: 2 },
    },
  ]);
});

test('a subscription with the prices of two tiers is one membership, and staff are notified', async () => {
  const venue = await openVenue();
  const [{ user }, other] = [await venue.member('select'), await venue.member('premier')];
  const premier = (await venue.subscription(other.user)).items.data[0]?.price.id;
  const { id } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, {
    items: [{ price: premier }],
    proration_behavior: 'always_invoice',
  });
  await venue.delivered();
  expect(await venue.state(user)).toMatchObject({ active: { tier: 'select' }, memberships: 1 });
  expect(await noticesTo(venue, user)).toMatchObject([
    {
      kind: 'paid_more_than_once',
      facts: { amount_cents: 10_800, stripe_subscription_id: id, tier: 'select', quantity: 2 },
    },
  ]);
});
