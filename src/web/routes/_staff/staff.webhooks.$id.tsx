import { createFileRoute } from '@tanstack/react-router';
import { requirePermission } from '../../app/route-guards.ts';
import { WebhookPage } from '../../staff/webhooks/webhook-page.tsx';

export const Route = createFileRoute('/_staff/staff/webhooks/$id')({
  beforeLoad: requirePermission('manage_staff'),
  component: Endpoint,
});

function Endpoint() {
  const { id } = Route.useParams();
  return <WebhookPage key={id} id={id} />;
}
