import { createFileRoute, Outlet } from '@tanstack/react-router';
import { AppData } from '../features/app-data.tsx';
import { requireRole } from '../features/guard.ts';
import { PageSpinner } from '../ui/spinner.tsx';

export const Route = createFileRoute('/_member')({
  beforeLoad: requireRole('customer'),
  pendingComponent: PageSpinner,
  component: MemberLayout,
});

function MemberLayout() {
  return (
    <AppData>
      <Outlet />
    </AppData>
  );
}
