import { DAY, type Day, dayAt, dayStart, monthsOn } from './calendar.ts';
import type { Setting } from './club.ts';
import type { Period } from './period.ts';

// docs/rules/dues.md.

/** A payment for the months from `from` to `until`, without those that pauses skip later. */
export interface DuesPayment {
  from: number;
  until: number;
  isVoided: boolean;
  /** Paid by card: it is refunded, not voided. */
  isOnline?: boolean;
  /** The number of pauses' changes before it. */
  changes: number;
}

/** A pause from a month to another. */
export interface DuesPause {
  from: number;
  until: number;
  /** How many of its months have begun. */
  skipped: number;
}

/** What is paid at the venue for a membership; months are counted from its first day. */
export interface Dues {
  payments: DuesPayment[];
  /** How many months each pause got or lost, oldest first. */
  changes: { from: number; months: number }[];
  pause: DuesPause | null;
  /** Another tier from a month on. */
  next: { tier: string; price: number; from: number } | null;
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
  payments: [{ from: 0, until: months, isVoided: false, changes: 0 }],
  changes: [],
  pause: null,
  next: null,
  until: months,
  graceAt: graceFrom(monthsOn(day, months), setting),
  months: [first],
});

/** The number of months that are paid: of the payments that are not voided, each moved by the pauses that it did not know. */
export function paidMonths({ payments, changes }: Dues): number {
  const moved = payments
    .filter(({ isVoided }) => !isVoided)
    .map((payment) => {
      let { until } = payment;
      const unknown = changes.filter(({ from }, nth) => nth >= payment.changes || from > payment.from);
      for (const { from, months } of unknown.toSorted((a, b) => a.from - b.from)) {
        if (from > until) break;
        until += months;
      }
      return until;
    });
  return Math.max(0, ...moved);
}

/** The start of a pause's first day in UTC, by which months of pause are counted. */
export function firstDay(day: Day, { from }: DuesPause): number {
  const { y, m, d } = monthsOn(day, from);
  return Date.UTC(y, m - 1, d) / 1000;
}

/** Whether a month of the membership is skipped. */
export const isSkipped = ({ pause }: Dues, month: number): boolean =>
  pause !== null && month >= pause.from && month < pause.until;

/** Days since 1970. */
export const dayNumber = ({ y, m, d }: Day): number => Date.UTC(y, m - 1, d) / 1000 / DAY;

/** The days of a month at the venue. */
export const monthDays = (day: Day, month: number): number =>
  dayNumber(monthsOn(day, month + 1)) - dayNumber(monthsOn(day, month));

/** The days of grace that a month has, if it is not paid. */
export const graceDays = ({ graceAt }: Dues, day: Day, month: number, { zone }: Setting): number =>
  Math.min(27, dayNumber(dayAt(graceAt, zone)) - dayNumber(monthsOn(day, month)));
