import { createLazyFileRoute } from '@tanstack/react-router';
import { ReportsPage } from '../../staff/reports/reports-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/reports')({ component: ReportsPage });
