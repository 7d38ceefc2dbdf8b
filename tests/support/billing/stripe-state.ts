import { stripeCustomerId } from './member-state.ts';
import type { Venue } from './venue.ts';

/**
 * Creates a payment page unknown to our database, as a crash or someone in Stripe's dashboard would leave
 * behind. Returns its URL.
 */
export async function createUnknownCheckout(
  venue: Venue,
  user: string,
  metadata: Record<string, string> = {},
): Promise<string> {
  const customer = await stripeCustomerId(venue.db, user);
  const [price] = (await venue.stripe.prices.list()).data;
  const session = await venue.stripe.checkout.sessions.create({
    mode: 'subscription',
    customer,
    line_items: [{ price: price?.id, quantity: 1 }],
    success_url: 'https://club.example/payment-success',
    subscription_data: { metadata },
  });
  return session.url ?? '';
}

/** The statuses of a user's subscriptions at Stripe, and the unrefunded money in cents. */
export const stripeState = async (venue: Venue, user: string) => {
  const customer = await stripeCustomerId(venue.db, user);
  const { data } = await venue.stripe.subscriptions.list({ customer, status: 'all' });
  const charges = await venue.stripe.charges.list({ customer });
  return {
    statuses: data.map(({ status }) => status).sort(),
    kept: charges.data.reduce((sum, it) => sum + it.amount - it.amount_refunded, 0),
  };
};
