import { blank } from '../http/blank.ts';
import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { list, type Route, route } from '../http/routes.ts';
import type { Product } from '../http/wire.ts';
import { changed, emit, finder, newId, timeOf, type World } from '../store/world.ts';

const productFields = {
  active: p.flag,
  description: p.clearable(p.text),
  metadata: p.metadata,
  name: p.text,
};

export const findProduct = finder('product', (state) => state.products);

function createProduct(world: World, fields: p.Params<typeof productFields> & { id?: string }): Product {
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
    metadata: p.mergedMetadata({}, fields.metadata),
    name: fields.name ?? '',
    type: 'service',
    updated: now,
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
  list('/v1/products', (state) => state.products, { active: p.flag }),
  route('GET', '/v1/products/:id', {}, ({ world, id }) => findProduct(world, id)),
  route('POST', '/v1/products/:id', productFields, ({ world, id, params }) => {
    const product = findProduct(world, id);
    changed(world, 'product.updated', product, () => {
      p.applyFields(product, params);
      product.updated = timeOf(world);
    });
    return product;
  }),
];
