import { atHour, type LocalDate, localDate } from '../calendar.ts';

/** An evening continues past midnight, so the venue's night begins at six in the morning. */
const BEGINS_AT_HOUR = 6;

/** The start of tonight, and the day it belongs to. docs/rules/reports.md, "Tonight". */
export function tonight(now: Date, timeZone: string): { since: Date; day: LocalDate } {
  const day = localDate(new Date(now.getTime() - BEGINS_AT_HOUR * 3_600_000), timeZone);
  return { since: atHour(day, BEGINS_AT_HOUR, timeZone), day };
}
