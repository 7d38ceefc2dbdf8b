import { createLazyFileRoute } from '@tanstack/react-router';
import { WebhookPage } from '../../../staff/webhooks/webhook-page.tsx';

export const Route = createLazyFileRoute('/_staff/_manage_staff/staff/webhooks/$id')({ component: Endpoint });

function Endpoint() {
  const { id } = Route.useParams();
  return <WebhookPage key={id} id={id} />;
}
