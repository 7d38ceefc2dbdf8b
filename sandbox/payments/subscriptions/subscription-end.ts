import type { Subscription } from '../http/wire.ts';
import { subscriptionOf, voidInvoice } from '../invoices/invoices.ts';
import { dropProrations } from '../invoices/pending-items.ts';
import { emit, timeOf, type World } from '../store/world.ts';

type Reason = 'cancellation_requested' | 'payment_failed' | 'payment_disputed';

function stopCollecting(world: World, subscription: Subscription): void {
  for (const invoice of Object.values(world.state.invoices)) {
    if (subscriptionOf(world, invoice)?.id !== subscription.id) continue;
    if (invoice.status !== 'open' && invoice.status !== 'draft') continue;
    invoice.auto_advance = false;
    invoice.next_payment_attempt = null;
    invoice.automatically_finalizes_at = null;
  }
}

function endSchedule(world: World, subscription: Subscription): void {
  const schedule = subscription.schedule && world.state.schedules[subscription.schedule];
  if (!schedule) return;
  schedule.status = 'canceled';
  schedule.canceled_at = timeOf(world, subscription.test_clock);
  schedule.current_phase = null;
  subscription.schedule = null;
  emit(world, 'subscription_schedule.canceled', schedule);
}

/**
 * Ends a subscription now. Open invoices stay payable, uncollected; prorations that wait are dropped, except at a scheduled
 * end. An end before the scheduled one clears the schedule. An incomplete subscription expires, and its invoice is voided.
 */
export function cancelNow(
  world: World,
  subscription: Subscription,
  reason: Reason = 'cancellation_requested',
): void {
  if (subscription.status === 'incomplete') {
    expireIncomplete(world, subscription);
    return;
  }
  const now = timeOf(world, subscription.test_clock);
  const isScheduled = subscription.cancel_at === now && subscription.status !== 'paused';
  subscription.status = 'canceled';
  subscription.canceled_at ??= now;
  subscription.ended_at = now;
  if (subscription.cancel_at !== null && now < subscription.cancel_at) {
    subscription.cancel_at = null;
    subscription.cancel_at_period_end = false;
  }
  subscription.pending_update = null;
  subscription.cancellation_details = {
    comment: subscription.cancellation_details?.comment ?? null,
    feedback: subscription.cancellation_details?.feedback ?? null,
    feedback_option: null,
    reason,
  };
  stopCollecting(world, subscription);
  if (!isScheduled) dropProrations(world, subscription);
  endSchedule(world, subscription);
  emit(world, 'customer.subscription.deleted', subscription);
}

/** Expires a subscription whose first payment was not made: after 23 hours, or when it is canceled before. */
export function expireIncomplete(world: World, subscription: Subscription): void {
  const previous = { status: subscription.status, ended_at: null };
  subscription.status = 'incomplete_expired';
  subscription.ended_at = timeOf(world, subscription.test_clock);
  for (const invoice of Object.values(world.state.invoices))
    if (subscriptionOf(world, invoice)?.id === subscription.id) voidInvoice(world, invoice);
  endSchedule(world, subscription);
  emit(world, 'customer.subscription.updated', subscription, previous);
}
