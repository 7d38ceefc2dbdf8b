import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { readReportSearch } from '../../staff/reports/report-search.ts';
import { ReportsPage } from '../../staff/reports/reports-page.tsx';

export const Route = createFileRoute('/_staff/staff/reports')({
  beforeLoad: requirePermission('see_reports'),
  validateSearch: readReportSearch,
  component: ReportsPage,
});
