import type { Invoice, Subscription } from '../http/wire.ts';
import { finalize, voidInvoice } from '../invoices/invoices.ts';
import { changed, timeOf, type World } from '../store/world.ts';

/** Handles an invoice created while collection is paused. */
export function leaveUncollected(world: World, subscription: Subscription, invoice: Invoice): void {
  const behavior = subscription.pause_collection?.behavior;
  if (behavior === 'void') {
    voidInvoice(world, invoice);
    return;
  }
  invoice.auto_advance = false;
  if (behavior === 'keep_as_draft') return;
  finalize(world, invoice);
  changed(world, 'invoice.marked_uncollectible', invoice, () => {
    invoice.status = 'uncollectible';
    invoice.status_transitions.marked_uncollectible_at = timeOf(world, invoice.test_clock);
  });
}

/** Resumes collecting: invoices made from now on are collected again; invoices from the pause stay unchanged. */
export function resumeCollection(world: World, subscription: Subscription): void {
  changed(world, 'customer.subscription.updated', subscription, () => {
    subscription.pause_collection = null;
  });
}
