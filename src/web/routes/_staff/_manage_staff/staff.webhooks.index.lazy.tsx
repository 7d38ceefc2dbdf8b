import { createLazyFileRoute } from '@tanstack/react-router';
import { WebhooksPage } from '../../../staff/webhooks/webhooks-page.tsx';

export const Route = createLazyFileRoute('/_staff/_manage_staff/staff/webhooks/')({
  component: WebhooksPage,
});
