import type { UnusedReport } from '../../contract/staff/reports.ts';
import { monthsOf, type ReportRange } from '../../domain/reports/report-range.ts';
import { sql } from '../db/orm.ts';
import { rowsOf } from '../db/results.ts';
import type { ReportsContext } from './reports-context.ts';

/** Unused pours of the billing periods that ended in each month of a range. docs/rules/reports.md, "Reports". */
export function reportUnused(ctx: ReportsContext, range: ReportRange): Promise<UnusedReport> {
  const months = monthsOf(range);
  return ctx.readLagging(async (db) => ({
    months: await rowsOf<UnusedReport['months'][number]>(
      db,
      sql`select to_char(month, 'YYYY-MM-DD') as month, tier, periods, given, unused
            from unused_between(${months[0]}::date, ${months.at(-1)}::date, ${ctx.now().toISOString()}::timestamptz,
                                ${ctx.venue.time_zone})
           order by month, tier`,
    ),
  }));
}
