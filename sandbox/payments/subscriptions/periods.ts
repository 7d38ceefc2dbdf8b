export interface Interval {
  interval: string;
  interval_count: number;
}

/** In seconds. */
export interface Period {
  start: number;
  end: number;
}

export const MONTHLY: Interval = { interval: 'month', interval_count: 1 };

/** `steps` intervals after the anchor, in seconds: January 31, February 28 or 29, March 31. */
export function boundary(anchor: number, interval: Interval, steps: number): number {
  const count = interval.interval_count * steps;
  if (interval.interval === 'day') return anchor + count * 86_400;
  if (interval.interval === 'week') return anchor + count * 7 * 86_400;
  const start = new Date(anchor * 1000);
  const months = interval.interval === 'year' ? count * 12 : count;
  const target = new Date(start);
  target.setUTCDate(1);
  target.setUTCMonth(start.getUTCMonth() + months);
  const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(start.getUTCDate(), last));
  return Math.floor(target.getTime() / 1000);
}

/** The first boundary strictly after `moment`. Works for an anchor in the past and in the future. */
export function nextBoundary(anchor: number, interval: Interval, moment: number): number {
  return boundary(anchor, interval, stepsAfter(anchor, interval, moment));
}

/** The whole interval that ends at a boundary, though an item may have begun within it. */
export function intervalEnding(anchor: number, interval: Interval, end: number): Period {
  return { start: boundary(anchor, interval, stepsAfter(anchor, interval, end - 1) - 1), end };
}

function stepsAfter(anchor: number, interval: Interval, moment: number): number {
  const days = { day: 1, week: 7, month: 30.44, year: 365.25 }[interval.interval] ?? 30.44;
  let steps = Math.floor((moment - anchor) / (days * 86_400 * interval.interval_count)) - 2;
  while (boundary(anchor, interval, steps) <= moment) steps += 1;
  return steps;
}

/** The period of an item after its current one. */
export function nextPeriod(
  { billing_cycle_anchor }: { billing_cycle_anchor: number },
  { current_period_end: start, price }: { current_period_end: number; price: { recurring: Interval | null } },
): Period {
  return { start, end: nextBoundary(billing_cycle_anchor, price.recurring ?? MONTHLY, start) };
}

/** The first end of the items' periods, in seconds: items of several intervals end at different times. */
export function firstEnd(items: { current_period_end: number }[]): number {
  return Math.min(...items.map(({ current_period_end }) => current_period_end));
}
