import { blank } from '../http/blank.ts';
import type { Invoice, InvoiceLine, Subscription } from '../http/wire.ts';
import { whole } from '../http/wire.ts';
import { openPayment } from '../resources/payment-records.ts';
import { changed, emit, finder, newId, timeOf, type World } from '../store/world.ts';
import { firstEnd } from '../subscriptions/periods.ts';
import { charged, taxedTotals } from './amount-due.ts';
import { restoreBalance, spendBalance } from './balance.ts';
import { discountInvoice, spendOnceDiscounts } from './discounts.ts';
import { takeWaiting } from './pending-items.ts';

type Reason = NonNullable<Invoice['billing_reason']>;

export const findInvoice = finder('invoice', (state) => state.invoices);

/** The subscription of an invoice, if it still exists. */
export function subscriptionOf(world: World, invoice: Invoice): Subscription | null {
  const id = invoice.parent?.subscription_details?.subscription;
  return (id && world.state.subscriptions[id]) || null;
}

type Billed = Pick<
  Invoice,
  | 'billing_reason'
  | 'collection_method'
  | 'currency'
  | 'default_tax_rates'
  | 'parent'
  | 'test_clock'
  | 'subtotal'
  | 'subtotal_excluding_tax'
  | 'total'
  | 'total_excluding_tax'
  | 'total_taxes'
> & { id: string; customer: string; is_taxed: boolean; lines: InvoiceLine[] };

/** A draft that is not stored. */
export function newInvoice(
  world: World,
  { id, customer: customer_id, is_taxed: isTaxed, lines, ...billed }: Billed,
): Invoice {
  const now = timeOf(world, billed.test_clock);
  const customer = world.state.customers[customer_id];
  const balance = customer?.balance ?? 0;
  const { due } = charged(billed.total + balance, billed.currency);
  for (const line of lines) line.invoice = id;
  return {
    ...blank('invoice'),
    customer_tax_ids: [],
    hosted_invoice_url: null,
    invoice_pdf: null,
    metadata: {},
    total_discount_amounts: [],
    total_pretax_credit_amounts: [],
    id,
    account_country: 'US',
    account_name: world.state.settings.account_name,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: {
      disabled_reason: null,
      enabled: isTaxed,
      liability: isTaxed ? { type: 'self' } : null,
      provider: isTaxed ? 'stripe' : null,
      status: isTaxed ? 'complete' : null,
    },
    created: now,
    customer: customer_id,
    customer_address: customer?.address ?? null,
    customer_email: customer?.email ?? null,
    customer_name: customer?.name ?? null,
    customer_phone: customer?.phone ?? null,
    customer_tax_exempt: 'none',
    issuer: { type: 'self' },
    lines: whole(lines, `/v1/invoices/${id}/lines`),
    period_end: now,
    period_start: now,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: balance,
    status: 'draft',
    webhooks_delivered_at: now,
    ...billed,
  };
}

/** Builds an invoice without storing it or emitting an event; enough for a preview. */
export function buildInvoice(
  world: World,
  subscription: Subscription,
  reason: Reason,
  lines: InvoiceLine[],
  id = newId('in'),
): Invoice {
  const now = timeOf(world, subscription.test_clock);
  const { customer, currency, collection_method, test_clock, default_tax_rates } = subscription;
  const invoice = newInvoice(world, {
    ...{ id, customer, currency, collection_method, test_clock, lines },
    billing_reason: reason,
    default_tax_rates: default_tax_rates ?? [],
    is_taxed: subscription.automatic_tax.enabled,
    parent: {
      quote_details: null,
      subscription_details: { metadata: { ...subscription.metadata }, subscription: subscription.id },
      type: 'subscription_details',
    },
    ...taxedTotals(world, subscription, lines),
  });
  if (reason === 'subscription_cycle') {
    const start = subscription.items.data[0]?.current_period_start ?? now;
    Object.assign(invoice, { period_start: start, period_end: start });
  }
  // A preview of the next renewal has today's date, but the discounts of the renewal date.
  const at = reason === 'upcoming' ? firstEnd(subscription.items.data) : now;
  discountInvoice(world, invoice, subscription, at);
  return invoice;
}

/** Stores a draft and emits `invoice.created`. Adds the pending items. */
export function draftInvoice(
  world: World,
  subscription: Subscription,
  reason: Reason,
  lines: InvoiceLine[],
): Invoice {
  const id = newId('in');
  const items = takeWaiting(world, subscription, id).map(({ line }) => line);
  const invoice = buildInvoice(world, subscription, reason, [...items, ...lines], id);
  world.state.invoices[invoice.id] = invoice;
  emit(world, 'invoice.created', invoice);
  spendOnceDiscounts(world, subscription, invoice);
  return invoice;
}

/** Turns a draft into an open invoice: numbers it and applies the customer's balance. Emits `invoice.finalized`. */
export function finalize(world: World, invoice: Invoice): void {
  const customer = invoice.customer ? world.state.customers[invoice.customer] : undefined;
  invoice.starting_balance = customer?.balance ?? 0;
  const amounts = charged(invoice.total + invoice.starting_balance, invoice.currency);
  invoice.amount_due = amounts.due;
  invoice.amount_remaining = amounts.due;
  invoice.ending_balance = amounts.balance;
  if (customer) spendBalance(world, customer, invoice);
  publish(world, invoice);
  const { days_until_due } = subscriptionOf(world, invoice) ?? {};
  if (invoice.collection_method === 'send_invoice')
    invoice.due_date = timeOf(world, invoice.test_clock) + (days_until_due ?? 0) * 86_400;
  if (invoice.amount_due > 0) openPayment(world, invoice);
  emit(world, 'invoice.finalized', invoice);
}

/** Opens a draft with the amounts that it has: its number and its pages. */
export function publish(world: World, invoice: Invoice): void {
  const now = timeOf(world, invoice.test_clock);
  const customer = world.state.customers[invoice.customer ?? ''];
  invoice.status = 'open';
  invoice.number = `${customer?.invoice_prefix ?? 'CELLAR'}-${String(world.state.next_invoice_number).padStart(4, '0')}`;
  world.state.next_invoice_number += 1;
  invoice.effective_at = now;
  invoice.automatically_finalizes_at = null;
  invoice.last_finalization_error = null;
  invoice.status_transitions.finalized_at = now;
  invoice.hosted_invoice_url = `${world.publicUrl}/i/${invoice.id}`;
  invoice.invoice_pdf = `${world.publicUrl}/i/${invoice.id}?print=1`;
}

/** Leaves a draft that cannot be finalized, without automatic collection. Emits `invoice.finalization_failed`. */
export function failFinalization(world: World, invoice: Invoice): void {
  invoice.automatically_finalizes_at = null;
  invoice.auto_advance = false;
  invoice.last_finalization_error = {
    code: 'customer_tax_location_invalid',
    message: "The customer's location isn't recognized. Set a valid customer address to calculate tax.",
    type: 'invalid_request_error',
  };
  emit(world, 'invoice.finalization_failed', invoice);
}

/** Gives up an open invoice as a bad debt. It can still be paid or voided. */
export function markUncollectible(
  world: World,
  invoice: Invoice,
  reason: 'subscription_paused' | 'user_forgiven',
): void {
  changed(world, 'invoice.marked_uncollectible', invoice, () => {
    invoice.status = 'uncollectible';
    invoice.status_details = { uncollectible: { reason } };
    invoice.auto_advance = false;
    invoice.next_payment_attempt = null;
    invoice.status_transitions.marked_uncollectible_at = timeOf(world, invoice.test_clock);
  });
}

/** Voids an unpaid invoice, so that nothing is owed on it. */
export function voidInvoice(world: World, invoice: Invoice): void {
  if (invoice.status === 'paid' || invoice.status === 'void') return;
  if (invoice.status !== 'draft') restoreBalance(world, invoice);
  changed(world, 'invoice.voided', invoice, () => {
    delete invoice.status_details;
    invoice.status = 'void';
    invoice.auto_advance = false;
    invoice.amount_remaining = 0;
    invoice.next_payment_attempt = null;
    invoice.status_transitions.voided_at = timeOf(world, invoice.test_clock);
  });
}
