import { type LocalDate, localDate } from '../../domain/calendar.ts';
import { serverTime } from '../api/server-clock.ts';
import { site } from '../api/site.ts';

/** The day at the venue, by the server's clock. */
export const venueToday = (): LocalDate => localDate(new Date(serverTime()), site.time_zone);
