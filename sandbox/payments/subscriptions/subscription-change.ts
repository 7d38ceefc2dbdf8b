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
  proration_behavior: p.oneOf('always_invoice', 'create_prorations', 'none'),
  proration_date: p.integer,
  billing_cycle_anchor: p.oneOf('now', 'unchanged'),
};
export type Change = p.Params<typeof changeFields>;

export interface PlannedChange {
  items: SubscriptionItem[];
  /** Credits and charges for the running period. */
  prorations: InvoiceLine[];
  /** Full charges of a period that starts now, when the change starts one. */
  cycle: InvoiceLine[];
  /** The new anchor, or null when the old one stays. */
  anchor: number | null;
  at: number;
}

/**
 * What a change of items would do, without doing it: the items afterwards and the lines it bills.
 * Throws 400 for an unknown item or price and for a proration date outside the running period.
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
  for (const [index, wish] of (change.items ?? []).entries()) {
    const param = `items[${index}]`;
    if (!wish.id) {
      if (!wish.price)
        throw invalid(`Missing required param: ${param}[price].`, `${param}[price]`, 'parameter_missing');
      if (items.some((item) => item.price.id === wish.price))
        throw invalid(
          `Cannot add multiple subscription items with the same plan or price: ${wish.price}`,
          `${param}[price]`,
        );
      const price = sellablePrice(world, wish.price, `${param}[price]`);
      items.push(
        newItem(subscription.id, price, wish.quantity ?? 1, period, now, p.mergedMetadata({}, wish.metadata)),
      );
      continue;
    }
    const place = items.findIndex((item) => item.id === wish.id);
    const item = items[place];
    if (!item) throw missing('subscription item', wish.id, `${param}[id]`, 400);
    if (wish.deleted) {
      items.splice(place, 1);
      continue;
    }
    if (wish.price && wish.price !== item.price.id) {
      item.price = sellablePrice(world, wish.price, `${param}[price]`);
      item.plan = planOf(item.price);
    }
    if (wish.quantity !== undefined) item.quantity = wish.quantity;
    if (wish.metadata !== undefined) item.metadata = p.mergedMetadata(item.metadata, wish.metadata);
  }
  return items;
}
