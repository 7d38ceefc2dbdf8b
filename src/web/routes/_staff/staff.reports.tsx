import { createFileRoute, redirect } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { readReportSearch } from '../../staff/reports/report-search.ts';

const check = requirePermission('see_reports');

export const Route = createFileRoute('/_staff/staff/reports')({
  beforeLoad(input) {
    check(input);
    // Members not seen were a report of their own.
    const { view } = input.location.search as { view?: unknown };
    if (view === 'absent')
      throw redirect({ to: '/staff/at-risk', search: { reason: 'absent' }, replace: true });
  },
  validateSearch: readReportSearch,
});
