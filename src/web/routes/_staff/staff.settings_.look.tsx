import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { LookPage } from '../../staff/settings/look-page.tsx';

export const Route = createFileRoute('/_staff/staff/settings_/look')({
  beforeLoad: requirePermission('manage_staff'),
  component: LookPage,
});
