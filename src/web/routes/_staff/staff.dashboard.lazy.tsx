import { createLazyFileRoute } from '@tanstack/react-router';
import { StaffDashboardPage } from '../../staff/customers/staff-dashboard-page.tsx';

export const Route = createLazyFileRoute('/_staff/staff/dashboard')({ component: StaffDashboardPage });
