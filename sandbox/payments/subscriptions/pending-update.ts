import type { Invoice, Subscription } from '../http/wire.ts';
import { subscriptionOf, voidInvoice } from '../invoices/invoices.ts';
import { changed, emit, timeOf, type World } from '../store/world.ts';
import { firstEnd } from './periods.ts';
import { forgive } from './subscription-status.ts';

const PENDING_SECONDS = 23 * 3600;

/** The time until which a change can wait for its payment, in seconds: 23 hours, but not beyond the current period. */
export function pendingUntil(world: World, subscription: Subscription): number {
  return Math.min(
    timeOf(world, subscription.test_clock) + PENDING_SECONDS,
    firstEnd(subscription.items.data),
  );
}

/** Discards the change that waits for its payment, if any, and voids its invoice. */
export function dropPendingUpdate(world: World, subscription: Subscription): void {
  if (!subscription.pending_update) return;
  const invoice = world.state.invoices[String(subscription.latest_invoice)];
  changed(world, 'customer.subscription.updated', subscription, () => {
    subscription.pending_update = null;
  });
  emit(world, 'customer.subscription.pending_update_expired', subscription);
  if (invoice) voidInvoice(world, invoice);
}

/** Voids an invoice; a change that waited for its payment is discarded with it. */
export function voidWithUpdate(world: World, invoice: Invoice): void {
  voidInvoice(world, invoice);
  const subscription = subscriptionOf(world, invoice);
  if (!subscription) return;
  if (subscription.latest_invoice === invoice.id) dropPendingUpdate(world, subscription);
  forgive(world, subscription);
}
