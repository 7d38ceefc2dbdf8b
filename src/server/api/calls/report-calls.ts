import { reportMembers } from '../../reports/members-report.ts';
import { reportPayments } from '../../reports/payments-report.ts';
import { reportPours } from '../../reports/pours-report.ts';
import { exportReport } from '../../reports/report-files.ts';
import { reportRevenue } from '../../reports/revenue-report.ts';
import { getTonight } from '../../reports/tonight-report.ts';
import { reportUnused } from '../../reports/unused-report.ts';
import type { Calls } from '../call.ts';

export const reportCalls = {
  'reports.members': { policy: 'seeReports', limit: 'read', scope: 'reports:read', verb: reportMembers },
  'reports.revenue': { policy: 'seeReports', limit: 'read', scope: 'reports:read', verb: reportRevenue },
  'reports.payments': {
    policy: 'seeReports',
    limit: 'read',
    scope: 'reports:read',
    verb: (ctx, filter) => reportPayments(ctx, filter),
  },
  'reports.pours': { policy: 'seeReports', limit: 'read', scope: 'reports:read', verb: reportPours },
  'reports.unused': { policy: 'seeReports', limit: 'read', scope: 'reports:read', verb: reportUnused },
  'reports.export': { policy: 'seeReports', limit: 'account', scope: 'reports:read', verb: exportReport },
  'reports.tonight': { policy: 'staff', limit: 'read', scope: 'venue:read', verb: getTonight },
} satisfies Partial<Calls>;
