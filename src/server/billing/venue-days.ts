import { type LocalDate, localDate, startOfDay } from '../../domain/calendar.ts';
import type { BillingContext } from './billing-context.ts';

/** The day at the venue. */
export const venueToday = ({ now, venue }: Pick<BillingContext, 'now' | 'venue'>): LocalDate =>
  localDate(now(), venue.time_zone);

/** The start of a day at the venue. */
export const venueDay = ({ venue }: Pick<BillingContext, 'venue'>, day: LocalDate): Date =>
  startOfDay(day, venue.time_zone);
