import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { list, type Route, route } from '../http/routes.ts';
import type { Customer } from '../http/wire.ts';
import { changed, emit, type World } from '../store/world.ts';
import { cancelNow } from '../subscriptions/subscription-end.ts';
import { addSource, refuseForeignSource } from './card-sources.ts';
import { collect } from './charging.ts';
import { createCustomer, findCustomer, NO_ADDRESS } from './customers.ts';

const address = p.record({
  city: p.clearable(p.text),
  country: p.clearable(p.text),
  line1: p.clearable(p.text),
  line2: p.clearable(p.text),
  postal_code: p.clearable(p.text),
  state: p.clearable(p.text),
});

const customerFields = {
  address: p.clearable(address),
  balance: p.integer,
  email: p.clearable(p.email),
  invoice_settings: p.record({ default_payment_method: p.clearable(p.text) }),
  metadata: p.metadata,
  name: p.clearable(p.text),
  source: p.text,
};

function apply(
  world: World,
  customer: Customer,
  fields: Partial<p.Params<typeof customerFields>> & { default_source?: string },
): void {
  const { invoice_settings, address, source, default_source, ...plain } = fields;
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
  if (source) addSource(world, customer, source, true);
  if (default_source) {
    refuseForeignSource(world, customer.id, default_source);
    customer.default_source = default_source;
  }
}

/** A new source retries the newest open invoice of each subscription that is past due, beside the automatic attempts. */
function retryOverdue(world: World, customer: string): void {
  for (const subscription of Object.values(world.state.subscriptions)) {
    if (subscription.customer !== customer || subscription.status !== 'past_due') continue;
    const invoice = world.state.invoices[String(subscription.latest_invoice)];
    if (invoice?.status === 'open' && invoice.auto_advance) collect(world, invoice, { byHand: true });
  }
}

export const customerRoutes: Route[] = [
  route('POST', '/v1/customers', { ...customerFields, test_clock: p.text }, ({ world, params }) => {
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
  route(
    'POST',
    '/v1/customers/:id',
    { ...customerFields, default_source: p.text },
    ({ world, id, params }) => {
      const customer = findCustomer(world, id);
      changed(world, 'customer.updated', customer, () => apply(world, customer, params));
      if (params.source) retryOverdue(world, customer.id);
      return customer;
    },
  ),
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
