import type { Invoice, Subscription } from '../http/wire.ts';
import { finalize, markUncollectible, voidInvoice } from '../invoices/invoices.ts';
import { changed, type World } from '../store/world.ts';

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
  markUncollectible(world, invoice, 'subscription_paused');
}

/** Resumes collecting: invoices made from now on are collected again; invoices from the pause stay unchanged. */
export function resumeCollection(world: World, subscription: Subscription): void {
  changed(world, 'customer.subscription.updated', subscription, () => {
    subscription.pause_collection = null;
  });
}
