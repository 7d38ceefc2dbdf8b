import type { Schedule, SchedulePhase, Subscription } from '../http/wire.ts';
import { redeem } from '../invoices/discounts.ts';
import { planOf, recurringPrice } from '../resources/price-lookup.ts';
import { changed, emit, timeOf, type World } from '../store/world.ts';
import { dropPendingUpdate } from './pending-update.ts';
import { cancelNow } from './subscription-end.ts';

function scheduleOf(world: World, subscription: Subscription): Schedule | null {
  return (subscription.schedule && world.state.schedules[subscription.schedule]) || null;
}

/** When the current phase of a subscription's schedule ends, in seconds; null without a schedule. */
export function schedulePhaseEnd(world: World, subscription: Subscription): number | null {
  const schedule = scheduleOf(world, subscription);
  return schedule?.status === 'active' ? (schedule.current_phase?.end_date ?? null) : null;
}

/**
 * Applies a phase: its prices from the next period on, without proration, its payment method or the schedule's, and
 * its discounts. A discount that the phase does not name is gone.
 */
export function applyPhase(
  world: World,
  subscription: Subscription,
  schedule: Schedule,
  phase: SchedulePhase,
): void {
  changed(world, 'customer.subscription.updated', subscription, () => {
    for (const [index, wanted] of phase.items.entries()) {
      const item = subscription.items.data[index];
      if (!item) continue;
      item.price = recurringPrice(world, wanted.price);
      item.plan = planOf(item.price);
      item.quantity = wanted.quantity ?? 1;
    }
    if (phase.automatic_tax) subscription.automatic_tax = phase.automatic_tax;
    subscription.default_payment_method =
      phase.default_payment_method ?? schedule.default_settings.default_payment_method;
    subscription.discounts = redeem(
      world,
      subscription,
      phase.discounts.map(({ coupon, discount }) => ({
        ...(coupon ? { coupon } : {}),
        ...(discount ? { discount } : {}),
      })),
    );
    if (phase.metadata) subscription.metadata = { ...subscription.metadata, ...phase.metadata };
  });
}

/** Ends the current phase: starts the next one, or releases or cancels the subscription. */
export function advanceSchedule(world: World, subscription: Subscription): void {
  const schedule = scheduleOf(world, subscription);
  const current = schedule?.current_phase;
  if (!schedule || !current) return;
  const next = schedule.phases.find((phase) => phase.start_date >= current.end_date);
  dropPendingUpdate(world, subscription);
  if (next) {
    schedule.current_phase = { start_date: next.start_date, end_date: next.end_date };
    applyPhase(world, subscription, schedule, next);
    emit(world, 'subscription_schedule.updated', schedule);
    return;
  }
  schedule.current_phase = null;
  if (schedule.end_behavior === 'cancel') {
    schedule.status = 'completed';
    schedule.completed_at = timeOf(world, subscription.test_clock);
    subscription.schedule = null;
    emit(world, 'subscription_schedule.completed', schedule);
    cancelNow(world, subscription);
    return;
  }
  release(world, schedule);
}

/** Detaches a schedule from its subscription, which continues unchanged. */
export function release(world: World, schedule: Schedule): void {
  const subscription = schedule.subscription ? world.state.subscriptions[schedule.subscription] : undefined;
  schedule.status = 'released';
  schedule.released_at = timeOf(world, schedule.test_clock);
  schedule.released_subscription = schedule.subscription;
  schedule.subscription = null;
  schedule.current_phase = null;
  emit(world, 'subscription_schedule.released', schedule);
  if (subscription)
    changed(world, 'customer.subscription.updated', subscription, () => {
      subscription.schedule = null;
    });
}
