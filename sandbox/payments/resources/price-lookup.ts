import { invalid, missing } from '../http/errors.ts';
import type { Plan, Price } from '../http/wire.ts';
import type { World } from '../store/world.ts';

export function findPrice(world: World, id: string, param?: string): Price {
  const found = world.state.prices[id];
  if (!found) throw missing('price', id, param ?? 'id', param ? 400 : 404);
  return found;
}

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

/** Finds a recurring, active price. Throws 400 in Stripe's words. */
export function sellablePrice(world: World, id: string, param: string): RecurringPrice {
  const price = recurringPrice(world, id, param);
  if (!price.active)
    throw invalid('The price specified is inactive. This field only accepts active prices.', param);
  return price;
}

/** The legacy plan of a recurring price, which subscription items still contain. */
export function planOf(price: Price): Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: price.billing_scheme,
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: price.recurring?.interval_count ?? 1,
    livemode: false,
    metadata: price.metadata,
    meter: null,
    nickname: price.nickname,
    product: price.product,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  };
}
