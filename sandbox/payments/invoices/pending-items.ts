import { blank } from '../http/blank.ts';
import type { InvoiceItem, InvoiceLine, Subscription } from '../http/wire.ts';
import type { PendingItem } from '../store/state.ts';
import { emit, timeOf, type World } from '../store/world.ts';

/** What waits for the next invoice of a subscription: its own items, and those of its customer for any invoice. */
export function waitingFor(world: World, subscription: Subscription): PendingItem[] {
  return world.state.pending_items.filter((item) =>
    item.subscription === null
      ? item.customer === subscription.customer && item.line.currency === subscription.currency
      : item.subscription === subscription.id,
  );
}

/** Whether an invoice is made at the end: what waits for the customer alone makes none. */
export const billsAtEnd = (world: World, { id }: Subscription): boolean =>
  world.state.pending_items.some(({ subscription }) => subscription === id);

/** Takes what waits for an invoice. */
export function takeWaiting(world: World, subscription: Subscription, invoice: string): PendingItem[] {
  const items = waitingFor(world, subscription);
  world.state.pending_items = world.state.pending_items.filter((item) => !items.includes(item));
  for (const { invoice_item } of items) {
    const item = invoice_item === undefined ? undefined : world.state.invoice_items[invoice_item];
    if (item) item.invoice = invoice;
  }
  return items;
}

/** The line's own item is null for an invoice item that someone made. */
const prorated = ({ line }: PendingItem) => line.parent?.subscription_item_details ?? null;

/** Lets prorations wait for the next invoice, as invoice items that can be listed and deleted. */
export function leaveProrations(
  world: World,
  { id: subscription, customer, test_clock }: Subscription,
  lines: InvoiceLine[],
): void {
  for (const line of lines) {
    const { invoice_item, subscription_item } = line.parent?.subscription_item_details ?? {};
    const { amount, currency, description, period, quantity, quantity_decimal } = line;
    const item: InvoiceItem = {
      ...blank('invoiceitem'),
      ...{ id: invoice_item ?? '', customer, test_clock, discountable: false, metadata: {} },
      ...{ amount, currency, description, period, date: timeOf(world, test_clock) },
      parent: {
        subscription_details: { subscription, subscription_item: subscription_item ?? undefined },
        type: 'subscription_details',
      },
      pricing: line.pricing,
      proration: true,
      quantity: quantity ?? 1,
      quantity_decimal: quantity_decimal ?? '1',
    };
    world.state.invoice_items[item.id] = item;
    world.state.pending_items.push({ customer, subscription, line, invoice_item: item.id });
    emit(world, 'invoiceitem.created', item);
  }
}

/** Drops the prorations of a subscription that ends at once. Invoice items stay, for another invoice of the customer. */
export function dropProrations(world: World, subscription: Subscription): void {
  const items = world.state.pending_items.filter((item) => item.subscription === subscription.id);
  const dropped = items.filter((item) => prorated(item));
  world.state.pending_items = world.state.pending_items.filter((item) => !dropped.includes(item));
  for (const { invoice_item = '' } of dropped) {
    const item = world.state.invoice_items[invoice_item];
    delete world.state.invoice_items[invoice_item];
    if (item) emit(world, 'invoiceitem.deleted', item);
  }
  for (const item of items) item.subscription = null;
}
