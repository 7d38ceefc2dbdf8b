import { beforeAll, expect, test } from 'vitest';
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
