import { createLazyFileRoute } from '@tanstack/react-router';
import { LookPage } from '../../../staff/settings/look-page.tsx';

export const Route = createLazyFileRoute('/_staff/_manage_staff/staff/settings_/look')({
  component: LookPage,
});
