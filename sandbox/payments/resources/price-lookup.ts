import { blank } from '../http/blank.ts';
import { invalid, missing } from '../http/errors.ts';
import type { Customer, Plan, Price } from '../http/wire.ts';
import { finder, type World } from '../store/world.ts';

export const findPrice = finder('price', (state) => state.prices);

export type RecurringPrice = Price & { recurring: NonNullable<Price['recurring']> };

/** Finds a recurring price, active or not. Throws 400 for a one-time price. */
export function recurringPrice(world: World, id: string, param = 'price'): RecurringPrice {
  const price = findPrice(world, id, param);
  if (!price.recurring)
    throw invalid(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      param,
    );
  return { ...price, recurring: price.recurring };
}

/** Finds a recurring, active price of an active product. Throws 400 in Stripe's words. */
export function sellablePrice(world: World, id: string, param: string): RecurringPrice {
  const price = recurringPrice(world, id, param);
  if (!price.active)
    throw invalid('The price specified is inactive. This field only accepts active prices.', param);
  const product = world.state.products[price.product];
  if (product && !product.active)
    throw invalid(
      `The product ${product.id} is marked as inactive, and thus no new subscriptions can be create to any plans of this product. You provided the plan ${price.id}.`,
      param,
    );
  return price;
}

/** Finds the product of an inline price. Throws 400 in Stripe's words for an archived product. */
export function sellableProduct(world: World, id: string, param: string): string {
  const product = world.state.products[id];
  if (!product) throw missing('product', id, param, 400);
  if (!product.active)
    throw invalid(`The product ${id} is marked as inactive, and thus cannot be sold.`, param);
  return product.id;
}

export const isMetered = ({ recurring }: Pick<Price, 'recurring'>) => recurring?.usage_type === 'metered';

/** The quantity of an item, by default one; none if its price is metered. Throws 400 if a request has one for it. */
export function quantityOf(price: Price, quantity: number | undefined, param: string): number | undefined {
  if (!isMetered(price)) return quantity ?? 1;
  if (quantity === undefined) return undefined;
  throw invalid('Quantity should not be specified where usage_type is `metered`.', param);
}

/** The units of an item that a period charges. The sandbox counts no usage. */
export const billedQuantity = (item: { price: Price; quantity?: number }) =>
  isMetered(item.price) ? 0 : (item.quantity ?? 1);

/** What a period of an item costs, in whole cents; rounded half up (docs.stripe.com/products-prices/pricing-models). */
export function costOf(world: World, item: { price: Price; quantity?: number }): number {
  const { price } = item;
  const quantity = billedQuantity(item);
  const tiers = world.state.price_tiers[price.id];
  if (!tiers) return Math.round(Number(price.unit_amount_decimal ?? 0) * quantity);
  const position = tiers.findIndex(({ up_to }) => up_to === null || quantity <= up_to);
  const cents = tiers.slice(0, position + 1).map((tier, index) => {
    const floor = tiers[index - 1]?.up_to ?? 0;
    const units = index === position ? quantity - floor : (tier.up_to ?? 0) - floor;
    const count = price.tiers_mode === 'volume' ? quantity : units;
    return (tier.flat_amount ?? 0) + count * Number(tier.unit_amount_decimal ?? 0);
  });
  return Math.round(
    price.tiers_mode === 'volume' ? (cents.at(-1) ?? 0) : cents.reduce((sum, it) => sum + it, 0),
  );
}

/** A customer has one currency at a time. Throws 400 in Stripe's words while a subscription has a different one. */
export function refuseOtherCurrency(world: World, { id }: Customer, currency: string | undefined): void {
  const other = Object.values(world.state.subscriptions).find(
    (it) => it.customer === id && it.ended_at === null && it.currency !== currency,
  );
  if (!other) return;
  throw invalid(
    `You cannot combine currencies on a single customer. This customer has an active subscription, subscription schedule, discount, quote, or invoice item with currency ${other.currency}.`,
  );
}

/** The legacy plan of a recurring price, which subscription items still contain. */
export function planOf(price: Price): Plan {
  return {
    ...blank('plan'),
    id: price.id,
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    metadata: price.metadata,
    nickname: price.nickname,
    product: price.product,
    usage_type: price.recurring?.usage_type ?? 'licensed',
  };
}
