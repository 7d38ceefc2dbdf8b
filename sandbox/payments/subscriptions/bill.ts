import type { InvoiceLine, Subscription } from '../http/wire.ts';
import { draftInvoice, finalize } from '../invoices/invoices.ts';
import { leaveProrations } from '../invoices/pending-items.ts';
import { collect } from '../resources/charging.ts';
import type { World } from '../store/world.ts';

/** Bills credits and charges within a period: at once, or with the next invoice. */
export function bill(world: World, subscription: Subscription, lines: InvoiceLine[], atOnce: boolean): void {
  if (lines.length === 0) return;
  if (!atOnce) {
    leaveProrations(world, subscription, lines);
    return;
  }
  const invoice = draftInvoice(world, subscription, 'subscription_update', lines);
  subscription.latest_invoice = invoice.id;
  finalize(world, invoice);
  collect(world, invoice);
}
