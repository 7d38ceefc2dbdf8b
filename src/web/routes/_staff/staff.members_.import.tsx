import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';

export const Route = createFileRoute('/_staff/staff/members_/import')({
  beforeLoad: requirePermission('manage_members'),
});
