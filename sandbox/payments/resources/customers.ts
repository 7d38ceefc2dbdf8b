import { blank } from '../http/blank.ts';
import { missing } from '../http/errors.ts';
import type { Customer } from '../http/wire.ts';
import { finder, newId, timeOf, type World } from '../store/world.ts';

export const NO_ADDRESS = {
  city: null,
  country: null,
  line1: null,
  line2: null,
  postal_code: null,
  state: null,
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
