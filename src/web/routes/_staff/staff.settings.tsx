import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { ClubPage } from '../../staff/settings/club-page.tsx';

export const Route = createFileRoute('/_staff/staff/settings')({
  beforeLoad: requirePermission('manage_staff'),
  component: ClubPage,
});
