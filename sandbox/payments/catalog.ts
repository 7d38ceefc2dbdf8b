import { invalid, missing } from './errors.ts';
import { newId } from './ids.ts';
import { page } from './lists.ts';
import * as p from './params.ts';
import { type Route, route } from './routes.ts';
import type { Plan, Price, Product } from './wire.ts';
import { changed, emit, timeOf, type World } from './world.ts';

const productFields = {
  active: p.flag,
  description: p.clearable(p.text),
  images: p.listOf(p.url),
  marketing_features: p.listOf(p.record({ name: p.needed(p.text) })),
  metadata: p.metadata,
  name: p.text,
  statement_descriptor: p.text,
  tax_code: p.clearable(p.text),
  unit_label: p.clearable(p.text),
  url: p.clearable(p.url),
};

const recurring = p.record({
  interval: p.needed(p.oneOf('day', 'week', 'month', 'year')),
  interval_count: p.integer,
  usage_type: p.oneOf('licensed'),
});

export function findProduct(world: World, id: string, param?: string): Product {
  const found = world.state.products[id];
  if (!found) throw missing('product', id, param ?? 'id', param ? 400 : 404);
  return found;
}

export function findPrice(world: World, id: string, param?: string): Price {
  const found = world.state.prices[id];
  if (!found) throw missing('price', id, param ?? 'id', param ? 400 : 404);
  return found;
}

export type RecurringPrice = Price & { recurring: NonNullable<Price['recurring']> };

/** A price that comes back every period, sold any more or not. Throws 400 for one-time prices. */
export function recurringPrice(world: World, id: string, param = 'price'): RecurringPrice {
  const price = findPrice(world, id, param);
  if (!price.recurring)
    throw invalid(
      'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
      param,
    );
  return { ...price, recurring: price.recurring };
}

/** A price that can be chosen now: recurring and active. Throws 400 as Stripe words it. */
export function sellablePrice(world: World, id: string, param: string): RecurringPrice {
  const price = recurringPrice(world, id, param);
  if (!price.active)
    throw invalid('The price specified is inactive. This field only accepts active prices.', param);
  return price;
}

/** The older face of a recurring price, which subscription items still carry beside it. */
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

function createProduct(world: World, fields: p.Params<typeof productFields> & { id?: string }): Product {
  if (fields.id && world.state.products[fields.id])
    throw invalid('Product already exists.', 'id', 'resource_already_exists');
  const now = timeOf(world);
  const product: Product = {
    id: fields.id ?? newId('prod', 14),
    object: 'product',
    active: fields.active ?? true,
    created: now,
    default_price: null,
    description: fields.description ?? null,
    images: fields.images ?? [],
    livemode: false,
    marketing_features: fields.marketing_features ?? [],
    metadata: p.mergedMetadata({}, fields.metadata),
    name: fields.name ?? '',
    package_dimensions: null,
    shippable: null,
    statement_descriptor: fields.statement_descriptor ?? null,
    tax_code: fields.tax_code ?? null,
    tax_details: null,
    type: 'service',
    unit_label: fields.unit_label ?? null,
    updated: now,
    url: fields.url ?? null,
  };
  world.state.products[product.id] = product;
  emit(world, 'product.created', product);
  return product;
}

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
  tax_behavior: p.oneOf('exclusive', 'inclusive', 'unspecified'),
  transfer_lookup_key: p.flag,
};

const newPrice = {
  ...priceFields,
  currency: p.needed(p.text),
  product: p.text,
  product_data: p.record({
    active: p.flag,
    id: p.text,
    metadata: p.metadata,
    name: p.needed(p.text),
    statement_descriptor: p.text,
    unit_label: p.text,
  }),
  recurring,
  unit_amount: p.integer,
  billing_scheme: p.oneOf('per_unit'),
};

/** Creates a price from parameters in Stripe's form; also used for `price_data`-like inline prices. */
export function createPrice(world: World, params: p.Params<typeof newPrice>): Price {
  if (!params.product === !params.product_data)
    throw invalid('You must specify either `product` or `product_data`.', 'product', 'parameter_missing');
  if (params.unit_amount === undefined)
    throw invalid('Missing required param: unit_amount.', 'unit_amount', 'parameter_missing');
  if (params.unit_amount < 0)
    throw invalid('Invalid non-negative integer', 'unit_amount', 'parameter_invalid_integer');
  if (!/^[a-z]{3}$/i.test(params.currency)) throw invalid(`Invalid currency: ${params.currency}`, 'currency');
  if (params.lookup_key) claimLookupKey(world, params.lookup_key, params.transfer_lookup_key ?? false);
  const product = params.product_data
    ? createProduct(world, params.product_data)
    : findProduct(world, params.product ?? '', 'product');
  const price: Price = {
    id: newId('price'),
    object: 'price',
    active: params.active ?? true,
    billing_scheme: 'per_unit',
    created: timeOf(world),
    currency: params.currency.toLowerCase(),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: params.lookup_key ?? null,
    metadata: p.mergedMetadata({}, params.metadata),
    nickname: params.nickname ?? null,
    product: product.id,
    recurring: params.recurring
      ? {
          interval: params.recurring.interval,
          interval_count: params.recurring.interval_count ?? 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: params.tax_behavior ?? 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: params.recurring ? 'recurring' : 'one_time',
    unit_amount: params.unit_amount,
    unit_amount_decimal: String(params.unit_amount),
  };
  world.state.prices[price.id] = price;
  emit(world, 'price.created', price);
  return price;
}

export const catalogRoutes: Route[] = [
  route(
    'POST',
    '/v1/products',
    { ...productFields, name: p.needed(p.text), id: p.text },
    ({ world, params }) => createProduct(world, params),
  ),
  route(
    'GET',
    '/v1/products',
    { ...p.paging, active: p.flag, ids: p.listOf(p.text), created: p.range },
    ({ world, params }) =>
      page(
        Object.values(world.state.products).filter(
          (product) =>
            (params.active === undefined || product.active === params.active) &&
            (params.ids === undefined || params.ids.includes(product.id)) &&
            (params.created === undefined || params.created(product.created)),
        ),
        params,
        '/v1/products',
      ),
  ),
  route('GET', '/v1/products/:id', {}, ({ world, id }) => findProduct(world, id)),
  route('POST', '/v1/products/:id', { ...productFields, default_price: p.text }, ({ world, id, params }) => {
    const product = findProduct(world, id);
    const { metadata, ...plain } = params;
    if (plain.default_price) findPrice(world, plain.default_price, 'default_price');
    changed(world, 'product.updated', product, () => {
      Object.assign(product, plain);
      if (metadata !== undefined) product.metadata = p.mergedMetadata(product.metadata, metadata);
      product.updated = timeOf(world);
    });
    return product;
  }),
  route('DELETE', '/v1/products/:id', {}, ({ world, id }) => {
    const product = findProduct(world, id);
    if (Object.values(world.state.prices).some((price) => price.product === id))
      throw invalid('This product cannot be deleted because it has one or more user-created prices.');
    emit(world, 'product.deleted', product);
    delete world.state.products[id];
    return { id, object: 'product', deleted: true };
  }),
  route('POST', '/v1/prices', newPrice, ({ world, params }) => createPrice(world, params)),
  route(
    'GET',
    '/v1/prices',
    {
      ...p.paging,
      active: p.flag,
      created: p.range,
      currency: p.text,
      lookup_keys: p.listOf(p.text),
      product: p.text,
      recurring: p.record({
        interval: p.oneOf('day', 'week', 'month', 'year'),
        usage_type: p.oneOf('licensed'),
      }),
      type: p.oneOf('one_time', 'recurring'),
    },
    ({ world, params }) =>
      page(
        Object.values(world.state.prices).filter(
          (price) =>
            (params.active === undefined || price.active === params.active) &&
            (params.created === undefined || params.created(price.created)) &&
            (params.currency === undefined || price.currency === params.currency) &&
            (params.lookup_keys === undefined || params.lookup_keys.includes(price.lookup_key ?? '')) &&
            (params.product === undefined || price.product === params.product) &&
            (params.recurring?.interval === undefined ||
              price.recurring?.interval === params.recurring.interval) &&
            (params.type === undefined || price.type === params.type),
        ),
        params,
        '/v1/prices',
      ),
  ),
  route('GET', '/v1/prices/:id', {}, ({ world, id }) => findPrice(world, id)),
  route('POST', '/v1/prices/:id', priceFields, ({ world, id, params }) => {
    const price = findPrice(world, id);
    const { metadata, transfer_lookup_key, ...plain } = params;
    if (plain.lookup_key && plain.lookup_key !== price.lookup_key)
      claimLookupKey(world, plain.lookup_key, transfer_lookup_key ?? false);
    changed(world, 'price.updated', price, () => {
      Object.assign(price, plain);
      if (metadata !== undefined) price.metadata = p.mergedMetadata(price.metadata, metadata);
    });
    return price;
  }),
];
