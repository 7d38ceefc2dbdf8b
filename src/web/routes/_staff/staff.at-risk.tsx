import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { AtRiskPage } from '../../staff/at-risk/at-risk-page.tsx';

export const Route = createFileRoute('/_staff/staff/at-risk')({
  beforeLoad: requirePermission('manage_members'),
  component: AtRiskPage,
});
