import type Stripe from 'stripe';
import { blank } from '../http/blank.ts';
import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { list, type Route, route } from '../http/routes.ts';
import type { Price, PriceTier } from '../http/wire.ts';
import { changed, emit, newId, timeOf, type World } from '../store/world.ts';
import { findPrice } from './price-lookup.ts';
import { findProduct } from './products.ts';

const interval = p.record({
  interval: p.needed(p.word<Stripe.PriceCreateParams.Recurring.Interval>()),
  interval_count: p.integer,
  meter: p.text,
  usage_type: p.oneOf('licensed', 'metered'),
});

const tierFields = {
  up_to: p.either(p.integer, p.oneOf('inf')),
  unit_amount: p.integer,
  unit_amount_decimal: p.decimal,
  flat_amount: p.integer,
};
const tier = p.record(tierFields);

function claimLookupKey(world: World, key: string, transfer: boolean): void {
  const holder = Object.values(world.state.prices).find((price) => price.lookup_key === key);
  if (!holder) return;
  if (!transfer)
    throw invalid(
      `A price (\`${holder.id}\`) already uses that lookup key (\`${key}\`). If you want to transfer it, set \`transfer_lookup_key\`.`,
      'lookup_key',
    );
  changed(world, 'price.updated', holder, () => {
    holder.lookup_key = null;
  });
}

const priceFields = {
  active: p.flag,
  lookup_key: p.clearable(p.text),
  metadata: p.metadata,
  nickname: p.clearable(p.text),
  tax_behavior: p.word<Stripe.PriceCreateParams.TaxBehavior>(),
  transfer_lookup_key: p.flag,
};

const newPrice = {
  ...priceFields,
  currency: p.needed(p.text),
  product: p.needed(p.text),
  recurring: interval,
  unit_amount: p.integer,
  unit_amount_decimal: p.decimal,
  billing_scheme: p.oneOf('per_unit', 'tiered'),
  tiers: p.listOf(tier),
  tiers_mode: p.oneOf('graduated', 'volume'),
};

const toTier = ({
  up_to,
  unit_amount,
  unit_amount_decimal,
  flat_amount,
}: p.Params<typeof tierFields>): PriceTier => {
  const unit = unit_amount_decimal ?? unit_amount;
  return {
    flat_amount: flat_amount ?? null,
    flat_amount_decimal: flat_amount === undefined ? null : String(flat_amount),
    unit_amount: Number.isInteger(unit) ? Number(unit) : null,
    unit_amount_decimal: unit === undefined ? null : String(unit),
    up_to: typeof up_to === 'number' ? up_to : null,
  };
};

/** Creates a price from Stripe's parameters; also for inline prices such as `price_data`. */
export function createPrice(world: World, params: p.Params<typeof newPrice>): Price {
  const isTiered = params.billing_scheme === 'tiered';
  const decimal = params.unit_amount_decimal ?? params.unit_amount;
  if (isTiered !== (params.tiers !== undefined && params.tiers_mode !== undefined))
    throw invalid('A tiered price needs `tiers` and `tiers_mode`, and only it has them.', 'tiers');
  if (decimal === undefined && !isTiered)
    throw invalid('Missing required param: unit_amount.', 'unit_amount', 'parameter_missing');
  if (Number(decimal ?? 0) < 0)
    throw invalid('Invalid non-negative integer', 'unit_amount', 'parameter_invalid_integer');
  if (!/^[a-z]{3}$/i.test(params.currency)) throw invalid(`Invalid currency: ${params.currency}`, 'currency');
  if ((params.recurring?.usage_type === 'metered') !== (params.recurring?.meter !== undefined))
    throw invalid('A metered price needs a meter, and only it has one.', 'recurring[meter]');
  if (params.lookup_key) claimLookupKey(world, params.lookup_key, params.transfer_lookup_key ?? false);
  const product = findProduct(world, params.product, 'product');
  const price: Price = {
    ...blank('price'),
    id: newId('price'),
    active: params.active ?? true,
    billing_scheme: params.billing_scheme ?? 'per_unit',
    created: timeOf(world),
    currency: params.currency.toLowerCase(),
    lookup_key: params.lookup_key ?? null,
    metadata: p.mergedMetadata({}, params.metadata),
    nickname: params.nickname ?? null,
    product: product.id,
    recurring: params.recurring
      ? {
          interval: params.recurring.interval,
          interval_count: params.recurring.interval_count ?? 1,
          meter: params.recurring.meter ?? null,
          trial_period_days: null,
          usage_type: params.recurring.usage_type ?? 'licensed',
        }
      : null,
    tax_behavior: params.tax_behavior ?? 'unspecified',
    tiers_mode: params.tiers_mode ?? null,
    type: params.recurring ? 'recurring' : 'one_time',
    unit_amount: Number.isInteger(decimal) ? Number(decimal) : null,
    unit_amount_decimal: decimal === undefined ? null : String(decimal),
  };
  if (params.tiers) world.state.price_tiers[price.id] = params.tiers.map(toTier);
  world.state.prices[price.id] = price;
  emit(world, 'price.created', price);
  return price;
}

export const priceRoutes: Route[] = [
  route('POST', '/v1/prices', newPrice, ({ world, params }) => createPrice(world, params)),
  list(
    '/v1/prices',
    (state) => state.prices,
    { active: p.flag, lookup_keys: p.listOf(p.text), product: p.text },
    { lookup_keys: ({ lookup_key }, keys) => keys.includes(lookup_key ?? '') },
  ),
  route('GET', '/v1/prices/:id', {}, ({ world, id }) => findPrice(world, id)),
  route('POST', '/v1/prices/:id', priceFields, ({ world, id, params }) => {
    const price = findPrice(world, id);
    const { transfer_lookup_key, ...fields } = params;
    if (fields.lookup_key && fields.lookup_key !== price.lookup_key)
      claimLookupKey(world, fields.lookup_key, transfer_lookup_key ?? false);
    changed(world, 'price.updated', price, () => p.applyFields(price, fields));
    return price;
  }),
];
