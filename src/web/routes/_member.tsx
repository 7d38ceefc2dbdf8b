import { createFileRoute } from '@tanstack/react-router';
import { requireMember } from '../app/route-guards.ts';
import { PageSpinner } from '../ui/spinner.tsx';

export const Route = createFileRoute('/_member')({
  beforeLoad: requireMember,
  pendingComponent: PageSpinner,
});
