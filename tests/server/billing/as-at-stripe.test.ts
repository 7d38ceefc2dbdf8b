import Stripe from 'stripe';
import { beforeAll, describe, expect, test } from 'vitest';
import { staff_notice } from '../../../src/server/db/schema.ts';
import { changeAnswers } from '../../support/billing/answers.ts';
import { openSharedDatabase } from '../../support/billing/databases.ts';
import { openGifts } from '../../support/billing/gifts.ts';
import { glassesOf } from '../../support/billing/glasses.ts';
import { stripeCustomerId } from '../../support/billing/member-state.ts';
import { openVenue, type Venue } from '../../support/billing/venue.ts';
import { CARD } from '../../support/billing/venue-actions.ts';

beforeAll(openSharedDatabase);

// Subscriptions as venues have them at Stripe before they take this up.

/** Takes the member's payment methods away and leaves a card of the older kind, as the subscription's own or as the default. */
async function olderCard(venue: Venue, user: string, own: boolean): Promise<string> {
  const customer = await stripeCustomerId(venue.db, user);
  const source = await venue.stripe.customers.createSource(customer, { source: 'tok_mastercard' });
  const { id } = await venue.subscription(user);
  await venue.stripe.customers.update(customer, { invoice_settings: { default_payment_method: '' } });
  if (own) await venue.stripe.subscriptions.update(id, { default_source: source.id });
  else await venue.stripe.customers.update(customer, { default_source: source.id });
  await venue.delivered();
  return source.id;
}

describe('a card of the older kind', () => {
  test.each([
    ['the customer’s default', false],
    ['the subscription’s own', true],
  ])('is shown as %s, and charged', async (_, own) => {
    const venue = await openVenue();
    const { user } = await venue.member();
    await olderCard(venue, user, own);
    await venue.billing.reconcile(user);
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
      payment_method: { type: 'card', last4: '4444' },
    });
    await venue.advance({ days: 31 });
    expect((await venue.state(user)).payments).toHaveLength(2);
  });

  test('is not read while a payment method is the default', async () => {
    const venue = await openVenue();
    const { user } = await venue.member();
    const customer = await stripeCustomerId(venue.db, user);
    const { id } = await venue.stripe.customers.createSource(customer, { source: 'tok_mastercard' });
    await venue.stripe.customers.update(customer, { default_source: id });
    await venue.delivered();
    const { billing, calls } = changeAnswers(venue, {});
    await billing.reconcile(user);
    expect(calls.filter(({ path }) => path.startsWith('/v1/payment_methods/'))).toEqual([]);
    expect(await billing.getSubscriptionDetails(user)).toMatchObject({ payment_method: { last4: '4242' } });
  });

  test('of the subscription gives way to a card that the member adds later', async () => {
    const venue = await openVenue();
    const { user } = await venue.member();
    await olderCard(venue, user, true);
    await venue.advance({ minutes: 10 });
    const { url } = await venue.billing.openPaymentMethodPage(user);
    await venue.pay(`${url}/card`, CARD);
    await venue.delivered();
    await venue.billing.reconcile(user);
    expect(await venue.subscription(user)).toMatchObject({ default_source: null });
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({
      payment_method: { last4: '4242' },
    });
  });
});

/** Adds an item for usage to the member's subscription. */
async function addUsage(venue: Venue, user: string): Promise<string> {
  const product = await venue.stripe.products.create({ name: 'Tastings' });
  const price = await venue.stripe.prices.create({
    product: product.id,
    currency: 'usd',
    unit_amount: 250,
    recurring: { interval: 'month', usage_type: 'metered', meter: 'mtr_tastings' },
  });
  const { id } = await venue.subscription(user);
  await venue.stripe.subscriptions.update(id, { items: [{ price: price.id }] });
  await venue.delivered();
  return price.id;
}

test('an item for usage is no part of the amount per month, and stays with a smaller tier', async () => {
  const venue = await openVenue();
  const { user } = await venue.member('premier');
  const usage = await addUsage(venue, user);
  expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ amount: 6900 });
  await venue.billing.changeTier(user, (await venue.billing.previewTier(user, 'select')).id);
  await venue.advance({ days: 31 });
  expect(await venue.state(user)).toMatchObject({ active: { tier: 'select' } });
  const { items } = await venue.subscription(user);
  expect(items.data.map(({ price }) => price.id)).toContain(usage);
});

test('a subscription in another currency of its price is shown in that currency', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  const { billing } = changeAnswers(venue, {
    answer({ path }, json) {
      if (path === '/v1/subscriptions') for (const it of json.data) it.currency = 'eur';
    },
    // The price names its own currency, and others only if asked (Price.currency_options in the SDK).
    instead({ path, query }) {
      if (!path.startsWith('/v1/prices/') || query.get('expand[0]') !== 'currency_options') return undefined;
      return { status: 200, json: { currency_options: { eur: { unit_amount: 3500 } } } };
    },
  });
  await billing.reconcile(user);
  expect(await billing.getSubscriptionDetails(user)).toMatchObject({ currency: 'eur', amount: 3500 });
});

test.each(['a membership', 'a gift'])('the payment page of %s names one price', async (what) => {
  const gifts = await openGifts();
  const { venue } = gifts;
  if (what === 'a gift') await gifts.bought(await gifts.person());
  else await venue.checkout(await venue.applicant());
  const { data } = await venue.stripe.checkout.sessions.list();
  expect(data.map(({ adaptive_pricing }) => adaptive_pricing)).toEqual([{ enabled: false }]);
});

describe('a trial', () => {
  const trial = async (venue: Venue, days: number) => {
    const { user } = await venue.member();
    const { id } = await venue.subscription(user);
    const trial_end = Math.floor(venue.clock.now().getTime() / 1000) + days * 86_400;
    await venue.stripe.subscriptions.update(id, { trial_end, proration_behavior: 'none' });
    await venue.delivered();
    return user;
  };
  const notices = async (venue: Venue) =>
    (await venue.db.select().from(staff_notice)).map(({ kind }) => kind);

  test('longer than a month is one notice for staff', async () => {
    const venue = await openVenue();
    const user = await trial(venue, 180);
    await venue.billing.reconcile(user);
    expect(await notices(venue)).toEqual(['long_trial']);
  });

  test('of a month is none', async () => {
    const venue = await openVenue();
    await trial(venue, 31);
    expect(await notices(venue)).toEqual([]);
  });

  test('that is ended early, with a declined card, does not pay for the month after it', async () => {
    const venue = await openVenue();
    const user = await trial(venue, 70);
    await venue.changeCard(user, 'pm_card_chargeCustomerFail');
    await venue.advance({ days: 6 });
    const { id } = await venue.subscription(user);
    await venue.stripe.subscriptions.update(id, { trial_end: 'now' });
    await venue.delivered();
    expect(await venue.state(user)).toMatchObject({ subscriptions: [{ status: 'past_due' }] });
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 1, when_paid: 3 });
  });

  test('that was extended before it was seen here gives all pours', async () => {
    const venue = await openVenue();
    const { user } = await venue.member();
    await venue.advance({ days: 2 });
    await venue.webhooks('drop');
    const { id } = await venue.subscription(user);
    for (const days of [30, 45]) {
      const trial_end = Math.floor(venue.clock.now().getTime() / 1000) + days * 86_400;
      await venue.stripe.subscriptions.update(id, { trial_end, proration_behavior: 'none' });
    }
    await venue.billing.reconcile(user);
    expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4, when_paid: 0 });
  });
});

test('a first period that is prorated to a fixed billing day is paid, and gives all pours', async () => {
  const venue = await openVenue();
  const [applicant, other] = [await venue.applicant(), await venue.member()];
  await venue.checkout(applicant);
  const customer = await stripeCustomerId(venue.db, applicant.user);
  const card = await venue.stripe.paymentMethods.attach('pm_card_visa', { customer });
  const price = (await venue.subscription(other.user)).items.data[0]?.price.id;
  await venue.stripe.subscriptions.create({
    customer,
    items: [{ price }],
    default_payment_method: card.id,
    billing_cycle_anchor: Date.UTC(2026, 6, 1) / 1000,
  });
  await venue.delivered();
  expect((await venue.state(applicant.user)).payments).toEqual([{ status: 'paid', paid: 2015, refunded: 0 }]);
  expect(await glassesOf(venue, applicant.user)).toMatchObject({ period_pours: 4, when_paid: 0 });
});

/** Two cost 82 dollars if each is charged by its own step, 80 if all are charged by the last one's. */
const STEPS = {
  billing_scheme: 'tiered',
  tiers: [
    { up_to: 1, unit_amount: 4200 },
    { up_to: 'inf', unit_amount: 4000 },
  ],
};

test.each([
  [
    'graduated',
    1,
    {
      billing_scheme: 'tiered',
      tiers_mode: 'graduated',
      tiers: [{ up_to: 'inf', unit_amount: 4100, flat_amount: 400 }],
    },
    4500,
  ],
  ['graduated', 2, { ...STEPS, tiers_mode: 'graduated' }, 8200],
  ['volume', 1, { ...STEPS, tiers_mode: 'volume' }, 4200],
  ['volume', 2, { ...STEPS, tiers_mode: 'volume' }, 8000],
  ['fractions of a cent', 1, { unit_amount_decimal: Stripe.Decimal.from('3999.5') }, 4000],
  ['fractions of a cent', 2, { unit_amount_decimal: Stripe.Decimal.from('3999.5') }, 7999],
] as const)(
  'a membership at a price with %s, times %i, is shown with what it costs',
  async (_, quantity, terms, amount) => {
    const venue = await openVenue();
    const { user } = await venue.member();
    const { id, items } = await venue.subscription(user);
    const [item] = items.data;
    const price = await venue.stripe.prices.create({
      ...(terms as Partial<Stripe.PriceCreateParams>),
      ...{ currency: 'usd', product: String(item?.price.product), recurring: { interval: 'month' } },
    });
    await venue.stripe.subscriptions.update(id, {
      items: [{ id: item?.id ?? '', price: price.id, quantity }],
      proration_behavior: 'none',
    });
    await venue.billing.reconcile(user);
    expect(await venue.billing.getSubscriptionDetails(user)).toMatchObject({ amount });
    await venue.advance({ days: 31 });
    expect((await venue.state(user)).payments.at(-1)).toMatchObject({ paid: amount });
  },
);

test('a renewal that Stripe cannot finalize is a notice, and paid once it is finalized', async () => {
  const venue = await openVenue();
  const { user } = await venue.member();
  await venue.control('settings', { finalization: 'fails' });
  await venue.advance({ days: 31 });
  const [draft] = (await venue.stripe.invoices.list({ status: 'draft' })).data;
  expect(await venue.db.select().from(staff_notice)).toMatchObject([
    {
      kind: 'invoice_not_finalized',
      user_id: user,
      facts: {
        amount_cents: 3900,
        stripe_invoice_id: draft?.id,
        why: expect.stringContaining('valid customer address'),
      },
    },
  ]);
  await venue.control('settings', { finalization: 'succeeds' });
  await venue.stripe.invoices.finalizeInvoice(draft?.id ?? '');
  await venue.stripe.invoices.pay(draft?.id ?? '');
  await venue.delivered();
  expect(await glassesOf(venue, user)).toMatchObject({ period_pours: 4, when_paid: 0 });
});
