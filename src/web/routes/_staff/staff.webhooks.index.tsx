import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { WebhooksPage } from '../../staff/webhooks/webhooks-page.tsx';

export const Route = createFileRoute('/_staff/staff/webhooks/')({
  beforeLoad: requirePermission('manage_staff'),
  component: WebhooksPage,
});
