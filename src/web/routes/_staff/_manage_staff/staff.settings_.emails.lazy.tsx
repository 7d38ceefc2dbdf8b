import { createLazyFileRoute } from '@tanstack/react-router';
import { EmailsPage } from '../../../staff/emails/emails-page.tsx';

export const Route = createLazyFileRoute('/_staff/_manage_staff/staff/settings_/emails')({
  component: EmailsPage,
});
