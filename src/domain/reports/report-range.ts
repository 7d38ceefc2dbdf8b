import { addDays, addMonths, type LocalDate } from '../calendar.ts';

/** The maximum length of a report: five years. */
const MAX_REPORT_DAYS = 1827;
/** Charts of more days are drawn by week, then by month. */
const MAX_DAILY = 62;
const MAX_WEEKLY = 186;

export type ReportStep = 'day' | 'week' | 'month';

export interface ReportRange {
  from: LocalDate;
  to: LocalDate;
}

const DAY_MS = 86_400_000;

const daysIn = ({ from, to }: ReportRange): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;

export function stepOf(range: ReportRange): ReportStep {
  const days = daysIn(range);
  if (days <= MAX_DAILY) return 'day';
  return days <= MAX_WEEKLY ? 'week' : 'month';
}

/** Whether a range is valid for a report: in order, and not too long. */
export const isReportRange = (range: ReportRange): boolean =>
  range.from <= range.to && daysIn(range) <= MAX_REPORT_DAYS;

/** The last day of each step of a range, oldest first; the range's own last day ends it. */
export function stepEnds(range: ReportRange): LocalDate[] {
  const step = stepOf(range);
  const ends: LocalDate[] = [];
  let end = firstEnd(range.from, step);
  while (end < range.to) {
    ends.push(end);
    end = step === 'day' ? addDays(end, 1) : step === 'week' ? addDays(end, 7) : lastOfMonth(addDays(end, 1));
  }
  return [...ends, range.to];
}

const firstEnd = (from: LocalDate, step: ReportStep): LocalDate => {
  if (step === 'day') return from;
  return step === 'week' ? addDays(from, 6) : lastOfMonth(from);
};

export const firstOfMonth = (day: LocalDate): LocalDate => `${day.slice(0, 7)}-01`;
export const lastOfMonth = (day: LocalDate): LocalDate => addDays(addMonths(firstOfMonth(day), 1), -1);

/** The first day of every month in the range, oldest first. */
export function monthsOf({ from, to }: ReportRange): LocalDate[] {
  const months: LocalDate[] = [];
  for (let month = firstOfMonth(from); month <= to; month = addMonths(month, 1)) months.push(month);
  return months;
}
