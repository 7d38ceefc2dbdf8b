/** A day in the venue's calendar, 'YYYY-MM-DD'. */
export type LocalDate = string;

const pad = (value: number, width = 2) => String(value).padStart(width, '0');

/** `month` is 1 to 12. */
function daysInMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function parts(date: LocalDate): { year: number; month: number; day: number } {
  const [year, month, day] = date.split('-').map(Number);
  if (!year || !month || !day) throw new RangeError(`Not a date: ${date}`);
  return { year, month, day };
}

/** Moves by whole months: Jan 31 + 1 = Feb 28, Jan 31 + 2 = Mar 31 (docs/rules/glasses.md, "Glasses"). */
export function addMonths(anchor: LocalDate, months: number): LocalDate {
  const { year, month, day } = parts(anchor);
  const index = year * 12 + (month - 1) + months;
  const toYear = Math.floor(index / 12);
  const toMonth = (index % 12) + 1;
  return `${pad(toYear, 4)}-${pad(toMonth)}-${pad(Math.min(day, daysInMonth(toYear, toMonth)))}`;
}

export function addDays(date: LocalDate, days: number): LocalDate {
  const { year, month, day } = parts(date);
  return new Date(Date.UTC(year, month - 1, day + days)).toISOString().slice(0, 10);
}

/** Whole months from the anchor to a date, counted as addMonths does; negative before the anchor. */
export function monthsSince(anchor: LocalDate, date: LocalDate): number {
  const from = parts(anchor);
  const to = parts(date);
  const months = (to.year - from.year) * 12 + (to.month - from.month);
  return addMonths(anchor, months) > date ? months - 1 : months;
}

export const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** A day in words, such as 'July 15, 2026'. */
export function dayName(day: LocalDate): string {
  const [year, month, date] = day.split('-').map(Number);
  return `${MONTH_NAMES[(month ?? 1) - 1]} ${date}, ${year}`;
}

let monthFormat: Intl.DateTimeFormat | undefined;

/** The month and year of a day or an instant (ISO 8601, in UTC), such as 'November 2026'. */
export function monthName(day: string): string {
  // Created lazily: the first format of a process takes 15 ms, which would delay a start.
  monthFormat ??= new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return monthFormat.format(new Date(day));
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function wallClock(instant: Date, timeZone: string): number {
  // Avoids a format for the same reason: a first start needs the day.
  if (timeZone === 'UTC') return Math.floor(instant.getTime() / 1_000) * 1_000;
  let format = formatters.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formatters.set(timeZone, format);
  }
  const fields: Record<string, number> = {};
  for (const { type, value } of format.formatToParts(instant)) fields[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = fields;
  return Date.UTC(year, month - 1, day, hour, minute, second);
}

/** The venue's calendar day at an instant, in an IANA time zone. */
export function localDate(instant: Date, timeZone: string): LocalDate {
  return venueTime(instant, timeZone).toISOString().slice(0, 10);
}

/** What the venue's calendar and clock show at an instant, as the UTC fields of a Date. */
export function venueTime(instant: Date, timeZone: string): Date {
  return new Date(wallClock(instant, timeZone));
}

/** The hour of the venue's clock at an instant, 0 to 23. */
export function hourAt(instant: Date, timeZone: string): number {
  return venueTime(instant, timeZone).getUTCHours();
}

/**
 * The instant at which a day begins at the venue. If the clock skips midnight, the first instant after it; if it shows
 * midnight twice, the first time.
 */
export function startOfDay(date: LocalDate, timeZone: string): Date {
  return atHour(date, 0, timeZone);
}

/** Longer than any zone's offset from UTC. */
const DAY_MS = 24 * 3_600_000;

/**
 * The instant of a full hour (0 to 23) on a day at the venue. If the clock skips it, the first instant after it; if it shows
 * the hour twice, the first time.
 */
export function atHour(date: LocalDate, hour: number, timeZone: string): Date {
  const target = Date.parse(`${date}T${pad(hour)}:00:00Z`);
  const clockAt = (instant: number) => wallClock(new Date(instant), timeZone);
  const offsetAt = (instant: number) => clockAt(instant) - instant;
  const before = target - offsetAt(target - DAY_MS);
  const after = target - offsetAt(target + DAY_MS);
  if (before === after || clockAt(before) === target) return new Date(before);
  if (clockAt(after) === target) return new Date(after);
  // Both sides of the change, which is somewhere in the hours that the clock skips.
  let [early, late] = [after, before];
  while (late - early > 1) {
    const middle = Math.floor((early + late) / 2);
    if (clockAt(middle) < target) early = middle;
    else late = middle;
  }
  return new Date(late);
}

/** The maximum difference between the clocks of two servers, Stripe's among them, in milliseconds. */
export const CLOCK_SKEW_MS = 60_000;

/** Milliseconds since then. A future time, from a wrong clock, counts as past, so that nothing waits for years. */
export function elapsedMs(since: Date, now: Date): number {
  const ms = now.getTime() - since.getTime();
  return ms < -CLOCK_SKEW_MS ? Number.POSITIVE_INFINITY : Math.max(0, ms);
}

/**
 * Whether the runtime knows an IANA time zone of that name. An offset such as +05:00 is none, as it has no daylight time, nor
 * is an abbreviation such as CET, which Postgres takes for an offset.
 */
export function isTimeZone(name: string): boolean {
  if (!/^(?:UTC|GMT|(?![a-z]{3}$)[a-z].*)$/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** An instant in whole seconds since 1970, as Stripe and tokens count. */
export const unixSeconds = (at: Date): number => Math.floor(at.getTime() / 1000);
