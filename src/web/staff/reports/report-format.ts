import type { ReportStep } from '../../../domain/reports/report-range.ts';

const LOCALE = 'en-US';
const dayFormat = new Intl.DateTimeFormat(LOCALE, { month: 'short', day: 'numeric', timeZone: 'UTC' });
const monthFormat = new Intl.DateTimeFormat(LOCALE, { month: 'short', year: '2-digit', timeZone: 'UTC' });

/** '2026-03-14' -> 'Mar 14'; for a step of a month, 'Mar ’26'. */
export function stepName(day: string, step: ReportStep): string {
  return (step === 'month' ? monthFormat : dayFormat)
    .format(new Date(day))
    .replace(' ', step === 'month' ? ' ’' : ' ');
}

/** '2026-03-01' -> 'Mar ’26' */
export const monthName = (month: string): string => stepName(month, 'month');

/** 0 -> '12 AM', 17 -> '5 PM' */
export const hourName = (hour: number): string => `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`;

/** 2390 -> '2,390' */
export const count = (amount: number): string => amount.toLocaleString(LOCALE);

/** 0.0731 -> '7.3%'; without a base -> '–' */
export function percent(share: number | null): string {
  return share === null
    ? '–'
    : share.toLocaleString(LOCALE, {
        style: 'percent',
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
      });
}
