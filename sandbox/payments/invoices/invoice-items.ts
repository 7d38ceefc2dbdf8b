import { blank } from '../http/blank.ts';
import { invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { list, type Route, route } from '../http/routes.ts';
import type { InvoiceItem, InvoiceLine } from '../http/wire.ts';
import { findCustomer } from '../resources/customers.ts';
import { emit, finder, newId, timeOf } from '../store/world.ts';
import { findSubscription } from '../subscriptions/subscriptions.ts';

const findInvoiceItem = finder('invoiceitem', (state) => state.invoice_items);

function lineOf(item: InvoiceItem, subscription: string | null): InvoiceLine {
  return {
    ...blank('line_item'),
    discount_amounts: [],
    pretax_credit_amounts: [],
    taxes: [],
    id: newId('il'),
    amount: item.amount,
    currency: item.currency,
    description: item.description,
    discountable: item.discountable,
    parent: {
      invoice_item_details: {
        invoice_item: item.id,
        proration: false,
        proration_details: { credited_items: null },
        subscription,
      },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
    period: item.period,
    quantity: item.quantity,
    quantity_decimal: item.quantity_decimal,
    subscription,
    subtotal: item.amount,
  };
}

export const invoiceItemRoutes: Route[] = [
  route(
    'POST',
    '/v1/invoiceitems',
    {
      amount: p.needed(p.integer),
      currency: p.needed(p.text),
      customer: p.needed(p.text),
      description: p.text,
      discountable: p.flag,
      metadata: p.metadata,
      subscription: p.text,
    },
    ({ world, params }) => {
      const customer = findCustomer(world, params.customer, 'customer');
      const subscription = params.subscription
        ? findSubscription(world, params.subscription, 'subscription')
        : null;
      if (subscription && (subscription.customer !== customer.id || subscription.ended_at !== null))
        throw invalid('The subscription must be a current one of the customer.', 'subscription');
      const date = timeOf(world, customer.test_clock ?? null);
      const item: InvoiceItem = {
        ...blank('invoiceitem'),
        id: newId('ii'),
        amount: params.amount,
        currency: params.currency.toLowerCase(),
        customer: customer.id,
        date,
        description: params.description ?? null,
        discountable: params.discountable ?? params.amount >= 0,
        metadata: p.mergedMetadata({}, params.metadata),
        parent: subscription
          ? { subscription_details: { subscription: subscription.id }, type: 'subscription_details' }
          : null,
        period: { start: date, end: date },
        proration: false,
        quantity: 1,
        quantity_decimal: '1',
        test_clock: customer.test_clock ?? null,
      };
      world.state.invoice_items[item.id] = item;
      world.state.pending_items.push({
        customer: customer.id,
        subscription: subscription?.id ?? null,
        line: lineOf(item, subscription?.id ?? null),
        invoice_item: item.id,
      });
      emit(world, 'invoiceitem.created', item);
      return item;
    },
  ),
  list(
    '/v1/invoiceitems',
    (state) => state.invoice_items,
    { customer: p.text, invoice: p.text, pending: p.flag },
    { pending: ({ invoice }, isPending) => (invoice === null) === isPending },
  ),
  route('GET', '/v1/invoiceitems/:id', {}, ({ world, id }) => findInvoiceItem(world, id)),
  route('DELETE', '/v1/invoiceitems/:id', {}, ({ world, id }) => {
    const item = findInvoiceItem(world, id);
    if (item.invoice !== null)
      throw invalid('The invoice item is attached to an invoice and cannot be deleted.', 'id');
    delete world.state.invoice_items[id];
    world.state.pending_items = world.state.pending_items.filter(({ invoice_item }) => invoice_item !== id);
    emit(world, 'invoiceitem.deleted', item);
    return { id, object: 'invoiceitem', deleted: true };
  }),
];
