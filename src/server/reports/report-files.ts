import type { CsvDownload } from '../../contract/staff/csv-download.ts';
import type { ReportName } from '../../contract/staff/reports.ts';
import { LEAVING_REASON_LABELS } from '../../domain/reports/leaving-reason.ts';
import { STANDING_LABELS, STANDINGS_OVER_TIME } from '../../domain/reports/member-figures.ts';
import type { PaymentFilter } from '../../domain/reports/payment-list.ts';
import type { ReportRange } from '../../domain/reports/report-range.ts';
import { type CsvCell, csvFile } from '../platform/csv.ts';
import { reportMembers } from './members-report.ts';
import { listRefunds, reportPayments } from './payments-report.ts';
import { reportPours } from './pours-report.ts';
import type { ReportsContext } from './reports-context.ts';
import { reportRevenue } from './revenue-report.ts';
import { reportUnused } from './unused-report.ts';

interface Sheet {
  header: string[];
  rows: CsvCell[][];
}

type Make = (ctx: ReportsContext, range: ReportRange & PaymentFilter) => Promise<Sheet>;

/** Amounts in the currency's smallest unit, days as YYYY-MM-DD. */
const SHEETS: Record<ReportName, Make> = {
  async members(ctx, range) {
    const { points } = await reportMembers(ctx, range);
    const tiers = [...new Set(points.flatMap((point) => Object.keys(point.tiers)))].sort();
    return {
      header: ['Day', 'Members', ...tiers, ...STANDINGS_OVER_TIME.map((it) => STANDING_LABELS[it])],
      rows: points.map(({ day, members, tiers: counts, standings }) => [
        day,
        members,
        ...tiers.map((tier) => counts[tier] ?? 0),
        ...STANDINGS_OVER_TIME.map((it) => standings[it] ?? 0),
      ]),
    };
  },
  async revenue(ctx, range) {
    const { months, currency } = await reportRevenue(ctx, range);
    const unit = `${currency.toUpperCase()}, smallest unit`;
    return {
      header: [
        ...['Month', 'Members at the start', 'Joined', 'Lost', 'Members at the end', 'Churn'],
        ...['Start', 'New', 'Expansion', 'Contraction', 'Lost', 'End'].map((it) => `${it} (${unit})`),
      ],
      rows: months.map((it) => [
        ...[it.month, it.opening, it.joined, it.lost, it.closing, it.churn],
        ...[it.opening_cents, it.new_cents, it.expansion_cents, it.contraction_cents, it.lost_cents],
        it.closing_cents,
      ]),
    };
  },
  async reasons(ctx, range) {
    const { reasons } = await reportRevenue(ctx, range);
    return {
      header: ['Reason', 'Members'],
      rows: reasons.map(({ reason, members }) => [
        reason ? LEAVING_REASON_LABELS[reason] : 'Not given',
        members,
      ]),
    };
  },
  async payments(ctx, filter) {
    const { payments } = await reportPayments(ctx, filter, null);
    const withRefunds = filter.state === undefined || filter.state === 'refunded';
    const refunds = withRefunds ? await listRefunds(ctx, filter) : [];
    // A refund is a row of its own, on its own day and below zero, so that the column adds up.
    // The latest first; a refund of the same moment stands above its charge.
    const lines = [
      ...refunds.map((it) => ({
        ...it,
        type: 'refund',
        amount: -it.cents,
        tax_cents: it.tax_cents && -it.tax_cents,
        state: null,
        reference: null,
      })),
      ...payments.map((it) => ({ ...it, type: 'charge', amount: it.cents })),
    ].sort((a, b) => b.day.localeCompare(a.day) || (b.at ?? '').localeCompare(a.at ?? ''));
    return {
      header: [
        ...['Day', 'At (UTC)', 'For', 'Type', 'Id', 'State', 'Amount (smallest unit)', 'Of it tax'],
        ...['Currency', 'Tier', 'Reference', 'By'],
      ],
      rows: lines.map((it) => [
        ...[it.day, it.at, it.kind, it.type, it.id, it.state, it.amount, it.tax_cents],
        ...[it.currency, it.tier, it.reference, it.by],
      ]),
    };
  },
  async sign_ups(ctx, range) {
    const { sign_ups } = await reportMembers(ctx, range);
    return {
      header: ['Staff', 'Id', 'Joined', 'Still members', 'Days stayed on average'],
      rows: sign_ups.map((it) => [it.name, it.staff_id, it.members, it.still_members, it.days_stayed]),
    };
  },
  async days(ctx, range) {
    const { days } = await reportPours(ctx, range);
    return {
      header: ['Day', 'Pours', 'Times served'],
      rows: days.map((it) => [it.day, it.glasses, it.pours]),
    };
  },
  async hours(ctx, range) {
    const { hours } = await reportPours(ctx, range);
    return {
      header: ['Weekday (1 is Monday)', 'Hour', 'Pours', 'Times served'],
      rows: hours.map((it) => [it.weekday, it.hour, it.glasses, it.pours]),
    };
  },
  async places(ctx, range) {
    const { places } = await reportPours(ctx, range);
    return {
      header: ['Place', 'Pours', 'Times served'],
      rows: places.map((it) => [it.location, it.glasses, it.pours]),
    };
  },
  async staff(ctx, range) {
    const { staff } = await reportPours(ctx, range);
    return {
      header: ['Staff', 'Id', 'Pours', 'Times served'],
      rows: staff.map((it) => [it.name, it.staff_id, it.glasses, it.pours]),
    };
  },
  async unused(ctx, range) {
    const { months } = await reportUnused(ctx, range);
    return {
      header: ['Month', 'Tier', 'Billing periods', 'Pours given', 'Left unused'],
      rows: months.map((it) => [it.month, it.tier, it.periods, it.given, it.unused]),
    };
  },
};

/** A report as a file for spreadsheets, without members’ names. */
export async function exportReport(
  ctx: ReportsContext,
  { report, ...range }: ReportRange & PaymentFilter & { report: ReportName },
): Promise<CsvDownload> {
  const { header, rows } = await SHEETS[report](ctx, range);
  return csvFile({
    name: `${report}-${range.from}-${range.to}.csv`,
    header,
    read: async () => ({ rows, next: null }),
    toCells: (cells) => cells,
  });
}
