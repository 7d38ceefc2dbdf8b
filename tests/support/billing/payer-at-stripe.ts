import { v7 } from 'uuid';
import type { Venue } from './venue.ts';

export interface PayerAtStripe {
  customer: string;
  subscription: string;
}

/**
 * Someone who pays for select at Stripe and has no account here, as after a backup from before they joined was restored. The
 * sandbox's events of it are lost.
 */
export async function payerAtStripe(
  { stripe, billing, delivered, webhooks }: Venue,
  {
    email = 'ada@example.test',
    name = 'Ada Vine',
    user_id = v7() as string,
    price = '',
    card = 'pm_card_visa',
  } = {},
): Promise<PayerAtStripe> {
  await webhooks('drop');
  await billing.setUpStripe();
  const tier = (await stripe.prices.list({ limit: 100 })).data.find(
    ({ metadata }) => metadata.tier === 'select',
  );
  const customer = await stripe.customers.create({ email, name, metadata: { user_id } });
  const method = await stripe.paymentMethods.attach(card, { customer: customer.id });
  await stripe.customers.update(customer.id, { invoice_settings: { default_payment_method: method.id } });
  const { id } = await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: price || tier?.id }],
  });
  await delivered();
  await webhooks('normal');
  return { customer: customer.id, subscription: id };
}
