import type Stripe from 'stripe';
import { invalid, missing } from '../http/errors.ts';
import * as p from '../http/params.ts';
import type { InvoiceLine, Subscription, SubscriptionItem } from '../http/wire.ts';
import { cycleLine, remainingLine, unusedLine } from '../invoices/invoice-lines.ts';
import { planOf, sellablePrice } from '../resources/price-lookup.ts';
import { timeOf, type World } from '../store/world.ts';
import { nextBoundary } from './periods.ts';
import { newItem } from './subscription-create.ts';

export const changeFields = {
  items: p.listOf(
    p.record({
      id: p.text,
      price: p.text,
      quantity: p.integer,
      deleted: p.flag,
      metadata: p.metadata,
    }),
  ),
  proration_behavior: p.word<Stripe.SubscriptionUpdateParams.ProrationBehavior>(),
  proration_date: p.integer,
  billing_cycle_anchor: p.oneOf('now', 'unchanged'),
};
export type Change = p.Params<typeof changeFields>;

export interface PlannedChange {
  items: SubscriptionItem[];
  prorations: InvoiceLine[];
  /** The full charges of a new period, if the change starts one. */
  cycle: InvoiceLine[];
  anchor: number | null;
  at: number;
}

/**
 * A change of items that is not made yet, with its lines. Throws 400 for unknown items and prices, and for a date outside
 * the current period.
 */
export function planChange(world: World, subscription: Subscription, change: Change): PlannedChange {
  const now = timeOf(world, subscription.test_clock);
  const old = subscription.items.data;
  const first = old[0];
  const period = { start: first?.current_period_start ?? now, end: first?.current_period_end ?? now };
  const at = change.proration_date ?? now;
  if (at < period.start || at > period.end)
    throw invalid(
      'Invalid proration_date: must be within the current period of the subscription.',
      'proration_date',
    );
  const wanted = wantedItems(world, subscription, change, period, now);
  if (wanted.length === 0) throw invalid('A subscription must have at least one active plan.', 'items');
  const before = first?.price.recurring;
  const after = wanted[0]?.price.recurring;
  const otherRhythm =
    before?.interval !== after?.interval || before?.interval_count !== after?.interval_count;
  const restarts = change.billing_cycle_anchor === 'now' || otherRhythm;
  const prorate = change.proration_behavior !== 'none' && subscription.status !== 'trialing';
  const touched = (item: SubscriptionItem, others: SubscriptionItem[]) =>
    restarts ||
    !others.some(
      (other) => other.id === item.id && other.price.id === item.price.id && other.quantity === item.quantity,
    );
  const prorations = prorate
    ? old.filter((item) => touched(item, wanted)).map((item) => unusedLine(world, subscription.id, item, at))
    : [];
  if (!restarts || !after) {
    if (prorate)
      for (const item of wanted.filter((entry) => touched(entry, old)))
        prorations.push(remainingLine(world, subscription.id, item, period, at));
    return { items: wanted, prorations, cycle: [], anchor: null, at };
  }
  const fresh = { start: at, end: nextBoundary(at, after, at) };
  const items = wanted.map((item) => ({
    ...item,
    current_period_start: fresh.start,
    current_period_end: fresh.end,
  }));
  const cycle = items.map((item) => cycleLine(world, subscription.id, item, fresh));
  return { items, prorations, cycle, anchor: at, at };
}

function wantedItems(
  world: World,
  subscription: Subscription,
  change: Change,
  period: { start: number; end: number },
  now: number,
): SubscriptionItem[] {
  const items = subscription.items.data.map((item) => ({ ...item }));
  for (const [index, input] of (change.items ?? []).entries()) {
    const param = `items[${index}]`;
    if (!input.id) {
      if (!input.price)
        throw invalid(`Missing required param: ${param}[price].`, `${param}[price]`, 'parameter_missing');
      if (items.some((item) => item.price.id === input.price))
        throw invalid(
          `Cannot add multiple subscription items with the same plan or price: ${input.price}`,
          `${param}[price]`,
        );
      const price = sellablePrice(world, input.price, `${param}[price]`);
      items.push(
        newItem(
          subscription.id,
          price,
          input.quantity ?? 1,
          period,
          now,
          p.mergedMetadata({}, input.metadata),
        ),
      );
      continue;
    }
    const place = items.findIndex((item) => item.id === input.id);
    const item = items[place];
    if (!item) throw missing('subscription item', input.id, `${param}[id]`, 400);
    if (input.deleted) {
      items.splice(place, 1);
      continue;
    }
    if (input.price && input.price !== item.price.id) {
      item.price = sellablePrice(world, input.price, `${param}[price]`);
      item.plan = planOf(item.price);
    }
    if (input.quantity !== undefined) item.quantity = input.quantity;
    if (input.metadata !== undefined) item.metadata = p.mergedMetadata(item.metadata, input.metadata);
  }
  return items;
}
