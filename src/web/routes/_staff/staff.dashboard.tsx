import { createFileRoute } from '@tanstack/react-router';
import { StaffDashboardPage } from '../../features/staff/members/dashboard-page.tsx';

export const Route = createFileRoute('/_staff/staff/dashboard')({ component: StaffDashboardPage });
