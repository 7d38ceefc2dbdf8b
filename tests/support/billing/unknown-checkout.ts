import { stripeCustomer } from './access-snapshot.ts';
import type { Venue } from './venue.ts';

/** A payment page of which our database knows nothing, as left over from a crash or made by hand. */
export async function strayPage(
  venue: Venue,
  user: string,
  metadata: Record<string, string> = {},
): Promise<string> {
  const customer = await stripeCustomer(venue.db, user);
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

/** What Stripe has of a user: statuses of subscriptions, and the money kept, in cents. */
export const atStripe = async (venue: Venue, user: string) => {
  const customer = await stripeCustomer(venue.db, user);
  const { data } = await venue.stripe.subscriptions.list({ customer, status: 'all' });
  const charges = await venue.stripe.charges.list({ customer });
  return {
    statuses: data.map(({ status }) => status).sort(),
    kept: charges.data.reduce((sum, it) => sum + it.amount - it.amount_refunded, 0),
  };
};
