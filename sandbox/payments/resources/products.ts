import { blank } from '../http/blank.ts';
import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { list, type Route, route } from '../http/routes.ts';
import type { Product } from '../http/wire.ts';
import { changed, emit, finder, newId, timeOf, type World } from '../store/world.ts';
import { findPrice } from './price-lookup.ts';

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

export const findProduct = finder('product', (state) => state.products);

/** Creates a product, with its event. Throws 400 if the id is taken. */
export function createProduct(
  world: World,
  fields: p.Params<typeof productFields> & { id?: string },
): Product {
  if (fields.id && world.state.products[fields.id])
    throw invalid('Product already exists.', 'id', 'resource_already_exists');
  const now = timeOf(world);
  const product: Product = {
    ...blank('product'),
    default_price: null,
    id: fields.id ?? newId('prod', 14),
    active: fields.active ?? true,
    created: now,
    description: fields.description ?? null,
    images: fields.images ?? [],
    marketing_features: fields.marketing_features ?? [],
    metadata: p.mergedMetadata({}, fields.metadata),
    name: fields.name ?? '',
    statement_descriptor: fields.statement_descriptor ?? null,
    tax_code: fields.tax_code ?? null,
    type: 'service',
    unit_label: fields.unit_label ?? null,
    updated: now,
    url: fields.url ?? null,
  };
  world.state.products[product.id] = product;
  emit(world, 'product.created', product);
  return product;
}

export const productRoutes: Route[] = [
  route(
    'POST',
    '/v1/products',
    { ...productFields, name: p.needed(p.text), id: p.text },
    ({ world, params }) => createProduct(world, params),
  ),
  list(
    '/v1/products',
    (state) => state.products,
    { active: p.flag, ids: p.listOf(p.text), created: p.range },
    { ids: ({ id }, ids) => ids.includes(id) },
  ),
  route('GET', '/v1/products/:id', {}, ({ world, id }) => findProduct(world, id)),
  route('POST', '/v1/products/:id', { ...productFields, default_price: p.text }, ({ world, id, params }) => {
    const product = findProduct(world, id);
    if (params.default_price) findPrice(world, params.default_price, 'default_price');
    changed(world, 'product.updated', product, () => {
      p.applyFields(product, params);
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
];
