import type { Schedule, SchedulePhase, Subscription, SubscriptionItem } from '../http/wire.ts';
import { redeem } from '../invoices/discounts.ts';
import { planOf, recurringPrice } from '../resources/price-lookup.ts';
import { changed, emit, timeOf, type World } from '../store/world.ts';
import { bill } from './bill.ts';
import { applyPlan, type PlannedChange, planItems } from './item-plan.ts';
import { dropPendingUpdate } from './pending-update.ts';
import { nextBoundary } from './periods.ts';
import { automaticTax, newItem } from './subscription-create.ts';

function scheduleOf(world: World, subscription: Subscription): Schedule | null {
  return (subscription.schedule && world.state.schedules[subscription.schedule]) || null;
}

/** The end of the current phase of a subscription's schedule, in seconds; null without a schedule. */
export function schedulePhaseEnd(world: World, subscription: Subscription): number | null {
  const schedule = scheduleOf(world, subscription);
  return schedule?.status === 'active' ? (schedule.current_phase?.end_date ?? null) : null;
}

/**
 * Applies a phase: its items, trial, taxes, discounts and collection. What it does not name is unset, or is the schedule's
 * default; only metadata merges. Within a period, other prices are prorated as `behavior` says.
 */
export function applyPhase(
  world: World,
  subscription: Subscription,
  schedule: Schedule,
  phase: SchedulePhase,
  behavior: SchedulePhase['proration_behavior'],
): void {
  const at = timeOf(world, subscription.test_clock);
  const plan = planItems(world, subscription, itemsOf(world, subscription, phase, at), {
    at,
    restarts: phase.billing_cycle_anchor === 'phase_start' && phase.start_date === at,
    trial: trialOf(subscription, phase, at),
    isProrated: ({ current_period_start: start, current_period_end: end }) =>
      behavior !== 'none' && subscription.status !== 'trialing' && start < at && at < end,
  });
  const { default_settings: defaults } = schedule;
  changed(world, 'customer.subscription.updated', subscription, () => {
    applyPlan(subscription, plan);
    subscription.automatic_tax = phase.automatic_tax ?? automaticTax(false);
    subscription.collection_method =
      phase.collection_method ?? defaults.collection_method ?? 'charge_automatically';
    const { days_until_due } = phase.invoice_settings ?? defaults.invoice_settings;
    subscription.days_until_due = subscription.collection_method === 'send_invoice' ? days_until_due : null;
    subscription.default_payment_method = phase.default_payment_method ?? defaults.default_payment_method;
    subscription.default_tax_rates = phase.default_tax_rates ?? [];
    subscription.description = phase.description ?? defaults.description;
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
  const isNewPeriod = plan.anchor !== null;
  bill(
    world,
    subscription,
    [...plan.prorations, ...plan.cycle],
    isNewPeriod || behavior === 'always_invoice',
  );
}

/** The items of a phase: each continues the item at its price, otherwise one that the phase leaves out. */
function itemsOf(
  world: World,
  subscription: Subscription,
  phase: SchedulePhase,
  at: number,
): SubscriptionItem[] {
  const remaining = [...subscription.items.data];
  const samePrice = phase.items.map(({ price }) => {
    const place = remaining.findIndex((item) => item.price.id === price);
    return place < 0 ? undefined : remaining.splice(place, 1)[0];
  });
  const { billing_cycle_anchor: anchor } = subscription;
  return phase.items.map(({ price: id, quantity, metadata, tax_rates }, place) => {
    const price = recurringPrice(world, id);
    const period = { start: at, end: nextBoundary(anchor, price.recurring, at) };
    const item =
      samePrice[place] ?? remaining.shift() ?? newItem(subscription.id, price, quantity, period, at);
    const { quantity: _quantity, ...same } = item;
    return {
      ...same,
      price,
      plan: planOf(price),
      ...(quantity === undefined ? {} : { quantity }),
      metadata: { ...item.metadata, ...metadata },
      tax_rates: tax_rates ?? [],
    };
  });
}

/** What a phase does to a subscription's trial: without one of its own, it ends a running one. */
function trialOf(
  { status, trial_end }: Subscription,
  phase: SchedulePhase,
  at: number,
): PlannedChange['trial'] {
  const end = phase.trial ? phase.end_date : phase.trial_end;
  const trialEnd = status === 'trialing' ? trial_end : null;
  if (end !== null && end > at) return end === trialEnd ? null : end;
  return trialEnd !== null && trialEnd > at ? 'ended' : null;
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
