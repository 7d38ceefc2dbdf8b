import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { readAuditSearch } from '../../staff/audit/audit-search.ts';

export const Route = createFileRoute('/_staff/staff/audit')({
  validateSearch: readAuditSearch,
  beforeLoad: requirePermission('manage_staff'),
});
