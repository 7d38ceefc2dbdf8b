import type { Invoice, Subscription } from '../http/wire.ts';
import { voidInvoice } from '../invoices/invoices.ts';
import type { Resumption } from '../store/state.ts';
import { changed, emit, timeOf, type World } from '../store/world.ts';
import { MONTHLY, nextBoundary } from './periods.ts';

export type StopReason =
  | 'first_payment_failure'
  | 'final_payment_failure'
  | 'pause_requested'
  | 'trial_end_without_payment_method';

/** Gives a subscription the status `paused`: no invoices and no new periods until it is resumed. */
export function stop(world: World, subscription: Subscription, reason: StopReason): void {
  changed(world, 'customer.subscription.updated', subscription, () => {
    subscription.status = 'paused';
    subscription.status_details = {
      paused: {
        subscription: { type: reason },
        transitioned_at: timeOf(world, subscription.test_clock),
        type: 'subscription',
      },
    };
  });
  emit(world, 'customer.subscription.paused', subscription);
}

/** Ends the status `paused`, with the new period if the resumption began one. */
export function start(
  world: World,
  subscription: Subscription,
  status: 'active' | 'past_due',
  period: Resumption['period'] | null,
): void {
  delete world.state.resumptions[subscription.id];
  changed(world, 'customer.subscription.updated', subscription, () => {
    subscription.status = status;
    delete subscription.status_details;
    if (!period) return;
    for (const item of subscription.items.data) {
      item.current_period_start = period.start;
      const interval = item.price.recurring ?? MONTHLY;
      item.current_period_end = nextBoundary(subscription.billing_cycle_anchor, interval, period.start);
    }
  });
  emit(world, 'customer.subscription.resumed', subscription);
}

/** Updates a resumption after a payment, or a failed attempt, of its invoice. Returns false for another invoice. */
export function followResumption(
  world: World,
  subscription: Subscription,
  invoice: Invoice,
  isPaid: boolean,
): boolean {
  const resumption = world.state.resumptions[subscription.id];
  if (resumption?.invoice !== invoice.id) return false;
  if (isPaid || resumption.on === 'attempt')
    start(world, subscription, isPaid ? 'active' : 'past_due', resumption.period);
  return true;
}

/** Cancels a resumption that was not paid in time: voids the invoice; the subscription stays paused. */
export function dropResumption(world: World, subscription: Subscription): void {
  const invoice = world.state.invoices[world.state.resumptions[subscription.id]?.invoice ?? ''];
  delete world.state.resumptions[subscription.id];
  if (invoice) voidInvoice(world, invoice);
}
