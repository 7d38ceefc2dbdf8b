import type { ReportRange } from '../../domain/reports/report-range.ts';
import { reportAbsent } from '../reports/absent-report.ts';
import { reportMembers } from '../reports/members-report.ts';
import { reportPayments } from '../reports/payments-report.ts';
import { reportPours } from '../reports/pours-report.ts';
import { exportReport } from '../reports/report-files.ts';
import { reportRevenue } from '../reports/revenue-report.ts';
import { getTonight } from '../reports/tonight-report.ts';
import { reportUnused } from '../reports/unused-report.ts';
import { type AuthorizedContext, allow, os, verb } from './authorize.ts';

/** The part of the router that is about reports. */
export const reportCalls = {
  members: os.reports.members.use(allow.seeReports).handler(verb(reportMembers)),
  revenue: os.reports.revenue.use(allow.seeReports).handler(verb(reportRevenue)),
  payments: os.reports.payments
    .use(allow.seeReports)
    .handler(verb((ctx: AuthorizedContext, range: ReportRange) => reportPayments(ctx, range))),
  pours: os.reports.pours.use(allow.seeReports).handler(verb(reportPours)),
  unused: os.reports.unused.use(allow.seeReports).handler(verb(reportUnused)),
  absent: os.reports.absent
    .use(allow.seeReports)
    .handler(verb((ctx: AuthorizedContext) => reportAbsent(ctx))),
  export: os.reports.export.use(allow.seeReports).handler(verb(exportReport)),
  tonight: os.reports.tonight.use(allow.staff).handler(verb(getTonight)),
};
