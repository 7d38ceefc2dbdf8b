import { createLazyFileRoute } from '@tanstack/react-router';
import { useEffect } from 'react';
import { registerForStaff } from '../app/register-service-worker.ts';
import { StaffLayout } from '../staff/staff-layout.tsx';

export const Route = createLazyFileRoute('/_staff')({ component: Layout });

function Layout() {
  useEffect(registerForStaff, []);
  const { user, offline } = Route.useRouteContext();
  return <StaffLayout user={user} offline={offline} />;
}
