import { createFileRoute } from '@tanstack/react-router';
import { RISK_KINDS, type RiskKind } from '../../../domain/reports/members-at-risk.ts';
import { CONTACT_PERMISSIONS } from '../../../domain/staff/staff-permission.ts';
import { requirePermission } from '../../app/route-guards.ts';

export const Route = createFileRoute('/_staff/staff/at-risk')({
  beforeLoad: requirePermission(...CONTACT_PERMISSIONS),
  /** An invalid filter in the URL is left out. */
  validateSearch: (search): { reason?: RiskKind } => ({
    reason: RISK_KINDS.find((it) => it === search.reason),
  }),
});
