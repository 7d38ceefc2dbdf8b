import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { PaymentsPage } from '../../staff/setup/payments-page.tsx';

export const Route = createFileRoute('/_staff/staff/payments')({
  beforeLoad: requirePermission('manage_money'),
  component: PaymentsPage,
});
