import { blank } from '../http/blank.ts';
import type { CheckoutSession, InvoiceLine, LineItem, PaymentIntent } from '../http/wire.ts';
import { settle } from '../resources/charging.ts';
import { linkPayment } from '../resources/payment-records.ts';
import { clockOf, emit, newId, timeOf, type World } from '../store/world.ts';
import { taxOn, totalsOf } from './amount-due.ts';
import { newInvoice, publish } from './invoices.ts';

/** A paid page's line on its invoice. Stripe makes an invoice item of it. */
function invoiceLine(world: World, item: LineItem, now: number, isTaxed: boolean): InvoiceLine {
  const { price, currency, description, quantity, amount_subtotal: amount } = item;
  return {
    ...blank('line_item'),
    discount_amounts: [],
    pretax_credit_amounts: [],
    taxes: isTaxed ? [taxOn(world, amount, price?.tax_behavior)] : [],
    id: newId('il'),
    ...{ amount, currency, description, discountable: true },
    parent: {
      invoice_item_details: {
        invoice_item: newId('ii'),
        proration: false,
        proration_details: { credited_items: null },
        subscription: null,
      },
      subscription_item_details: null,
      type: 'invoice_item_details',
    },
    period: { start: now, end: now },
    pricing: {
      price_details: { price: price?.id ?? '', product: price?.product ?? '' },
      type: 'price_details',
      unit_amount_decimal: price?.unit_amount_decimal ?? null,
    },
    quantity,
    quantity_decimal: String(quantity ?? 1),
    subtotal: amount,
  };
}

/** Makes the invoice of a page in payment mode, paid by the intent that has just been charged. Emits `invoice.paid`. */
export function createPostPaymentInvoice(
  world: World,
  session: CheckoutSession,
  items: LineItem[],
  { id: payment_intent, customer }: PaymentIntent,
  data: { description: string | null; metadata: Record<string, string> },
): string {
  const test_clock = clockOf(world, customer);
  const now = timeOf(world, test_clock);
  const is_taxed = session.automatic_tax.enabled;
  const lines = items.map((item) => invoiceLine(world, item, now, is_taxed));
  const invoice = newInvoice(world, {
    id: newId('in'),
    customer: customer ?? '',
    currency: session.currency ?? 'usd',
    ...{ test_clock, is_taxed, lines, parent: null, default_tax_rates: [] },
    billing_reason: 'manual',
    collection_method: 'charge_automatically',
    ...totalsOf(lines),
  });
  // What was charged already takes nothing from the customer's balance.
  const amounts = { starting_balance: 0, ending_balance: 0, amount_due: invoice.total };
  Object.assign(invoice, amounts, data);
  world.state.invoices[invoice.id] = invoice;
  emit(world, 'invoice.created', invoice);
  publish(world, invoice);
  emit(world, 'invoice.finalized', invoice);
  const payment = linkPayment(world, invoice, payment_intent);
  payment.status = 'paid';
  payment.amount_paid = invoice.total;
  payment.status_transitions.paid_at = now;
  settle(world, invoice);
  return invoice.id;
}
