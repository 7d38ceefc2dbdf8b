import type { Invoice, Subscription } from '../http/wire.ts';
import { subscriptionOf } from '../invoices/invoices.ts';
import { changed, emit, timeOf, type World } from '../store/world.ts';
import { followResumption, stop } from './stop.ts';
import { cancelNow } from './subscription-end.ts';

const DAY = 86_400;

/** Updates a subscription after a paid invoice: starts it, makes it active again, or applies a pending change. */
export function afterPayment(world: World, invoice: Invoice): void {
  const subscription = subscriptionOf(world, invoice);
  if (!subscription || subscription.ended_at !== null) return;
  if (decidingInvoice(world, subscription)?.id !== invoice.id) return;
  if (followResumption(world, subscription, invoice, true)) return;
  const update = subscription.latest_invoice === invoice.id ? subscription.pending_update : null;
  changed(world, 'customer.subscription.updated', subscription, () => {
    if (['incomplete', 'past_due', 'unpaid'].includes(subscription.status)) subscription.status = 'active';
    if (update) applyPending(subscription);
  });
  if (update) emit(world, 'customer.subscription.pending_update_applied', subscription);
}

/** The invoice that decides whether a subscription is overdue: the newest that is not void. */
function decidingInvoice(world: World, subscription: Subscription): Invoice | undefined {
  return Object.values(world.state.invoices).findLast(
    (invoice) => invoice.status !== 'void' && subscriptionOf(world, invoice)?.id === subscription.id,
  );
}

/** Makes a subscription active again if nothing is owed on its newest invoice, as after a void. */
export function forgive(world: World, subscription: Subscription): void {
  if (subscription.status !== 'past_due' && subscription.status !== 'unpaid') return;
  const status = decidingInvoice(world, subscription)?.status;
  if (status === 'paid' || status === 'uncollectible') setStatus(world, subscription, 'active');
}

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
 * Updates a subscription after a failed payment, or a resumption after the attempt to pay its invoice. The first invoice leaves it incomplete; a later one makes it past_due
 * and is retried after each of `dunning_days`; after the last failure it gets the status in `dunning_end`. The invoice
 * of a pending change has no effect, and neither has an attempt by hand.
 */
export function afterFailure(world: World, invoice: Invoice, byHand: boolean): void {
  const subscription = subscriptionOf(world, invoice);
  if (subscription && followResumption(world, subscription, invoice, false)) return;
  if (byHand) return;
  invoice.next_payment_attempt = null;
  if (!subscription || subscription.ended_at !== null) return;
  if (invoice.billing_reason === 'subscription_create' || subscription.status === 'incomplete') return;
  if (subscription.pending_update && subscription.latest_invoice === invoice.id) return;
  if (subscription.status === 'unpaid' || !invoice.auto_advance) return;
  const { dunning_days, dunning_end } = world.state.settings;
  const attempts = world.state.automatic_attempts[invoice.id] ?? 0;
  const wait = dunning_days[attempts];
  if (wait !== undefined) {
    world.state.automatic_attempts[invoice.id] = attempts + 1;
    invoice.next_payment_attempt = timeOf(world, invoice.test_clock) + wait * DAY;
    setStatus(world, subscription, 'past_due');
    return;
  }
  invoice.auto_advance = false;
  if (dunning_end === 'canceled') cancelNow(world, subscription, 'payment_failed');
  else if (dunning_end === 'paused')
    stop(world, subscription, attempts === 0 ? 'first_payment_failure' : 'final_payment_failure');
  else setStatus(world, subscription, dunning_end);
}

/** Makes a subscription past due whose newest invoice was sent and not paid by its due date. */
export function passDueDate(world: World, invoice: Invoice): void {
  world.state.overdue_invoices[invoice.id] = true;
  const subscription = subscriptionOf(world, invoice);
  if (subscription?.status !== 'active' || decidingInvoice(world, subscription)?.id !== invoice.id) return;
  setStatus(world, subscription, 'past_due');
}

function setStatus(world: World, subscription: Subscription, status: Subscription['status']): void {
  changed(world, 'customer.subscription.updated', subscription, () => {
    subscription.status = status;
  });
}
