import type { DuesNow } from '../../contract/members.ts';
import { addDays } from '../../domain/calendar.ts';
import { YEAR_ENDING_DAYS } from '../../domain/membership/dues.ts';
import { dateOfDay } from './dates.ts';
import { venueToday } from './venue-today.ts';

/** The last day that is paid: '6/14/2027'. */
export const lastDayOf = ({ paid_until }: DuesNow): string => dateOfDay(addDays(paid_until, -1));

/** Whether a year that was paid at once is nearly over. */
export const yearEndsSoon = ({ is_year, paid_until }: DuesNow): boolean =>
  is_year && paid_until <= addDays(venueToday(), YEAR_ENDING_DAYS);
