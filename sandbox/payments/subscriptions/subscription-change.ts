import type Stripe from 'stripe';
import { invalid, missing } from '../http/errors.ts';
import * as p from '../http/params.ts';
import type { InvoiceLine, Subscription, SubscriptionItem } from '../http/wire.ts';
import { cycleLine, remainingLine, unusedLine } from '../invoices/invoice-lines.ts';
import { planOf, sellablePrice } from '../resources/price-lookup.ts';
import { taxRateIds, taxRatesOf } from '../resources/tax-rates.ts';
import { timeOf, type World } from '../store/world.ts';
import { type Interval, intervalEnding, MONTHLY, nextBoundary, type Period } from './periods.ts';
import { newItem } from './subscription-create.ts';

export const changeFields = {
  items: p.listOf(
    p.record({
      id: p.text,
      price: p.text,
      quantity: p.integer,
      deleted: p.flag,
      metadata: p.metadata,
      tax_rates: taxRateIds,
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
  return planItems(world, subscription, wanted, {
    at,
    restarts: change.billing_cycle_anchor === 'now',
    isProrated: () => change.proration_behavior !== 'none' && subscription.status !== 'trialing',
  });
}

/**
 * The change to other items at `at` (seconds), with its lines. Billing is flexible: a new interval keeps the anchor and the
 * start of its item's period, and only `restarts` begins new periods.
 */
function planItems(
  world: World,
  subscription: Subscription,
  wanted: SubscriptionItem[],
  {
    at,
    restarts,
    isProrated,
  }: { at: number; restarts: boolean; isProrated(item: SubscriptionItem): boolean },
): PlannedChange {
  const old = subscription.items.data;
  const anchor = restarts ? at : subscription.billing_cycle_anchor;
  const items = wanted.map((item) => {
    const period = restarts ? null : samePeriod(item, old);
    const { start, end } = period ?? otherPeriod(item, restarts ? [] : old, anchor, at);
    return { ...item, current_period_start: start, current_period_end: end };
  });
  const touched = (item: SubscriptionItem, others: SubscriptionItem[]) =>
    isProrated(item) &&
    (restarts ||
      !others.some(
        (other) =>
          other.id === item.id && other.price.id === item.price.id && other.quantity === item.quantity,
      ));
  const prorations = old
    .filter((item) => touched(item, wanted))
    .map((item) => unusedLine(world, subscription.id, item, at));
  if (restarts) {
    const cycle = items.map((item) => cycleLine(world, subscription.id, item, periodOf(item)));
    return { items, prorations, cycle, anchor, at };
  }
  for (const item of items.filter((entry) => touched(entry, old))) {
    const interval = intervalEnding(anchor, item.price.recurring ?? MONTHLY, item.current_period_end);
    prorations.push(remainingLine(world, subscription.id, item, interval, at));
  }
  return { items, prorations, cycle: [], anchor: null, at };
}

const periodOf = ({ current_period_start: start, current_period_end: end }: SubscriptionItem): Period => ({
  start,
  end,
});

const isSame = (a: Interval | null, b: Interval | null) =>
  a?.interval === b?.interval && a?.interval_count === b?.interval_count;

/** The period of an item whose interval stays, or of a new one beside items of its interval; null for others. */
function samePeriod({ id, price }: SubscriptionItem, old: SubscriptionItem[]): Period | null {
  const before = old.find((item) => item.id === id);
  const model = [...(before ? [before] : old)].find((item) => isSame(item.price.recurring, price.recurring));
  return model ? periodOf(model) : null;
}

function otherPeriod(item: SubscriptionItem, old: SubscriptionItem[], anchor: number, at: number): Period {
  const before = old.find(({ id, current_period_end: end }) => id === item.id && at < end);
  const end = nextBoundary(anchor, item.price.recurring ?? MONTHLY, at);
  return { start: before?.current_period_start ?? at, end };
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
        newItem(subscription.id, price, input.quantity ?? 1, period, now, {
          metadata: p.mergedMetadata({}, input.metadata),
          tax_rates: taxRatesOf(world, input.tax_rates, `${param}[tax_rates]`),
        }),
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
    if (input.tax_rates !== undefined)
      item.tax_rates = taxRatesOf(world, input.tax_rates, `${param}[tax_rates]`);
    if (input.metadata !== undefined) item.metadata = p.mergedMetadata(item.metadata, input.metadata);
  }
  return items;
}
