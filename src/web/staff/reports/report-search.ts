import { addDays, addMonths } from '../../../domain/calendar.ts';
import { PAYMENT_KINDS, PAYMENT_STATES, type PaymentFilter } from '../../../domain/reports/payment-list.ts';
import {
  firstOfMonth,
  isReportRange,
  lastOfMonth,
  type ReportRange,
} from '../../../domain/reports/report-range.ts';

export const REPORT_VIEWS = ['month', 'payments', 'members', 'revenue', 'pours', 'unused'] as const;
export type ReportView = (typeof REPORT_VIEWS)[number];

interface ReportSearch extends Partial<ReportRange>, PaymentFilter {
  view?: ReportView;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const isDay = (value: unknown): value is string =>
  typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value));

export function readReportSearch(search: Record<string, unknown>): ReportSearch {
  const view = REPORT_VIEWS.find((it) => it === search.view);
  const { from, to } = search;
  const range = isDay(from) && isDay(to) && isReportRange({ from, to }) ? { from, to } : {};
  const kind = PAYMENT_KINDS.find((it) => it === search.kind);
  const state = PAYMENT_STATES.find((it) => it === search.state);
  return { ...(view && { view }), ...range, ...(kind && { kind }), ...(state && { state }) };
}

/** The last twelve months and this one: a range with data for every report. */
export const defaultRange = (today: string): ReportRange => ({
  from: addMonths(firstOfMonth(today), -12),
  to: today,
});

export function presets(today: string): { label: string; range: ReportRange }[] {
  const month = firstOfMonth(today);
  return [
    { label: 'Today', range: { from: today, to: today } },
    { label: 'Last 30 days', range: { from: addDays(today, -29), to: today } },
    { label: 'This month', range: { from: month, to: today } },
    { label: 'Last month', range: { from: addMonths(month, -1), to: addDays(month, -1) } },
    { label: 'Last 12 months', range: defaultRange(today) },
    { label: 'Last 2 years', range: { from: addMonths(month, -24), to: today } },
  ];
}

/** Months that can be chosen: this one and two years before. */
const MONTHS = 25;

/** The first days of the months that can be chosen, the latest first. */
export const recentMonths = (today: string): string[] =>
  Array.from({ length: MONTHS }, (_, back) => addMonths(firstOfMonth(today), -back));

/** A month's days, up to today. */
export function monthRange(month: string, today: string): ReportRange {
  const last = lastOfMonth(month);
  return { from: firstOfMonth(month), to: last < today ? last : today };
}
