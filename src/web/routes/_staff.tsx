import { createFileRoute } from '@tanstack/react-router';
import { requireRole } from '../features/guard.ts';
import { StaffLayout } from '../features/staff/staff-layout.tsx';

export const Route = createFileRoute('/_staff')({
  beforeLoad: requireRole('staff'),
  component: Layout,
});

function Layout() {
  return <StaffLayout user={Route.useRouteContext().user} />;
}
