import { createFileRoute } from '@tanstack/react-router';
import { CONTACT_PERMISSIONS } from '../../../domain/staff/staff-permission.ts';
import { requirePermission } from '../../app/route-guards.ts';
import { readAtRiskSearch } from '../../staff/at-risk/at-risk-page.tsx';

export const Route = createFileRoute('/_staff/staff/at-risk')({
  beforeLoad: requirePermission(...CONTACT_PERMISSIONS),
  validateSearch: readAtRiskSearch,
});
