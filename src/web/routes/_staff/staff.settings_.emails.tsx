import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { EmailsPage } from '../../staff/emails/emails-page.tsx';

export const Route = createFileRoute('/_staff/staff/settings_/emails')({
  beforeLoad: requirePermission('manage_staff'),
  component: EmailsPage,
});
