import { blank } from '../http/blank.ts';
import { invalid, missing } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { list, type Route, route } from '../http/routes.ts';
import type { Customer } from '../http/wire.ts';
import { changed, emit, finder, newId, timeOf, type World } from '../store/world.ts';
import { cancelNow } from '../subscriptions/subscription-end.ts';

export const NO_ADDRESS = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
};

const address = p.record({
  city: p.clearable(p.text),
  country: p.clearable(p.text),
  line1: p.clearable(p.text),
  line2: p.clearable(p.text),
  postal_code: p.clearable(p.text),
  state: p.clearable(p.text),
});

const common = {
  address: p.clearable(address),
  balance: p.integer,
  email: p.clearable(p.email),
  invoice_settings: p.record({ default_payment_method: p.clearable(p.text) }),
  metadata: p.metadata,
  name: p.clearable(p.text),
};

/** Finds a customer that is not deleted. Throws 404, or 400 for an id in a parameter. */
export const findCustomer = finder('customer', (state) => state.customers);

/** Creates a customer, with its event. `test_clock` binds it and all its objects to that clock. */
export function createCustomer(
  world: World,
  fields: {
    email?: string | null;
    name?: string | null;
    metadata?: Record<string, string>;
    test_clock?: string;
  },
): Customer {
  const clock = fields.test_clock ?? null;
  if (clock && !world.state.test_clocks[clock]) throw missing('test clock', clock, 'test_clock', 400);
  const customer: Customer = {
    ...blank('customer'),
    address: null,
    currency: null,
    customer_account: null,
    discount: null,
    phone: null,
    preferred_locales: [],
    id: newId('cus', 14),
    balance: 0,
    created: timeOf(world, clock),
    delinquent: false,
    email: fields.email ?? null,
    invoice_prefix: newId('x', 8).slice(2).toUpperCase(),
    metadata: fields.metadata ?? {},
    name: fields.name ?? null,
    next_invoice_sequence: 1,
    tax_exempt: 'none',
    test_clock: clock,
  };
  world.state.customers[customer.id] = customer;
  return customer;
}

function apply(world: World, customer: Customer, fields: Partial<p.Params<typeof common>>): void {
  const { invoice_settings, address, ...plain } = fields;
  p.applyFields(customer, plain);
  if (address !== undefined) customer.address = address && { ...NO_ADDRESS, ...address };
  const card = invoice_settings?.default_payment_method;
  if (card !== undefined) {
    if (card !== null && world.state.payment_methods[card]?.customer !== customer.id)
      throw invalid(
        `The customer does not have a payment method with the ID ${card}. The payment method must be attached to the customer.`,
        'invoice_settings[default_payment_method]',
        'resource_missing',
      );
    customer.invoice_settings.default_payment_method = card;
  }
}

export const customerRoutes: Route[] = [
  route('POST', '/v1/customers', { ...common, test_clock: p.text }, ({ world, params }) => {
    const { test_clock, ...fields } = params;
    const customer = createCustomer(world, { test_clock });
    apply(world, customer, fields);
    emit(world, 'customer.created', customer);
    return customer;
  }),
  list('/v1/customers', (state) => state.customers, { email: p.text }),
  route('GET', '/v1/customers/:id', {}, ({ world, id }) => {
    return world.state.deleted_customers[id] ?? findCustomer(world, id);
  }),
  route('POST', '/v1/customers/:id', common, ({ world, id, params }) => {
    const customer = findCustomer(world, id);
    changed(world, 'customer.updated', customer, () => apply(world, customer, params));
    return customer;
  }),
  route('DELETE', '/v1/customers/:id', {}, ({ world, id }) => {
    const customer = findCustomer(world, id);
    for (const subscription of Object.values(world.state.subscriptions))
      if (subscription.customer === id && subscription.ended_at === null) cancelNow(world, subscription);
    emit(world, 'customer.deleted', customer);
    delete world.state.customers[id];
    world.state.deleted_customers[id] = { id, object: 'customer', deleted: true };
    return world.state.deleted_customers[id];
  }),
];
