import type { AboutMember } from '../../contract/staff/member-record.ts';
import { type LocalDate, MONTH_NAMES, venueTime } from '../../domain/calendar.ts';

// Always American English in any browser, like all texts of the product. Implemented here, because creating Intl's formats
// takes a slow phone a tenth of a second before anything is drawn (docs/decisions/page-load.md).

interface Day {
  year: number;
  /** 0 to 11. */
  month: number;
  day: number;
}

/** Calendar days are parsed and formatted in UTC: in America, local time would give the previous day. */
function readDay(text: string): Day {
  const date = new Date(text);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() };
}

/** The calendar day of an instant in local time. */
const localDay = (date: Date): Day => ({
  year: date.getFullYear(),
  month: date.getMonth(),
  day: date.getDate(),
});

const nameOf = ({ month }: Day) => MONTH_NAMES[month] ?? '';
const numeric = (it: Day) => `${it.month + 1}/${it.day}/${it.year}`;
const monthAndDay = (it: Day) => `${nameOf(it)} ${it.day}`;
const time = (hour: number, minute: number) =>
  `${hour % 12 || 12}:${padded(minute)} ${hour < 12 ? 'AM' : 'PM'}`;
const padded = (number: number) => String(number).padStart(2, '0');

/** 'March 14', or 'March 14, 1984' if the year is known. `month` is 1 to 12. */
export function birthdayText({ month, day, year }: NonNullable<AboutMember['birthday']>): string {
  const text = monthAndDay({ year: year ?? 0, month: month - 1, day });
  return year === null ? text : `${text}, ${year}`;
}

/** '2024-03-14' -> 'March 2024' */
export function monthOfDay(day: string): string {
  const it = readDay(day);
  return `${nameOf(it)} ${it.year}`;
}

/** '2024-03-14' -> '3/14/2024' */
export function dateOfDay(day: string): string {
  return numeric(readDay(day));
}

const dateOf = (instant: string | number) => new Date(typeof instant === 'number' ? instant * 1000 : instant);

/** An instant (ISO text, or seconds since 1970) -> '3/14/2024', in local time. */
export function dateOfInstant(instant: string | number): string {
  return numeric(localDay(dateOf(instant)));
}

/** Days from today for which a day without its year is clear. */
const NEAR_DAYS = 183;

/** '2026-12-14' -> 'Dec 14', or 'Dec 14, 2026' if it is far from today. */
export function shortDay(day: string, today: LocalDate): string {
  const it = readDay(day);
  const text = `${nameOf(it).slice(0, 3)} ${it.day}`;
  const isNear = Math.abs(Date.parse(day) - Date.parse(today)) <= NEAR_DAYS * 86_400_000;
  return isNear ? text : `${text}, ${it.year}`;
}

/** An instant (ISO text, or seconds since 1970) -> 'Dec 14', as `shortDay`, in local time. */
export const shortInstant = (instant: string | number, today: LocalDate): string =>
  shortDay(calendarDay(dateOf(instant)), today);

/** Seconds since 1970 -> 'March', in local time. */
export const monthOfInstant = (instant: number): string => nameOf(localDay(new Date(instant * 1000)));

/** '7:05 PM', in local time. */
export function timeOfDay(instant: Date): string {
  return time(instant.getHours(), instant.getMinutes());
}

/** '2026-03-14', in local time. */
export function calendarDay(instant: Date): LocalDate {
  const { year, month, day } = localDay(instant);
  return `${year}-${padded(month + 1)}-${padded(day)}`;
}

/** An ISO timestamp -> 'Mar 04, 2026 • 7:05 PM', in local time. */
export function formatDateTime(timestamp: string): string {
  const instant = new Date(timestamp);
  return dateTime(localDay(instant), instant.getHours(), instant.getMinutes());
}

const dateTime = (it: Day, hour: number, minute: number) =>
  `${nameOf(it).slice(0, 3)} ${padded(it.day)}, ${it.year} • ${time(hour, minute)}`;

/** An ISO timestamp -> 'Mar 04, 2026 • 7:05 PM', on the venue's clock. */
export function venueDateTime(timestamp: string, timeZone: string): string {
  const clock = venueTime(new Date(timestamp), timeZone);
  return dateTime(readDay(clock.toISOString()), clock.getUTCHours(), clock.getUTCMinutes());
}
