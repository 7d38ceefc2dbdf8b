// Instants are whole seconds since 1970. Days and months at the venue are those of its time zone.

const MINUTE = 60;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const ZONE = 'Europe/Vienna';

interface Day {
  y: number;
  m: number;
  d: number;
}

const clock = new Intl.DateTimeFormat('en-US', {
  timeZone: ZONE,
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
});

function read(at: number): Record<string, number> {
  return Object.fromEntries(
    clock.formatToParts(new Date(at * 1000)).map(({ type, value }) => [type, Number(value)]),
  );
}

/** The day at the venue at an instant. */
export function dayAt(at: number): Day {
  const { year = 0, month = 0, day = 0 } = read(at);
  return { y: year, m: month, d: day };
}

/** The instant at which a day begins at the venue. Its clocks never change at midnight. */
export function midnight({ y, m, d }: Day): number {
  const guess = Date.UTC(y, m - 1, d) / 1000;
  const { hour = 0, day = 0, minute = 0 } = read(guess);
  const ahead = (hour + (day === new Date(guess * 1000).getUTCDate() ? 0 : -24)) * HOUR + minute * MINUTE;
  return guess - ahead;
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
