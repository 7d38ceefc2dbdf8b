import type Stripe from 'stripe';
import { cardDeclined, invalid } from '../http/errors.ts';
import * as p from '../http/params.ts';
import { list, type Route, route } from '../http/routes.ts';
import { pageInOrder } from '../http/wire.ts';
import { collect, settle } from '../resources/charging.ts';
import { findPaymentMethod } from '../resources/payment-methods.ts';
import { cancelPayment } from '../resources/payment-records.ts';
import { voidWithUpdate } from '../subscriptions/pending-update.ts';
import { forgive } from '../subscriptions/subscription-status.ts';
import { finalize, findInvoice, markUncollectible, subscriptionOf } from './invoices.ts';

export const invoiceRoutes: Route[] = [
  list(
    '/v1/invoices',
    (state) => state.invoices,
    { customer: p.text, status: p.word<Stripe.InvoiceListParams.Status>(), subscription: p.text },
    { subscription: ({ parent }, id) => parent?.subscription_details?.subscription === id },
  ),
  route('GET', '/v1/invoices/:id', {}, ({ world, id }) => findInvoice(world, id)),
  route('GET', '/v1/invoices/:id/lines', p.paging, ({ world, id, params }) => {
    const { lines } = world.previews.get(id) ?? findInvoice(world, id);
    return pageInOrder(lines.data, params, lines.url);
  }),
  list('/v1/invoice_payments', (state) => state.invoice_payments, { invoice: p.text }),
  route(
    'POST',
    '/v1/invoices/:id/pay',
    { paid_out_of_band: p.flag, payment_method: p.text },
    ({ world, id, params }) => {
      const invoice = findInvoice(world, id);
      if (invoice.status === 'paid') throw invalid('Invoice is already paid');
      if (invoice.status === 'void') throw invalid('Invoice is void and can not be paid.');
      const method = params.payment_method
        ? findPaymentMethod(world, params.payment_method, 'payment_method')
        : undefined;
      if (method && method.customer !== invoice.customer)
        throw invalid('The payment method must belong to the customer of the invoice.', 'payment_method');
      if (invoice.status === 'draft') finalize(world, invoice);
      if (params.paid_out_of_band) {
        cancelPayment(world, invoice);
        settle(world, invoice);
        return invoice;
      }
      const outcome = collect(world, invoice, { method, byHand: true });
      if (outcome.paid) return invoice;
      if (outcome.reason === 'declined') throw cardDeclined(outcome.decline);
      if (outcome.reason === 'authentication')
        throw cardDeclined({
          code: 'invoice_payment_intent_requires_action',
          message:
            'This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.',
        });
      throw invalid(
        'There is no `default_payment_method` set on this Customer or Invoice. Please attach one before paying.',
        undefined,
        'resource_missing',
      );
    },
  ),
  route('POST', '/v1/invoices/:id/finalize', { auto_advance: p.flag }, ({ world, id, params }) => {
    const invoice = findInvoice(world, id);
    if (invoice.status !== 'draft') throw invalid('This invoice is already finalized.');
    finalize(world, invoice);
    if (params.auto_advance !== undefined) invoice.auto_advance = params.auto_advance;
    return invoice;
  }),
  route('POST', '/v1/invoices/:id/void', {}, ({ world, id }) => {
    const invoice = findInvoice(world, id);
    if (invoice.status !== 'open' && invoice.status !== 'uncollectible')
      throw invalid("You can only pass in open invoices. This invoice isn't open.");
    voidWithUpdate(world, invoice);
    return invoice;
  }),
  route('POST', '/v1/invoices/:id/mark_uncollectible', {}, ({ world, id }) => {
    const invoice = findInvoice(world, id);
    if (invoice.status !== 'open')
      throw invalid("You can only pass in open invoices. This invoice isn't open.");
    markUncollectible(world, invoice, 'user_forgiven');
    const subscription = subscriptionOf(world, invoice);
    if (subscription) forgive(world, subscription);
    return invoice;
  }),
];
