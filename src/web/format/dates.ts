// Always American English, whatever the language of the browser: so are all texts of the product.
const LOCALE = 'en-US';
const monthDayYear = { month: 'numeric', day: 'numeric', year: 'numeric' } as const;

// A calendar day is read and written in UTC: in America, local time would make it the day before.
const monthOfDayFormat = new Intl.DateTimeFormat(LOCALE, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayFormat = new Intl.DateTimeFormat(LOCALE, { ...monthDayYear, timeZone: 'UTC' });
const instantFormat = new Intl.DateTimeFormat(LOCALE, monthDayYear);
const shortFormat = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', year: 'numeric' });
const paddedFormat = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: '2-digit', year: 'numeric' });
const timeFormat = new Intl.DateTimeFormat(LOCALE, { hour: 'numeric', minute: '2-digit' });
const longDayOfYearFormat = new Intl.DateTimeFormat(LOCALE, {
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});
const longDayOfDayFormat = new Intl.DateTimeFormat(LOCALE, {
  month: 'long',
  day: 'numeric',
  timeZone: 'UTC',
});
const longDayFormat = new Intl.DateTimeFormat(LOCALE, { month: 'long', day: 'numeric' });

const monthFormat = new Intl.DateTimeFormat(LOCALE, { month: 'long', timeZone: 'UTC' });

/** 'January' to 'December'. */
export const MONTH_NAMES = Array.from({ length: 12 }, (_, month) =>
  monthFormat.format(Date.UTC(2000, month)),
);

/** 'March 14', or 'March 14, 1984' where the year is known. */
export function birthdayText({
  month,
  day,
  year,
}: {
  month: number;
  day: number;
  year: number | null;
}): string {
  // A leap year, which has every day.
  const format = year === null ? longDayOfDayFormat : longDayOfYearFormat;
  return format.format(Date.UTC(year ?? 2000, month - 1, day));
}

/** '2024-03-14' -> 'March 2024' */
export function monthOfDay(day: string): string {
  return monthOfDayFormat.format(new Date(day));
}

/** '2024-03-14' -> '3/14/2024' */
export function dateOfDay(day: string): string {
  return dayFormat.format(new Date(day));
}

/** '2026-11-03' -> 'November 3'; of another year than `now`, 'November 3, 2025'. */
export function longDay(day: string, now: Date): string {
  const format = day.startsWith(`${now.getFullYear()}-`) ? longDayOfDayFormat : longDayOfYearFormat;
  return format.format(new Date(day));
}

/** An instant (ISO text, or seconds since 1970) -> '3/14/2024', in local time. */
export function dateOfInstant(instant: string | number): string {
  return instantFormat.format(typeof instant === 'number' ? instant * 1000 : new Date(instant));
}

/** 'Mar 4, 2026', in local time. */
export function shortDate(instant: Date): string {
  return shortFormat.format(instant);
}

/** '7:05 PM', in local time. */
export function timeOfDay(instant: Date): string {
  // Newer browsers put a narrow space before AM and PM.
  return timeFormat.format(instant).replace('\u202f', ' ');
}

/** An ISO timestamp -> 'Mar 04, 2026 • 7:05 PM', in local time. */
export function formatDateTime(timestamp: string): string {
  const instant = new Date(timestamp);
  return `${paddedFormat.format(instant)} • ${timeOfDay(instant)}`;
}

/** Seconds since 1970 -> 'March 14' where the reader is. */
export function dayOfInstant(seconds: number): string {
  return longDayFormat.format(seconds * 1000);
}
