import { createFileRoute } from '@tanstack/react-router';
import { StaffDashboardPage } from '../../staff/customers/staff-dashboard-page.tsx';

export const Route = createFileRoute('/_staff/staff/dashboard')({ component: StaffDashboardPage });
