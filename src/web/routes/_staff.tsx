import { createFileRoute } from '@tanstack/react-router';
import { useEffect } from 'react';
import { registerForStaff } from '../app/register-service-worker.ts';
import { requireStaff } from '../app/route-guards.ts';
import { StaffLayout } from '../staff/staff-layout.tsx';
import { PageSpinner } from '../ui/spinner.tsx';

export const Route = createFileRoute('/_staff')({
  beforeLoad: requireStaff,
  pendingComponent: PageSpinner,
  component: Layout,
});

function Layout() {
  useEffect(registerForStaff, []);
  const { user, offline } = Route.useRouteContext();
  return <StaffLayout user={user} offline={offline} />;
}
