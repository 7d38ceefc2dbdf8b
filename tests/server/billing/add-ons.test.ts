import { beforeAll, expect, test } from 'vitest';
import { tier_price } from '../../../src/server/db/schema.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

/** Adds a monthly item of 5 dollars to the member's subscription at Stripe, as staff may. */
async function addItem(venue: Venue, user: string): Promise<string> {
  const { stripe } = venue;
  const product = await stripe.products.create({ name: 'Locker' });
  const price = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 500,
    recurring: { interval: 'month' },
  });
  const { id, items } = await venue.subscription(user);
  // First in the list, where only the tier's own mark distinguishes the two.
  const [tier] = items.data;
  await stripe.subscriptions.update(id, { items: [{ price: price.id }], proration_behavior: 'none' });
  await stripe.subscriptions.update(id, {
    items: [{ id: tier?.id, deleted: true }, { price: tier?.price.id }],
    proration_behavior: 'none',
  });
  await venue.delivered();
  return price.id;
}

/** The amount of the latest paid invoice, in cents. */
async function lastPaid(venue: Venue, user: string): Promise<number | undefined> {
  const { data } = await venue.stripe.invoices.list({
    customer: await stripeCustomerId(venue.db, user),
    status: 'paid',
  });
  return data[0]?.amount_paid;
}

test('the amount shown is the sum of tier and add-ons, which is what the renewal charges', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await addItem(venue, user);
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ tier: 'select', amount: 4400 });
  await venue.advance({ days: 31 });
  expect(await lastPaid(venue, user)).toBe(4400);
  expect(await venue.state(user)).toMatchObject({ active: { tier: 'select' } });
});

test('a tier change keeps the add-ons, at once and at the end of the period', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  const addOn = await addItem(venue, user);
  const up = await venue.billing.previewTier(user, 'premier');
  // The difference between the tiers; the add-on costs the same before and after.
  expect(up).toMatchObject({ kind: 'at_once', charged_now: 3000, next_amount: 7400 });
  expect(await venue.billing.changeTier(user, up.id)).toMatchObject({ tier: 'premier', amount: 7400 });

  const down = await venue.billing.previewTier(user, 'select');
  expect(down).toMatchObject({ kind: 'at_period_end', next_amount: 4400 });
  expect(await venue.billing.changeTier(user, down.id)).toMatchObject({
    pending_tier: { tier: 'select', amount: 4400 },
  });
  await venue.advance({ days: 31 });
  expect(await lastPaid(venue, user)).toBe(4400);
  const { items } = await venue.subscription(user);
  expect(items.data.map(({ price }) => price.id)).toContain(addOn);
});

test('a scheduled tier change keeps the discount', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('premier');
  const coupon = await venue.stripe.coupons.create({ percent_off: 10, duration: 'forever' });
  const { id } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, { discounts: [{ coupon: coupon.id }] });
  const { id: preview } = await venue.billing.previewTier(user, 'select');
  await venue.billing.changeTier(user, preview);
  await venue.advance({ days: 31 });
  expect(await venue.state(user)).toMatchObject({ active: { tier: 'select' } });
  expect(await lastPaid(venue, user)).toBe(3510);
});

test('with a discount, a larger tier costs what the preview shows', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  const coupon = await venue.stripe.coupons.create({ percent_off: 50, duration: 'forever' });
  const { id } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, { discounts: [{ coupon: coupon.id }] });
  await venue.advance({ days: 10 });
  const { id: preview, charged_now } = await venue.billing.previewTier(user, 'premier');
  await venue.billing.changeTier(user, preview);
  expect(await lastPaid(venue, user)).toBe(charged_now);
});

/** Moves the member to a price of the venue's own, taken over as Premier's, and puts a locker before it. */
async function payOwnPrice(venue: Venue, user: string): Promise<{ own: string; locker: string }> {
  const { stripe, db, clock } = venue;
  const product = await stripe.products.create({ name: 'Gold' });
  const own = await stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 6900,
    recurring: { interval: 'month' },
  });
  const at = clock.now();
  await db.insert(tier_price).values({
    stripe_price_id: own.id,
    stripe_product_id: product.id,
    tier_name: 'premier',
    amount_cents: 6900,
    currency: 'usd',
    tax_behavior: 'unspecified',
    created_at: at,
    archived_at: at,
  });
  const { id, items } = await venue.subscription(user);
  const locker = await addItem(venue, user);
  const tier = (await venue.subscription(user)).items.data.find(({ price }) => price.id !== locker);
  await stripe.subscriptions.update(id, {
    items: [{ id: tier?.id, deleted: true }, { price: own.id }],
    proration_behavior: 'none',
  });
  expect(items.data).toHaveLength(1);
  await venue.delivered();
  return { own: own.id, locker };
}

const pricesOf = async (venue: Venue, user: string) =>
  (await venue.subscription(user)).items.data.map(({ price }) => price.id);

test('the item at a price that was taken over is the membership, wherever it stands', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('premier');
  await payOwnPrice(venue, user);
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ tier: 'premier', amount: 7400 });
});

test.each([
  ['smaller', 'select'],
  ['larger', 'household'],
])('a change from a price that was taken over to a %s tier leaves the add-on', async (_, tier) => {
  const venue = await openVenue();
  const { user } = await venue.member('premier');
  const { own, locker } = await payOwnPrice(venue, user);
  await venue.billing.changeTier(user, (await venue.billing.previewTier(user, tier)).id);
  await venue.advance({ days: 31 });
  const prices = await pricesOf(venue, user);
  expect(prices).toHaveLength(2);
  expect(prices).toContain(locker);
  expect(prices).not.toContain(own);
  expect(await venue.state(user)).toMatchObject({ active: { tier } });
});

test('a price that staff made at Stripe on a tier’s product is the membership, behind an add-on', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('premier');
  await addItem(venue, user);
  const { id, items } = await venue.subscription(user);
  const tier = items.data.find(({ price }) => price.unit_amount !== 500);
  const friends = await venue.stripe.prices.create({
    product: String(tier?.price.product),
    currency: 'usd',
    unit_amount: 5900,
    recurring: { interval: 'month' },
  });
  await venue.stripe.subscriptions.update(id, {
    items: [{ id: tier?.id, deleted: true }, { price: friends.id }],
    proration_behavior: 'none',
  });
  await venue.delivered();
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ tier: 'premier', amount: 6400 });
});

test('a tier change is refused when its price was replaced at Stripe since the preview', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  const preview = await venue.billing.previewTier(user, 'premier');
  const { user: other } = await venue.member('household');
  const [household] = await pricesOf(venue, other);
  const { id, items } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, { items: [{ id: items.data[0]?.id, price: household }] });
  await expect(venue.billing.changeTier(user, preview.id)).rejects.toMatchObject({ code: 'PREVIEW_EXPIRED' });
  expect(await pricesOf(venue, user)).toEqual([household]);
});
