import type { Invoice, Subscription } from '../http/wire.ts';
import { subscriptionOf } from '../invoices/invoices.ts';
import { changed, emit, timeOf, type World } from '../store/world.ts';
import { cancelNow } from './subscription-end.ts';

const DAY = 86_400;

/** A paid invoice can start a subscription, bring it back into good standing, or complete a waiting change. */
export function afterPayment(world: World, invoice: Invoice): void {
  const subscription = subscriptionOf(world, invoice);
  if (!subscription || subscription.ended_at !== null || subscription.latest_invoice !== invoice.id) return;
  const applied = subscription.pending_update;
  changed(world, 'customer.subscription.updated', subscription, () => {
    if (['incomplete', 'past_due', 'unpaid'].includes(subscription.status)) subscription.status = 'active';
    if (applied) applyPending(subscription);
  });
  if (applied) emit(world, 'customer.subscription.pending_update_applied', subscription);
}

/** Puts a change into force that waited for its payment. */
function applyPending(subscription: Subscription): void {
  const update = subscription.pending_update;
  if (!update) return;
  if (update.subscription_items) subscription.items.data = update.subscription_items;
  if (update.metadata) subscription.metadata = update.metadata;
  if (update.cancel_at_period_end !== null) subscription.cancel_at_period_end = update.cancel_at_period_end;
  if (update.billing_cycle_anchor !== null) subscription.billing_cycle_anchor = update.billing_cycle_anchor;
  subscription.pending_update = null;
}

/**
 * What a refused payment does: the first invoice leaves the subscription incomplete, a later one makes it
 * past_due and is tried again after each of `dunning_days`, and the last refusal ends it as the settings say.
 * An invoice for a change that waits for its payment touches nothing, nor does a try made by hand.
 */
export function afterFailure(world: World, invoice: Invoice, byHand: boolean): void {
  if (byHand) return;
  invoice.next_payment_attempt = null;
  const subscription = subscriptionOf(world, invoice);
  if (!subscription || subscription.ended_at !== null) return;
  if (invoice.billing_reason === 'subscription_create' || subscription.status === 'incomplete') return;
  if (subscription.pending_update && subscription.latest_invoice === invoice.id) return;
  if (subscription.status === 'unpaid' || !invoice.auto_advance) return;
  const { dunning_days, dunning_end } = world.state.settings;
  const tries = world.state.automatic_tries[invoice.id] ?? 0;
  const wait = dunning_days[tries];
  if (wait !== undefined) {
    world.state.automatic_tries[invoice.id] = tries + 1;
    invoice.next_payment_attempt = timeOf(world, invoice.test_clock) + wait * DAY;
    setStatus(world, subscription, 'past_due');
    return;
  }
  invoice.auto_advance = false;
  if (dunning_end === 'canceled') cancelNow(world, subscription, 'payment_failed');
  else setStatus(world, subscription, dunning_end);
}

function setStatus(world: World, subscription: Subscription, status: Subscription['status']): void {
  changed(world, 'customer.subscription.updated', subscription, () => {
    subscription.status = status;
  });
}
