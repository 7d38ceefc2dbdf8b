import { createFileRoute, redirect } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { readReportSearch } from '../../staff/reports/report-search.ts';

const check = requirePermission('see_reports');

export const Route = createFileRoute('/_staff/staff/reports')({
  beforeLoad(input) {
    check(input);
    // Links to the former report of members not seen.
    const { view } = input.location.search as { view?: unknown };
    if (view === 'absent')
      throw redirect({ to: '/staff/at-risk', search: { reason: 'absent' }, replace: true });
  },
  validateSearch: readReportSearch,
});
