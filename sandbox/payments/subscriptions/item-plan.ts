import type { InvoiceLine, Subscription, SubscriptionItem } from '../http/wire.ts';
import { cycleLine, remainingLine, unusedLine } from '../invoices/invoice-lines.ts';
import { isMetered } from '../resources/price-lookup.ts';
import type { World } from '../store/world.ts';
import { firstEnd, type Interval, intervalEnding, MONTHLY, nextBoundary, type Period } from './periods.ts';
import { setTrial } from './trials.ts';

export interface PlannedChange {
  items: SubscriptionItem[];
  prorations: InvoiceLine[];
  /** The full charges of a new period, if the change starts one. */
  cycle: InvoiceLine[];
  anchor: number | null;
  /** The end of a trial that the change starts or extends, in seconds, or that it ends one; null if it does neither. */
  trial: number | 'ended' | null;
  at: number;
}

interface Terms extends Pick<PlannedChange, 'at' | 'trial'> {
  restarts: boolean;
  isProrated(item: SubscriptionItem): boolean;
}

/**
 * The change to other items at `at` (seconds), with its lines. Billing is flexible: a new interval keeps the anchor and the
 * start of its item's period. Only `restarts`, and a trial that begins or ends, begin new periods.
 */
export function planItems(
  world: World,
  subscription: Subscription,
  target: SubscriptionItem[],
  { at, trial, isProrated, ...terms }: Terms,
): PlannedChange {
  const current = subscription.items.data;
  const trialEnd = typeof trial === 'number' ? trial : null;
  const isExtension = trialEnd !== null && subscription.status === 'trialing';
  const restarts = terms.restarts || trial !== null;
  const anchor = trialEnd ?? (restarts ? at : subscription.billing_cycle_anchor);
  const items = target.map((item) => {
    const { start, end } =
      (restarts ? null : samePeriod(item, current)) ??
      otherPeriod(item, restarts && !isExtension ? [] : current, anchor, at);
    return { ...item, current_period_start: start, current_period_end: trialEnd ?? end };
  });
  const touched = (item: SubscriptionItem, others: SubscriptionItem[]) =>
    isProrated(item) &&
    !isMetered(item.price) &&
    (restarts || !others.some((other) => isSameSale(item, other)));
  const prorations = current
    .filter((item) => touched(item, target))
    .map((item) => unusedLine(world, subscription.id, item, at));
  if (restarts) {
    const isFree = trialEnd !== null;
    const cycle = items.map((item) => cycleLine(world, subscription.id, item, periodOf(item), isFree));
    return { items, prorations, cycle: isExtension ? [] : cycle, anchor, trial, at };
  }
  for (const item of items.filter((entry) => touched(entry, current))) {
    const interval = intervalEnding(anchor, item.price.recurring ?? MONTHLY, item.current_period_end);
    prorations.push(remainingLine(world, subscription.id, item, interval, at));
  }
  return { items, prorations, cycle: [], anchor: null, trial: null, at };
}

/** Makes a planned change of items, periods and trial. */
export function applyPlan(subscription: Subscription, { items, anchor, trial, at }: PlannedChange): void {
  subscription.items.data = items;
  if (anchor !== null) subscription.billing_cycle_anchor = anchor;
  if (trial !== null) setTrial(subscription, trial, at);
  if (subscription.cancel_at_period_end) subscription.cancel_at = firstEnd(items);
}

const periodOf = ({ current_period_start: start, current_period_end: end }: SubscriptionItem): Period => ({
  start,
  end,
});

const isSameSale = (a: SubscriptionItem, b: SubscriptionItem) =>
  a.id === b.id && a.price.id === b.price.id && a.quantity === b.quantity;

const isSameInterval = (a: Interval | null, b: Interval | null) =>
  a?.interval === b?.interval && a?.interval_count === b?.interval_count;

/** The period of an item whose interval stays, or of a new one beside items of its interval; null for others. */
function samePeriod({ id, price }: SubscriptionItem, current: SubscriptionItem[]): Period | null {
  const before = current.find((item) => item.id === id);
  const model = (before ? [before] : current).find((item) =>
    isSameInterval(item.price.recurring, price.recurring),
  );
  return model ? periodOf(model) : null;
}

function otherPeriod(
  item: SubscriptionItem,
  current: SubscriptionItem[],
  anchor: number,
  at: number,
): Period {
  const before = current.find(({ id, current_period_end: end }) => id === item.id && at < end);
  const end = nextBoundary(anchor, item.price.recurring ?? MONTHLY, at);
  return { start: before?.current_period_start ?? at, end };
}
