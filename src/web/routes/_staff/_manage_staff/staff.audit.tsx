import { createFileRoute } from '@tanstack/react-router';
import { readAuditSearch } from '../../../staff/audit/audit-search.ts';

export const Route = createFileRoute('/_staff/_manage_staff/staff/audit')({
  validateSearch: readAuditSearch,
});
