import { createFileRoute } from '@tanstack/react-router';
import { readReportSearch } from '../../staff/reports/report-search.ts';
import { ReportsPage } from '../../staff/reports/reports-page.tsx';

export const Route = createFileRoute('/_staff/staff/reports')({
  validateSearch: readReportSearch,
  component: ReportsPage,
});
