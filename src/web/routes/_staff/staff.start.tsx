import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';

export const Route = createFileRoute('/_staff/staff/start')({
  beforeLoad: requirePermission('manage_staff'),
});
