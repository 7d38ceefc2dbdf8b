// The product speaks American English throughout (spec section 9), whatever the browser's language.
const monthDayYear = { month: 'numeric', day: 'numeric', year: 'numeric' } as const;

// A calendar day is read and written in UTC: in the reader's time zone it would be the day before in America.
const dayMonth = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayDate = new Intl.DateTimeFormat('en-US', { ...monthDayYear, timeZone: 'UTC' });
const instantDate = new Intl.DateTimeFormat('en-US', monthDayYear);
const instantDay = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric' });

/** '2024-03-14' -> 'March 2024' */
export function monthOfDay(day: string): string {
  return dayMonth.format(new Date(day));
}

/** '2024-03-14' -> '3/14/2024' */
export function dateOfDay(day: string): string {
  return dayDate.format(new Date(day));
}

/** An instant (ISO text, or seconds since 1970) -> '3/14/2024' where the reader is. */
export function dateOfInstant(instant: string | number): string {
  return instantDate.format(typeof instant === 'number' ? instant * 1000 : new Date(instant));
}

/** Seconds since 1970 -> 'March 14' where the reader is. */
export function dayOfInstant(seconds: number): string {
  return instantDay.format(seconds * 1000);
}
