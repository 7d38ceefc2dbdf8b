import { createFileRoute, Outlet } from '@tanstack/react-router';
import { AppData } from '../features/app-data.tsx';
import { requireRole } from '../features/guard.ts';

export const Route = createFileRoute('/_staff')({
  beforeLoad: requireRole('staff'),
  component: StaffLayout,
});

function StaffLayout() {
  return (
    <AppData>
      <Outlet />
    </AppData>
  );
}
