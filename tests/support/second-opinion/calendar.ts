// Instants are whole seconds since 1970. Days and months at the venue are those of its time zone.

const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export interface Day {
  y: number;
  m: number;
  d: number;
}

/** A day as text, in the one form that a clock shows. */
export const asText = ({ y, m, d }: Day): string =>
  new Date(Date.UTC(y, m - 1, d)).toISOString().slice(0, 10);

const clocks = new Map<string, Intl.DateTimeFormat>();

/** The day that a calendar in the zone shows, as text. */
function shownAt(at: number, zone: string): string {
  const clock = clocks.get(zone) ?? new Intl.DateTimeFormat('en-CA', { timeZone: zone });
  clocks.set(zone, clock);
  return clock.format(new Date(at * 1000));
}

/** The day at the venue at an instant. */
export function dayAt(at: number, zone: string): Day {
  const [y = 0, m = 0, d = 0] = shownAt(at, zone).split('-').map(Number);
  return { y, m, d };
}

/** The instant at which a day begins at the venue: its first quarter of an hour, which in spring can begin at one o'clock. */
export function dayStart(day: Day, zone: string): number {
  let at = Date.UTC(day.y, day.m - 1, day.d) / 1000 - 15 * HOUR;
  while (shownAt(at, zone) < asText(day)) at += HOUR / 4;
  return at;
}

/** The same day `count` months later, or the month's last. */
export function monthsOn({ y, m, d }: Day, count: number): Day {
  const first = new Date(Date.UTC(y, m - 1 + count, 1));
  const last = new Date(Date.UTC(y, m + count, 0)).getUTCDate();
  return { y: first.getUTCFullYear(), m: first.getUTCMonth() + 1, d: Math.min(d, last) };
}

/** Stripe's months: counted from an instant, in UTC. */
export function stripeMonths(anchor: number, count: number): number {
  const from = new Date(anchor * 1000);
  const on = monthsOn({ y: from.getUTCFullYear(), m: from.getUTCMonth() + 1, d: from.getUTCDate() }, count);
  return Date.UTC(on.y, on.m - 1, on.d) / 1000 + (anchor % DAY);
}
