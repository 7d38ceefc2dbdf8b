import { createFileRoute } from '@tanstack/react-router';
import { requireStaff } from '../app/route-guards.ts';
import { PageSpinner } from '../ui/spinner.tsx';

export const Route = createFileRoute('/_staff')({
  beforeLoad: requireStaff,
  pendingComponent: PageSpinner,
});
