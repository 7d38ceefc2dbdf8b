import { createFileRoute } from '@tanstack/react-router';
import { requireRole } from '../app/route-guards.ts';
import { StaffLayout } from '../staff/staff-layout.tsx';

export const Route = createFileRoute('/_staff')({
  beforeLoad: requireRole('staff'),
  component: Layout,
});

function Layout() {
  return <StaffLayout user={Route.useRouteContext().user} />;
}
