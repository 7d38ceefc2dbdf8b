import { localDate } from '../../domain/calendar.ts';
import { site } from '../api/site.ts';
import { dateOfDay, venueDateTime } from '../format/dates.ts';

// Staff read every instant on the venue's clock, wherever they are, as in the audit and the reports: two pages about one
// payment then name the same day.

const textOf = (instant: string | number | Date): string =>
  new Date(typeof instant === 'number' ? instant * 1000 : instant).toISOString();

/** An instant (ISO text, or seconds since 1970) -> '3/14/2024'. */
export const dateOfInstant = (instant: string | number): string =>
  dateOfDay(localDate(new Date(textOf(instant)), site.time_zone));

/** '7:05 PM' */
export const timeOfDay = (instant: Date): string => formatDateTime(textOf(instant)).split(' • ')[1] ?? '';

/** An ISO timestamp -> 'Mar 04, 2026 • 7:05 PM'. */
export const formatDateTime = (timestamp: string): string => venueDateTime(timestamp, site.time_zone);
