import type { Subscription } from '../http/wire.ts';
import type { PendingItem } from '../store/state.ts';
import type { World } from '../store/world.ts';

/** What waits for the next invoice of a subscription: its own items, and those of its customer for any invoice. */
export function waitingFor(world: World, subscription: Subscription): PendingItem[] {
  return world.state.pending_items.filter((item) =>
    item.subscription === null
      ? item.customer === subscription.customer && item.line.currency === subscription.currency
      : item.subscription === subscription.id,
  );
}

/** Takes what waits for an invoice. */
export function takeWaiting(world: World, subscription: Subscription, invoice: string): PendingItem[] {
  const waiting = waitingFor(world, subscription);
  world.state.pending_items = world.state.pending_items.filter((item) => !waiting.includes(item));
  for (const { invoice_item } of waiting) {
    const item = invoice_item === undefined ? undefined : world.state.invoice_items[invoice_item];
    if (item) item.invoice = invoice;
  }
  return waiting;
}

/** Drops the prorations of a subscription that ends. Invoice items stay, for another invoice of the customer. */
export function dropProrations(world: World, subscription: Subscription): void {
  world.state.pending_items = world.state.pending_items.filter(
    (item) => item.subscription !== subscription.id || item.invoice_item !== undefined,
  );
  for (const item of world.state.pending_items)
    if (item.subscription === subscription.id) item.subscription = null;
}
