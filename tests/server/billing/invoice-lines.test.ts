import type Stripe from 'stripe';
import { beforeAll, expect, test } from 'vitest';
import { changeAnswers } from '../../support/billing/answers.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { glassesOf } from '../../support/billing/glasses.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';

beforeAll(openSharedDatabase);

// Stripe names a proration's subscription item since 2025, an invoice item before (InvoiceLineItem.Parent in the SDK).
test.each(['subscription_item_details', 'invoice_item_details'] as const)(
  'a paid upgrade after a pause gives its pours when its lines have %s',
  async (type) => {
    const venue = await openVenue();
    const [{ user }, other] = [await venue.member('select'), await venue.member('household')];
    const { billing } = changeAnswers(venue, {
      answer({ method, path }, json) {
        if (method !== 'GET' || path !== '/v1/invoices') return;
        for (const invoice of json.data)
          for (const line of invoice.lines.data) {
            const { subscription_item_details, invoice_item_details } = line.parent;
            const details = subscription_item_details ?? invoice_item_details;
            if (!details.proration) continue;
            const parent = { type, invoice_item_details: null, subscription_item_details: null };
            line.parent = { ...parent, [type]: { ...details, subscription_item: 'si_1' } };
          }
      },
    });
    await billing.pause(user, 1);
    await venue.webhooks('drop');
    const { id, items } = await venue.subscription(user);
    await venue.stripe.subscriptions.update(id, { pause_collection: '' });
    await venue.advance({ days: 15 });
    const price = (await venue.subscription(other.user)).items.data[0]?.price.id;
    await venue.stripe.subscriptions.update(id, {
      items: [{ id: items.data[0]?.id, price }],
      proration_behavior: 'always_invoice',
    });
    await billing.reconcile(user);
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 12 });
  },
);

/** Puts bottles on the member's next invoice, as staff may at Stripe. */
async function addBottles(venue: Venue, user: string, bottles: number): Promise<void> {
  const customer = await stripeCustomerId(venue.db, user);
  const subscription = (await venue.subscription(user)).id;
  for (let n = 0; n < bottles; n++)
    await venue.stripe.invoiceItems.create({ customer, subscription, amount: 2500, currency: 'usd' });
}

test.each([9, 12, 120])(
  'a renewal with %i bottles on its invoice gives all pours of the month',
  async (bottles) => {
    const venue = await openVenue();
    const { user } = await venue.member('premier');
    await addBottles(venue, user, bottles);
    await venue.advance({ days: 31 });
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 8 });
    expect((await venue.state(user)).payments.at(-1)).toMatchObject({ paid: 6900 + bottles * 2500 });
  },
);

test('an upgrade that is billed with twelve bottles gives its pours', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await venue.advance({ days: 15 });
  await addBottles(venue, user, 12);
  await venue.billing.changeTier(user, (await venue.billing.previewTier(user, 'premier')).id);
  expect(await venue.state(user)).toMatchObject({ active: { tier: 'premier' } });
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 6 });
});

/** Puts eleven lockers, of 1.00 to 1.10 dollars, before the member's tier. */
async function addLockers(venue: Venue, user: string): Promise<void> {
  const { stripe } = venue;
  const { id, items } = await venue.subscription(user);
  const [tier] = items.data;
  for (let n = 0; n < 11; n++) {
    const product = await stripe.products.create({ name: `Locker ${n}` });
    const terms = { currency: 'usd', unit_amount: 100 + n, recurring: { interval: 'month' } } as const;
    const price = await stripe.prices.create({ product: product.id, ...terms });
    await stripe.subscriptions.update(id, { items: [{ price: price.id }], proration_behavior: 'none' });
  }
  await stripe.subscriptions.update(id, {
    items: [{ id: tier?.id, deleted: true }, { price: tier?.price.id }],
    proration_behavior: 'none',
  });
  await venue.delivered();
}

test.each([
  ['smaller', 'select'],
  ['larger', 'household'],
])('a change to a %s tier is made behind eleven add-ons, which stay', async (_, tier) => {
  const venue = await openVenue();
  const { user } = await venue.member('premier');
  await addLockers(venue, user);
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ tier: 'premier', amount: 8055 });
  await venue.billing.changeTier(user, (await venue.billing.previewTier(user, tier)).id);
  await venue.advance({ days: 31 });
  expect(await venue.state(user)).toMatchObject({ active: { tier } });
  const { id } = await venue.subscription(user);
  const { data } = await venue.stripe.subscriptionItems.list({ subscription: id, limit: 100 });
  expect(data).toHaveLength(12);
});

test('a discount on twelve items is shown off the whole amount', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('premier');
  await addLockers(venue, user);
  const { id } = await venue.subscription(user);
  const coupon = await venue.stripe.coupons.create({ percent_off: 10, duration: 'forever' });
  await venue.stripe.subscriptions.update(id, { discounts: [{ coupon: coupon.id }] });
  await venue.delivered();
  const details = await venue.billing.getSubscriptionDetails(user);
  expect(details?.amount).toBe(details?.next_charge?.amount);
  expect(details?.amount).toBeLessThan(7260);
});

test('a payment is found behind those that Stripe embeds in its invoice', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('select');
  await venue.webhooks('drop');
  const [charge] = (await venue.stripe.charges.list()).data;
  await venue.stripe.refunds.create({ charge: charge?.id ?? '', amount: 1000 });
  const { billing } = changeAnswers(venue, {
    answer({ method, path }, json) {
      if (method !== 'GET' || path !== '/v1/invoices') return;
      for (const { payments } of json.data) Object.assign(payments, { data: [], has_more: true });
    },
  });
  await billing.reconcile(user);
  expect((await venue.state(user)).payments).toMatchObject([{ paid: 3900, refunded: 1000 }]);
});

test('an unpaid upgrade gives no pours, though an invoice credits the rest of an earlier month at its price', async () => {
  const venue = await openVenue();
  const [{ user }, other] = [await venue.member('select'), await venue.member('household')];
  const price = (await venue.subscription(other.user)).items.data[0]?.price.id ?? '';
  await venue.billing.pause(user, 1);
  await venue.webhooks('drop');
  const { id, items } = await venue.subscription(user);
  await venue.advance({ days: 15 });
  await venue.stripe.subscriptions.update(id, {
    items: [{ id: items.data[0]?.id, price }],
    proration_behavior: 'always_invoice',
  });
  const { billing } = changeAnswers(venue, {
    answer({ method, path }, json) {
      if (method !== 'GET' || path !== '/v1/invoices') return;
      const [first] = json.data.filter(({ status }: Stripe.Invoice) => status === 'paid');
      const [line] = first.lines.data;
      const subscription_item_details = { ...line.parent.subscription_item_details, proration: true };
      const parent = { ...line.parent, subscription_item_details };
      const credit = { ...line, parent, pricing: { price_details: { price } }, amount: -1000 };
      json.data.push({
        ...{ ...first, id: 'in_credit', billing_reason: 'subscription_update', amount_paid: 0 },
        ...{ lines: { data: [credit], has_more: false }, payments: { data: [], has_more: false } },
      });
    },
  });
  await billing.reconcile(user);
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4 });
});
