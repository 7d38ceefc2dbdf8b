import type Stripe from 'stripe';
import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import type { Price } from '../http/wire.ts';
import { charged } from '../invoices/amount-due.ts';
import type { World } from '../store/world.ts';
import { newId } from '../store/world.ts';
import { money } from './money.ts';
import { sellablePrice, sellableProduct } from './price-lookup.ts';
import { createPrice } from './prices.ts';

/** A line item as sent: a price, or an inline one. */
export const itemFields = p.record({
  price: p.text,
  price_data: p.record({
    currency: p.needed(p.text),
    product: p.needed(p.text),
    tax_behavior: p.word<Stripe.Checkout.SessionCreateParams.LineItem.PriceData.TaxBehavior>(),
    unit_amount: p.needed(p.integer),
  }),
  quantity: p.integer,
});
type Item = ReturnType<typeof itemFields.read>;

interface SessionItem {
  id: string;
  price: Price;
  quantity: number;
}

/**
 * The line items of a new session. The sandbox sells subscriptions by recurring prices, and one-time payments only by
 * inline prices. Throws 400 in Stripe's words.
 */
export function sessionItems(world: World, mode: 'subscription' | 'payment', items: Item[]): SessionItem[] {
  const read = items.map((item, index) => ({
    id: newId('li'),
    price: priceOf(world, mode, item, `line_items[${index}]`),
    quantity: item.quantity ?? 1,
  }));
  if (read.some((item) => item.quantity < 1))
    throw invalid(
      'This value must be greater than or equal to 1.',
      'line_items[0][quantity]',
      'parameter_invalid_integer',
    );
  if (new Set(read.map((item) => item.price.currency)).size > 1)
    throw invalid('All prices on a Checkout session must have the same currency.', 'line_items');
  return read;
}

function priceOf(world: World, mode: 'subscription' | 'payment', item: Item, path: string): Price {
  if (!item.price === !item.price_data)
    throw invalid(`You must specify either \`${path}[price]\` or \`${path}[price_data]\`.`, path);
  if (mode === 'subscription') {
    if (!item.price)
      throw invalid('You must provide at least one recurring price in `subscription` mode.', 'line_items');
    return sellablePrice(world, item.price, `${path}[price]`);
  }
  if (!item.price_data)
    throw invalid(
      'You specified `payment` mode but passed a recurring price. Either switch to `subscription` mode or use only one-time prices.',
      'line_items',
    );
  sellableProduct(world, item.price_data.product, `${path}[price_data][product]`);
  // Stripe makes an inline price into one that cannot be sold again.
  return createPrice(world, { ...item.price_data, active: false });
}

/** Throws 400 if the amount is below Stripe's minimum charge. */
export function refuseTooSmall(total: number, currency: string): void {
  if (charged(total, currency).due > 0) return;
  throw invalid(
    `The Checkout Session's total amount due must add up to more than ${money(total, currency)}.`,
    undefined,
    'amount_too_small',
  );
}
