import type { Schedule, SchedulePhase, Subscription } from '../http/wire.ts';
import { redeem } from '../invoices/discounts.ts';
import { remainingLine, unusedLine } from '../invoices/invoice-lines.ts';
import { planOf, recurringPrice } from '../resources/price-lookup.ts';
import { changed, emit, timeOf, type World } from '../store/world.ts';
import { bill } from './bill.ts';
import { dropPendingUpdate } from './pending-update.ts';
import { automaticTax } from './subscription-create.ts';

function scheduleOf(world: World, subscription: Subscription): Schedule | null {
  return (subscription.schedule && world.state.schedules[subscription.schedule]) || null;
}

/** The end of the current phase of a subscription's schedule, in seconds; null without a schedule. */
export function schedulePhaseEnd(world: World, subscription: Subscription): number | null {
  const schedule = scheduleOf(world, subscription);
  return schedule?.status === 'active' ? (schedule.current_phase?.end_date ?? null) : null;
}

/**
 * Applies a phase: its prices, its payment method or the schedule's, its discounts and its automatic tax. Removes what the
 * phase does not name, except metadata. Within a period, other prices are prorated as `behavior` says.
 */
export function applyPhase(
  world: World,
  subscription: Subscription,
  schedule: Schedule,
  phase: SchedulePhase,
  behavior: SchedulePhase['proration_behavior'],
): void {
  const touched = subscription.items.data.filter((item, index) => {
    const wanted = phase.items[index];
    return wanted && (wanted.price !== item.price.id || (wanted.quantity ?? 1) !== item.quantity);
  });
  const at = timeOf(world, subscription.test_clock);
  const prorated =
    behavior === 'none' || subscription.status === 'trialing'
      ? []
      : touched.filter((item) => item.current_period_start < at && at < item.current_period_end);
  const credits = prorated.map((item) => unusedLine(world, subscription.id, item, at));
  changed(world, 'customer.subscription.updated', subscription, () => {
    for (const [index, wanted] of phase.items.entries()) {
      const item = subscription.items.data[index];
      if (!item) continue;
      item.price = recurringPrice(world, wanted.price);
      item.plan = planOf(item.price);
      item.quantity = wanted.quantity ?? 1;
    }
    subscription.automatic_tax = phase.automatic_tax ?? automaticTax(false);
    subscription.default_payment_method =
      phase.default_payment_method ?? schedule.default_settings.default_payment_method;
    subscription.discounts = redeem(
      world,
      subscription,
      phase.discounts
        // A discount may have ended in an earlier phase.
        .filter(({ discount }) => !discount || subscription.discounts.includes(discount))
        .map(({ coupon, discount }) => ({
          ...(coupon ? { coupon } : {}),
          ...(discount ? { discount } : {}),
        })),
    );
    if (phase.metadata) subscription.metadata = { ...subscription.metadata, ...phase.metadata };
  });
  const debits = prorated.map((item) => {
    const period = { start: item.current_period_start, end: item.current_period_end };
    return remainingLine(world, subscription.id, item, period, at);
  });
  bill(world, subscription, [...credits, ...debits], behavior === 'always_invoice');
}

/** Ends the current phase: starts the next one, or releases the subscription. */
export function advanceSchedule(world: World, subscription: Subscription): void {
  const schedule = scheduleOf(world, subscription);
  const current = schedule?.current_phase;
  if (!schedule || !current) return;
  const next = schedule.phases.find((phase) => phase.start_date >= current.end_date);
  dropPendingUpdate(world, subscription);
  if (next) {
    schedule.current_phase = { start_date: next.start_date, end_date: next.end_date };
    applyPhase(world, subscription, schedule, next, next.proration_behavior);
    emit(world, 'subscription_schedule.updated', schedule);
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
