import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';

export const Route = createFileRoute('/_staff/staff/settings_/look')({
  beforeLoad: requirePermission('manage_staff'),
});
