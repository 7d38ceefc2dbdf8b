import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';

export const Route = createFileRoute('/_staff/_manage_staff')({
  beforeLoad: requirePermission('manage_staff'),
});
