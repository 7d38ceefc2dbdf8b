import type Stripe from 'stripe';
import { createPayer, createTiers, type Harness } from './harness.ts';

export const DAY = 86_400;
/** Epoch seconds of an ISO time. */
export const seconds = (iso: string) => Date.parse(iso) / 1000;
/** The day of epoch seconds, 'YYYY-MM-DD'. */
export const iso = (at: number | undefined) => new Date((at ?? 0) * 1000).toISOString().slice(0, 10);

/** Creates a member on a test clock that starts at `start`; `to` advances it. */
export async function member(harness: Harness, start: string, card = 'pm_card_visa') {
  const { stripe } = harness;
  const tiers = await createTiers(stripe);
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: seconds(start) });
  const customer = await createPayer(stripe, card, clock.id);
  const subscription = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: tiers.premier.id }],
  });
  const to = async (moment: string | number) => {
    await stripe.testHelpers.testClocks.advance(clock.id, {
      frozen_time: typeof moment === 'string' ? seconds(moment) : moment,
    });
    return stripe.subscriptions.retrieve(subscription.id, { expand: ['latest_invoice'] });
  };
  return { ...tiers, clock, customer, subscription, to };
}

/** Makes the customer's default card fail from now on. */
export async function failCard(stripe: Stripe, customer: string) {
  const method = await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer });
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method.id } });
}
