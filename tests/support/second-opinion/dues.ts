import { DAY, type Day, dayAt, dayStart, monthsOn } from './calendar.ts';
import type { Setting } from './club.ts';
import type { Period } from './period.ts';

// docs/rules/dues.md.

/** A payment for the months before `until`. */
export interface DuesPayment {
  until: number;
  isVoided: boolean;
}

/** What is paid at the venue for a membership; months are counted from its first day. */
export interface Dues {
  payments: DuesPayment[];
  /** The number of months that are paid. */
  until: number;
  /** The end of access while the next month is not paid. */
  graceAt: number;
  /** The months so far, the current one last. */
  months: Period[];
}

export const graceFrom = ({ d, ...day }: Day, { grace, zone }: Setting): number =>
  dayStart({ ...day, d: d + grace }, zone);

export const newDues = (day: Day, months: number, first: Period, setting: Setting): Dues => ({
  payments: [{ until: months, isVoided: false }],
  until: months,
  graceAt: graceFrom(monthsOn(day, months), setting),
  months: [first],
});

/** Days since 1970. */
export const dayNumber = ({ y, m, d }: Day): number => Date.UTC(y, m - 1, d) / 1000 / DAY;

/** The days of a month at the venue. */
export const monthDays = (day: Day, month: number): number =>
  dayNumber(monthsOn(day, month + 1)) - dayNumber(monthsOn(day, month));

/** The days of grace that a month has, if it is not paid. */
export const graceDays = ({ graceAt }: Dues, day: Day, month: number, { zone }: Setting): number =>
  Math.min(27, dayNumber(dayAt(graceAt, zone)) - dayNumber(monthsOn(day, month)));
